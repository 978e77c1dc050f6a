
package org.lakesteward.procedure.copy;

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks a copied file byte by byte: every byte between the magics belongs to exactly one thing that the footer names, pages
 * are where footer and offset indexes say, and all counts agree. Shares no code with what it checks.
 */
final class StrictFileValidator
{
    private final byte[] file;
    private final FileMetaData metadata;
    private final List<long[]> ranges = new ArrayList<>();
    private int chunksWithPageIndex;
    private int bloomFilters;
    private int checksums;

    private StrictFileValidator(byte[] file)
            throws IOException
    {
        this.file = file;
        assertThat(new String(file, 0, 4, java.nio.charset.StandardCharsets.US_ASCII)).isEqualTo("PAR1");
        assertThat(new String(file, file.length - 4, 4, java.nio.charset.StandardCharsets.US_ASCII)).isEqualTo("PAR1");
        int footerLength = java.nio.ByteBuffer.wrap(file).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
        int footerStart = file.length - 8 - footerLength;
        ByteArrayInputStream footer = new ByteArrayInputStream(file, footerStart, footerLength);
        metadata = Util.readFileMetaData(footer);
        assertThat(footer.available()).isZero();
        ranges.add(new long[] {0, 4});
        ranges.add(new long[] {footerStart, file.length});
    }

    record Summary(FileMetaData metadata, int chunksWithPageIndex, int bloomFilters, int checksums) {}

    static Summary validate(byte[] file)
            throws IOException
    {
        StrictFileValidator validator = new StrictFileValidator(file);
        validator.validate();
        return new Summary(validator.metadata, validator.chunksWithPageIndex, validator.bloomFilters, validator.checksums);
    }

    private void validate()
            throws IOException
    {
        List<Boolean> flat = new ArrayList<>();
        int read = collectLeaves(0, true, flat);
        assertThat(read).isEqualTo(metadata.getSchemaSize());
        if (metadata.isSetColumn_orders()) {
            assertThat(metadata.getColumn_ordersSize()).isEqualTo(flat.size());
        }
        long rows = 0;
        for (int index = 0; index < metadata.getRow_groupsSize(); index++) {
            RowGroup rowGroup = metadata.getRow_groups().get(index);
            assertThat(rowGroup.getOrdinal()).isEqualTo((short) index);
            assertThat(rowGroup.getNum_rows()).isPositive();
            assertThat(rowGroup.getColumnsSize()).isEqualTo(flat.size());
            assertThat(rowGroup.getTotal_compressed_size()).isEqualTo(rowGroup.getColumns().stream().mapToLong(chunk -> chunk.getMeta_data().getTotal_compressed_size()).sum());
            assertThat(rowGroup.getTotal_byte_size()).isEqualTo(rowGroup.getColumns().stream().mapToLong(chunk -> chunk.getMeta_data().getTotal_uncompressed_size()).sum());
            assertThat(rowGroup.getFile_offset()).isEqualTo(start(rowGroup.getColumns().getFirst().getMeta_data()));
            long expectedStart = rowGroup.getFile_offset();
            for (int column = 0; column < flat.size(); column++) {
                ColumnChunk chunk = rowGroup.getColumns().get(column);
                assertThat(start(chunk.getMeta_data())).isEqualTo(expectedStart);
                expectedStart += chunk.getMeta_data().getTotal_compressed_size();
                validateChunk(rowGroup, chunk, flat.get(column));
            }
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
        assertThat(chunk.getFile_offset()).satisfiesAnyOf(offset -> assertThat(offset).isZero(), offset -> assertThat(offset).isBetween(start, end - 1));

        List<long[]> dataPages = new ArrayList<>();
        Map<String, Integer> encodings = new HashMap<>();
        long position = start;
        long values = 0;
        long rows = 0;
        long uncompressed = 0;
        boolean sawDictionary = false;
        while (position < end) {
            ByteArrayInputStream stream = new ByteArrayInputStream(file, (int) position, (int) (end - position));
            PageHeader header = Util.readPageHeader(stream);
            int headerLength = (int) (end - position) - stream.available();
            assertThat((long) header.getCompressed_page_size()).isLessThanOrEqualTo(stream.available());
            if (header.isSetCrc()) {
                CRC32 crc = new CRC32();
                crc.update(file, (int) position + headerLength, header.getCompressed_page_size());
                assertThat(header.getCrc()).isEqualTo((int) crc.getValue());
                checksums++;
            }
            uncompressed += headerLength + header.getUncompressed_page_size();
            long size = headerLength + header.getCompressed_page_size();
            switch (header.getType()) {
                case DICTIONARY_PAGE -> {
                    assertThat(position).isEqualTo(start);
                    assertThat(column.getDictionary_page_offset()).isEqualTo(position);
                    sawDictionary = true;
                    encodings.merge(key(PageType.DICTIONARY_PAGE, header.getDictionary_page_header().getEncoding()), 1, Integer::sum);
                }
                case DATA_PAGE -> {
                    dataPages.add(new long[] {position, size, flat ? values : -1});
                    values += header.getData_page_header().getNum_values();
                    encodings.merge(key(PageType.DATA_PAGE, header.getData_page_header().getEncoding()), 1, Integer::sum);
                }
                case DATA_PAGE_V2 -> {
                    DataPageHeaderV2 v2 = header.getData_page_header_v2();
                    dataPages.add(new long[] {position, size, rows});
                    values += v2.getNum_values();
                    rows += v2.getNum_rows();
                    encodings.merge(key(PageType.DATA_PAGE_V2, v2.getEncoding()), 1, Integer::sum);
                }
                default -> throw new AssertionError("page of type " + header.getType());
            }
            position += size;
        }
        assertThat(position).isEqualTo(end);
        assertThat(values).isEqualTo(column.getNum_values());
        assertThat(uncompressed).isEqualTo(column.getTotal_uncompressed_size());
        assertThat(dataPages.getFirst()[0]).isEqualTo(column.getData_page_offset());
        assertThat(sawDictionary).isEqualTo(column.isSetDictionary_page_offset());
        if (column.isSetEncoding_stats()) {
            Map<String, Integer> expected = new HashMap<>();
            for (PageEncodingStats stats : column.getEncoding_stats()) {
                expected.merge(key(stats.getPage_type(), stats.getEncoding()), stats.getCount(), Integer::sum);
            }
            assertThat(encodings).isEqualTo(expected);
        }
        validatePageIndex(rowGroup, chunk, dataPages);
        if (column.isSetBloom_filter_offset()) {
            validateBloomFilter(column);
        }
    }

    private static String key(PageType type, Encoding encoding)
    {
        return type + " " + encoding;
    }

    private void validatePageIndex(RowGroup rowGroup, ColumnChunk chunk, List<long[]> dataPages)
            throws IOException
    {
        if (chunk.isSetOffset_index_offset()) {
            chunksWithPageIndex++;
            ByteArrayInputStream stream = new ByteArrayInputStream(file, (int) chunk.getOffset_index_offset(), chunk.getOffset_index_length());
            OffsetIndex index = Util.readOffsetIndex(stream);
            assertThat(stream.available()).isZero();
            ranges.add(new long[] {chunk.getOffset_index_offset(), chunk.getOffset_index_offset() + chunk.getOffset_index_length()});
            assertThat(index.getPage_locationsSize()).isEqualTo(dataPages.size());
            for (int page = 0; page < dataPages.size(); page++) {
                PageLocation location = index.getPage_locations().get(page);
                assertThat(location.getOffset()).isEqualTo(dataPages.get(page)[0]);
                assertThat((long) location.getCompressed_page_size()).isEqualTo(dataPages.get(page)[1]);
                if (dataPages.get(page)[2] >= 0) {
                    assertThat(location.getFirst_row_index()).isEqualTo(dataPages.get(page)[2]);
                }
                assertThat(location.getFirst_row_index()).isLessThan(rowGroup.getNum_rows());
            }
        }
        if (chunk.isSetColumn_index_offset()) {
            ByteArrayInputStream stream = new ByteArrayInputStream(file, (int) chunk.getColumn_index_offset(), chunk.getColumn_index_length());
            ColumnIndex index = Util.readColumnIndex(stream);
            assertThat(stream.available()).isZero();
            ranges.add(new long[] {chunk.getColumn_index_offset(), chunk.getColumn_index_offset() + chunk.getColumn_index_length()});
            assertThat(index.getNull_pagesSize()).isEqualTo(dataPages.size());
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
