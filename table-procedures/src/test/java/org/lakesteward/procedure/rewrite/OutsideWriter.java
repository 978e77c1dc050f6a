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
import com.google.common.collect.ImmutableSet;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.DVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

/**
 * Another engine on the same tables: commits with Iceberg's own library what Trino does not write, as Flink and Spark do. Thread-safe.
 */
final class OutsideWriter
{
    private final TrinoCatalogFactory catalogFactory;
    private final ConnectorSession session;
    private final String schema;

    OutsideWriter(TrinoCatalogFactory catalogFactory, ConnectorSession session, String schema)
    {
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
        this.session = requireNonNull(session, "session is null");
        this.schema = requireNonNull(schema, "schema is null");
    }

    /** The table as it is now. */
    BaseTable load(String table)
    {
        return catalogFactory.create(session.getIdentity()).loadTable(session, new SchemaTableName(schema, table));
    }

    /** Live data files in the order of their commits. */
    List<DataFile> dataFiles(String table)
    {
        List<DataFile> files = new ArrayList<>();
        try (CloseableIterable<FileScanTask> tasks = load(table).newScan().includeColumnStats().planFiles()) {
            tasks.forEach(task -> files.add(task.file().copy()));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(comparing(DataFile::fileSequenceNumber).thenComparing(DataFile::location));
        return files;
    }

    /** Live delete files of the current snapshot, whether or not a data file needs them. */
    List<DeleteFile> deleteFiles(String table)
    {
        BaseTable icebergTable = load(table);
        return deleteFiles(icebergTable, icebergTable.currentSnapshot());
    }

    private static List<DeleteFile> deleteFiles(Table table, Snapshot snapshot)
    {
        ImmutableList.Builder<DeleteFile> files = ImmutableList.builder();
        for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
            try (CloseableIterable<DeleteFile> reader = ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
                reader.forEach(file -> files.add(file.copy()));
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return files.build();
    }

    /** Locations of the data and delete files of every snapshot that the table still has. */
    Set<String> reachableFiles(String table)
    {
        BaseTable icebergTable = load(table);
        ImmutableSet.Builder<String> locations = ImmutableSet.builder();
        for (Snapshot snapshot : icebergTable.snapshots()) {
            for (ManifestFile manifest : snapshot.dataManifests(icebergTable.io())) {
                try (CloseableIterable<DataFile> reader = ManifestFiles.read(manifest, icebergTable.io(), icebergTable.specs())) {
                    reader.forEach(file -> locations.add(file.location()));
                }
                catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            deleteFiles(icebergTable, snapshot).forEach(file -> locations.add(file.location()));
        }
        return locations.build();
    }

    /** Deletes rows by the value of a column within the partition of a data file, as a Flink upsert does. */
    void deleteEqual(String table, DataFile partitionOf, String column, Object... values)
    {
        BaseTable icebergTable = load(table);
        icebergTable.newRowDelta()
                .addDeletes(equalityDelete(icebergTable, icebergTable.specs().get(partitionOf.specId()), partitionOf.partition(), column, Arrays.asList(values)))
                .commit();
    }

    /** Deletes rows by the value of a column in all partitions; the table must have had an unpartitioned spec. */
    void deleteEqualEverywhere(String table, String column, Object... values)
    {
        BaseTable icebergTable = load(table);
        PartitionSpec spec = getOnlyElement(icebergTable.specs().values().stream().filter(PartitionSpec::isUnpartitioned).toList());
        icebergTable.newRowDelta()
                .addDeletes(equalityDelete(icebergTable, spec, null, column, Arrays.asList(values)))
                .commit();
    }

    private static DeleteFile equalityDelete(Table table, PartitionSpec spec, StructLike partition, String column, Collection<?> values)
    {
        Schema deleteSchema = table.schema().select(column);
        try {
            EqualityDeleteWriter<Record> writer = Parquet.writeDeletes(newFile(table))
                    .forTable(table)
                    .rowSchema(deleteSchema)
                    .withSpec(spec)
                    .withPartition(partition)
                    .equalityFieldIds(deleteSchema.findField(column).fieldId())
                    .createWriterFunc(GenericParquetWriter::create)
                    .overwrite()
                    .buildEqualityWriter();
            try (writer) {
                for (Object value : values) {
                    Record row = GenericRecord.create(deleteSchema);
                    row.setField(column, value);
                    writer.write(row);
                }
            }
            return writer.toDeleteFile();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes rows by position: in one delete file for all of the data files, of one partition. For format version 2. */
    void deletePositions(String table, Map<DataFile, List<Long>> positions)
    {
        BaseTable icebergTable = load(table);
        DataFile any = positions.keySet().iterator().next();
        try {
            PositionDeleteWriter<Record> writer = Parquet.writeDeletes(newFile(icebergTable))
                    .forTable(icebergTable)
                    // positions alone, without the deleted rows
                    .rowSchema(null)
                    .metricsConfig(MetricsConfig.forPositionDelete(icebergTable))
                    .withSpec(icebergTable.specs().get(any.specId()))
                    .withPartition(any.partition())
                    .overwrite()
                    .buildPositionWriter();
            // the specification wants them sorted by file and position
            Map<String, List<Long>> sorted = new TreeMap<>();
            positions.forEach((file, deleted) -> sorted.put(file.location(), deleted.stream().sorted().toList()));
            try (writer) {
                PositionDelete<Record> row = PositionDelete.create();
                sorted.forEach((location, deleted) -> deleted.forEach(position -> writer.write(row.set(location, position))));
            }
            icebergTable.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes rows by deletion vectors, all in one Puffin file, of data files that have none yet. For format version 3. */
    void deleteByVectors(String table, Map<DataFile, List<Long>> positions)
    {
        BaseTable icebergTable = load(table);
        DVFileWriter writer = new BaseDVFileWriter(OutputFileFactory.builderFor(icebergTable, 1, 1).format(FileFormat.PUFFIN).build(), _ -> null);
        try (writer) {
            positions.forEach((file, deleted) -> deleted.forEach(position -> writer.delete(file.location(), position, icebergTable.specs().get(file.specId()), file.partition())));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RowDelta rowDelta = icebergTable.newRowDelta();
        writer.result().deleteFiles().forEach(rowDelta::addDeletes);
        rowDelta.commit();
    }

    /** Removes data files as a metadata operation; delete files that applied to them stay. */
    void removeFiles(String table, DataFile... files)
    {
        DeleteFiles delete = load(table).newDelete();
        Arrays.asList(files).forEach(delete::deleteFile);
        delete.commit();
    }

    /** Appends rows, given by the values of all columns, to an unpartitioned table. */
    void append(String table, Object[]... rows)
    {
        BaseTable icebergTable = load(table);
        icebergTable.newAppend().appendFile(dataFile(icebergTable, rows)).commit();
    }

    /** Appends a data file whose manifest entry claims another number of rows than the file has. */
    void appendLying(String table, long recordCount, Object[]... rows)
    {
        BaseTable icebergTable = load(table);
        DataFile file = dataFile(icebergTable, rows);
        icebergTable.newAppend()
                .appendFile(DataFiles.builder(icebergTable.spec())
                        .copy(file)
                        .withMetrics(new Metrics(recordCount))
                        .withRecordCount(recordCount)
                        .build())
                .commit();
    }

    /** Writes a data file without committing it. */
    DataFile dataFile(Table table, Object[]... rows)
    {
        try {
            DataWriter<Record> writer = Parquet.writeData(newFile(table))
                    .forTable(table)
                    .withSpec(PartitionSpec.unpartitioned())
                    .createWriterFunc(GenericParquetWriter::create)
                    .overwrite()
                    .build();
            try (writer) {
                for (Object[] values : rows) {
                    Record row = GenericRecord.create(table.schema());
                    for (int i = 0; i < values.length; i++) {
                        row.set(i, values[i]);
                    }
                    writer.write(row);
                }
            }
            return writer.toDataFile();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static OutputFile newFile(Table table)
    {
        return table.io().newOutputFile(table.locationProvider().newDataLocation("outside-" + UUID.randomUUID() + ".parquet"));
    }
}
