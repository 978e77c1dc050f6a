
package org.lakesteward.procedure.copy;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.lakesteward.procedure.copy.CompactThriftGuard.MalformedThriftException;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import static java.lang.Math.toIntExact;

/**
 * Reads the column and offset indexes of one row group (PageIndex.md of the Parquet format) in as few reads as their layout
 * allows, a bounded piece per call, and checks them against the column chunks.
 * <p>
 * Not thread-safe.
 */
final class PageIndexReader
{
    /** Indexes nearer than this are read together. */
    private static final int MAX_GAP = 16 * 1024;
    /** Far above any index that a writer makes (about 100 bytes a page); a larger one is a lying length. */
    private static final int MAX_INDEX_SIZE = 16 * 1024 * 1024;

    private final TrinoInput source;
    private final Location location;
    private final byte[] buffer;
    private final RowGroup rowGroup;
    private final List<Piece> pieces = new ArrayList<>();
    private final byte[][] columnIndexes;
    private final byte[][] offsetIndexes;
    private int next;

    PageIndexReader(TrinoInput source, ParquetFooter footer, int rowGroupIndex, byte[] buffer)
    {
        this.source = source;
        this.location = footer.location();
        this.buffer = buffer;
        this.rowGroup = footer.rowGroup(rowGroupIndex);
        int columns = rowGroup.getColumnsSize();
        this.columnIndexes = new byte[columns][0];
        this.offsetIndexes = new byte[columns][0];
        for (int column = 0; column < columns; column++) {
            ColumnChunk chunk = rowGroup.getColumns().get(column);
            if (chunk.isSetColumn_index_offset()) {
                pieces.add(new Piece(columnIndexes, column, new ByteRange(chunk.getColumn_index_offset(), chunk.getColumn_index_length())));
            }
            if (chunk.isSetOffset_index_offset()) {
                pieces.add(new Piece(offsetIndexes, column, new ByteRange(chunk.getOffset_index_offset(), chunk.getOffset_index_length())));
            }
        }
        pieces.sort(Comparator.comparingLong(piece -> piece.range.start()));
    }

    boolean isComplete()
    {
        return next == pieces.size();
    }

    /** One read: of as many indexes as fit in the buffer, or of a single larger one. */
    void readMore()
            throws IOException
    {
        int first = next;
        ByteRange span = pieces.get(first).range;
        if (span.length() > MAX_INDEX_SIZE) {
            throw new CorruptParquetException(location, "a page index of %s bytes is announced at byte %s, no index is larger than %s".formatted(span.length(), span.start(), MAX_INDEX_SIZE));
        }
        next++;
        while (next < pieces.size()) {
            ByteRange range = pieces.get(next).range;
            long end = Math.max(span.end(), range.end());
            if (range.start() - span.end() > MAX_GAP || end - span.start() > buffer.length) {
                break;
            }
            span = new ByteRange(span.start(), end - span.start());
            next++;
        }
        byte[] bytes = span.length() <= buffer.length ? buffer : new byte[toIntExact(span.length())];
        readFully(span, bytes);
        for (Piece piece : pieces.subList(first, next)) {
            byte[] index = new byte[toIntExact(piece.range.length())];
            System.arraycopy(bytes, toIntExact(piece.range.start() - span.start()), index, 0, index.length);
            piece.target[piece.column] = index;
        }
    }

    private void readFully(ByteRange range, byte[] bytes)
            throws IOException
    {
        try {
            source.readFully(range.start(), bytes, 0, toIntExact(range.length()));
        }
        catch (EOFException e) {
            throw new CorruptParquetException(location, "it ends before byte %s".formatted(range.end()), e);
        }
    }

    /**
     * @return the column index as it is, empty when there is none
     */
    byte[] columnIndex(int column)
    {
        return columnIndexes[column];
    }

    /**
     * @param shift what the column chunk moves by
     * @return the offset index for the new place, empty when there is none
     */
    byte[] shiftedOffsetIndex(int column, long shift)
            throws IOException
    {
        String what = "the offset index of column %s".formatted(String.join(".", chunk(column).getMeta_data().getPath_in_schema()));
        byte[] bytes = offsetIndexes[column];
        int pageCount = -1;
        byte[] shifted = bytes;
        if (bytes.length > 0) {
            OffsetIndex index = parse(bytes, what, Util::readOffsetIndex);
            checkPages(column, index, what);
            pageCount = index.getPage_locationsSize();
            for (PageLocation page : index.getPage_locations()) {
                page.setOffset(page.getOffset() + shift);
            }
            shifted = RowGroupCopier.serialize(index);
        }
        if (columnIndexes[column].length > 0) {
            checkColumnIndex(column, pageCount);
        }
        return shifted;
    }

    private void checkPages(int column, OffsetIndex index, String what)
            throws IOException
    {
        ByteRange chunk = ParquetFooter.chunkRange(chunk(column).getMeta_data());
        long end = chunk.start();
        long row = -1;
        for (PageLocation page : index.getPage_locations()) {
            if (page.getOffset() < end || page.getCompressed_page_size() <= 0 || page.getOffset() > chunk.end() - page.getCompressed_page_size()) {
                throw new CorruptParquetException(location, "%s has a page of %s bytes at byte %s, outside of its column chunk or over another page".formatted(what, page.getCompressed_page_size(), page.getOffset()));
            }
            boolean rowFits = row < 0 ? page.getFirst_row_index() == 0 : page.getFirst_row_index() > row && page.getFirst_row_index() < rowGroup.getNum_rows();
            if (!rowFits) {
                throw new CorruptParquetException(location, "%s has a page that begins at row %s of %s, after one that begins at row %s".formatted(what, page.getFirst_row_index(), rowGroup.getNum_rows(), row));
            }
            end = page.getOffset() + page.getCompressed_page_size();
            row = page.getFirst_row_index();
        }
    }

    private void checkColumnIndex(int column, int pageCount)
            throws IOException
    {
        String what = "the column index of column %s".formatted(String.join(".", chunk(column).getMeta_data().getPath_in_schema()));
        ColumnIndex index = parse(columnIndexes[column], what, Util::readColumnIndex);
        int pages = index.getNull_pagesSize();
        boolean consistent = index.getMin_valuesSize() == pages && index.getMax_valuesSize() == pages && (!index.isSetNull_counts() || index.getNull_countsSize() == pages);
        if (!consistent || (pageCount >= 0 && pages != pageCount)) {
            throw new CorruptParquetException(location, "%s has %s pages, %s minimums and %s maximums, the offset index %s pages".formatted(what, pages, index.getMin_valuesSize(), index.getMax_valuesSize(), pageCount < 0 ? "no" : pageCount));
        }
    }

    private <T> T parse(byte[] bytes, String what, Parser<T> parser)
            throws IOException
    {
        try {
            int length = CompactThriftGuard.structLength(bytes, 0, bytes.length);
            return parser.parse(new ByteArrayInputStream(bytes, 0, length));
        }
        catch (MalformedThriftException e) {
            throw new CorruptParquetException(location, "%s cannot be parsed, %s".formatted(what, e.getMessage()), e);
        }
        catch (IOException | RuntimeException e) {
            throw new CorruptParquetException(location, "%s cannot be parsed: %s".formatted(what, e.getMessage()), e);
        }
    }

    private ColumnChunk chunk(int column)
    {
        return rowGroup.getColumns().get(column);
    }

    long retainedBytes()
    {
        return pieces.subList(0, next).stream().mapToLong(piece -> piece.range.length()).sum();
    }

    private record Piece(byte[][] target, int column, ByteRange range) {}

    private interface Parser<T>
    {
        T parse(ByteArrayInputStream bytes)
                throws IOException;
    }
}
