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
import com.google.common.collect.ImmutableSet;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.lakesteward.planner.health.CurrentSnapshot;
import org.lakesteward.planner.health.FileTotals;
import org.lakesteward.planner.health.HealthThresholds;
import org.lakesteward.planner.health.ManifestTotals;
import org.lakesteward.planner.health.MetadataFile;
import org.lakesteward.planner.health.NeedsDetails;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.health.TableObservation;
import org.lakesteward.planner.rewrite.RewriteArguments;
import org.lakesteward.planner.rewrite.RewriteOptions;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.TableProperties.MANIFEST_TARGET_SIZE_BYTES;
import static org.apache.iceberg.TableProperties.MANIFEST_TARGET_SIZE_BYTES_DEFAULT;
import static org.apache.iceberg.TableProperties.WRITE_TARGET_FILE_SIZE_BYTES;
import static org.apache.iceberg.TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT;

/**
 * Observes a table by its metadata: the snapshot summary, the size of the metadata file and the manifest list always,
 * the manifests only where the former leave something open, data files and delete files never. Thread-safe.
 */
public final class TableObserver
{
    /**
     * Whether manifests are read.
     */
    public enum Depth
    {
        /**
         * Where {@link NeedsDetails} says so.
         */
        AS_NEEDED,
        /**
         * Always, for exact numbers.
         */
        EXACT,
    }

    private final HealthThresholds thresholds;
    private final ExecutorService manifestExecutor;

    /**
     * @param manifestExecutor reads manifests of one table in parallel; not shut down by this class
     */
    public TableObserver(HealthThresholds thresholds, ExecutorService manifestExecutor)
    {
        this.thresholds = requireNonNull(thresholds, "thresholds is null");
        this.manifestExecutor = requireNonNull(manifestExecutor, "manifestExecutor is null");
    }

    /**
     * @param otherLimits limits beyond those that the table's metadata shows, such as settings of the catalog
     * @param now moment against which ages of branches and snapshots are measured
     * @throws RuntimeException of Iceberg or of the file system when metadata cannot be read
     */
    public TableObservation observe(Table table, Set<TableLimit> otherLimits, Depth depth, Instant now)
    {
        TableMetadata metadata = ((HasTableOperations) table).operations().current();
        Optional<Snapshot> snapshot = Optional.ofNullable(metadata.currentSnapshot());
        List<ManifestFile> dataManifests = snapshot.map(current -> withLiveFiles(current.dataManifests(table.io()))).orElse(ImmutableList.of());
        List<ManifestFile> deleteManifests = snapshot.map(current -> withLiveFiles(current.deleteManifests(table.io()))).orElse(ImmutableList.of());
        // a nonsensical property must not make the table unobservable
        long targetFileBytes = max(1, metadata.propertyAsLong(WRITE_TARGET_FILE_SIZE_BYTES, WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT));

        TableObservation observation = new TableObservation(
                metadata.uuid() == null ? "" : metadata.uuid(),
                metadata.lastSequenceNumber(),
                metadata.formatVersion(),
                snapshot.map(current -> new CurrentSnapshot(current.snapshotId(), Instant.ofEpochMilli(current.timestampMillis()))),
                TableLimits.isPartitioned(metadata),
                targetFileBytes,
                metadata.sortOrder().isSorted(),
                snapshot.map(current -> SummaryTotals.read(current, dataManifests, deleteManifests)).orElse(FileTotals.NONE),
                snapshot.map(_ -> manifestTotals(metadata, dataManifests, deleteManifests)),
                SnapshotRetention.history(metadata, now),
                metadataFile(table, metadata),
                StatisticsAge.read(metadata),
                ImmutableSet.<TableLimit>builder()
                        .addAll(TableLimits.of(table, metadata, targetFileBytes))
                        .addAll(otherLimits)
                        .build(),
                Optional.empty());

        if (snapshot.isEmpty() || (depth == Depth.AS_NEEDED && NeedsDetails.reasons(observation, thresholds).isEmpty())) {
            return observation;
        }
        RewriteOptions options = RewriteOptions.create(
                RewriteArguments.builder().build(),
                max(targetFileBytes, RewriteOptions.LEAST_TARGET_FILE_SIZE),
                metadata.defaultSpecId(),
                false);
        return observation.withDetails(FileDetailsReader.read(table, snapshot.get(), options, manifestExecutor));
    }

    private static List<ManifestFile> withLiveFiles(List<ManifestFile> manifests)
    {
        return manifests.stream()
                .filter(manifest -> manifest.hasAddedFiles() || manifest.hasExistingFiles())
                .collect(toImmutableList());
    }

    private static ManifestTotals manifestTotals(TableMetadata metadata, List<ManifestFile> dataManifests, List<ManifestFile> deleteManifests)
    {
        return new ManifestTotals(
                dataManifests.size(),
                dataManifests.stream().mapToLong(ManifestFile::length).sum(),
                deleteManifests.size(),
                deleteManifests.stream().mapToLong(ManifestFile::length).sum(),
                max(1, metadata.propertyAsLong(MANIFEST_TARGET_SIZE_BYTES, MANIFEST_TARGET_SIZE_BYTES_DEFAULT)));
    }

    private static MetadataFile metadataFile(Table table, TableMetadata metadata)
    {
        OptionalLong bytes = metadata.metadataFileLocation() == null ? OptionalLong.empty() : OptionalLong.of(table.io().newInputFile(metadata.metadataFileLocation()).getLength());
        return new MetadataFile(bytes, metadata.previousFiles().size(), unusedSchemas(metadata));
    }

    private static long unusedSchemas(TableMetadata metadata)
    {
        Set<Integer> used = new HashSet<>();
        used.add(metadata.currentSchemaId());
        for (Snapshot snapshot : metadata.snapshots()) {
            if (snapshot.schemaId() == null) {
                // a writer that did not say which schema it used: none of them is certainly unused
                return 0;
            }
            used.add(snapshot.schemaId());
        }
        return metadata.schemas().stream()
                .map(Schema::schemaId)
                .filter(id -> !used.contains(id))
                .count();
    }
}
