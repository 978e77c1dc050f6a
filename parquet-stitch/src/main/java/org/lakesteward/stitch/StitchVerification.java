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

import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.lakesteward.stitch.footer.ByteRange;
import org.lakesteward.stitch.footer.FooterReader;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.footer.UnsupportedParquetException;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.InputWindow;
import org.lakesteward.stitch.io.ParquetSource;
import org.lakesteward.stitch.page.ChunkPages;
import org.lakesteward.stitch.page.Codec;
import org.lakesteward.stitch.page.PageInfo;
import org.lakesteward.stitch.page.PageLimits;
import org.lakesteward.stitch.page.PageReader;
import org.lakesteward.stitch.page.PageScanner;
import org.lakesteward.stitch.verify.ColumnChecksum;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Reads a stitched file back, as storage has it now, decodes every page and compares what each column is made of with what the
 * inputs' columns were made of. The decoders share nothing with the code that stitches. Null counts and the row numbers of the
 * page index are checked on the way; Bloom filters, page indexes and footer have to be what was written.
 *
 * <p>Memory: one page, compressed and not, its dictionary's hashes, and what is read at once. Pure but for reading.
 */
public final class StitchVerification
{
    private StitchVerification() {}

    /**
     * @param output the file as it is stored
     * @param result of the stitcher, which must have been told to verify
     * @throws StitchVerificationException when the file is not what the inputs were; it must not be used
     * @throws IOException when storage fails
     */
    public static void verify(ParquetSource output, StitchResult result, StitchOptions options)
            throws IOException
    {
        checkArgument(result.inputSums().isPresent(), "result has no sums of the inputs: verify was false");
        check(output.length() == result.fileSize(), output, "has %s bytes, %s were written".formatted(output.length(), result.fileSize()));
        try {
            // pages and footers are as large as they came out
            ParquetFooter footer = FooterReader.read(output, Integer.MAX_VALUE);
            check(footer.metadata().equals(result.metadata()), output, "has another footer than was written");
            verifyAuxiliaries(output, footer, result, options.readSize());
            verify(output, footer, result.inputSums().get(), options);
        }
        catch (CorruptParquetException | UnsupportedParquetException e) {
            throw new StitchVerificationException("Stitched file %s cannot be read back: %s".formatted(output.name(), e.getMessage()), e);
        }
    }

    private static void verify(ParquetSource output, ParquetFooter footer, List<ColumnChecksum.Sum> expected, StitchOptions options)
            throws IOException
    {
        InputWindow window = new InputWindow(options.readSize());
        window.open(output);
        PageReader reader = new PageReader(new Codec());
        PageScanner scanner = new PageScanner(footer, window, new PageLimits(Integer.MAX_VALUE - 64, Integer.MAX_VALUE));
        List<ColumnChecksum> actual = footer.leaves().stream().map(ColumnChecksum::new).toList();
        for (RowGroup rowGroup : footer.rowGroups()) {
            for (LeafColumn leaf : footer.leaves()) {
                ColumnChecksum checksum = actual.get(leaf.index());
                ColumnChecksum.Sum before = checksum.sum();
                ChunkPages pages = scanner.scan(rowGroup, leaf);
                addPages(output, footer, rowGroup.getColumns().get(leaf.index()), pages, checksum, reader, window);
                verifyCounts(output, rowGroup, leaf, before, checksum.sum());
            }
        }
        for (LeafColumn leaf : footer.leaves()) {
            ColumnChecksum.Sum sum = actual.get(leaf.index()).sum();
            check(sum.equals(expected.get(leaf.index())), output, "has other values than the inputs in column %s: %s instead of %s".formatted(leaf.dottedPath(), sum, expected.get(leaf.index())));
        }
    }

    /** Bloom filters, page indexes and the footer are as they were written. */
    private static void verifyAuxiliaries(ParquetSource output, ParquetFooter footer, StitchResult result, int readSize)
            throws IOException
    {
        List<ByteRange> filters = new ArrayList<>();
        long tail = FileTail.MAGIC.length;
        for (RowGroup rowGroup : footer.rowGroups()) {
            for (ColumnChunk chunk : rowGroup.getColumns()) {
                ColumnMetaData column = chunk.getMeta_data();
                tail = Math.max(tail, ByteRange.of(column).end());
                if (column.isSetBloom_filter_offset()) {
                    filters.add(new ByteRange(column.getBloom_filter_offset(), column.getBloom_filter_length()));
                    tail = Math.max(tail, filters.getLast().end());
                }
            }
        }
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[(int) Math.min(readSize, output.length())];
        for (ByteRange filter : filters) {
            update(crc, output, filter, buffer);
        }
        update(crc, output, new ByteRange(tail, output.length() - tail), buffer);
        check((int) crc.getValue() == result.auxiliaryChecksum(), output, "has other Bloom filters, page indexes or another footer than were written");
    }

    private static void update(CRC32 crc, ParquetSource output, ByteRange range, byte[] buffer)
            throws IOException
    {
        for (long position = range.start(); position < range.end(); position += buffer.length) {
            int length = (int) Math.min(buffer.length, range.end() - position);
            output.readFully(position, buffer, 0, length);
            crc.update(buffer, 0, length);
        }
    }

    private static void addPages(ParquetSource output, ParquetFooter footer, ColumnChunk chunk, ChunkPages pages, ColumnChecksum checksum, PageReader reader, InputWindow window)
            throws IOException
    {
        if (!chunk.isSetOffset_index_offset()) {
            checksum.add(pages, reader, window, footer.file());
            return;
        }
        byte[] bytes = new byte[chunk.getOffset_index_length()];
        output.readFully(chunk.getOffset_index_offset(), bytes, 0, bytes.length);
        OffsetIndex index = Util.readOffsetIndex(new ByteArrayInputStream(bytes));
        String column = pages.leaf().dottedPath();
        check(index.getPage_locationsSize() == pages.dataPages().size(), output, "has %s pages in column %s and %s in its index".formatted(pages.dataPages().size(), column, index.getPage_locationsSize()));
        checksum.add(pages, reader, window, footer.file());
        for (int page = 0; page < pages.dataPages().size(); page++) {
            PageInfo info = pages.dataPages().get(page);
            PageLocation location = index.getPage_locations().get(page);
            check(
                    location.getOffset() == info.position() && location.getCompressed_page_size() == info.totalSize() && location.getFirst_row_index() == checksum.firstRow(page),
                    output,
                    "has page %s of column %s elsewhere than its index says".formatted(page, column));
        }
    }

    private static void verifyCounts(ParquetSource output, RowGroup rowGroup, LeafColumn leaf, ColumnChecksum.Sum before, ColumnChecksum.Sum after)
            throws StitchVerificationException
    {
        long rows = after.rows() - before.rows();
        check(rows == rowGroup.getNum_rows(), output, "has %s rows in column %s of a row group of %s".formatted(rows, leaf.dottedPath(), rowGroup.getNum_rows()));
        ColumnMetaData column = rowGroup.getColumns().get(leaf.index()).getMeta_data();
        if (column.isSetStatistics() && column.getStatistics().isSetNull_count()) {
            long nulls = after.count() - before.count() - (after.nonNulls() - before.nonNulls());
            check(nulls == column.getStatistics().getNull_count(), output, "has %s nulls in column %s, its footer says %s".formatted(nulls, leaf.dottedPath(), column.getStatistics().getNull_count()));
        }
    }

    private static void check(boolean condition, ParquetSource output, String problem)
            throws StitchVerificationException
    {
        if (!condition) {
            throw new StitchVerificationException("Stitched file %s %s".formatted(output.name(), problem));
        }
    }
}
