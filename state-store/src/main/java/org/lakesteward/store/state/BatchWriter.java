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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Writes any number of operations in transactions of at most {@value #MAX_OPERATIONS} operations and {@value #MAX_BYTES} bytes, far enough below the
 * store's limits, each under the same conditions. They do not take place together: whoever reads may see the first ones alone.
 * Thread-safe.
 */
public final class BatchWriter
{
    public static final int MAX_OPERATIONS = 100;
    public static final int MAX_BYTES = 768 * 1024;

    private final StateStore store;
    private final List<Condition> guards;

    /**
     * @param guards such as {@link LeaderElection#guard}; on keys that the operations do not change
     */
    public BatchWriter(StateStore store, Iterable<? extends Condition> guards)
    {
        this.store = requireNonNull(store, "store is null");
        this.guards = ImmutableList.copyOf(guards);
    }

    /**
     * @param operations those that took place, the first ones of all
     * @param refused why the next ones did not; empty when all took place
     */
    public record Result(int transactions, int operations, Optional<TransactionResult.Refused> refused)
    {
        public Result
        {
            requireNonNull(refused, "refused is null");
        }
    }

    /**
     * Stops at the first transaction that is refused. Operations on the same key take place in their order. An operation of
     * more than {@value #MAX_BYTES} bytes gets a transaction of its own.
     *
     * @throws StateStoreException as {@link StateStore#commit}; the transactions before took place, and writing all operations again does no
     * harm while the guards hold
     */
    public Result write(Iterable<? extends Operation> operations)
    {
        int transactions = 0;
        int written = 0;
        for (List<Operation> chunk : chunks(operations)) {
            TransactionResult result = store.commit(new Transaction(guards, chunk));
            switch (result) {
                case TransactionResult.Refused refused -> {
                    return new Result(transactions, written, Optional.of(refused));
                }
                case TransactionResult.Committed _ -> {
                    transactions++;
                    written += chunk.size();
                }
            }
        }
        return new Result(transactions, written, Optional.empty());
    }

    private Iterable<List<Operation>> chunks(Iterable<? extends Operation> operations)
    {
        Set<String> guarded = new HashSet<>();
        guards.forEach(guard -> guarded.add(guard.key()));
        List<List<Operation>> chunks = new ArrayList<>();
        List<Operation> chunk = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        long bytes = 0;
        for (Operation operation : operations) {
            checkArgument(!guarded.contains(operation.key()), "key %s is changed and guarded: its guard would not hold for what follows", operation.key());
            if (!chunk.isEmpty() && (chunk.size() >= MAX_OPERATIONS || bytes + operation.bytes() > MAX_BYTES || keys.contains(operation.key()))) {
                chunks.add(chunk);
                chunk = new ArrayList<>();
                keys.clear();
                bytes = 0;
            }
            chunk.add(operation);
            keys.add(operation.key());
            bytes += operation.bytes();
        }
        if (!chunk.isEmpty()) {
            chunks.add(chunk);
        }
        return chunks;
    }
}
