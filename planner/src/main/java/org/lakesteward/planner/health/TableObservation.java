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

import com.google.common.collect.Sets;

import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What table metadata says at one moment. Data files are never opened for it.
 *
 * @param tableUuid uuid of the table; a new uuid is a new table
 * @param sequenceNumber last sequence number; of two observations of one uuid the one with the higher number is newer. Always 0 in format version 1
 * @param formatVersion Iceberg format version, at least 1
 * @param currentSnapshot empty for a table that nothing was ever committed to
 * @param partitioned whether files may stand in more than one partition: there is more than one partition spec, or one with a field
 * @param targetFileBytes size of a data file that a rewrite aims for; above zero
 * @param sortOrder whether the table has a sort order
 * @param totals what the summary of the current snapshot says
 * @param manifests what its manifest list says; empty when it was not read
 * @param history snapshots
 * @param metadataFile the metadata file
 * @param statistics column statistics
 * @param limits what keeps Trino from mending the table
 * @param details what the manifests say; empty when they were not read
 */
public record TableObservation(
        String tableUuid,
        long sequenceNumber,
        int formatVersion,
        Optional<CurrentSnapshot> currentSnapshot,
        boolean partitioned,
        long targetFileBytes,
        boolean sortOrder,
        FileTotals totals,
        Optional<ManifestTotals> manifests,
        SnapshotHistory history,
        MetadataFile metadataFile,
        StatisticsState statistics,
        Set<TableLimit> limits,
        Optional<FileDetails> details)
{
    public TableObservation
    {
        requireNonNull(tableUuid, "tableUuid is null");
        Checks.notNegative("sequenceNumber", sequenceNumber);
        checkArgument(formatVersion >= 1, "formatVersion is %s: it must be at least 1", formatVersion);
        requireNonNull(currentSnapshot, "currentSnapshot is null");
        checkArgument(targetFileBytes > 0, "targetFileBytes is %s: it must be above 0", targetFileBytes);
        requireNonNull(totals, "totals is null");
        requireNonNull(manifests, "manifests is null");
        requireNonNull(history, "history is null");
        requireNonNull(metadataFile, "metadataFile is null");
        requireNonNull(statistics, "statistics is null");
        limits = Sets.immutableEnumSet(limits);
        requireNonNull(details, "details is null");
    }

    /**
     * The same observation, completed with what the manifests say.
     */
    public TableObservation withDetails(FileDetails details)
    {
        return new TableObservation(
                tableUuid,
                sequenceNumber,
                formatVersion,
                currentSnapshot,
                partitioned,
                targetFileBytes,
                sortOrder,
                totals,
                manifests,
                history,
                metadataFile,
                statistics,
                limits,
                Optional.of(details));
    }

    /**
     * The same observation, for files of another size. What the manifests said of groups still goes by the old one.
     *
     * @param bytes above zero
     */
    public TableObservation withTargetFileBytes(long bytes)
    {
        return new TableObservation(
                tableUuid,
                sequenceNumber,
                formatVersion,
                currentSnapshot,
                partitioned,
                bytes,
                sortOrder,
                totals,
                manifests,
                history,
                metadataFile,
                statistics,
                limits,
                details);
    }

    /**
     * The best totals known: from the manifests when they were read, else from the snapshot summary, and none for a table without snapshot.
     */
    public FileTotals knownTotals()
    {
        if (currentSnapshot.isEmpty()) {
            return FileTotals.NONE;
        }
        return details.map(FileDetails::totals).orElse(totals);
    }
}
