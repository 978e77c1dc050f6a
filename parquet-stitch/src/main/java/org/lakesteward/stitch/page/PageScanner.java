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
package org.lakesteward.stitch.page;

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.lakesteward.stitch.footer.ByteRange;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.footer.StitchObstacle;
import org.lakesteward.stitch.footer.StitchObstacle.Reason;
import org.lakesteward.stitch.footer.ThriftGuard;
import org.lakesteward.stitch.footer.ThriftGuard.MalformedThriftException;
import org.lakesteward.stitch.footer.UnsupportedParquetException;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.InputWindow;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

import static java.lang.Math.min;

/**
 * Reads the headers of all pages of a column chunk. Bodies are not looked at.
 */
public final class PageScanner
{
    private static final int FIRST_HEADER_READ = 4 << 10;

    private final ParquetFooter footer;
    private final InputWindow window;
    private final PageLimits limits;

    /**
     * @param window on the footer's file
     */
    public PageScanner(ParquetFooter footer, InputWindow window, PageLimits limits)
    {
        this.footer = footer;
        this.window = window;
        this.limits = limits;
    }

    /**
     * @throws CorruptParquetException when headers contradict each other or the footer
     * @throws UnsupportedParquetException when pages are beyond what is understood or beyond the limits
     */
    public ChunkPages scan(RowGroup rowGroup, LeafColumn leaf)
            throws IOException
    {
        ColumnMetaData column = rowGroup.getColumns().get(leaf.index()).getMeta_data();
        ByteRange range = ByteRange.of(column);
        ImmutableList.Builder<PageInfo> dataPages = ImmutableList.builder();
        Optional<PageInfo> dictionary = Optional.empty();
        long position = range.start();
        long end = range.length() == 0 ? position : range.end();
        long values = 0;
        long rows = 0;
        boolean first = true;
        while (position < end) {
            PageInfo page = readHeader(leaf, position, end);
            if (page.type() == PageType.DICTIONARY_PAGE) {
                check(first, leaf, "its dictionary page is not its first one");
                dictionary = Optional.of(page);
            }
            else {
                check(!first || dictionary.isPresent() || page.position() == column.getData_page_offset() || column.getDictionary_page_offset() == page.position(), leaf, "its first page is not at byte %s".formatted(column.getData_page_offset()));
                dataPages.add(page);
                values += page.values();
                rows += page.rows();
            }
            first = false;
            position += page.totalSize();
        }
        check(position == end, leaf, "its last page ends at byte %s, the column chunk at byte %s".formatted(position, end));
        check(values == column.getNum_values(), leaf, "its pages have %s values, the footer says %s".formatted(values, column.getNum_values()));
        check(rows <= rowGroup.getNum_rows(), leaf, "its pages have %s rows, the row group has %s".formatted(rows, rowGroup.getNum_rows()));
        return new ChunkPages(leaf, column.getCodec(), rowGroup.getNum_rows(), dictionary, dataPages.build());
    }

    private PageInfo readHeader(LeafColumn leaf, long position, long chunkEnd)
            throws IOException
    {
        long left = chunkEnd - position;
        int read = (int) min(FIRST_HEADER_READ, left);
        while (true) {
            int offset = window.load(position, read);
            try {
                int length = ThriftGuard.structLength(window.bytes(), offset, offset + read);
                if (length != ThriftGuard.INCOMPLETE) {
                    PageHeader header = Util.readPageHeader(new ByteArrayInputStream(window.bytes(), offset, length));
                    return toPageInfo(leaf, header, position, length, left);
                }
            }
            catch (CorruptParquetException | UnsupportedParquetException e) {
                throw e;
            }
            catch (MalformedThriftException | IOException | RuntimeException e) {
                throw corrupt(leaf, "the page header at byte %s cannot be parsed: %s".formatted(position, e.getMessage()), e);
            }
            check(read < left, leaf, "the page header at byte %s goes beyond the column chunk".formatted(position));
            // statistics of large values can make a header as large as a page
            if (read >= limits.maxSize()) {
                throw unsupported(Reason.PAGE_TOO_LARGE, leaf, "a page header of more than %s bytes, the limit".formatted(limits.maxSize()));
            }
            read = (int) min(min(read * 8L, left), limits.maxSize());
        }
    }

    private PageInfo toPageInfo(LeafColumn leaf, PageHeader header, long position, int headerSize, long left)
            throws IOException
    {
        int compressed = header.getCompressed_page_size();
        int uncompressed = header.getUncompressed_page_size();
        check(compressed >= 0 && compressed <= left - headerSize, leaf, "the page at byte %s has %s bytes, outside of the column chunk".formatted(position, compressed));
        check(uncompressed >= 0, leaf, "the page at byte %s has %s bytes uncompressed".formatted(position, uncompressed));
        if (compressed > limits.maxSize() || uncompressed > limits.maxSize()) {
            throw unsupported(Reason.PAGE_TOO_LARGE, leaf, "a page of %s bytes, %s uncompressed; the limit is %s bytes".formatted(compressed, uncompressed, limits.maxSize()));
        }
        OptionalInt crc = header.isSetCrc() ? OptionalInt.of(header.getCrc()) : OptionalInt.empty();
        PageType type = header.getType();
        return switch (type) {
            case null -> throw unsupported(Reason.PAGE_TYPE, leaf, "a page of a type that is not known");
            case INDEX_PAGE -> throw unsupported(Reason.PAGE_TYPE, leaf, "an index page");
            case DICTIONARY_PAGE -> {
                check(header.isSetDictionary_page_header(), leaf, "the dictionary page at byte %s has no header of its own".formatted(position));
                DictionaryPageHeader dictionary = header.getDictionary_page_header();
                if (dictionary.getEncoding() != Encoding.PLAIN && dictionary.getEncoding() != Encoding.PLAIN_DICTIONARY || !PageEncodings.isKnown(Encoding.RLE_DICTIONARY, leaf)) {
                    throw unsupported(Reason.ENCODING, leaf, "a dictionary in encoding %s".formatted(dictionary.getEncoding()));
                }
                checkValues(leaf, position, dictionary.getNum_values());
                yield new PageInfo(type, position, headerSize, compressed, uncompressed, dictionary.getEncoding(), dictionary.getNum_values(), 0, 0, 0, 0, true, crc);
            }
            case DATA_PAGE -> {
                check(header.isSetData_page_header(), leaf, "the data page at byte %s has no header of its own".formatted(position));
                DataPageHeader data = header.getData_page_header();
                checkEncoding(leaf, data.getEncoding());
                checkLevelEncoding(leaf, leaf.maxDefinitionLevel(), data.getDefinition_level_encoding());
                checkLevelEncoding(leaf, leaf.maxRepetitionLevel(), data.getRepetition_level_encoding());
                checkValues(leaf, position, data.getNum_values());
                yield new PageInfo(type, position, headerSize, compressed, uncompressed, data.getEncoding(), data.getNum_values(), 0, 0, 0, 0, true, crc);
            }
            case DATA_PAGE_V2 -> {
                check(header.isSetData_page_header_v2(), leaf, "the data page at byte %s has no header of its own".formatted(position));
                DataPageHeaderV2 data = header.getData_page_header_v2();
                checkEncoding(leaf, data.getEncoding());
                checkValues(leaf, position, data.getNum_values());
                int repetition = data.getRepetition_levels_byte_length();
                int definition = data.getDefinition_levels_byte_length();
                check(repetition >= 0 && definition >= 0 && (long) repetition + definition <= min(compressed, uncompressed), leaf, "the page at byte %s has %s bytes of repetition levels and %s bytes of definition levels".formatted(position, repetition, definition));
                check(data.getNum_nulls() >= 0 && data.getNum_nulls() <= data.getNum_values(), leaf, "the page at byte %s has %s nulls".formatted(position, data.getNum_nulls()));
                check(data.getNum_rows() >= 0 && (leaf.isFlat() ? data.getNum_rows() == data.getNum_values() : data.getNum_rows() <= data.getNum_values()), leaf, "the page at byte %s has %s rows".formatted(position, data.getNum_rows()));
                boolean isCompressed = !data.isSetIs_compressed() || data.isIs_compressed();
                yield new PageInfo(type, position, headerSize, compressed, uncompressed, data.getEncoding(), data.getNum_values(), data.getNum_nulls(), data.getNum_rows(), repetition, definition, isCompressed, crc);
            }
        };
    }

    private void checkEncoding(LeafColumn leaf, Encoding encoding)
            throws UnsupportedParquetException
    {
        if (!PageEncodings.isKnown(encoding, leaf)) {
            throw unsupported(Reason.ENCODING, leaf, "a page in an encoding that is not known or that %s cannot have: %s".formatted(leaf.type(), encoding));
        }
    }

    private void checkLevelEncoding(LeafColumn leaf, int maxLevel, Encoding encoding)
            throws UnsupportedParquetException
    {
        if (maxLevel > 0 && encoding != Encoding.RLE) {
            throw unsupported(Reason.LEVEL_ENCODING, leaf, "levels in encoding %s instead of RLE".formatted(encoding));
        }
    }

    private void checkValues(LeafColumn leaf, long position, int values)
            throws IOException
    {
        check(values >= 0, leaf, "the page at byte %s has %s values".formatted(position, values));
        if (values > limits.maxValues()) {
            throw unsupported(Reason.PAGE_TOO_LARGE, leaf, "a page of %s values, the limit is %s".formatted(values, limits.maxValues()));
        }
    }

    private void check(boolean condition, LeafColumn leaf, String problem)
            throws CorruptParquetException
    {
        if (!condition) {
            throw corrupt(leaf, problem, null);
        }
    }

    private CorruptParquetException corrupt(LeafColumn leaf, String problem, Throwable cause)
    {
        return new CorruptParquetException(footer.file(), "column %s: %s".formatted(leaf.dottedPath(), problem), cause);
    }

    private UnsupportedParquetException unsupported(Reason reason, LeafColumn leaf, String what)
    {
        return new UnsupportedParquetException(new StitchObstacle(reason, "column %s of %s has %s".formatted(leaf.dottedPath(), footer.file(), what)));
    }
}
