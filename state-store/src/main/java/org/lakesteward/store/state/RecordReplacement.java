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

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * How a record is replaced, see {@link RecordCodec#replace}.
 */
public sealed interface RecordReplacement
{
    /**
     * Both belong into one transaction: the condition keeps it from replacing what somebody else wrote meanwhile.
     */
    record Allowed(Condition unchanged, Operation.Put put)
            implements RecordReplacement
    {
        public Allowed
        {
            requireNonNull(unchanged, "unchanged is null");
            requireNonNull(put, "put is null");
        }

        public Transaction under(List<Condition> guards)
        {
            return new Transaction(ImmutableList.<Condition>builder().addAll(guards).add(unchanged).build(), ImmutableList.of(put));
        }
    }

    /**
     * The record is of a newer version.
     *
     * @param problem one sentence
     */
    record Forbidden(String problem)
            implements RecordReplacement
    {
        public Forbidden
        {
            requireNonNull(problem, "problem is null");
        }
    }
}
