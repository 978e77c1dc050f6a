
package org.lakesteward.procedure.copy;

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.lakesteward.procedure.copy.CompactThriftGuard.MalformedThriftException;
import org.lakesteward.procedure.copy.RowGroupCopier.CopiedRowGroup;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import static com.google.common.base.Preconditions.checkState;
import static java.lang.Math.min;
import static java.lang.Math.toIntExact;
import static org.apache.iceberg.MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER;
import static org.apache.iceberg.MetadataColumns.ROW_ID;

/**
 * The copying of one row group, in steps: page indexes are read, column chunks copied, row-lineage chunks made, Bloom filters
 * copied. Made by {@link RowGroupCopier#append}. Not thread-safe.
 */
public final class RowGroupCopy
{
    /** Bloom filters have 128 MB at most (BloomFilter.md of the Parquet format leaves it open; parquet-mr sets this limit). */
    private static final int MAX_BLOOM_FILTER_BYTES = 128 * 1024 * 1024;
    /** What is read at first where the footer does not give the length of a Bloom filter; headers have about 15 bytes. */
    private static final int BLOOM_FILTER_PROBE = 1024;
    private static final int MAX_BLOOM_FILTER_HEADER = 256;

    private final RowGroupCopier copier;
    private final TrinoInput source;
    private final CopyInput input;
    private final Location location;
    private final PageIndexReader pageIndexes;
    /** The row group of the output; offsets change as things are written. */
    private final RowGroup rowGroup;
    private final List<byte[]> columnIndexes = new ArrayList<>();
    private final List<byte[]> offsetIndexes = new ArrayList<>();
    private final List<ByteRange> runs;
    private final List<LineageChunk> lineage = new ArrayList<>();
    private final Deque<ColumnMetaData> bloomFilters = new ArrayDeque<>();

    private Phase phase = Phase.PAGE_INDEXES;
    private int nextRun;
    private long copiedOfRun;
    private int nextLineageChunk;
    private ByteRange bloomFilterRest;
    private long copiedBytes;

    RowGroupCopy(RowGroupCopier copier, TrinoInput source, CopyInput input, int rowGroupIndex)
    {
        this.copier = copier;
        this.source = source;
        this.input = input;
        this.location = input.footer().location();
        this.pageIndexes = new PageIndexReader(source, input.footer(), rowGroupIndex, copier.buffer());
        this.rowGroup = new RowGroup(input.footer().rowGroup(rowGroupIndex));
        // without rows, offsets need not mean anything
        this.runs = rowGroup.getNum_rows() == 0 ? List.of() : contiguousRuns(rowGroup);
        if (rowGroup.getNum_rows() == 0) {
            phase = Phase.END;
        }
        else if (input.synthesizesLineage()) {
            RowLineage inherited = input.lineage().orElseThrow();
            lineage.add(new LineageChunk(ROW_ID, inherited.rowId(input.footer().firstRow(rowGroupIndex)), 1, rowGroup.getNum_rows()));
            lineage.add(new LineageChunk(LAST_UPDATED_SEQUENCE_NUMBER, inherited.dataSequenceNumber(), 0, rowGroup.getNum_rows()));
        }
    }

    /** Column chunks in column order, those that follow each other in the file as one. */
    private static List<ByteRange> contiguousRuns(RowGroup rowGroup)
    {
        List<ByteRange> runs = new ArrayList<>();
        for (ColumnChunk chunk : rowGroup.getColumns()) {
            ByteRange range = ParquetFooter.chunkRange(chunk.getMeta_data());
            if (!runs.isEmpty() && runs.getLast().end() == range.start()) {
                ByteRange run = runs.removeLast();
                runs.add(new ByteRange(run.start(), run.length() + range.length()));
            }
            else {
                runs.add(range);
            }
        }
        return runs;
    }

    /**
     * Does a bounded piece of work: reads and writes at most {@link CopyOptions#maxStepSize()} bytes (a page index or a page
     * of lineage that is larger comes whole).
     *
     * @return whether the row group is complete; then no further step is allowed
     * @throws CorruptParquetException when a page index or Bloom filter contradicts the footer, or the file ends too early
     * @throws IOException when storage fails
     */
    public boolean step()
            throws IOException
    {
        checkState(phase != Phase.DONE, "row group is complete");
        copier.beginStep(this);
        switch (phase) {
            case PAGE_INDEXES -> readPageIndexes();
            case CHUNKS -> copyChunks();
            case LINEAGE -> writeLineage();
            case BLOOM_FILTERS -> copyBloomFilters();
            case END, DONE -> {}
        }
        copier.endStep();
        if (phase == Phase.END) {
            phase = Phase.DONE;
            copier.complete(input, new CopiedRowGroup(rowGroup, columnIndexes, offsetIndexes, copiedBytes, lineage.stream().mapToLong(LineageChunk::size).sum()));
            return true;
        }
        return false;
    }

    private void readPageIndexes()
            throws IOException
    {
        if (!pageIndexes.isComplete()) {
            pageIndexes.readMore();
        }
        if (pageIndexes.isComplete()) {
            shiftOffsets();
            phase = Phase.CHUNKS;
        }
    }

    private void shiftOffsets()
            throws IOException
    {
        long start = copier.position();
        rowGroup.setFile_offset(start);
        long compressedSize = 0;
        for (int column = 0; column < rowGroup.getColumnsSize(); column++) {
            ColumnChunk chunk = rowGroup.getColumns().get(column);
            ColumnMetaData metadata = chunk.getMeta_data();
            ByteRange range = ParquetFooter.chunkRange(metadata);
            long shift = start + compressedSize - range.start();
            columnIndexes.add(pageIndexes.columnIndex(column));
            offsetIndexes.add(pageIndexes.shiftedOffsetIndex(column, shift));
            // deprecated; some writers point it at a copy of the metadata behind the chunk, which does not come along
            chunk.setFile_offset(chunk.getFile_offset() > 0 && range.contains(chunk.getFile_offset()) ? chunk.getFile_offset() + shift : 0);
            metadata.setData_page_offset(metadata.getData_page_offset() + shift);
            if (metadata.isSetDictionary_page_offset()) {
                if (metadata.getDictionary_page_offset() > 0) {
                    metadata.setDictionary_page_offset(metadata.getDictionary_page_offset() + shift);
                }
                else {
                    metadata.unsetDictionary_page_offset();
                }
            }
            metadata.unsetIndex_page_offset();
            if (metadata.isSetBloom_filter_offset()) {
                bloomFilters.add(metadata);
            }
            compressedSize += range.length();
        }
        rowGroup.setTotal_compressed_size(compressedSize);
    }

    private void copyChunks()
            throws IOException
    {
        byte[] buffer = copier.buffer();
        int room = buffer.length;
        while (nextRun < runs.size() && room > 0) {
            ByteRange run = runs.get(nextRun);
            int length = (int) min(room, run.length() - copiedOfRun);
            copy(new ByteRange(run.start() + copiedOfRun, length));
            copiedOfRun += length;
            copiedBytes += length;
            room -= length;
            if (copiedOfRun == run.length()) {
                nextRun++;
                copiedOfRun = 0;
            }
        }
        if (nextRun == runs.size()) {
            phase = Phase.LINEAGE;
        }
    }

    private void writeLineage()
            throws IOException
    {
        int written = 0;
        while (nextLineageChunk < lineage.size() && written < copier.buffer().length) {
            LineageChunk chunk = lineage.get(nextLineageChunk);
            byte[] page = chunk.nextPage(copier.position());
            copier.write(page, 0, page.length);
            written += page.length;
            if (chunk.isComplete()) {
                addLineageChunk(chunk);
                nextLineageChunk++;
            }
        }
        if (nextLineageChunk == lineage.size()) {
            phase = bloomFilters.isEmpty() ? Phase.END : Phase.BLOOM_FILTERS;
        }
    }

    private void addLineageChunk(LineageChunk chunk)
            throws IOException
    {
        rowGroup.addToColumns(chunk.toColumnChunk());
        rowGroup.setTotal_byte_size(rowGroup.getTotal_byte_size() + chunk.uncompressedSize());
        rowGroup.setTotal_compressed_size(rowGroup.getTotal_compressed_size() + chunk.size());
        ByteArrayOutputStream index = new ByteArrayOutputStream();
        Util.writeColumnIndex(chunk.toColumnIndex(), index);
        columnIndexes.add(index.toByteArray());
        offsetIndexes.add(RowGroupCopier.serialize(chunk.toOffsetIndex()));
    }

    private void copyBloomFilters()
            throws IOException
    {
        long end = copier.position() + copier.buffer().length;
        while (!bloomFilters.isEmpty() && copier.position() < end) {
            if (bloomFilterRest == null) {
                beginBloomFilter(bloomFilters.getFirst(), (int) (end - copier.position()));
            }
            int length = (int) min(Math.max(0, end - copier.position()), bloomFilterRest.length());
            if (length > 0) {
                copy(new ByteRange(bloomFilterRest.start(), length));
                bloomFilterRest = new ByteRange(bloomFilterRest.start() + length, bloomFilterRest.length() - length);
            }
            if (bloomFilterRest.length() == 0) {
                bloomFilters.removeFirst();
                bloomFilterRest = null;
            }
        }
        if (bloomFilters.isEmpty()) {
            phase = Phase.END;
        }
    }

    /** Reads the header, which alone gives the length for files of older writers, and copies what came with it. */
    private void beginBloomFilter(ColumnMetaData metadata, int room)
            throws IOException
    {
        String what = "the Bloom filter of column %s".formatted(String.join(".", metadata.getPath_in_schema()));
        long start = metadata.getBloom_filter_offset();
        long available = input.footer().footerStart() - start;
        int probe = (int) min(min(copier.buffer().length, available), metadata.isSetBloom_filter_length()
                ? min(metadata.getBloom_filter_length(), Math.max(room, MAX_BLOOM_FILTER_HEADER))
                : BLOOM_FILTER_PROBE);
        read(new ByteRange(start, probe));
        int headerLength;
        BloomFilterHeader header;
        try {
            headerLength = CompactThriftGuard.structLength(copier.buffer(), 0, min(probe, MAX_BLOOM_FILTER_HEADER));
            header = Util.readBloomFilterHeader(new ByteArrayInputStream(copier.buffer(), 0, headerLength));
        }
        catch (MalformedThriftException e) {
            throw new CorruptParquetException(location, "%s cannot be parsed, %s".formatted(what, e.getMessage()), e);
        }
        catch (IOException | RuntimeException e) {
            throw new CorruptParquetException(location, "%s cannot be parsed: %s".formatted(what, e.getMessage()), e);
        }
        long length = (long) headerLength + header.getNumBytes();
        if (header.getNumBytes() <= 0 || header.getNumBytes() > MAX_BLOOM_FILTER_BYTES || length > available) {
            throw new CorruptParquetException(location, "%s has %s bytes by its header, with %s bytes before the footer".formatted(what, header.getNumBytes(), available));
        }
        if (metadata.isSetBloom_filter_length() && metadata.getBloom_filter_length() != length) {
            throw new CorruptParquetException(location, "%s has %s bytes by its header and %s by the footer".formatted(what, length, metadata.getBloom_filter_length()));
        }
        metadata.setBloom_filter_offset(copier.position());
        metadata.setBloom_filter_length(toIntExact(length));
        int copied = (int) min(probe, length);
        copier.write(copier.buffer(), 0, copied);
        bloomFilterRest = new ByteRange(start + copied, length - copied);
    }

    private void copy(ByteRange range)
            throws IOException
    {
        if (range.length() == 0) {
            return;
        }
        read(range);
        copier.write(copier.buffer(), 0, (int) range.length());
    }

    private void read(ByteRange range)
            throws IOException
    {
        try {
            source.readFully(range.start(), copier.buffer(), 0, toIntExact(range.length()));
        }
        catch (EOFException e) {
            throw new CorruptParquetException(location, "it ends before byte %s".formatted(range.end()), e);
        }
    }

    long retainedBytes()
    {
        return pageIndexes.retainedBytes() + input.footer().footerBytesPerRowGroup() * 8;
    }

    private enum Phase
    {
        PAGE_INDEXES,
        CHUNKS,
        LINEAGE,
        BLOOM_FILTERS,
        END,
        DONE,
    }
}
