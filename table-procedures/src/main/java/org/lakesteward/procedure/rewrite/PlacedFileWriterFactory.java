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
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.base.metrics.FileFormatDataSourceStats;
import io.trino.plugin.hive.RollbackAction;
import io.trino.plugin.hive.orc.OrcWriterConfig;
import io.trino.plugin.hive.parquet.ParquetWriterConfig;
import io.trino.plugin.iceberg.IcebergConfig;
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.IcebergFileWriter;
import io.trino.plugin.iceberg.IcebergFileWriterFactory;
import io.trino.plugin.iceberg.TrinoSortField;
import io.trino.spi.NodeVersion;
import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Trino's writers of files whose rows come with their place on a z-order curve as a last column, by which they are sorted and which is not written. Thread-safe.
 */
public class PlacedFileWriterFactory
        extends IcebergFileWriterFactory
{
    /** Above what a table uses, below what Iceberg reserves. */
    private static final int PLACE_ID = 1_647_483_647;

    @Inject
    public PlacedFileWriterFactory(
            TypeManager typeManager,
            NodeVersion nodeVersion,
            FileFormatDataSourceStats readStats,
            IcebergConfig icebergConfig,
            OrcWriterConfig orcWriterConfig,
            ParquetWriterConfig parquetWriterConfig)
    {
        super(typeManager, nodeVersion, readStats, icebergConfig, orcWriterConfig, parquetWriterConfig);
    }

    static Schema withPlace(Schema schema)
    {
        List<Types.NestedField> columns = new ArrayList<>(schema.columns());
        StringBuilder name = new StringBuilder("z-order place");
        while (schema.findField(name.toString()) != null) {
            name.append('_');
        }
        columns.add(Types.NestedField.required(PLACE_ID, name.toString(), Types.LongType.get()));
        return new Schema(schema.schemaId(), columns, schema.identifierFieldIds());
    }

    static TrinoSortField byPlace()
    {
        return new TrinoSortField(PLACE_ID, SortOrder.ASC_NULLS_FIRST);
    }

    @Override
    public IcebergFileWriter createDataFileWriter(
            TrinoFileSystem fileSystem,
            Location outputPath,
            Schema icebergSchema,
            ConnectorSession session,
            IcebergFileFormat fileFormat,
            MetricsConfig metricsConfig,
            Map<String, String> storageProperties)
    {
        List<Types.NestedField> columns = icebergSchema.columns().stream()
                .filter(column -> column.fieldId() != PLACE_ID)
                .collect(toImmutableList());
        Schema schema = new Schema(icebergSchema.schemaId(), columns, icebergSchema.identifierFieldIds());
        return new PlacedFileWriter(super.createDataFileWriter(fileSystem, outputPath, schema, session, fileFormat, metricsConfig, storageProperties));
    }

    private static final class PlacedFileWriter
            implements IcebergFileWriter
    {
        private final IcebergFileWriter delegate;

        PlacedFileWriter(IcebergFileWriter delegate)
        {
            this.delegate = requireNonNull(delegate, "delegate is null");
        }

        @Override
        public void appendRows(Page page)
        {
            delegate.appendRows(page.getColumns(IntStream.range(0, page.getChannelCount() - 1).toArray()));
        }

        @Override
        public FileMetrics getFileMetrics()
        {
            return delegate.getFileMetrics();
        }

        @Override
        public long getWrittenBytes()
        {
            return delegate.getWrittenBytes();
        }

        @Override
        public long getMemoryUsage()
        {
            return delegate.getMemoryUsage();
        }

        @Override
        public RollbackAction commit()
        {
            return delegate.commit();
        }

        @Override
        public void rollback()
        {
            delegate.rollback();
        }

        @Override
        public long getValidationCpuNanos()
        {
            return delegate.getValidationCpuNanos();
        }
    }
}
