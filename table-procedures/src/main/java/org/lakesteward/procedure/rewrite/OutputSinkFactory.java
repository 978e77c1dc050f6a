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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.airlift.json.JsonCodec;
import io.airlift.units.DataSize;
import io.trino.plugin.hive.SortingFileWriterConfig;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.IcebergConfig;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergFileWriterFactory;
import io.trino.plugin.iceberg.IcebergPageSink;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.TrinoSortField;
import io.trino.plugin.iceberg.procedure.IcebergOptimizeHandle;
import io.trino.spi.PageIndexerFactory;
import io.trino.spi.PageSorter;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.io.LocationProvider;

import java.util.List;
import java.util.Optional;

import static io.trino.plugin.iceberg.IcebergSessionProperties.isSortedWritingEnabled;
import static io.trino.plugin.iceberg.IcebergUtil.getTopLevelColumns;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.TableProperties.WRITE_TARGET_FILE_SIZE_BYTES;

/**
 * Opens the stock Iceberg writer for the outputs of a file group. Thread-safe.
 */
public class OutputSinkFactory
{
    private final IcebergFileSystemFactory fileSystemFactory;
    private final JsonCodec<CommitTaskData> commitTaskCodec;
    private final IcebergFileWriterFactory fileWriterFactory;
    private final PlacedFileWriterFactory placedFileWriterFactory;
    private final PageIndexerFactory pageIndexerFactory;
    private final DataSize sortBufferSize;
    private final int maxOpenSortFiles;
    private final Optional<String> sortStagingPath;
    private final DataSize targetMaxFileSize;
    private final TypeManager typeManager;
    private final PageSorter pageSorter;

    @Inject
    public OutputSinkFactory(
            IcebergFileSystemFactory fileSystemFactory,
            JsonCodec<CommitTaskData> commitTaskCodec,
            IcebergFileWriterFactory fileWriterFactory,
            PlacedFileWriterFactory placedFileWriterFactory,
            PageIndexerFactory pageIndexerFactory,
            SortingFileWriterConfig sortingFileWriterConfig,
            IcebergConfig icebergConfig,
            TypeManager typeManager,
            PageSorter pageSorter)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.commitTaskCodec = requireNonNull(commitTaskCodec, "commitTaskCodec is null");
        this.fileWriterFactory = requireNonNull(fileWriterFactory, "fileWriterFactory is null");
        this.placedFileWriterFactory = requireNonNull(placedFileWriterFactory, "placedFileWriterFactory is null");
        this.pageIndexerFactory = requireNonNull(pageIndexerFactory, "pageIndexerFactory is null");
        sortBufferSize = sortingFileWriterConfig.getWriterSortBufferSize();
        maxOpenSortFiles = sortingFileWriterConfig.getMaxOpenSortFiles();
        sortStagingPath = icebergConfig.getSortedWritingLocalStagingPath();
        targetMaxFileSize = icebergConfig.getTargetMaxFileSize();
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        this.pageSorter = requireNonNull(pageSorter, "pageSorter is null");
    }

    /**
     * A sink that begins a new file once one is larger than {@code rollBytes}.
     * Its partitions are not limited in number: a group written under an older spec may hold many, and the memory that they take is reported to the engine.
     */
    ConnectorPageSink create(ConnectorSession session, IcebergOptimizeHandle output, LocationProvider locations, IcebergTableCredentials credentials, long rollBytes)
    {
        return create(session, output, SchemaParser.fromJson(output.schemaAsJson()), output.sortFields(), fileWriterFactory, locations, credentials, rollBytes, sortBufferSize);
    }

    /**
     * @param placed pages have the place on a z-order curve as one more column, and are sorted by it instead of the table's columns
     * @param sortBufferSize bytes that are sorted in memory before they are spilled, as far as {@code writer-sort-buffer-size} allows
     */
    ConnectorPageSink createSorting(ConnectorSession session, IcebergOptimizeHandle output, boolean placed, LocationProvider locations, IcebergTableCredentials credentials, long sortBufferSize)
    {
        Schema schema = SchemaParser.fromJson(output.schemaAsJson());
        return create(
                session,
                output,
                placed ? PlacedFileWriterFactory.withPlace(schema) : schema,
                placed ? ImmutableList.of(PlacedFileWriterFactory.byPlace()) : output.sortFields(),
                placed ? placedFileWriterFactory : fileWriterFactory,
                locations,
                credentials,
                Long.MAX_VALUE,
                DataSize.ofBytes(Math.min(sortBufferSize, this.sortBufferSize.toBytes())));
    }

    private ConnectorPageSink create(
            ConnectorSession session,
            IcebergOptimizeHandle output,
            Schema schema,
            List<TrinoSortField> sortFields,
            IcebergFileWriterFactory fileWriterFactory,
            LocationProvider locations,
            IcebergTableCredentials credentials,
            long rollBytes,
            DataSize sortBufferSize)
    {
        PartitionSpec spec = PartitionSpecParser.fromJson(schema, output.partitionSpecAsJson());
        ConnectorPageSink sink = new IcebergPageSink(
                schema,
                spec,
                locations,
                fileWriterFactory,
                pageIndexerFactory,
                fileSystemFactory.create(session.getIdentity(), credentials),
                output.partitionColumns(),
                commitTaskCodec,
                session,
                output.fileFormat(),
                ImmutableMap.<String, String>builder()
                        .putAll(output.tableStorageProperties())
                        .put(WRITE_TARGET_FILE_SIZE_BYTES, Long.toString(rollBytes))
                        .buildKeepingLast(),
                Integer.MAX_VALUE,
                sortFields,
                output.sortOrderId(),
                targetMaxFileSize,
                sortBufferSize,
                maxOpenSortFiles,
                sortStagingPath,
                typeManager,
                pageSorter);
        boolean sorts = !sortFields.isEmpty() && isSortedWritingEnabled(session);
        return sorts ? SpillGuard.guard(sink, getTopLevelColumns(schema, typeManager)) : sink;
    }
}
