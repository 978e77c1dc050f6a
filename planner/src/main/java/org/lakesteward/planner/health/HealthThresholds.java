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

import java.time.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Where healthy ends. {@link #defaults()} gives the documented values.
 *
 * @param minInputFiles files that a partition must hold before rewriting them pays; at least 2. Default 5, as in Iceberg's {@code SizeBasedFileRewritePlanner}
 * @param minFileSizeRatio a file below this share of the target size is small; above 0, below 1. Default 0.75, as in Iceberg's {@code SizeBasedFileRewritePlanner}
 * @param smallFiles files that a rewrite would merge. Default 5 (one full set of input files) and 160 (32 times that)
 * @param positionDeleteFiles position delete files and deletion vectors; a finding needs this level and the next. Default 5 and 160
 * @param positionDeletesPerDataFile position delete files and deletion vectors for each data file. Default 0.1 and 1 (every read of a file reads a delete file too)
 * @param equalityDeleteFiles equality delete files. Default 1 (a single one slows every older file of its partition) and 32
 * @param deletedRowsShare rows deleted by position, as a share of the stored rows. Default 0.1 and 0.5 (half of what is read is thrown away)
 * @param manifests data manifests, or delete manifests, of the current snapshot. Default 100 (Iceberg's {@code commit.manifest.min-count-to-merge}) and 1,000
 * @param manifestFillRatio manifests that fill their target size on average to this share are as good as rewritten ones; above 0, at most 1. Default 0.5
 * @param snapshotMaxAge a removable snapshot older than this is a warning; at least 1 ms. Default 7 days, the retention below which Trino refuses by default
 * @param snapshotCriticalAge a removable snapshot older than this is critical; at least {@code snapshotMaxAge}. Default 28 days
 * @param metadataBytes size of the metadata file. Default 8 MiB, the target size of a manifest: reading the root must not cost more than reading what it points to, and every commit writes it anew; critical at 64 MiB
 * @param metadataLogEntries earlier metadata files that the current one lists; at least 1. Default 1,000, ten times Iceberg's {@code write.metadata.previous-versions-max}
 * @param unusedSchemas schemas without use from which on removing them is worth it; at least 1. Default 100
 * @param uncoveredRowsShare rows changed since the statistics were collected, as a share of all rows. Default 0.1 (as PostgreSQL's {@code autovacuum_analyze_scale_factor}), never critical
 * @param statisticsMinRecords tables with fewer rows need no statistics; at least 1. Default 10,000
 * @param unsortedBytesShare bytes in files without the table's sort order, as a share of all. Default 0.1, never critical
 * @param overlapDepth files of a sorted table that may hold a key, on average. Default 2 (a query for a key reads twice what it needs), never critical
 */
public record HealthThresholds(
        int minInputFiles,
        double minFileSizeRatio,
        Level smallFiles,
        Level positionDeleteFiles,
        Level positionDeletesPerDataFile,
        Level equalityDeleteFiles,
        Level deletedRowsShare,
        Level manifests,
        double manifestFillRatio,
        Duration snapshotMaxAge,
        Duration snapshotCriticalAge,
        Level metadataBytes,
        long metadataLogEntries,
        long unusedSchemas,
        Level uncoveredRowsShare,
        long statisticsMinRecords,
        Level unsortedBytesShare,
        Level overlapDepth)
{
    private static final long MEBIBYTE = 1L << 20;

    public HealthThresholds
    {
        checkArgument(minInputFiles >= 2, "minInputFiles is %s: it must be at least 2", minInputFiles);
        checkArgument(minFileSizeRatio > 0 && minFileSizeRatio < 1, "minFileSizeRatio is %s: it must be above 0 and below 1", minFileSizeRatio);
        requireNonNull(smallFiles, "smallFiles is null");
        requireNonNull(positionDeleteFiles, "positionDeleteFiles is null");
        requireNonNull(positionDeletesPerDataFile, "positionDeletesPerDataFile is null");
        requireNonNull(equalityDeleteFiles, "equalityDeleteFiles is null");
        requireNonNull(deletedRowsShare, "deletedRowsShare is null");
        requireNonNull(manifests, "manifests is null");
        checkArgument(manifestFillRatio > 0 && manifestFillRatio <= 1, "manifestFillRatio is %s: it must be above 0 and at most 1", manifestFillRatio);
        requireNonNull(snapshotMaxAge, "snapshotMaxAge is null");
        requireNonNull(snapshotCriticalAge, "snapshotCriticalAge is null");
        checkArgument(snapshotMaxAge.toMillis() >= 1, "snapshotMaxAge is %s: it must be at least 1 ms", snapshotMaxAge);
        checkArgument(snapshotCriticalAge.compareTo(snapshotMaxAge) >= 0, "snapshotCriticalAge is %s: it must be at least snapshotMaxAge, %s", snapshotCriticalAge, snapshotMaxAge);
        requireNonNull(metadataBytes, "metadataBytes is null");
        checkArgument(metadataLogEntries >= 1, "metadataLogEntries is %s: it must be at least 1", metadataLogEntries);
        checkArgument(unusedSchemas >= 1, "unusedSchemas is %s: it must be at least 1", unusedSchemas);
        requireNonNull(uncoveredRowsShare, "uncoveredRowsShare is null");
        checkArgument(statisticsMinRecords >= 1, "statisticsMinRecords is %s: it must be at least 1", statisticsMinRecords);
        requireNonNull(unsortedBytesShare, "unsortedBytesShare is null");
        requireNonNull(overlapDepth, "overlapDepth is null");
    }

    public static HealthThresholds defaults()
    {
        return new HealthThresholds(
                5,
                0.75,
                new Level(5, 160),
                new Level(5, 160),
                new Level(0.1, 1),
                new Level(1, 32),
                new Level(0.1, 0.5),
                new Level(100, 1_000),
                0.5,
                Duration.ofDays(7),
                Duration.ofDays(28),
                new Level(8 * MEBIBYTE, 64 * MEBIBYTE),
                1_000,
                100,
                Level.neverCritical(0.1),
                10_000,
                Level.neverCritical(0.1),
                Level.neverCritical(2));
    }

    /**
     * The same thresholds with another age of snapshots, for a cluster whose minimum retention differs from Trino's default:
     * Trino refuses to expire snapshots younger than that. The critical age keeps its factor of four.
     *
     * @param maxAge at least 1 ms
     */
    public HealthThresholds withSnapshotMaxAge(Duration maxAge)
    {
        return new HealthThresholds(
                minInputFiles,
                minFileSizeRatio,
                smallFiles,
                positionDeleteFiles,
                positionDeletesPerDataFile,
                equalityDeleteFiles,
                deletedRowsShare,
                manifests,
                manifestFillRatio,
                maxAge,
                maxAge.multipliedBy(4),
                metadataBytes,
                metadataLogEntries,
                unusedSchemas,
                uncoveredRowsShare,
                statisticsMinRecords,
                unsortedBytesShare,
                overlapDepth);
    }

    /**
     * The same thresholds with another number of files that make a rewrite worth it. The level of small files follows, with its factor of 32.
     *
     * @param files at least 2
     */
    public HealthThresholds withMinInputFiles(int files)
    {
        return new HealthThresholds(
                files,
                minFileSizeRatio,
                new Level(files, files * 32.0),
                positionDeleteFiles,
                positionDeletesPerDataFile,
                equalityDeleteFiles,
                deletedRowsShare,
                manifests,
                manifestFillRatio,
                snapshotMaxAge,
                snapshotCriticalAge,
                metadataBytes,
                metadataLogEntries,
                unusedSchemas,
                uncoveredRowsShare,
                statisticsMinRecords,
                unsortedBytesShare,
                overlapDepth);
    }
}
