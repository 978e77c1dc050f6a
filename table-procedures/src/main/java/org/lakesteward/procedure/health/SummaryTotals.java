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

import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.lakesteward.planner.health.FileTotals;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

import static org.apache.iceberg.SnapshotSummary.TOTAL_DATA_FILES_PROP;
import static org.apache.iceberg.SnapshotSummary.TOTAL_DELETE_FILES_PROP;
import static org.apache.iceberg.SnapshotSummary.TOTAL_EQ_DELETES_PROP;
import static org.apache.iceberg.SnapshotSummary.TOTAL_FILE_SIZE_PROP;
import static org.apache.iceberg.SnapshotSummary.TOTAL_POS_DELETES_PROP;
import static org.apache.iceberg.SnapshotSummary.TOTAL_RECORDS_PROP;

/**
 * Totals of a snapshot: what its summary says, completed by the counts of its manifest list. All of these are optional in Iceberg.
 */
final class SummaryTotals
{
    private SummaryTotals() {}

    static FileTotals read(Snapshot snapshot, List<ManifestFile> dataManifests, List<ManifestFile> deleteManifests)
    {
        Map<String, String> summary = snapshot.summary() == null ? Map.of() : snapshot.summary();
        return new FileTotals(
                firstPresent(number(summary, TOTAL_DATA_FILES_PROP), sum(dataManifests, ManifestFile::addedFilesCount, ManifestFile::existingFilesCount)),
                number(summary, TOTAL_FILE_SIZE_PROP),
                firstPresent(number(summary, TOTAL_RECORDS_PROP), sum(dataManifests, ManifestFile::addedRowsCount, ManifestFile::existingRowsCount)),
                firstPresent(number(summary, TOTAL_DELETE_FILES_PROP), sum(deleteManifests, ManifestFile::addedFilesCount, ManifestFile::existingFilesCount)),
                number(summary, TOTAL_POS_DELETES_PROP),
                number(summary, TOTAL_EQ_DELETES_PROP));
    }

    /**
     * @return the number under {@code key}; empty when it is absent, no number, or negative (as some writers' totals became)
     */
    static OptionalLong number(Map<String, String> summary, String key)
    {
        String value = summary.get(key);
        if (value == null) {
            return OptionalLong.empty();
        }
        try {
            long number = Long.parseLong(value);
            return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
        }
        catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong sum(List<ManifestFile> manifests, Function<ManifestFile, ? extends Number> added, Function<ManifestFile, ? extends Number> existing)
    {
        long sum = 0;
        for (ManifestFile manifest : manifests) {
            Number addedCount = added.apply(manifest);
            Number existingCount = existing.apply(manifest);
            if (addedCount == null || existingCount == null) {
                return OptionalLong.empty();
            }
            sum += addedCount.longValue() + existingCount.longValue();
        }
        return OptionalLong.of(sum);
    }

    private static OptionalLong firstPresent(OptionalLong first, OptionalLong second)
    {
        return first.isPresent() ? first : second;
    }
}
