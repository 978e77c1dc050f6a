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
import io.airlift.json.JsonCodec;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergPageSourceProvider;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.plugin.iceberg.procedure.IcebergOptimizeHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.io.LocationProvider;
import org.lakesteward.planner.rewrite.RewritePath;
import org.lakesteward.procedure.copy.CopyCheck;
import org.lakesteward.procedure.copy.CopyOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newAggregatedMemoryContext;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Page sources of file groups, and the stock ones for everything else. Thread-safe.
 */
public class RewritePageSourceProviderFactory
        implements ConnectorPageSourceProviderFactory
{
    private final ConnectorPageSourceProviderFactory stock;
    private final IcebergPageSourceProviderFactory icebergFactory;
    private final IcebergFileSystemFactory fileSystemFactory;
    private final OutputSinkFactory sinkFactory;
    private final SortSinkFactory sortSinkFactory;
    private final GroupPermits permits;
    private final RewriteStats stats;
    private final TypeManager typeManager;
    private final JsonCodec<CommitTaskData> commitTaskCodec;
    private final JsonCodec<GroupResult> resultCodec;
    private final long stepNanos;

    @Inject
    public RewritePageSourceProviderFactory(
            ConnectorPageSourceProviderFactory stock,
            IcebergPageSourceProviderFactory icebergFactory,
            IcebergFileSystemFactory fileSystemFactory,
            OutputSinkFactory sinkFactory,
            SortSinkFactory sortSinkFactory,
            GroupPermits permits,
            RewriteStats stats,
            TypeManager typeManager,
            JsonCodec<CommitTaskData> commitTaskCodec,
            JsonCodec<GroupResult> resultCodec,
            RewriteConfig config)
    {
        this.stock = requireNonNull(stock, "stock is null");
        this.icebergFactory = requireNonNull(icebergFactory, "icebergFactory is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.sinkFactory = requireNonNull(sinkFactory, "sinkFactory is null");
        this.sortSinkFactory = requireNonNull(sortSinkFactory, "sortSinkFactory is null");
        this.permits = requireNonNull(permits, "permits is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.commitTaskCodec = requireNonNull(commitTaskCodec, "commitTaskCodec is null");
        this.resultCodec = requireNonNull(resultCodec, "resultCodec is null");
        stepNanos = config.getStepTime().roundTo(NANOSECONDS);
    }

    @Override
    public ConnectorPageSourceProvider createPageSourceProvider()
    {
        return new Provider(stock.createPageSourceProvider());
    }

    private final class Provider
            implements ConnectorPageSourceProvider
    {
        private final ConnectorPageSourceProvider stockProvider;
        // one for all groups of a scan, so that equality deletes of a partition are read once; made only when needed
        private volatile IcebergPageSourceProvider groupProvider;

        private Provider(ConnectorPageSourceProvider stockProvider)
        {
            this.stockProvider = stockProvider;
        }

        @Override
        public ConnectorPageSource createPageSource(
                ConnectorTransactionHandle transaction,
                ConnectorSession session,
                ConnectorSplit split,
                ConnectorTableHandle table,
                Optional<ConnectorTableCredentials> tableCredentials,
                List<ColumnHandle> columns,
                DynamicFilter dynamicFilter,
                MemoryContext memoryContext)
        {
            return switch (split) {
                case FileGroupSplit group -> groupSource(
                        groupProvider(),
                        session,
                        group,
                        (RewriteTableHandle) table,
                        (IcebergTableCredentials) tableCredentials.orElseThrow(() -> new IllegalStateException("Table credentials are missing")),
                        columns.size(),
                        newAggregatedMemoryContext(memoryContext));
                case SortSplit sort -> sortSource(
                        permits,
                        groupProvider(),
                        session,
                        sort,
                        (RewriteTableHandle) table,
                        (IcebergTableCredentials) tableCredentials.orElseThrow(() -> new IllegalStateException("Table credentials are missing")),
                        columns.stream().map(IcebergColumnHandle.class::cast).collect(toImmutableList()),
                        newAggregatedMemoryContext(memoryContext));
                case SortPortionSplit portion -> sortPortionSource(
                        groupProvider(),
                        session,
                        portion,
                        (RewriteTableHandle) table,
                        (IcebergTableCredentials) tableCredentials.orElseThrow(() -> new IllegalStateException("Table credentials are missing")),
                        columns.stream().map(IcebergColumnHandle.class::cast).collect(toImmutableList()),
                        newAggregatedMemoryContext(memoryContext));
                case PlanRewriteSplit plan -> plan.toPageSource(columns);
                default -> stockProvider.createPageSource(transaction, session, split, table, tableCredentials, columns, dynamicFilter, memoryContext);
            };
        }

        private IcebergPageSourceProvider groupProvider()
        {
            IcebergPageSourceProvider provider = groupProvider;
            if (provider == null) {
                synchronized (this) {
                    if (groupProvider == null) {
                        groupProvider = icebergFactory.createPageSourceProvider();
                    }
                    provider = groupProvider;
                }
            }
            return provider;
        }

        @Override
        public long getMemoryUsage()
        {
            IcebergPageSourceProvider provider = groupProvider;
            return stockProvider.getMemoryUsage() + (provider == null ? 0 : provider.getMemoryUsage());
        }
    }

    private ConnectorPageSource groupSource(
            IcebergPageSourceProvider provider,
            ConnectorSession session,
            FileGroupSplit split,
            RewriteTableHandle table,
            IcebergTableCredentials credentials,
            int columns,
            AggregatedMemoryContext memoryContext)
    {
        RewriteExecuteHandle execute = table.getExecute().orElseThrow(() -> new IllegalStateException("Execute handle is missing"));
        IcebergOptimizeHandle output = execute.output();
        LocationProvider locations = IcebergUtil.getLocationProvider(execute.writer().schemaTableName(), execute.writer().tableLocation(), output.tableStorageProperties());
        GroupFileNames names = new GroupFileNames(locations, session.getQueryId(), split.groupId());

        Function<Optional<String>, GroupWriter> encode = fallbackReason -> new EncodeGroupWriter(
                split,
                fallbackReason,
                new DataFileReader(provider, session, table.getTable(), credentials, typeManager),
                // a group of one partition is divided by rows, into exactly the planned number of files
                () -> sinkFactory.create(session, output, names, credentials, split.singlePartition() ? Long.MAX_VALUE : execute.targetFileSize()),
                commitTaskCodec,
                memoryContext,
                stepNanos);
        return new RewritePageSource(
                permits,
                split.path() == RewritePath.COPY ? Optional.of(copyWriter(session, split, table, output, names, credentials, memoryContext)) : Optional.empty(),
                encode,
                resultCodec,
                columns,
                memoryContext,
                stats);
    }

    private ConnectorPageSource sortSource(
            GroupPermits permits,
            IcebergPageSourceProvider provider,
            ConnectorSession session,
            SortSplit split,
            RewriteTableHandle table,
            IcebergTableCredentials credentials,
            List<IcebergColumnHandle> columns,
            AggregatedMemoryContext memoryContext)
    {
        RewriteExecuteHandle execute = table.getExecute().orElseThrow(() -> new IllegalStateException("Execute handle is missing"));
        SortTask task = execute.sort().orElseThrow(() -> new IllegalStateException("Sort is missing"));
        IcebergOptimizeHandle output = execute.output();
        PartitionSpec spec = PartitionSpecParser.fromJson(SchemaParser.fromJson(output.schemaAsJson()), output.partitionSpecAsJson());
        SortKey key = SortKey.create(SchemaParser.fromJson(table.getTable().getTableSchemaJson()), spec, split.byPartition(), task.request(), typeManager);
        return new SortPageSource(
                permits,
                split,
                new DataFileReader(provider, session, table.getTable(), credentials, typeManager),
                columns,
                split.curve().map(key::along).orElse(key),
                memoryContext);
    }

    private ConnectorPageSource sortPortionSource(
            IcebergPageSourceProvider provider,
            ConnectorSession session,
            SortPortionSplit split,
            RewriteTableHandle table,
            IcebergTableCredentials credentials,
            List<IcebergColumnHandle> columns,
            AggregatedMemoryContext memoryContext)
    {
        RewriteExecuteHandle execute = table.getExecute().orElseThrow(() -> new IllegalStateException("Execute handle is missing"));
        SortTask task = execute.sort().orElseThrow(() -> new IllegalStateException("Sort is missing"));
        // as the engine hands them to a writer
        List<IcebergColumnHandle> writerColumns = new ArrayList<>(new DataFileReader(provider, session, table.getTable(), credentials, typeManager).columns());
        writerColumns.add(task.routeChannel(), IcebergColumnHandle.pathColumnHandle());
        return new SortPortionPageSource(
                permits,
                split,
                // the portion has the permit for all of them
                pass -> sortSource(new GroupPermits(1), provider, session, pass, table, credentials, writerColumns, memoryContext.newAggregatedMemoryContext()),
                () -> sortSinkFactory.create(session, execute, task, split.bufferSize(), credentials),
                columns,
                memoryContext,
                stepNanos);
    }

    private CopyGroupWriter copyWriter(
            ConnectorSession session,
            FileGroupSplit split,
            RewriteTableHandle table,
            IcebergOptimizeHandle output,
            GroupFileNames names,
            IcebergTableCredentials credentials,
            AggregatedMemoryContext memoryContext)
    {
        // the table's schema, without the lineage columns that the writer's schema has in format version 3
        Schema schema = SchemaParser.fromJson(table.getTable().getTableSchemaJson());
        PartitionSpec spec = PartitionSpecParser.fromJson(SchemaParser.fromJson(output.schemaAsJson()), output.partitionSpecAsJson());
        int formatVersion = table.getTable().getFormatVersion();
        CopyOptions options = CopyOptions.DEFAULT;
        TrinoFileSystem fileSystem = fileSystemFactory.create(session.getIdentity(), credentials);
        return new CopyGroupWriter(
                split,
                fileSystem,
                new CopyCheck(schema, formatVersion, options.minAverageRowGroupSize()),
                options,
                spec,
                formatVersion >= 3,
                names,
                session.getQueryId() + ".parquet",
                commitTaskCodec,
                memoryContext,
                stepNanos);
    }
}
