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
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.IcebergPageSourceProvider;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.plugin.iceberg.PartitionData;
import io.trino.plugin.iceberg.delete.DeleteFile;
import io.trino.plugin.iceberg.delete.DeletionVector;
import io.trino.plugin.iceberg.delete.PositionDeleteReader;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static io.trino.plugin.iceberg.IcebergColumnHandle.lastUpdatedSequenceNumberColumnHandle;
import static io.trino.plugin.iceberg.IcebergColumnHandle.rowIdColumnHandle;
import static io.trino.plugin.iceberg.IcebergUtil.getTopLevelColumns;
import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.MetadataColumns.DELETE_FILE_PATH;
import static org.apache.iceberg.MetadataColumns.DELETE_FILE_POS;

/**
 * Reads the live rows of a data file with Trino's own Iceberg reader, deletes applied, row lineage of format version 3 included.
 * One for each file group; used by one thread at a time.
 */
final class DataFileReader
{
    private final IcebergPageSourceProvider provider;
    private final ConnectorSession session;
    private final IcebergTableHandle table;
    private final IcebergTableCredentials credentials;
    private final TypeManager typeManager;
    private final Schema schema;
    private final List<IcebergColumnHandle> columns;
    private final Optional<NameMapping> nameMapping;
    private final Map<Integer, PartitionSpec> specs = new HashMap<>();

    DataFileReader(IcebergPageSourceProvider provider, ConnectorSession session, IcebergTableHandle table, IcebergTableCredentials credentials, TypeManager typeManager)
    {
        this.provider = requireNonNull(provider, "provider is null");
        this.session = requireNonNull(session, "session is null");
        this.table = requireNonNull(table, "table is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
        schema = SchemaParser.fromJson(table.getTableSchemaJson());
        List<IcebergColumnHandle> columns = new ArrayList<>(getTopLevelColumns(schema, typeManager));
        if (table.getFormatVersion() >= 3) {
            // the order that the stock writer's schema for OPTIMIZE has
            columns.add(rowIdColumnHandle());
            columns.add(lastUpdatedSequenceNumberColumnHandle());
        }
        this.columns = ImmutableList.copyOf(columns);
        nameMapping = table.getNameMappingJson().map(NameMappingParser::fromJson);
    }

    List<IcebergColumnHandle> columns()
    {
        return columns;
    }

    ConnectorPageSource open(GroupFile file, List<DeleteFile> deletes, AggregatedMemoryContext memoryContext)
    {
        return open(file, deletes, columns, 0, file.size(), memoryContext);
    }

    /** Of the columns given, those rows of which the row group begins at or after {@code start} and before {@code start + length}. */
    ConnectorPageSource open(GroupFile file, List<DeleteFile> deletes, List<IcebergColumnHandle> columns, long start, long length, AggregatedMemoryContext memoryContext)
    {
        PartitionSpec spec = spec(file.specId());
        return provider.createPageSource(
                session,
                columns,
                schema,
                spec,
                PartitionData.fromJson(file.partitionJson(), spec),
                deletes,
                DynamicFilter.EMPTY,
                TupleDomain.all(),
                TupleDomain.all(),
                file.path(),
                start,
                length,
                file.size(),
                file.recordCount(),
                file.format(),
                credentials,
                file.dataSequenceNumber(),
                file.firstRowId(),
                nameMapping,
                memoryContext,
                Optional.empty());
    }

    private PartitionSpec spec(int specId)
    {
        return specs.computeIfAbsent(specId, id -> PartitionSpecParser.fromJson(schema, table.getPartitionSpecJsons().get(id)));
    }

    /**
     * How many rows the file must yield: its record count less the distinct positions that its delete files name.
     * Empty when equality deletes apply, since only their values tell.
     */
    OptionalLong expectedRows(GroupFile file, List<DeleteFile> deletes, AggregatedMemoryContext memoryContext)
    {
        if (file.expectedRows().isPresent()) {
            return file.expectedRows();
        }
        if (deletes.stream().anyMatch(delete -> delete.content() == FileContent.EQUALITY_DELETES)) {
            return OptionalLong.empty();
        }
        long[] deleted = new long[1];
        Optional<DeletionVector> positions = PositionDeleteReader.readPositionDeletes(
                file.path(),
                deletes,
                OptionalLong.empty(),
                OptionalLong.empty(),
                (delete, deleteColumns, domain) -> openDeletes(delete, deleteColumns, domain, memoryContext.newAggregatedMemoryContext()),
                typeManager);
        positions.ifPresent(vector -> vector.forEachDeletedRow(position -> {
            if (position < file.recordCount()) {
                deleted[0]++;
            }
        }));
        return OptionalLong.of(file.recordCount() - deleted[0]);
    }

    private ConnectorPageSource openDeletes(DeleteFile delete, List<IcebergColumnHandle> deleteColumns, TupleDomain<IcebergColumnHandle> domain, AggregatedMemoryContext memoryContext)
    {
        Schema deleteSchema = new Schema(DELETE_FILE_PATH, DELETE_FILE_POS);
        return provider.createPageSource(
                session,
                deleteColumns,
                deleteSchema,
                PartitionSpec.unpartitioned(),
                new PartitionData(new Object[0]),
                ImmutableList.of(),
                DynamicFilter.EMPTY,
                domain,
                TupleDomain.all(),
                delete.path(),
                0,
                delete.fileSizeInBytes(),
                delete.fileSizeInBytes(),
                delete.recordCount(),
                IcebergFileFormat.fromIceberg(delete.format()),
                credentials,
                OptionalLong.of(delete.dataSequenceNumber()),
                OptionalLong.empty(),
                Optional.empty(),
                memoryContext,
                Optional.empty());
    }
}
