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
package org.lakesteward.planner.policy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What the properties of a table and the operator's file say together.
 */
public sealed interface ResolvedPolicy
{
    /**
     * @param settings for each entry, in the order of {@link PolicyEntry#all()}, what was chosen and from where
     */
    record Effective(TablePolicy policy, Map<PolicyEntry<?>, Setting> settings)
            implements ResolvedPolicy
    {
        public Effective
        {
            requireNonNull(policy, "policy is null");
            settings = ImmutableMap.copyOf(settings);
        }
    }

    /**
     * The table must not be maintained.
     *
     * @param problems one or more; those of the table first, then by pattern, then the defaults
     * @param enabled whether the owner's key is there all the same: {@code maintenance.enabled} of the table is true
     */
    record Invalid(List<PolicyProblem> problems, boolean enabled)
            implements ResolvedPolicy
    {
        public Invalid
        {
            problems = ImmutableList.copyOf(problems);
            checkArgument(!problems.isEmpty(), "problems is empty");
        }
    }

    /**
     * @param value as it was written; empty when nobody sets the entry and it has no default
     */
    record Setting(Optional<String> value, PolicySource source)
    {
        public Setting
        {
            requireNonNull(value, "value is null");
            requireNonNull(source, "source is null");
        }
    }
}
