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

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

import static java.util.Objects.requireNonNull;

/**
 * Everything that a rule may look at, and the two ways in which it answers.
 */
record Examination(TableName table, TableObservation observation, HealthThresholds thresholds, Instant now)
{
    Examination
    {
        requireNonNull(table, "table is null");
        requireNonNull(observation, "observation is null");
        requireNonNull(thresholds, "thresholds is null");
        requireNonNull(now, "now is null");
    }

    Statements statements()
    {
        return new Statements(table);
    }

    boolean hasSnapshot()
    {
        return observation.currentSnapshot().isPresent();
    }

    /**
     * Data files below this size are small.
     */
    double minFileBytes()
    {
        return observation.targetFileBytes() * thresholds.minFileSizeRatio();
    }

    /**
     * A finding that {@code statement} mends, unless the table's limits bar it: the finding then says so and offers no statement.
     */
    HealthFinding finding(FindingKind kind, Severity severity, double measured, double threshold, String reason, Remedy remedy, String statement)
    {
        Optional<TableLimit> limit = observation.limits().stream()
                .filter(candidate -> candidate.bars(remedy))
                .findFirst();
        if (limit.isPresent()) {
            return withoutStatement(kind, severity, measured, threshold, reason + " No statement of Trino mends this: " + limit.get().description() + ".");
        }
        return new HealthFinding(kind, severity, OptionalDouble.of(measured), threshold, reason, Optional.of(statement));
    }

    /**
     * A finding that no statement mends; {@code reason} says what to do instead.
     */
    HealthFinding withoutStatement(FindingKind kind, Severity severity, double measured, double threshold, String reason)
    {
        return new HealthFinding(kind, severity, OptionalDouble.of(measured), threshold, reason, Optional.empty());
    }

    /**
     * What cannot be judged is reported as such, because silence would look like health.
     */
    HealthFinding unknown(FindingKind kind, double threshold, String reason)
    {
        return new HealthFinding(kind, Severity.INFO, OptionalDouble.empty(), threshold, "Not judged: " + reason, Optional.empty());
    }
}
