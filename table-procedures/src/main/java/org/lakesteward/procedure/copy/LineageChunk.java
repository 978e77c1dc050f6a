
package org.lakesteward.procedure.copy;

import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.format.BoundaryOrder;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static java.lang.Math.min;

/**
 * Writes one column chunk of an optional INT64 column without nulls whose values are {@code first + row * increment}, for an
 * increment of 0 or 1: the row-lineage columns of Iceberg format version 3. A page of values is never materialised, since
 * DELTA_BINARY_PACKED (section "Delta Encoding" of the Parquet encodings) takes a constant difference as a block header of
 * six bytes with miniblocks of width 0.
 * <p>
 * Not thread-safe.
 */
final class LineageChunk
{
    /** Values of a page: some 5 kB encoded, and what parquet-mr allows by default is 20,000 rows and more. */
    static final int PAGE_VALUES = 100_000;

    private static final int BLOCK_VALUES = 128;
    private static final int MINIBLOCKS = 4;

    private final String name;
    private final long first;
    private final long increment;
    private final long rows;
    private final List<PageLocation> pages = new ArrayList<>();

    private long start = -1;
    private long size;
    private long uncompressedSize;
    private long written;

    LineageChunk(NestedField field, long first, long increment, long rows)
    {
        checkArgument(increment == 0 || increment == 1, "increment must be 0 or 1: %s", increment);
        checkArgument(rows > 0, "rows must be positive: %s", rows);
        this.name = field.name();
        this.first = first;
        this.increment = increment;
        this.rows = rows;
        // throws when the last value does not fit
        valueAt(rows - 1);
    }

    static SchemaElement schemaElement(NestedField field)
    {
        return new SchemaElement(field.name())
                .setType(Type.INT64)
                .setRepetition_type(FieldRepetitionType.OPTIONAL)
                .setField_id(field.fieldId());
    }

    boolean isComplete()
    {
        return written == rows;
    }

    /**
     * @param position of the output, where the caller puts the page
     * @return the next page with its header
     */
    byte[] nextPage(long position)
            throws IOException
    {
        checkState(!isComplete(), "all %s rows are written", rows);
        if (start < 0) {
            start = position;
        }
        checkArgument(position == start + size, "page must follow the one before it: expected position %s, got %s", start + size, position);
        int values = (int) min(PAGE_VALUES, rows - written);

        ByteArrayOutputStream body = new ByteArrayOutputStream(BLOCK_VALUES + values / 16);
        writeLevels(body, values);
        writeValues(body, valueAt(written), values);
        PageHeader header = new PageHeader(PageType.DATA_PAGE, body.size(), body.size());
        header.setData_page_header(new DataPageHeader(values, Encoding.DELTA_BINARY_PACKED, Encoding.RLE, Encoding.RLE));
        ByteArrayOutputStream page = new ByteArrayOutputStream(body.size() + 64);
        Util.writePageHeader(header, page);
        body.writeTo(page);

        pages.add(new PageLocation(position, page.size(), written));
        size += page.size();
        uncompressedSize += page.size();
        written += values;
        return page.toByteArray();
    }

    /** Definition levels: one run of the level 1, length first as in data pages of version 1. */
    private static void writeLevels(ByteArrayOutputStream out, int values)
    {
        ByteArrayOutputStream run = new ByteArrayOutputStream(8);
        writeVarint(run, (long) values << 1);
        run.write(1);
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(run.size()).array());
        out.writeBytes(run.toByteArray());
    }

    private void writeValues(ByteArrayOutputStream out, long firstValue, int values)
    {
        writeVarint(out, BLOCK_VALUES);
        writeVarint(out, MINIBLOCKS);
        writeVarint(out, values);
        writeVarint(out, zigzag(firstValue));
        for (int delta = 1; delta < values; delta += BLOCK_VALUES) {
            writeVarint(out, zigzag(increment));
            for (int miniblock = 0; miniblock < MINIBLOCKS; miniblock++) {
                out.write(0);
            }
        }
    }

    private static void writeVarint(ByteArrayOutputStream out, long value)
    {
        while ((value & ~0x7fL) != 0) {
            out.write((int) (value & 0x7f | 0x80));
            value >>>= 7;
        }
        out.write((int) value);
    }

    private static long zigzag(long value)
    {
        return value << 1 ^ value >> 63;
    }

    private long valueAt(long row)
    {
        return Math.addExact(first, Math.multiplyExact(row, increment));
    }

    long size()
    {
        return size;
    }

    long uncompressedSize()
    {
        return uncompressedSize;
    }

    ColumnChunk toColumnChunk()
    {
        checkState(isComplete(), "%s of %s rows are written", written, rows);
        Statistics statistics = new Statistics();
        statistics.setNull_count(0);
        statistics.setMin_value(plain(first));
        statistics.setMax_value(plain(valueAt(rows - 1)));
        statistics.setIs_min_value_exact(true);
        statistics.setIs_max_value_exact(true);
        ColumnMetaData metadata = new ColumnMetaData(
                Type.INT64,
                List.of(Encoding.RLE, Encoding.DELTA_BINARY_PACKED),
                List.of(name),
                CompressionCodec.UNCOMPRESSED,
                rows,
                uncompressedSize,
                size,
                start);
        metadata.setStatistics(statistics);
        metadata.setEncoding_stats(List.of(new PageEncodingStats(PageType.DATA_PAGE, Encoding.DELTA_BINARY_PACKED, pages.size())));
        return new ColumnChunk(0).setMeta_data(metadata);
    }

    OffsetIndex toOffsetIndex()
    {
        return new OffsetIndex(List.copyOf(pages));
    }

    ColumnIndex toColumnIndex()
    {
        List<Boolean> nullPages = new ArrayList<>();
        List<ByteBuffer> minimums = new ArrayList<>();
        List<ByteBuffer> maximums = new ArrayList<>();
        List<Long> nullCounts = new ArrayList<>();
        for (int page = 0; page < pages.size(); page++) {
            long firstRow = pages.get(page).getFirst_row_index();
            long lastRow = (page + 1 < pages.size() ? pages.get(page + 1).getFirst_row_index() : rows) - 1;
            nullPages.add(false);
            minimums.add(ByteBuffer.wrap(plain(valueAt(firstRow))));
            maximums.add(ByteBuffer.wrap(plain(valueAt(lastRow))));
            nullCounts.add(0L);
        }
        return new ColumnIndex(nullPages, minimums, maximums, BoundaryOrder.ASCENDING).setNull_counts(nullCounts);
    }

    private static byte[] plain(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }
}
