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
import com.google.common.collect.ImmutableMap;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.GenericStatisticsFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.inmemory.InMemoryCatalog;
import org.apache.iceberg.types.Types;
import org.lakesteward.planner.health.FileDetails;
import org.lakesteward.planner.health.FileTotals;
import org.lakesteward.planner.health.HealthThresholds;
import org.lakesteward.planner.health.ManifestTotals;
import org.lakesteward.planner.health.MetadataFile;
import org.lakesteward.planner.health.SnapshotHistory;
import org.lakesteward.planner.health.StatisticsState;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.health.TableObservation;
import org.lakesteward.procedure.health.TableObserver.Depth;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

import static com.google.common.util.concurrent.MoreExecutors.newDirectExecutorService;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * No data file or delete file exists: only metadata is written here, so that an attempt to open one fails.
 */
public class TestTableObserver
{
    private static final long MEBIBYTE = 1L << 20;
    private static final long TARGET = 512 * MEBIBYTE;
    private static final TableIdentifier NAME = TableIdentifier.of("test", "t");
    private static final Schema SCHEMA = new Schema(
            required(1, "id", Types.LongType.get()),
            optional(2, "region", Types.StringType.get()),
            optional(3, "point", Types.StructType.of(optional(4, "x", Types.LongType.get()))));
    private static final PartitionSpec BY_REGION = PartitionSpec.builderFor(SCHEMA).identity("region").build();

    private final TableObserver observer = new TableObserver(HealthThresholds.defaults(), newDirectExecutorService());
    private InMemoryCatalog catalog;
    private int files;

    @BeforeMethod
    public void setUp()
    {
        catalog = new InMemoryCatalog();
        catalog.initialize("test", ImmutableMap.of());
        catalog.createNamespace(Namespace.of("test"));
        files = 0;
    }

    @AfterMethod(alwaysRun = true)
    public void tearDown()
            throws IOException
    {
        catalog.close();
        // Trino's TestNG listener ends the JVM when something closeable stays in a field
        catalog = null;
    }

    @Test
    public void testTableWithoutSnapshot()
    {
        create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        TableObservation observation = observe(Depth.EXACT);
        assertThat(observation.tableUuid()).isNotEmpty();
        assertThat(observation.formatVersion()).isEqualTo(2);
        assertThat(observation.sequenceNumber()).isZero();
        assertThat(observation.currentSnapshot()).isEmpty();
        assertThat(observation.totals()).isEqualTo(FileTotals.NONE);
        assertThat(observation.manifests()).isEmpty();
        assertThat(observation.history()).isEqualTo(SnapshotHistory.EMPTY);
        assertThat(observation.statistics()).isEqualTo(StatisticsState.ABSENT);
        assertThat(observation.metadataFile().bytes()).isPresent();
        assertThat(observation.targetFileBytes()).isEqualTo(TARGET);
        assertThat(observation.details()).isEmpty();
        assertThat(observation.limits()).isEmpty();
    }

    @Test
    public void testSummaryAloneAnswers()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        append(table, dataFile(table, 600 * MEBIBYTE, 1_000), dataFile(table, 500 * MEBIBYTE, 500));
        append(table, dataFile(table, 500 * MEBIBYTE, 500));

        Reading reading = read(Depth.AS_NEEDED);
        assertThat(reading.observation().totals()).isEqualTo(totals(3, 1600 * MEBIBYTE, 2_000, 0, 0, 0));
        assertThat(reading.observation().details()).isEmpty();
        assertThat(reading.observation().sequenceNumber()).isEqualTo(2);
        assertThat(reading.observation().currentSnapshot()).hasValueSatisfying(snapshot -> assertThat(snapshot.id()).isEqualTo(load().currentSnapshot().snapshotId()));
        ManifestTotals manifests = reading.observation().manifests().orElseThrow();
        assertThat(manifests.dataManifests()).isEqualTo(2);
        assertThat(manifests.dataManifestBytes()).isPositive();
        assertThat(manifests.deleteManifests()).isZero();
        assertThat(manifests.targetBytes()).isEqualTo(8 * MEBIBYTE);
        // the metadata file when the table is loaded, the manifest list, and no manifest
        assertThat(reading.reads()).hasSize(1).allMatch(location -> location.contains("/snap-"));
    }

    @Test
    public void testManifestsAreReadWhereNeeded()
    {
        Table table = create(BY_REGION, SortOrder.unsorted(), ImmutableMap.of());
        for (int commit = 0; commit < 6; commit++) {
            append(table, dataFile(table, "north", MEBIBYTE, 10), dataFile(table, "south", (commit + 1) * MEBIBYTE, 10));
        }
        append(table, dataFile(table, null, 3 * MEBIBYTE, 10), dataFile(table, "big", 512 * MEBIBYTE, 10));

        Reading reading = read(Depth.AS_NEEDED);
        FileDetails details = reading.observation().details().orElseThrow();
        assertThat(details.dataFiles()).isEqualTo(14);
        assertThat(details.dataBytes()).isEqualTo((6 + 21 + 3 + 512) * MEBIBYTE);
        assertThat(details.records()).isEqualTo(140);
        assertThat(details.smallFiles()).isEqualTo(13);
        assertThat(details.medianFileBytes()).hasValue(MEBIBYTE);
        assertThat(details.partitions()).isEqualTo(4);
        assertThat(details.filesPerFormat()).isEqualTo(Map.of("parquet", 14L));
        // the lone file of the null partition and the large one are left alone
        assertThat(details.rewriteGroups()).isEqualTo(2);
        assertThat(details.rewriteFiles()).isEqualTo(12);
        assertThat(details.rewriteSmallFiles()).isEqualTo(12);
        assertThat(details.rewriteBytes()).isEqualTo(27 * MEBIBYTE);
        assertThat(details.deleteFiles()).isZero();
        assertThat(reading.reads()).filteredOn(location -> !location.contains("/snap-")).hasSize(7).allMatch(location -> location.endsWith(".avro"));
    }

    @Test
    public void testExactDepthAlwaysReadsManifests()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        append(table, dataFile(table, 600 * MEBIBYTE, 1_000));
        assertThat(observe(Depth.AS_NEEDED).details()).isEmpty();
        assertThat(observe(Depth.EXACT).details()).hasValueSatisfying(details -> assertThat(details.dataFiles()).isEqualTo(1));
    }

    @Test
    public void testBothKindsOfDeletes()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        DataFile first = dataFile(table, 500 * MEBIBYTE, 1_000);
        DataFile second = dataFile(table, 500 * MEBIBYTE, 1_000);
        append(table, first, second);
        table.newRowDelta()
                .addDeletes(positionDeletes(table, first, 10))
                .addDeletes(positionDeletes(table, first, 5))
                .commit();
        table.newRowDelta().addDeletes(equalityDeletes(table, 7)).commit();
        // newer than the equality deletes, which do not apply to it
        append(table, dataFile(table, 500 * MEBIBYTE, 1_000));

        TableObservation observation = observe(Depth.AS_NEEDED);
        assertThat(observation.totals()).isEqualTo(new FileTotals(OptionalLong.of(3), OptionalLong.of(1500 * MEBIBYTE + 3_000), OptionalLong.of(3_000), OptionalLong.of(3), OptionalLong.of(15), OptionalLong.of(7)));
        FileDetails details = observation.details().orElseThrow();
        assertThat(details.positionDeleteFiles()).isEqualTo(2);
        assertThat(details.deletionVectors()).isZero();
        assertThat(details.equalityDeleteFiles()).isEqualTo(1);
        assertThat(details.positionDeleteRows()).isEqualTo(15);
        assertThat(details.equalityDeleteRows()).isEqualTo(7);
        assertThat(details.filesWithDeletes()).isEqualTo(2);
        assertThat(details.deleteHeavyFiles()).isEqualTo(1);
        assertThat(details.dataBytes()).isEqualTo(1500 * MEBIBYTE);
        assertThat(observation.manifests().orElseThrow().deleteManifests()).isEqualTo(2);
    }

    @Test
    public void testDeletionVectorsAndDanglingDeletes()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of("format-version", "3"));
        DataFile file = dataFile(table, 500 * MEBIBYTE, 1_000);
        DataFile gone = dataFile(table, 500 * MEBIBYTE, 1_000);
        append(table, file, gone);
        table.newRowDelta()
                .addDeletes(deletionVector(table, file, 400))
                .addDeletes(deletionVector(table, gone, 1))
                .commit();

        FileDetails before = observe(Depth.EXACT).details().orElseThrow();
        assertThat(before.deletionVectors()).isEqualTo(2);
        assertThat(before.positionDeleteFiles()).isZero();
        assertThat(before.filesWithDeletes()).isEqualTo(2);
        // 400 of 1,000 rows
        assertThat(before.deleteHeavyFiles()).isEqualTo(1);

        table.newOverwrite().deleteFile(gone).addFile(dataFile(table, 500 * MEBIBYTE, 1_000)).commit();
        FileDetails after = observe(Depth.EXACT).details().orElseThrow();
        assertThat(after.dataFiles()).isEqualTo(2);
        assertThat(after.filesWithDeletes()).isEqualTo(1);
        assertThat(after.deletionVectors()).isIn(1L, 2L);
    }

    @Test
    public void testSortOrder()
    {
        SortOrder byId = SortOrder.builderFor(SCHEMA).asc("id").build();
        Table table = create(PartitionSpec.unpartitioned(), byId, ImmutableMap.of());
        append(
                table,
                DataFiles.builder(table.spec()).copy(dataFile(table, 500 * MEBIBYTE, 1)).withSortOrder(table.sortOrder()).build(),
                dataFile(table, 400 * MEBIBYTE, 1));
        TableObservation observation = observe(Depth.AS_NEEDED);
        assertThat(observation.sortOrder()).isTrue();
        assertThat(observation.details().orElseThrow().unsortedFiles()).isEqualTo(1);
        assertThat(observation.details().orElseThrow().unsortedBytes()).isEqualTo(400 * MEBIBYTE);
        assertThat(observation.limits()).isEmpty();

        table.replaceSortOrder().desc("region").commit();
        assertThat(observe(Depth.AS_NEEDED).details().orElseThrow().unsortedFiles()).isEqualTo(2);
    }

    @Test
    public void testSummaryWithoutTotals()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        DataFile file = dataFile(table, 500 * MEBIBYTE, 1_000);
        append(table, file);
        table.newRowDelta().addDeletes(positionDeletes(table, file, 10)).commit();
        Snapshot current = load().currentSnapshot();
        List<ManifestFile> dataManifests = current.dataManifests(load().io());
        List<ManifestFile> deleteManifests = current.deleteManifests(load().io());

        // the manifest list counts files and rows, but neither bytes nor kinds of deletes
        FileTotals fromManifestList = new FileTotals(OptionalLong.of(1), OptionalLong.empty(), OptionalLong.of(1_000), OptionalLong.of(1), OptionalLong.empty(), OptionalLong.empty());
        assertThat(SummaryTotals.read(withSummary(current, null), dataManifests, deleteManifests)).isEqualTo(fromManifestList);
        assertThat(SummaryTotals.read(withSummary(current, Map.of()), dataManifests, deleteManifests)).isEqualTo(fromManifestList);
        assertThat(SummaryTotals.read(withSummary(current, Map.of("total-data-files", "-1", "total-records", "many", "total-files-size", "99")), dataManifests, deleteManifests))
                .isEqualTo(new FileTotals(OptionalLong.of(1), OptionalLong.of(99), OptionalLong.of(1_000), OptionalLong.of(1), OptionalLong.empty(), OptionalLong.empty()));
        assertThat(SummaryTotals.read(current, ImmutableList.of(), ImmutableList.of())).isEqualTo(totals(1, 500 * MEBIBYTE + 1_000, 1_000, 1, 10, 0));
    }

    @Test
    public void testRemovableSnapshots()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        for (int commit = 0; commit < 5; commit++) {
            append(table, dataFile(table, MEBIBYTE, 1));
        }
        List<Snapshot> snapshots = ImmutableList.copyOf(table.snapshots());
        assertThat(history(Duration.ZERO).snapshots()).isEqualTo(5);
        assertThat(history(Duration.ZERO).oldest()).contains(committedAt(snapshots.get(0)));
        assertThat(history(Duration.ZERO).oldestRemovable()).contains(committedAt(snapshots.get(0)));

        table.manageSnapshots().createTag("audit", snapshots.get(0).snapshotId()).commit();
        assertThat(history(Duration.ZERO).oldest()).contains(committedAt(snapshots.get(0)));
        assertThat(history(Duration.ZERO).oldestRemovable()).contains(committedAt(snapshots.get(1)));

        table.manageSnapshots()
                .createBranch("work", snapshots.get(2).snapshotId())
                .setMinSnapshotsToKeep("work", 2)
                .commit();
        assertThat(history(Duration.ZERO).oldestRemovable()).contains(committedAt(snapshots.get(3)));

        // the branch itself may go after a day, and then its snapshots with it
        table.manageSnapshots().setMaxRefAgeMs("work", Duration.ofDays(1).toMillis()).commit();
        assertThat(history(Duration.ZERO).oldestRemovable()).contains(committedAt(snapshots.get(3)));
        assertThat(history(Duration.ofDays(2)).oldestRemovable()).contains(committedAt(snapshots.get(1)));

        table.updateProperties().set("history.expire.min-snapshots-to-keep", "2").commit();
        assertThat(history(Duration.ZERO).oldestRemovable()).isEmpty();
        assertThat(history(Duration.ofDays(2)).oldestRemovable()).contains(committedAt(snapshots.get(1)));

        // the main branch keeps a week of its own accord
        table.manageSnapshots().setMaxSnapshotAgeMs("main", Duration.ofDays(7).toMillis()).commit();
        assertThat(history(Duration.ofDays(2)).oldestRemovable()).isEmpty();
        assertThat(history(Duration.ofDays(8)).oldestRemovable()).contains(committedAt(snapshots.get(1)));
    }

    @Test
    public void testRemovableSnapshotsAreThoseThatIcebergRemoves()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of("history.expire.min-snapshots-to-keep", "2"));
        for (int commit = 0; commit < 6; commit++) {
            append(table, dataFile(table, MEBIBYTE, 1));
        }
        List<Snapshot> snapshots = ImmutableList.copyOf(table.snapshots());
        table.manageSnapshots()
                .createTag("audit", snapshots.get(1).snapshotId())
                .createBranch("work", snapshots.get(3).snapshotId())
                .rollbackTo(snapshots.get(4).snapshotId())
                .commit();
        assertThat(history(Duration.ZERO).oldestRemovable()).contains(committedAt(snapshots.get(0)));

        // the tag, and two snapshots of each branch
        load().expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(2).cleanExpiredFiles(false).commit();
        assertThat(load().snapshots()).extracting(Snapshot::snapshotId)
                .containsExactlyInAnyOrder(snapshots.get(1).snapshotId(), snapshots.get(2).snapshotId(), snapshots.get(3).snapshotId(), snapshots.get(4).snapshotId());
        assertThat(history(Duration.ofDays(365)).oldestRemovable()).isEmpty();
    }

    @Test
    public void testStatistics()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        DataFile first = dataFile(table, MEBIBYTE, 100);
        append(table, first);
        assertThat(observe(Depth.AS_NEEDED).statistics()).isEqualTo(StatisticsState.ABSENT);

        long analyzed = table.currentSnapshot().snapshotId();
        table.updateStatistics().setStatistics(new GenericStatisticsFile(analyzed, "memory:/stats.puffin", 10, 5, ImmutableList.of())).commit();
        assertThat(observe(Depth.AS_NEEDED).statistics()).isEqualTo(StatisticsState.CURRENT);

        DataFile second = dataFile(table, MEBIBYTE, 30);
        append(table, second);
        table.newRowDelta().addDeletes(positionDeletes(table, first, 4)).commit();
        assertThat(observe(Depth.AS_NEEDED).statistics()).isEqualTo(new StatisticsState(true, OptionalLong.of(2), OptionalLong.of(34)));

        // a rewrite changes no row
        table.newRewrite().deleteFile(second).addFile(dataFile(table, MEBIBYTE, 30)).commit();
        assertThat(observe(Depth.AS_NEEDED).statistics()).isEqualTo(new StatisticsState(true, OptionalLong.of(2), OptionalLong.of(34)));

        table.newDelete().deleteFile(first).commit();
        assertThat(observe(Depth.AS_NEEDED).statistics()).isEqualTo(new StatisticsState(true, OptionalLong.of(3), OptionalLong.of(134)));

        // statistics of a snapshot that is no ancestor do not count
        table.manageSnapshots().createBranch("side", analyzed).setCurrentSnapshot(analyzed).commit();
        assertThat(observe(Depth.AS_NEEDED).statistics()).isEqualTo(StatisticsState.CURRENT);
        table.updateStatistics().removeStatistics(analyzed).commit();
        assertThat(observe(Depth.AS_NEEDED).statistics()).isEqualTo(StatisticsState.ABSENT);
    }

    @Test
    public void testMetadataFile()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        MetadataFile created = observe(Depth.AS_NEEDED).metadataFile();
        assertThat(created.logEntries()).isZero();
        assertThat(created.unusedSchemas()).isZero();

        append(table, dataFile(table, MEBIBYTE, 1));
        table.updateSchema().addColumn("a", Types.LongType.get()).commit();
        table.updateSchema().addColumn("b", Types.LongType.get()).commit();
        MetadataFile changed = observe(Depth.AS_NEEDED).metadataFile();
        assertThat(changed.logEntries()).isEqualTo(3);
        // the snapshot uses the first, the table the last
        assertThat(changed.unusedSchemas()).isEqualTo(1);
        assertThat(changed.bytes().orElseThrow()).isGreaterThan(created.bytes().orElseThrow());
    }

    @Test
    public void testLimits()
    {
        create(
                PartitionSpec.unpartitioned(),
                SortOrder.builderFor(SCHEMA).asc("point.x").build(),
                ImmutableMap.of("gc.enabled", "false", "write.target-file-size-bytes", "1000", "write.location-provider.impl", "org.example.Locations"));
        assertThat(observer.observe(load(), Set.of(TableLimit.SORTED_WRITING_DISABLED), Depth.AS_NEEDED, Instant.now()).limits()).containsExactlyInAnyOrder(
                TableLimit.GARBAGE_COLLECTION_DISABLED,
                TableLimit.TARGET_FILE_SIZE_TOO_SMALL,
                TableLimit.CUSTOM_LOCATION_PROVIDER,
                TableLimit.UNSUPPORTED_SORT_ORDER,
                TableLimit.SORTED_WRITING_DISABLED);
    }

    @Test
    public void testPartitionedMeansAnySpec()
    {
        Table table = create(PartitionSpec.unpartitioned(), SortOrder.unsorted(), ImmutableMap.of());
        assertThat(observe(Depth.AS_NEEDED).partitioned()).isFalse();
        table.updateSpec().addField("region").commit();
        assertThat(observe(Depth.AS_NEEDED).partitioned()).isTrue();
        table.updateSpec().removeField("region").commit();
        assertThat(observe(Depth.AS_NEEDED).partitioned()).isTrue();
    }

    @Test
    public void testMissingManifestIsAnError()
    {
        Table table = create(BY_REGION, SortOrder.unsorted(), ImmutableMap.of());
        append(table, dataFile(table, "north", MEBIBYTE, 10));
        table.currentSnapshot().allManifests(table.io()).forEach(manifest -> table.io().deleteFile(manifest.path()));
        assertThat(observe(Depth.AS_NEEDED).details()).isEmpty();
        assertThatThrownBy(() -> observe(Depth.EXACT)).hasMessageContaining(".avro");
    }

    private Table create(PartitionSpec spec, SortOrder sortOrder, Map<String, String> properties)
    {
        return catalog.buildTable(NAME, SCHEMA)
                .withPartitionSpec(spec)
                .withSortOrder(sortOrder)
                .withProperties(properties)
                .create();
    }

    private BaseTable load()
    {
        return (BaseTable) catalog.loadTable(NAME);
    }

    private TableObservation observe(Depth depth)
    {
        return observer.observe(load(), Set.of(), depth, Instant.now());
    }

    private record Reading(TableObservation observation, List<String> reads) {}

    private Reading read(Depth depth)
    {
        TableOperations operations = load().operations();
        RecordingFileIo io = new RecordingFileIo(operations.io());
        BaseTable table = new BaseTable(override(TableOperations.class, operations, "io", io), "t");
        return new Reading(observer.observe(table, Set.of(), depth, Instant.now()), io.reads());
    }

    private SnapshotHistory history(Duration later)
    {
        return observer.observe(load(), Set.of(), Depth.AS_NEEDED, Instant.now().plus(later)).history();
    }

    private static Instant committedAt(Snapshot snapshot)
    {
        return Instant.ofEpochMilli(snapshot.timestampMillis());
    }

    private static FileTotals totals(long dataFiles, long bytes, long records, long deleteFiles, long positionRows, long equalityRows)
    {
        return new FileTotals(
                OptionalLong.of(dataFiles),
                OptionalLong.of(bytes),
                OptionalLong.of(records),
                OptionalLong.of(deleteFiles),
                OptionalLong.of(positionRows),
                OptionalLong.of(equalityRows));
    }

    private static void append(Table table, DataFile... dataFiles)
    {
        AppendFiles append = table.newFastAppend();
        for (DataFile file : dataFiles) {
            append.appendFile(file);
        }
        append.commit();
    }

    private DataFile dataFile(Table table, long bytes, long records)
    {
        return builder(table, bytes, records).build();
    }

    private DataFile dataFile(Table table, String region, long bytes, long records)
    {
        return builder(table, bytes, records)
                .withPartition(new Region(region))
                .build();
    }

    private DataFiles.Builder builder(Table table, long bytes, long records)
    {
        files++;
        return DataFiles.builder(table.spec())
                .withPath("memory:/absent/%s.parquet".formatted(files))
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(bytes)
                .withRecordCount(records);
    }

    private FileMetadata.Builder deletes(Table table, FileFormat format, long rows)
    {
        files++;
        return FileMetadata.deleteFileBuilder(table.spec())
                .withPath("memory:/absent/%s.%s".formatted(files, format.name().toLowerCase(Locale.ROOT)))
                .withFormat(format)
                .withFileSizeInBytes(1_000)
                .withRecordCount(rows);
    }

    private DeleteFile positionDeletes(Table table, DataFile file, long rows)
    {
        return deletes(table, FileFormat.PARQUET, rows)
                .ofPositionDeletes()
                .withReferencedDataFile(file.location())
                .build();
    }

    private DeleteFile equalityDeletes(Table table, long rows)
    {
        return deletes(table, FileFormat.PARQUET, rows)
                .ofEqualityDeletes(1)
                .build();
    }

    private DeleteFile deletionVector(Table table, DataFile file, long rows)
    {
        return deletes(table, FileFormat.PUFFIN, rows)
                .ofPositionDeletes()
                .withReferencedDataFile(file.location())
                .withContentOffset(4)
                .withContentSizeInBytes(100)
                .build();
    }

    private static Snapshot withSummary(Snapshot snapshot, Map<String, String> summary)
    {
        return override(Snapshot.class, snapshot, "summary", summary);
    }

    /**
     * The delegate with another result of one method.
     */
    private static <T> T override(Class<T> type, T delegate, String methodName, Object result)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
            if (method.getName().equals(methodName)) {
                return result;
            }
            try {
                return method.invoke(delegate, arguments);
            }
            catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private record Region(String region)
            implements StructLike
    {
        @Override
        public int size()
        {
            return 1;
        }

        @Override
        public <T> T get(int position, Class<T> javaClass)
        {
            return javaClass.cast(region);
        }

        @Override
        public <T> void set(int position, T value)
        {
            throw new UnsupportedOperationException();
        }
    }
}
