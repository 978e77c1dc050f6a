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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.airlift.units.DataSize;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.plugin.iceberg.procedure.IcebergOptimizeHandle;
import io.trino.plugin.iceberg.procedure.IcebergTableExecuteHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.BeginTableExecuteResult;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.SnapshotUtil;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.airlift.units.DataSize.Unit.PETABYTE;
import static io.trino.plugin.iceberg.TableType.DATA;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.MAINTENANCE_NOT_SUPPORTED;

/**
 * The course of a rewrite_data_files statement on the coordinator: analysis, planning, commit, end. Thread-safe.
 */
public class RewriteStatements
{
    private static final int MAX_FORMAT_VERSION = 3;

    private final TrinoCatalogFactory catalogFactory;
    private final TypeManager typeManager;
    private final RewriteArgumentsReader argumentsReader;
    private final RewriteScanner scanner;
    private final SortSplits sortSplits;
    private final RewriteCommitter committer;
    private final RewriteCleanup cleanup;
    private final RewriteRuns runs;

    @Inject
    public RewriteStatements(
            TrinoCatalogFactory catalogFactory,
            TypeManager typeManager,
            RewriteArgumentsReader argumentsReader,
            RewriteScanner scanner,
            SortSplits sortSplits,
            RewriteCommitter committer,
            RewriteCleanup cleanup,
            RewriteRuns runs)
    {
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.argumentsReader = requireNonNull(argumentsReader, "argumentsReader is null");
        this.scanner = requireNonNull(scanner, "scanner is null");
        this.sortSplits = requireNonNull(sortSplits, "sortSplits is null");
        this.committer = requireNonNull(committer, "committer is null");
        this.cleanup = requireNonNull(cleanup, "cleanup is null");
        this.runs = requireNonNull(runs, "runs is null");
    }

    /**
     * Checks the arguments and the table. Has no side effect on the table, since EXPLAIN comes here too.
     */
    public RewriteExecuteHandle analyze(
            ConnectorSession session,
            ConnectorAccessControl accessControl,
            ConnectorMetadata stock,
            ConnectorTableHandle tableHandle,
            Map<String, Object> arguments,
            RetryMode retryMode)
    {
        if (!(tableHandle instanceof IcebergTableHandle table) || table.getTableType() != DATA) {
            throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "rewrite_data_files works on tables, not on metadata tables");
        }
        if (retryMode != RetryMode.NO_RETRIES) {
            throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "rewrite_data_files does not run with fault-tolerant execution: use a cluster or a session with retry_policy = NONE");
        }
        BaseTable icebergTable = catalogFactory.create(session.getIdentity()).loadTable(session, table.getSchemaTableName());
        checkSupported(table, icebergTable);
        RewriteSettings settings = argumentsReader.read(session, arguments, icebergTable);
        // the stock handle knows schema, lineage columns, format and sort fields of the files to write
        IcebergTableExecuteHandle writer = (IcebergTableExecuteHandle) stock.getTableHandleForExecute(
                        session,
                        accessControl,
                        table,
                        "OPTIMIZE",
                        ImmutableMap.of("file_size_threshold", DataSize.of(1, PETABYTE)),
                        retryMode)
                .orElseThrow(() -> new TrinoException(MAINTENANCE_NOT_SUPPORTED, "Table %s cannot be rewritten".formatted(table.getSchemaTableName())));
        writer = withOutputSpec(writer, table, icebergTable, settings.options().outputSpecId());
        Optional<SortTask> sort = Optional.empty();
        if (settings.sort().isPresent()) {
            SortRequest request = settings.sort().get();
            writer = withSortOrder(writer, request);
            // hidden columns follow the table's own, the text column that carries routes before those of row lineage
            int routeChannel = SchemaParser.fromJson(table.getTableSchemaJson()).columns().size();
            sort = Optional.of(new SortTask(request, routeChannel, Long.MAX_VALUE));
        }
        runs.put(session.getQueryId(), new RewriteRun(session, writer, settings));
        return new RewriteExecuteHandle(writer, settings.options().targetFileSize(), settings.dryRun(), sort);
    }

    private static void checkSupported(IcebergTableHandle table, BaseTable icebergTable)
    {
        Snapshot current = icebergTable.currentSnapshot();
        // somebody may have committed since the engine looked up the table; the commit is checked against that
        if (table.getSnapshotId().isPresent()
                && (current == null || !SnapshotUtil.isAncestorOf(icebergTable, current.snapshotId(), table.getSnapshotId().getAsLong()))) {
            throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "rewrite_data_files works on the current snapshot of a table, not on snapshot %s".formatted(table.getSnapshotId().getAsLong()));
        }
        int formatVersion = icebergTable.operations().current().formatVersion();
        if (formatVersion > MAX_FORMAT_VERSION) {
            throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "rewrite_data_files supports Iceberg format versions 1 to %s, table %s has %s".formatted(MAX_FORMAT_VERSION, table.getSchemaTableName(), formatVersion));
        }
        if (icebergTable.properties().containsKey(TableProperties.ENCRYPTION_TABLE_KEY)) {
            throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "Table %s is encrypted, and Trino does not write encrypted Iceberg tables".formatted(table.getSchemaTableName()));
        }
    }

    private IcebergTableExecuteHandle withOutputSpec(IcebergTableExecuteHandle writer, IcebergTableHandle table, BaseTable icebergTable, int specId)
    {
        if (specId == icebergTable.spec().specId()) {
            return writer;
        }
        IcebergOptimizeHandle output = (IcebergOptimizeHandle) writer.procedureHandle();
        PartitionSpec spec = icebergTable.specs().get(specId);
        return new IcebergTableExecuteHandle(
                writer.schemaTableName(),
                writer.procedureId(),
                new IcebergOptimizeHandle(
                        output.snapshotId(),
                        output.schemaAsJson(),
                        table.getPartitionSpecJsons().get(specId),
                        IcebergUtil.getProjectedColumns(icebergTable.schema(), typeManager, spec.fields().stream().map(PartitionField::sourceId).collect(toImmutableSet())),
                        output.sortFields(),
                        output.sortOrderId(),
                        output.fileFormat(),
                        output.tableStorageProperties(),
                        output.maxScannedFileSize()),
                writer.tableLocation());
    }

    private static IcebergTableExecuteHandle withSortOrder(IcebergTableExecuteHandle writer, SortRequest request)
    {
        IcebergOptimizeHandle output = (IcebergOptimizeHandle) writer.procedureHandle();
        return new IcebergTableExecuteHandle(
                writer.schemaTableName(),
                writer.procedureId(),
                new IcebergOptimizeHandle(
                        output.snapshotId(),
                        output.schemaAsJson(),
                        output.partitionSpecAsJson(),
                        output.partitionColumns(),
                        request.fields(),
                        request.sortOrderId(),
                        output.fileFormat(),
                        output.tableStorageProperties(),
                        output.maxScannedFileSize()),
                writer.tableLocation());
    }

    /** Whether the session's statement is a rewrite of this table, so that its WHERE clause is ours to decide. */
    public boolean isRewriteOf(ConnectorSession session, IcebergTableHandle table)
    {
        return runs.get(session.getQueryId())
                .filter(run -> run.planned().isEmpty())
                .filter(run -> run.writer().schemaTableName().equals(table.getSchemaTableName()))
                .isPresent();
    }

    /**
     * Plans the statement on the snapshot that its analysis saw. EXPLAIN comes here too.
     */
    public BeginTableExecuteResult<ConnectorTableExecuteHandle, ConnectorTableHandle> begin(ConnectorSession session, RewriteExecuteHandle execute, ConnectorTableHandle source)
    {
        RewriteFilter filter = RewriteFilter.ALL;
        IcebergTableHandle table;
        if (source instanceof RewriteTableHandle rewrite) {
            filter = rewrite.getFilter();
            table = rewrite.getTable();
        }
        else {
            table = (IcebergTableHandle) source;
        }
        RewriteRun run = runs.require(session.getQueryId());
        if (table.getSnapshotId().isPresent()) {
            BaseTable icebergTable = catalogFactory.create(session.getIdentity()).loadTable(session, table.getSchemaTableName());
            Snapshot snapshot = Optional.ofNullable(icebergTable.snapshot(table.getSnapshotId().getAsLong()))
                    .orElseThrow(() -> new TrinoException(MAINTENANCE_NOT_SUPPORTED, "Snapshot %s of table %s was expired while the statement was planned".formatted(table.getSnapshotId().getAsLong(), table.getSchemaTableName())));
            run.setPlanned(scanner.plan(session, icebergTable, snapshot, filter, run.settings()));
        }
        RewriteExecuteHandle planned = execute;
        if (execute.sort().isPresent() && run.planned().isPresent()) {
            planned = execute.withSortBuffer(sortSplits.bufferSize(run, run.planned().get()));
        }
        return new BeginTableExecuteResult<>(planned, new RewriteTableHandle(table, filter, Optional.of(planned)));
    }

    /**
     * Commits what the workers wrote and reports it.
     */
    public Map<String, Long> finish(ConnectorSession session, Collection<Slice> fragments)
    {
        RewriteRun run = runs.require(session.getQueryId());
        if (run.planned().isEmpty()) {
            return RewriteReport.empty(run.settings()).toMetrics();
        }
        PlannedRewrite planned = run.planned().get();
        if (run.settings().dryRun()) {
            return RewriteReport.dryRun(planned, run.settings()).toMetrics();
        }
        try {
            return committer.commit(session, run, planned, fragments).toMetrics();
        }
        catch (RuntimeException e) {
            // a query that was killed during its commit was cleaned up after while its files were still possibly referenced
            if (runs.get(session.getQueryId()).isEmpty()) {
                cleanup.afterQuery(run);
            }
            throw e;
        }
    }

    /** Called when a query of any kind is over. */
    public void cleanUp(ConnectorSession session)
    {
        runs.remove(session.getQueryId()).ifPresent(cleanup::afterQuery);
    }
}
