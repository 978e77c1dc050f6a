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
import org.lakesteward.planner.policy.PolicyProblem;
import org.lakesteward.planner.policy.ResolvedPolicy;
import org.lakesteward.planner.policy.ResolvedPolicy.Effective;
import org.lakesteward.planner.policy.ResolvedPolicy.Invalid;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * A row of {@code policies}: an entry of the policy of a table, or a mistake that leaves the table without one.
 *
 * @param entry empty when the policy file as a whole is to blame
 * @param value as it was written; empty when there is none
 * @param source where it stands: {@code table}, {@code pattern} with the pattern, {@code defaults}, {@code built-in}, {@code policy file}
 * @param reason of an entry that is not valid
 */
public record PolicyRow(TableName table, Optional<String> entry, Optional<String> value, String source, boolean valid, Optional<String> reason)
{
    public PolicyRow
    {
        requireNonNull(table, "table is null");
        requireNonNull(entry, "entry is null");
        requireNonNull(value, "value is null");
        requireNonNull(source, "source is null");
        requireNonNull(reason, "reason is null");
    }

    /**
     * A row for each entry, in the order in which entries are listed; for a policy that cannot be followed, a row for each reason instead.
     */
    public static List<PolicyRow> of(TableName table, ResolvedPolicy policy)
    {
        return switch (policy) {
            case Effective effective -> effective.settings().entrySet().stream()
                    .map(setting -> new PolicyRow(table, Optional.of(setting.getKey().name()), setting.getValue().value(), setting.getValue().source().toString(), true, Optional.empty()))
                    .collect(toImmutableList());
            case Invalid invalid -> invalid.problems().stream()
                    .map(problem -> of(table, problem))
                    .collect(toImmutableList());
        };
    }

    private static PolicyRow of(TableName table, PolicyProblem problem)
    {
        return new PolicyRow(table, problem.entry(), problem.value(), problem.source().toString(), false, Optional.of(problem.reason()));
    }
}
