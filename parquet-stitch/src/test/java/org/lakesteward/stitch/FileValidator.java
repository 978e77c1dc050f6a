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

import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks a file against the specification, more strictly than readers do: every byte belongs to something, every offset, size,
 * count, ordinal and encoding statistic is what the pages say. Reads nothing by the code under test.
 */
final class FileValidator
{
    private final byte[] file;
    private final FileMetaData metadata;
    private final List<long[]> ranges = new ArrayList<>();
    private int offsetIndexes;
    private int columnIndexes;
    private int bloomFilters;
    private int checksums;
    private int dataPages;

    private FileValidator(byte[] file)
            throws IOException
    {
        this.file = file;
        assertThat(new String(file, 0, 4, US_ASCII)).isEqualTo("PAR1");
        assertThat(new String(file, file.length - 4, 4, US_ASCII)).isEqualTo("PAR1");
        int footerLength = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
        int footerStart = file.length - 8 - footerLength;
        ByteArrayInputStream footer = new ByteArrayInputStream(file, footerStart, footerLength);
        metadata = Util.readFileMetaData(footer);
        assertThat(footer.available()).isZero();
        ranges.add(new long[] {0, 4});
        ranges.add(new long[] {footerStart, file.length});
    }

    record Summary(FileMetaData metadata, int offsetIndexes, int columnIndexes, int bloomFilters, int checksums, int dataPages) {}

    static Summary validate(byte[] file)
            throws IOException
    {
        FileValidator validator = new FileValidator(file);
        validator.validate();
        return new Summary(validator.metadata, validator.offsetIndexes, validator.columnIndexes, validator.bloomFilters, validator.checksums, validator.dataPages);
    }

    private void validate()
            throws IOException
    {
        List<Boolean> flat = new ArrayList<>();
        assertThat(collectLeaves(0, true, flat)).isEqualTo(metadata.getSchemaSize());
        assertThat(metadata.getColumn_ordersSize()).isEqualTo(flat.size());
        assertThat(metadata.getCreated_by()).isEqualTo("lakesteward version 1.0.0 (build n/a)");
        long rows = 0;
        for (int index = 0; index < metadata.getRow_groupsSize(); index++) {
            RowGroup rowGroup = metadata.getRow_groups().get(index);
            assertThat(rowGroup.getOrdinal()).isEqualTo((short) index);
            assertThat(rowGroup.getNum_rows()).isPositive();
            assertThat(rowGroup.getColumnsSize()).isEqualTo(flat.size());
            assertThat(rowGroup.getTotal_compressed_size()).isEqualTo(rowGroup.getColumns().stream().mapToLong(chunk -> chunk.getMeta_data().getTotal_compressed_size()).sum());
            assertThat(rowGroup.getTotal_byte_size()).isEqualTo(rowGroup.getColumns().stream().mapToLong(chunk -> chunk.getMeta_data().getTotal_uncompressed_size()).sum());
            assertThat(rowGroup.getFile_offset()).isEqualTo(start(rowGroup.getColumns().getFirst().getMeta_data()));
            assertThat(rowGroup.isSetSorting_columns()).isFalse();
            long expectedStart = rowGroup.getFile_offset();
            Set<Boolean> indexed = new HashSet<>();
            for (int column = 0; column < flat.size(); column++) {
                ColumnChunk chunk = rowGroup.getColumns().get(column);
                assertThat(start(chunk.getMeta_data())).isEqualTo(expectedStart);
                expectedStart += chunk.getMeta_data().getTotal_compressed_size();
                validateChunk(rowGroup, chunk, flat.get(column));
                indexed.add(chunk.isSetOffset_index_offset());
            }
            assertThat(indexed).as("offset indexes for all columns or none").hasSize(1);
            rows += rowGroup.getNum_rows();
        }
        assertThat(rows).isEqualTo(metadata.getNum_rows());

        ranges.sort(Comparator.comparingLong(range -> range[0]));
        for (int index = 1; index < ranges.size(); index++) {
            assertThat(ranges.get(index)[0]).as("no gap and no overlap").isEqualTo(ranges.get(index - 1)[1]);
        }
    }

    private int collectLeaves(int index, boolean flatSoFar, List<Boolean> flat)
    {
        SchemaElement element = metadata.getSchema().get(index);
        boolean isFlat = flatSoFar && (index == 0 || element.getRepetition_type() != FieldRepetitionType.REPEATED);
        if (element.isSetType()) {
            flat.add(isFlat);
            return index + 1;
        }
        int next = index + 1;
        for (int child = 0; child < element.getNum_children(); child++) {
            next = collectLeaves(next, isFlat, flat);
        }
        return next;
    }

    private static long start(ColumnMetaData column)
    {
        return column.isSetDictionary_page_offset() ? column.getDictionary_page_offset() : column.getData_page_offset();
    }

    private void validateChunk(RowGroup rowGroup, ColumnChunk chunk, boolean flat)
            throws IOException
    {
        ColumnMetaData column = chunk.getMeta_data();
        long start = start(column);
        long end = start + column.getTotal_compressed_size();
        ranges.add(new long[] {start, end});
        assertThat(chunk.getFile_offset()).isZero();
        List<long[]> pages = new ArrayList<>();
        Map<String, Integer> encodings = new HashMap<>();
        Set<Encoding> listed = new HashSet<>(Set.of(Encoding.RLE));
        long position = start;
        long values = 0;
        long rows = 0;
        long uncompressed = 0;
        boolean sawDictionary = false;
        boolean sawVersion1 = false;
        boolean needsDictionary = false;
        while (position < end) {
            ByteArrayInputStream stream = new ByteArrayInputStream(file, (int) position, (int) (end - position));
            PageHeader header = Util.readPageHeader(stream);
            int headerLength = (int) (end - position) - stream.available();
            assertThat(header.getCompressed_page_size()).isLessThanOrEqualTo(stream.available());
            if (header.isSetCrc()) {
                CRC32 crc = new CRC32();
                crc.update(file, (int) position + headerLength, header.getCompressed_page_size());
                assertThat(header.getCrc()).isEqualTo((int) crc.getValue());
                checksums++;
            }
            uncompressed += headerLength + header.getUncompressed_page_size();
            long size = headerLength + header.getCompressed_page_size();
            Encoding encoding;
            switch (header.getType()) {
                case DICTIONARY_PAGE -> {
                    assertThat(position).isEqualTo(start);
                    assertThat(column.getDictionary_page_offset()).isEqualTo(position);
                    assertThat(header.getDictionary_page_header().getNum_values()).isPositive();
                    sawDictionary = true;
                    encoding = header.getDictionary_page_header().getEncoding();
                }
                case DATA_PAGE -> {
                    pages.add(new long[] {position, size, flat ? values : -1});
                    sawVersion1 = true;
                    values += header.getData_page_header().getNum_values();
                    assertThat(header.getData_page_header().getNum_values()).isPositive();
                    encoding = header.getData_page_header().getEncoding();
                }
                case DATA_PAGE_V2 -> {
                    DataPageHeaderV2 v2 = header.getData_page_header_v2();
                    pages.add(new long[] {position, size, flat ? values : sawVersion1 ? -1 : rows});
                    values += v2.getNum_values();
                    rows += v2.getNum_rows();
                    assertThat(v2.getNum_values()).isPositive();
                    encoding = v2.getEncoding();
                }
                default -> throw new AssertionError("page of type " + header.getType());
            }
            encodings.merge(header.getType() + " " + encoding, 1, Integer::sum);
            listed.add(encoding);
            needsDictionary |= header.getType() != PageType.DICTIONARY_PAGE && (encoding == Encoding.RLE_DICTIONARY || encoding == Encoding.PLAIN_DICTIONARY);
            position += size;
        }
        assertThat(position).isEqualTo(end);
        assertThat(values).isEqualTo(column.getNum_values());
        assertThat(uncompressed).isEqualTo(column.getTotal_uncompressed_size());
        assertThat(pages.getFirst()[0]).isEqualTo(column.getData_page_offset());
        assertThat(sawDictionary).isEqualTo(column.isSetDictionary_page_offset());
        assertThat(sawDictionary).as("a dictionary if and only if pages use it").isEqualTo(needsDictionary);
        assertThat(new HashSet<>(column.getEncodings())).isEqualTo(listed);
        assertThat(column.getEncodings()).doesNotHaveDuplicates();
        Map<String, Integer> statistics = new HashMap<>();
        for (PageEncodingStats stats : column.getEncoding_stats()) {
            statistics.merge(stats.getPage_type() + " " + stats.getEncoding(), stats.getCount(), Integer::sum);
        }
        assertThat(statistics).isEqualTo(encodings);
        dataPages += pages.size();
        validatePageIndex(rowGroup, chunk, pages);
        if (column.isSetBloom_filter_offset()) {
            validateBloomFilter(column);
        }
    }

    private void validatePageIndex(RowGroup rowGroup, ColumnChunk chunk, List<long[]> pages)
            throws IOException
    {
        if (chunk.isSetOffset_index_offset()) {
            offsetIndexes++;
            ByteArrayInputStream stream = new ByteArrayInputStream(file, (int) chunk.getOffset_index_offset(), chunk.getOffset_index_length());
            OffsetIndex index = Util.readOffsetIndex(stream);
            assertThat(stream.available()).isZero();
            ranges.add(new long[] {chunk.getOffset_index_offset(), chunk.getOffset_index_offset() + chunk.getOffset_index_length()});
            assertThat(index.getPage_locationsSize()).isEqualTo(pages.size());
            long last = -1;
            for (int page = 0; page < pages.size(); page++) {
                PageLocation location = index.getPage_locations().get(page);
                assertThat(location.getOffset()).isEqualTo(pages.get(page)[0]);
                assertThat((long) location.getCompressed_page_size()).isEqualTo(pages.get(page)[1]);
                if (pages.get(page)[2] >= 0) {
                    assertThat(location.getFirst_row_index()).isEqualTo(pages.get(page)[2]);
                }
                assertThat(location.getFirst_row_index()).isGreaterThan(last).isLessThan(rowGroup.getNum_rows());
                last = location.getFirst_row_index();
            }
        }
        if (chunk.isSetColumn_index_offset()) {
            columnIndexes++;
            assertThat(chunk.isSetOffset_index_offset()).isTrue();
            ByteArrayInputStream stream = new ByteArrayInputStream(file, (int) chunk.getColumn_index_offset(), chunk.getColumn_index_length());
            ColumnIndex index = Util.readColumnIndex(stream);
            assertThat(stream.available()).isZero();
            ranges.add(new long[] {chunk.getColumn_index_offset(), chunk.getColumn_index_offset() + chunk.getColumn_index_length()});
            assertThat(index.getNull_pagesSize()).isEqualTo(pages.size());
            assertThat(index.getMin_valuesSize()).isEqualTo(pages.size());
            assertThat(index.getMax_valuesSize()).isEqualTo(pages.size());
            if (index.isSetNull_counts() && chunk.getMeta_data().getStatistics().isSetNull_count()) {
                assertThat(index.getNull_counts().stream().mapToLong(Long::longValue).sum()).as("nulls of %s", chunk.getMeta_data().getPath_in_schema()).isEqualTo(chunk.getMeta_data().getStatistics().getNull_count());
            }
        }
    }

    private void validateBloomFilter(ColumnMetaData column)
            throws IOException
    {
        bloomFilters++;
        int offset = (int) column.getBloom_filter_offset();
        ByteArrayInputStream stream = new ByteArrayInputStream(file, offset, file.length - offset);
        BloomFilterHeader header = Util.readBloomFilterHeader(stream);
        long length = file.length - offset - stream.available() + (long) header.getNumBytes();
        assertThat((long) column.getBloom_filter_length()).isEqualTo(length);
        ranges.add(new long[] {offset, offset + length});
    }
}
