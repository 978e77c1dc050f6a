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
package org.lakesteward.stitch;

import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Writes and reads by parquet-mr, the one of the two readers that knows levels.
 */
final class ParquetMr
{
    private ParquetMr() {}

    static byte[] write(MessageType schema, List<Group> rows, CompressionCodecName codec, UnaryOperator<ExampleParquetWriter.Builder> configure)
            throws IOException
    {
        BytesOutputFile file = new BytesOutputFile();
        ExampleParquetWriter.Builder builder = configure.apply(ExampleParquetWriter.builder(file)
                .withConf(new PlainParquetConfiguration())
                .withCodecFactory(new TestingCodecs())
                .withCompressionCodec(codec)
                .withType(schema));
        try (ParquetWriter<Group> writer = builder.build()) {
            for (Group row : rows) {
                writer.write(row);
            }
        }
        return file.bytes();
    }

    private static ParquetReadOptions.Builder options()
    {
        return ParquetReadOptions.builder(new PlainParquetConfiguration())
                .withCodecFactory(new TestingCodecs())
                .usePageChecksumVerification(true);
    }

    /**
     * All values with their levels, by column. Bits of numbers, so that zeros and NaNs are told apart.
     */
    static Map<String, List<Object>> columns(List<byte[]> files)
            throws IOException
    {
        Map<String, List<Object>> columns = new TreeMap<>();
        for (byte[] file : files) {
            try (ParquetFileReader reader = ParquetFileReader.open(new BytesInputFile(file), options().build())) {
                MessageType schema = reader.getFooter().getFileMetaData().getSchema();
                schema.getColumns().forEach(column -> columns.computeIfAbsent(String.join(".", column.getPath()), _ -> new ArrayList<>()));
                for (PageReadStore rowGroup = reader.readNextRowGroup(); rowGroup != null; rowGroup = reader.readNextRowGroup()) {
                    ColumnReadStoreImpl store = new ColumnReadStoreImpl(rowGroup, new GroupRecordConverter(schema).getRootConverter(), schema, reader.getFooter().getFileMetaData().getCreatedBy());
                    for (ColumnDescriptor column : schema.getColumns()) {
                        read(column, store.getColumnReader(column), columns.get(String.join(".", column.getPath())));
                    }
                }
            }
        }
        return columns;
    }

    private static void read(ColumnDescriptor column, ColumnReader reader, List<Object> values)
    {
        for (long index = 0; index < reader.getTotalValueCount(); index++) {
            values.add(reader.getCurrentRepetitionLevel() << 8 | reader.getCurrentDefinitionLevel());
            if (reader.getCurrentDefinitionLevel() == column.getMaxDefinitionLevel()) {
                values.add(value(reader, column.getPrimitiveType().getPrimitiveTypeName()));
            }
            reader.consume();
        }
    }

    private static Object value(ColumnReader reader, PrimitiveTypeName type)
    {
        return switch (type) {
            case BOOLEAN -> reader.getBoolean();
            case INT32 -> reader.getInteger();
            case INT64 -> reader.getLong();
            case FLOAT -> Float.floatToRawIntBits(reader.getFloat());
            case DOUBLE -> Double.doubleToRawLongBits(reader.getDouble());
            case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 -> reader.getBinary().copy();
        };
    }

    /**
     * Rows of the row groups and pages that a filter leaves, filtered no further.
     */
    static List<Group> rowsOfPages(byte[] file, FilterCompat.Filter filter)
            throws IOException
    {
        List<Group> rows = new ArrayList<>();
        ParquetReadOptions options = options()
                .withRecordFilter(filter)
                .useStatsFilter()
                .useDictionaryFilter()
                .useBloomFilter()
                .useColumnIndexFilter()
                .build();
        try (ParquetFileReader reader = ParquetFileReader.open(new BytesInputFile(file), options)) {
            MessageType schema = reader.getFileMetaData().getSchema();
            for (PageReadStore pages = reader.readNextFilteredRowGroup(); pages != null; pages = reader.readNextFilteredRowGroup()) {
                RecordReader<Group> records = new ColumnIOFactory().getColumnIO(schema).getRecordReader(pages, new GroupRecordConverter(schema));
                for (long row = 0; row < pages.getRowCount(); row++) {
                    rows.add(records.read());
                }
            }
        }
        return rows;
    }

    static List<Group> rows(byte[] file)
            throws IOException
    {
        return rowsOfPages(file, FilterCompat.NOOP);
    }
}
