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
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveComparator;
import org.apache.parquet.schema.PrimitiveType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that every value is in the page and between the bounds that page indexes promise, in parquet-mr's order.
 */
final class PageIndexValidator
{
    private final byte[] file;

    private PageIndexValidator(byte[] file)
    {
        this.file = file;
    }

    static void validate(byte[] file, FileMetaData metadata)
            throws IOException
    {
        new PageIndexValidator(file).validate(metadata);
    }

    private void validate(FileMetaData metadata)
            throws IOException
    {
        Map<String, List<Object>> columns = ParquetMr.columns(List.of(file));
        MessageType schema;
        try (ParquetFileReader reader = ParquetFileReader.open(new BytesInputFile(file), ParquetReadOptions.builder(new PlainParquetConfiguration()).build())) {
            schema = reader.getFileMetaData().getSchema();
        }
        for (int column = 0; column < schema.getColumns().size(); column++) {
            ColumnDescriptor descriptor = schema.getColumns().get(column);
            Values values = new Values(columns.get(String.join(".", descriptor.getPath())), descriptor);
            for (RowGroup rowGroup : metadata.getRow_groups()) {
                validate(rowGroup, rowGroup.getColumns().get(column), values);
            }
            assertThat(values.position).isEqualTo(values.entries.size());
        }
    }

    private static final class Values
    {
        private final List<Object> entries;
        private final ColumnDescriptor descriptor;
        private int position;

        private Values(List<Object> entries, ColumnDescriptor descriptor)
        {
            this.entries = entries;
            this.descriptor = descriptor;
        }
    }

    private void validate(RowGroup rowGroup, ColumnChunk chunk, Values values)
            throws IOException
    {
        OffsetIndex offsets = chunk.isSetOffset_index_offset() ? Util.readOffsetIndex(new ByteArrayInputStream(file, (int) chunk.getOffset_index_offset(), chunk.getOffset_index_length())) : null;
        ColumnIndex index = chunk.isSetColumn_index_offset() ? Util.readColumnIndex(new ByteArrayInputStream(file, (int) chunk.getColumn_index_offset(), chunk.getColumn_index_length())) : null;
        long[] nulls = new long[offsets == null ? 0 : offsets.getPage_locationsSize()];
        long row = -1;
        int page = 0;
        while (values.position < values.entries.size()) {
            int level = (Integer) values.entries.get(values.position);
            if (level >>> 8 == 0) {
                row++;
            }
            if (row == rowGroup.getNum_rows()) {
                break;
            }
            values.position++;
            while (offsets != null && page + 1 < offsets.getPage_locationsSize() && offsets.getPage_locations().get(page + 1).getFirst_row_index() <= row) {
                page++;
            }
            if ((level & 0xff) < values.descriptor.getMaxDefinitionLevel()) {
                if (offsets != null) {
                    nulls[page]++;
                }
                continue;
            }
            Object value = values.entries.get(values.position++);
            if (index != null) {
                assertThat(index.getNull_pages().get(page)).as("page %s of %s is null", page, values.descriptor).isFalse();
                assertInBounds(values.descriptor.getPrimitiveType(), value, index, page);
            }
        }
        if (index != null && index.isSetNull_counts()) {
            for (int number = 0; number < nulls.length; number++) {
                assertThat(index.getNull_counts().get(number)).as("nulls of page %s of %s", number, values.descriptor).isEqualTo(nulls[number]);
            }
        }
        if (index != null) {
            assertOrdered(values.descriptor.getPrimitiveType(), index);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void assertInBounds(PrimitiveType type, Object value, ColumnIndex index, int page)
    {
        Object typed = switch (type.getPrimitiveTypeName()) {
            case FLOAT -> Float.intBitsToFloat((Integer) value);
            case DOUBLE -> Double.longBitsToDouble((Long) value);
            default -> value;
        };
        if (typed.equals(Float.NaN) || typed.equals(Double.NaN)) {
            return;
        }
        PrimitiveComparator comparator = type.comparator();
        Object min = min(type, index.getMin_values().get(page));
        Object max = max(type, index.getMax_values().get(page));
        assertThat(comparator.compare(min, typed) <= 0 && comparator.compare(typed, max) <= 0).as("%s of %s is between %s and %s", typed, type, min, max).isTrue();
    }

    private static Object min(PrimitiveType type, ByteBuffer bytes)
    {
        return statistics(type, bytes).genericGetMin();
    }

    private static Object max(PrimitiveType type, ByteBuffer bytes)
    {
        return statistics(type, bytes).genericGetMax();
    }

    private static Statistics<?> statistics(PrimitiveType type, ByteBuffer bytes)
    {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return Statistics.getBuilderForReading(type).withMin(array).withMax(array).withNumNulls(0).build();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void assertOrdered(PrimitiveType type, ColumnIndex index)
    {
        PrimitiveComparator comparator = type.comparator();
        int last = -1;
        for (int page = 0; page < index.getNull_pagesSize(); page++) {
            if (index.getNull_pages().get(page)) {
                continue;
            }
            if (last >= 0) {
                int min = comparator.compare(min(type, index.getMin_values().get(last)), min(type, index.getMin_values().get(page)));
                int max = comparator.compare(max(type, index.getMax_values().get(last)), max(type, index.getMax_values().get(page)));
                switch (index.getBoundary_order()) {
                    case ASCENDING -> assertThat(min <= 0 && max <= 0).isTrue();
                    case DESCENDING -> assertThat(min >= 0 && max >= 0).isTrue();
                    case UNORDERED -> {}
                }
            }
            last = page;
        }
    }
}
