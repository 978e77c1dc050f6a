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
package org.lakesteward.systemtables.policy;

import org.lakesteward.planner.health.TableName;
import org.lakesteward.planner.policy.ResolvedPolicy;
import org.lakesteward.systemtables.TableFilter;

import static java.util.Objects.requireNonNull;

/**
 * Where {@code policies} takes what it shows.
 */
public interface PolicyList
{
    /**
     * Policies of the known tables, made one by one as they are read; what is thrown fails the statement.
     *
     * @param filter which tables are wanted; others may be among them
     */
    Iterable<NamedPolicy> read(TableFilter filter);

    record NamedPolicy(TableName table, ResolvedPolicy policy)
    {
        public NamedPolicy
        {
            requireNonNull(table, "table is null");
            requireNonNull(policy, "policy is null");
        }
    }
}
