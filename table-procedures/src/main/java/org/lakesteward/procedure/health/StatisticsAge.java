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
package org.lakesteward.procedure.health;

import com.google.common.collect.ImmutableList;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.TableMetadata;
import org.lakesteward.planner.health.StatisticsState;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.apache.iceberg.SnapshotSummary.ADDED_EQ_DELETES_PROP;
import static org.apache.iceberg.SnapshotSummary.ADDED_POS_DELETES_PROP;
import static org.apache.iceberg.SnapshotSummary.ADDED_RECORDS_PROP;
import static org.apache.iceberg.SnapshotSummary.DELETED_RECORDS_PROP;
import static org.apache.iceberg.SnapshotSummary.TOTAL_RECORDS_PROP;
import static org.apache.iceberg.util.SnapshotUtil.ancestorsOf;

/**
 * Finds the statistics file that Trino uses ({@code TableStatisticsReader.getLatestStatisticsFile}) and what changed since.
 */
final class StatisticsAge
{
    private static final List<String> CHANGES = ImmutableList.of(ADDED_RECORDS_PROP, DELETED_RECORDS_PROP, ADDED_POS_DELETES_PROP, ADDED_EQ_DELETES_PROP);

    private StatisticsAge() {}

    static StatisticsState read(TableMetadata metadata)
    {
        if (metadata.currentSnapshot() == null) {
            return StatisticsState.ABSENT;
        }
        Set<Long> withStatistics = metadata.statisticsFiles().stream()
                .map(StatisticsFile::snapshotId)
                .collect(toImmutableSet());
        long snapshotsBehind = 0;
        OptionalLong rowsChanged = OptionalLong.of(0);
        for (Snapshot snapshot : ancestorsOf(metadata.currentSnapshot().snapshotId(), metadata::snapshot)) {
            if (withStatistics.contains(snapshot.snapshotId())) {
                return new StatisticsState(true, OptionalLong.of(snapshotsBehind), rowsChanged);
            }
            // a rewrite changes no row
            if (!DataOperations.REPLACE.equals(snapshot.operation())) {
                snapshotsBehind++;
                rowsChanged = add(rowsChanged, changes(snapshot));
            }
        }
        return StatisticsState.ABSENT;
    }

    /**
     * Iceberg leaves out a count of zero; a summary with totals says everything.
     */
    private static OptionalLong changes(Snapshot snapshot)
    {
        Map<String, String> summary = snapshot.summary();
        if (summary == null || SummaryTotals.number(summary, TOTAL_RECORDS_PROP).isEmpty()) {
            return OptionalLong.empty();
        }
        long changes = 0;
        for (String key : CHANGES) {
            OptionalLong change = SummaryTotals.number(summary, key);
            if (change.isEmpty() && summary.containsKey(key)) {
                return OptionalLong.empty();
            }
            changes += change.orElse(0);
        }
        return OptionalLong.of(changes);
    }

    private static OptionalLong add(OptionalLong left, OptionalLong right)
    {
        return left.isPresent() && right.isPresent() ? OptionalLong.of(left.getAsLong() + right.getAsLong()) : OptionalLong.empty();
    }
}
