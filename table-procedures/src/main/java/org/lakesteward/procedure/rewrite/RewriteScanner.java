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
package org.lakesteward.procedure.rewrite;

import com.google.inject.Inject;
import io.trino.plugin.iceberg.ForIcebergPlanning;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;
import org.lakesteward.planner.rewrite.PartitionKey;
import org.lakesteward.planner.rewrite.RewriteOptions;
import org.lakesteward.planner.rewrite.RewritePlan;
import org.lakesteward.planner.rewrite.RewritePlanner;
import org.lakesteward.planner.sort.SortPlanner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.MAINTENANCE_NOT_SUPPORTED;
import static org.lakesteward.procedure.LakeErrorCode.PARTIAL_PARTITION_PREDICATE;
import static org.lakesteward.procedure.LakeErrorCode.TABLE_METADATA_UNREADABLE;

/**
 * Reads what the planner needs from a snapshot's manifests. Data files and delete files are not opened. Thread-safe.
 */
public class RewriteScanner
{
    private final ExecutorService planningExecutor;
    private final ConnectorExpressionEvaluator evaluator;

    @Inject
    public RewriteScanner(@ForIcebergPlanning ExecutorService planningExecutor, ConnectorExpressionEvaluator evaluator)
    {
        this.planningExecutor = requireNonNull(planningExecutor, "planningExecutor is null");
        this.evaluator = requireNonNull(evaluator, "evaluator is null");
    }

    /**
     * Plans a rewrite of the snapshot.
     *
     * @throws TrinoException PARTIAL_PARTITION_PREDICATE when the filter selects a part of a data file
     */
    PlannedRewrite plan(ConnectorSession session, BaseTable table, Snapshot snapshot, RewriteFilter filter, RewriteSettings settings)
    {
        RewriteOptions options = settings.options();
        Optional<KeyedFiles> keyedFiles = settings.sort().map(sort -> new KeyedFiles(table.schema(), sort));
        PartitionFilter partitionFilter = new PartitionFilter(table.schema(), filter, evaluator, session);
        boolean hasDeletes = !snapshot.deleteManifests(table.io()).isEmpty();

        TableScan scan = table.newScan().useSnapshot(snapshot.snapshotId()).planWith(planningExecutor);
        if (!filter.isAll()) {
            if (!hasDeletes) {
                // with delete files every data file is looked at, since any of them may need a delete file that the rewrite would remove
                scan = scan.filter(partitionFilter.scanFilter());
            }
        }
        scan = includeMetrics(scan, table.schema(), partitionFilter, keyedFiles);
        CopyObstacles copyObstacles = CopyObstacles.of(table, options);

        Map<String, ScannedFile> files = new LinkedHashMap<>();
        Map<PartitionKey, String> partitionNames = new HashMap<>();
        DeleteReferences references = new DeleteReferences();
        try (CloseableIterable<FileScanTask> tasks = scan.ignoreResiduals().planFiles()) {
            for (FileScanTask task : tasks) {
                List<DeleteFile> deletes = DataFileInfos.deletes(task);
                references.addReferences(deletes);
                PartitionSpec spec = table.specs().get(task.file().specId());
                switch (filter.isAll() ? FileVerdict.IN : partitionFilter.decide(task.file(), spec)) {
                    case FileVerdict.WhollyOut _ -> {}
                    case FileVerdict.WhollyIn _ -> {
                        checkReadable(table, task.file(), spec);
                        ScannedFile file = scanned(task.file(), deletes, spec, copyObstacles);
                        files.put(file.info().path(), file);
                        keyedFiles.ifPresent(keyed -> keyed.add(task.file(), file.info()));
                        partitionNames.computeIfAbsent(file.info().partitionKey(), _ -> spec.partitionToPath(task.file().partition()));
                    }
                    case FileVerdict.Partly(String condition, String why) -> throw new TrinoException(
                            PARTIAL_PARTITION_PREDICATE,
                            "rewrite_data_files works on whole data files, but WHERE condition %s selects only a part of some: %s. First such file: %s, %s"
                                    .formatted(condition, why, task.file().location(), describePartition(task.file(), spec)));
                }
            }
            if (hasDeletes) {
                forEachLiveDelete(table, snapshot, references::addLive);
            }
        }
        catch (IOException | UncheckedIOException e) {
            throw new TrinoException(TABLE_METADATA_UNREADABLE, "Cannot read the manifests of table " + table.name(), e);
        }

        RewritePlan plan = keyedFiles
                .map(keyed -> settings.sort().orElseThrow().zorder()
                        ? SortPlanner.planZOrder(options, keyed.toList())
                        : SortPlanner.plan(options, settings.sort().get().tableOrder(), keyed.toList()))
                .orElseGet(() -> RewritePlanner.plan(options, files.values().stream().map(ScannedFile::info).toList()));
        return new PlannedRewrite(table.uuid(), IcebergTableCredentials.forFileIO(table.io()), snapshot.snapshotId(), snapshot.sequenceNumber(), plan, retain(files, plan), references, partitionNames);
    }

    /** Trino cannot read such files, neither in a query nor in a rewrite. */
    private static void checkReadable(BaseTable table, DataFile file, PartitionSpec spec)
    {
        for (PartitionField field : spec.fields()) {
            if (!field.transform().isVoid() && table.schema().findField(field.sourceId()) == null) {
                throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "Trino cannot read data file %s: its partition spec %s has field %s, whose source column was dropped from the table".formatted(file.location(), spec.specId(), field.name()));
            }
        }
    }

    private static TableScan includeMetrics(TableScan scan, Schema schema, PartitionFilter filter, Optional<KeyedFiles> keyedFiles)
    {
        Set<String> columns = new HashSet<>();
        keyedFiles.ifPresent(keyed -> columns.addAll(keyed.columnNames()));
        filter.columnIds().stream()
                .map(schema::findColumnName)
                .filter(name -> name != null)
                .forEach(columns::add);
        return columns.isEmpty() ? scan : scan.includeColumnStats(columns);
    }

    /**
     * @throws TrinoException TABLE_METADATA_UNREADABLE
     */
    static void forEachLiveDelete(BaseTable table, Snapshot snapshot, Consumer<DeleteFile> consumer)
    {
        for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
            try (ManifestReader<DeleteFile> reader = ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
                for (DeleteFile file : reader) {
                    consumer.accept(file.copy());
                }
            }
            catch (IOException | UncheckedIOException e) {
                throw new TrinoException(TABLE_METADATA_UNREADABLE, "Cannot read the manifests of table " + table.name(), e);
            }
        }
    }

    private static Map<String, ScannedFile> retain(Map<String, ScannedFile> files, RewritePlan plan)
    {
        Map<String, ScannedFile> retained = new HashMap<>();
        plan.groups().forEach(group -> group.files().forEach(info -> retained.put(info.path(), files.get(info.path()))));
        return retained;
    }

    private static ScannedFile scanned(DataFile scanned, List<DeleteFile> deletes, PartitionSpec spec, CopyObstacles copyObstacles)
    {
        // bounds were needed for the filter at most; without them a table of a million files fits into memory
        DataFile file = scanned.copyWithoutStats();
        return new ScannedFile(file, deletes, DataFileInfos.read(file, deletes, spec, copyObstacles.obstacle(file, deletes)));
    }

    private static String describePartition(DataFile file, PartitionSpec spec)
    {
        return spec.isPartitioned() ? "partition '%s' by %s".formatted(spec.partitionToPath(file.partition()), describe(spec)) : "which is not partitioned";
    }

    private static String describe(PartitionSpec spec)
    {
        return spec.fields().stream()
                .map(field -> {
                    String column = spec.schema().findColumnName(field.sourceId());
                    return field.transform().isIdentity() ? column : "%s(%s)".formatted(field.transform(), column);
                })
                .toList()
                .toString();
    }
}
