/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.lakesteward.store.state;

import com.google.common.collect.ImmutableList;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Operations that take place together, when all conditions hold.
 *
 * @param operations one or more, each on a key of its own
 */
public record Transaction(List<Condition> conditions, List<Operation> operations)
{
    public Transaction
    {
        conditions = ImmutableList.copyOf(conditions);
        operations = ImmutableList.copyOf(operations);
        checkArgument(!operations.isEmpty(), "operations is empty");
        Set<String> keys = new HashSet<>();
        for (Operation operation : operations) {
            checkArgument(keys.add(operation.key()), "there are two operations on key %s", operation.key());
        }
    }

    public long bytes()
    {
        return operations.stream().mapToLong(Operation::bytes).sum() +
                conditions.stream().mapToLong(condition -> condition.key().length() + StoreLimits.ENTRY_OVERHEAD).sum();
    }

    /** Of the keys that it puts. */
    public List<Lease> leases()
    {
        return operations.stream()
                .filter(Operation.Put.class::isInstance)
                .flatMap(operation -> ((Operation.Put) operation).lease().stream())
                .distinct()
                .collect(toImmutableList());
    }

    public static Builder builder()
    {
        return new Builder();
    }

    public static final class Builder
    {
        private final ImmutableList.Builder<Condition> conditions = ImmutableList.builder();
        private final ImmutableList.Builder<Operation> operations = ImmutableList.builder();

        private Builder() {}

        public Builder require(Condition condition)
        {
            conditions.add(condition);
            return this;
        }

        public Builder require(Iterable<? extends Condition> conditions)
        {
            this.conditions.addAll(conditions);
            return this;
        }

        public Builder put(String key, byte[] value)
        {
            return add(Operation.put(key, value));
        }

        public Builder put(String key, byte[] value, Lease lease)
        {
            return add(Operation.put(key, value, lease));
        }

        public Builder delete(String key)
        {
            return add(Operation.delete(key));
        }

        public Builder add(Operation operation)
        {
            operations.add(operation);
            return this;
        }

        public Transaction build()
        {
            return new Transaction(conditions.build(), operations.build());
        }
    }
}
