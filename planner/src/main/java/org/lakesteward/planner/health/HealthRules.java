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
package org.lakesteward.planner.health;

import com.google.common.collect.ImmutableList;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Examines a table by what its metadata says. Each rule reports at most one finding.
 * <ul>
 * <li>A finding is a warning or critical when its measured value reaches the level of {@link HealthThresholds}.
 * <li>A rule whose numbers are unknown reports an {@link Severity#INFO} finding without measured value, so that nothing unknown looks healthy.
 * {@link NeedsDetails} tells beforehand when reading the manifests would make them known.
 * <li>A finding carries a statement only when that statement mends it.
 * <li>An empty table, and one without snapshot, can only have findings about its metadata file and its snapshots.
 * </ul>
 */
public final class HealthRules
{
    private static final List<Function<Examination, Optional<HealthFinding>>> RULES = ImmutableList.of(
            SmallFilesRule::examine,
            DeleteRules::positionDeletes,
            DeleteRules::equalityDeletes,
            DeleteRules::deletedRows,
            MetadataRules::manifests,
            MetadataRules::snapshots,
            MetadataRules::metadataSize,
            StatisticsRule::examine,
            SortOrderRule::examine,
            OverlapRule::examine);

    private static final Comparator<HealthFinding> WORST_FIRST = Comparator.comparing(HealthFinding::severity).reversed()
            .thenComparing(HealthFinding::kind);

    private HealthRules() {}

    /**
     * @param now the moment against which ages are measured
     * @return the findings, the worst first, in the order of {@link FindingKind} within a severity
     */
    public static List<HealthFinding> examine(TableName table, TableObservation observation, HealthThresholds thresholds, Instant now)
    {
        Examination examination = new Examination(table, observation, thresholds, now);
        return RULES.stream()
                .flatMap(rule -> rule.apply(examination).stream())
                .sorted(WORST_FIRST)
                .collect(toImmutableList());
    }
}
