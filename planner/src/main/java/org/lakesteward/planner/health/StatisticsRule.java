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

import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.Math.min;
import static org.lakesteward.planner.health.FindingKind.MISSING_STATISTICS;

/**
 * Statistics are wanted for tables with enough rows, and again once enough of the rows have changed.
 */
final class StatisticsRule
{
    private StatisticsRule() {}

    static Optional<HealthFinding> examine(Examination examination)
    {
        if (!examination.hasSnapshot()) {
            return Optional.empty();
        }
        Level level = examination.thresholds().uncoveredRowsShare();
        OptionalLong records = examination.observation().knownTotals().records();
        if (records.isEmpty()) {
            return Optional.of(examination.unknown(MISSING_STATISTICS, level.warning(), "the snapshot summary does not say how many rows there are, and the manifests were not read."));
        }
        if (records.getAsLong() < examination.thresholds().statisticsMinRecords()) {
            return Optional.empty();
        }
        StatisticsState statistics = examination.observation().statistics();
        if (!statistics.present()) {
            return finding(examination, 1, "No statistics were collected for %s; the optimizer guesses distinct values.".formatted(Words.count(records.getAsLong(), "row")));
        }
        if (statistics.snapshotsBehind().isPresent() && statistics.snapshotsBehind().getAsLong() == 0) {
            return Optional.empty();
        }
        if (statistics.rowsChanged().isEmpty()) {
            return Optional.of(examination.unknown(MISSING_STATISTICS, level.warning(), "the snapshot summaries do not say how many rows changed since the statistics were collected."));
        }
        double share = min(1, (double) statistics.rowsChanged().getAsLong() / records.getAsLong());
        String behind = statistics.snapshotsBehind().stream()
                .mapToObj(snapshots -> " in " + Words.count(snapshots, "snapshot"))
                .findFirst()
                .orElse("");
        return finding(examination, share, "Rows changed since the statistics were collected: %s%s; the table has %s.".formatted(
                Words.number(statistics.rowsChanged().getAsLong()),
                behind,
                Words.number(records.getAsLong())));
    }

    private static Optional<HealthFinding> finding(Examination examination, double share, String reason)
    {
        Level level = examination.thresholds().uncoveredRowsShare();
        return level.severity(share).map(severity -> examination.finding(
                MISSING_STATISTICS,
                severity,
                share,
                level.warning(),
                reason,
                Remedy.ANALYZE,
                examination.statements().analyze()));
    }
}
