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
package org.lakesteward.benchmarks;

import com.google.common.collect.Lists;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;

import java.io.IOException;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Deletes rows of an unpartitioned table by the values of one column, as streams do. Trino applies such deletes but never
 * writes them, so Iceberg's library does.
 */
final class EqualityDeletes
{
    private final Warehouse warehouse;

    EqualityDeletes(Warehouse warehouse)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
    }

    /**
     * @param metadataLocation the table before
     * @param keys values to delete, in {@code files} delete files
     * @return location of the metadata file of the table after
     */
    String delete(String metadataLocation, String column, List<Long> keys, int files)
            throws IOException
    {
        MetadataFileOperations operations = new MetadataFileOperations(new WarehouseFileIo(warehouse), metadataLocation);
        Table table = new BaseTable(operations, "input");
        RowDelta delta = table.newRowDelta();
        int number = 0;
        for (List<Long> part : Lists.partition(keys, Math.ceilDiv(keys.size(), files))) {
            EqualityDeleteWriter<GenericRecord> writer = writer(table, column, "equality-deletes-%s.avro".formatted(number++));
            try (writer) {
                GenericRecord row = GenericRecord.create(table.schema().select(column));
                for (long key : part) {
                    row.set(0, key);
                    writer.write(row);
                }
            }
            delta.addDeletes(writer.toDeleteFile());
        }
        delta.commit();
        return operations.metadataLocation();
    }

    private static EqualityDeleteWriter<GenericRecord> writer(Table table, String column, String fileName)
            throws IOException
    {
        Schema schema = table.schema().select(column);
        return Avro.writeDeletes(table.io().newOutputFile(table.locationProvider().newDataLocation(fileName)))
                .forTable(table)
                .rowSchema(schema)
                .createWriterFunc(DataWriter::create)
                .withSpec(PartitionSpec.unpartitioned())
                .equalityFieldIds(schema.findField(column).fieldId())
                .buildEqualityWriter();
    }
}
