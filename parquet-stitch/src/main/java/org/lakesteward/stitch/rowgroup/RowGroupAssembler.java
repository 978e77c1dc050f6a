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
package org.lakesteward.stitch.rowgroup;

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.RowGroup;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.io.ParquetSink;
import org.lakesteward.stitch.page.ChunkPages;
import org.lakesteward.stitch.statistics.Bounds;
import org.lakesteward.stitch.verify.ColumnChecksum;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts row groups of inputs together to one row group of the output, column by column. Everything but finished row groups is in
 * memory. Not safe for use by several threads.
 */
public final class RowGroupAssembler
{
    private final List<ColumnAssembler> columns;
    private long rows;

    /**
     * @param leaves of the output
     */
    public RowGroupAssembler(List<LeafColumn> leaves, StitchContext context)
    {
        columns = ColumnAssembler.of(leaves, context);
    }

    /**
     * A row group that is written.
     *
     * @param rowGroup its part of the footer, without the offsets of page indexes
     * @param bounds of its columns
     * @param offsetIndexes serialized, by column
     * @param columnIndexes serialized, by column
     */
    public record Finished(RowGroup rowGroup, List<Bounds> bounds, List<Optional<byte[]>> offsetIndexes, List<Optional<byte[]>> columnIndexes)
    {
        public Finished
        {
            bounds = ImmutableList.copyOf(bounds);
            offsetIndexes = ImmutableList.copyOf(offsetIndexes);
            columnIndexes = ImmutableList.copyOf(columnIndexes);
        }

        /**
         * @return memory that the serialized indexes hold, in bytes
         */
        public long indexBytes()
        {
            long bytes = 0;
            for (int column = 0; column < offsetIndexes.size(); column++) {
                bytes += offsetIndexes.get(column).map(index -> index.length).orElse(0) + columnIndexes.get(column).map(index -> index.length).orElse(0);
            }
            return bytes;
        }
    }

    /**
     * Appends a row group of the file that the window is on.
     *
     * @param chunks its column chunks, for the first of the output's columns; the others follow by {@link #appendSequence}
     * @param checksums of the output's columns, which take the pages as well; empty when there are none
     */
    public void append(RowGroup rowGroup, List<ChunkPages> chunks, ParquetFooter footer, List<ColumnChecksum> checksums)
            throws IOException
    {
        // first of all, because they lie elsewhere in the file
        for (int column = 0; column < chunks.size(); column++) {
            columns.get(column).appendBloomFilter(rowGroup.getColumns().get(column).getMeta_data(), footer);
        }
        for (int column = 0; column < chunks.size(); column++) {
            columns.get(column).append(chunks.get(column), rowGroup.getColumns().get(column).getMeta_data(), footer, checksums.isEmpty() ? Optional.empty() : Optional.of(checksums.get(column)));
        }
        rows += rowGroup.getNum_rows();
    }

    /**
     * Appends numbers to a column that the row group before did not have.
     *
     * @param column of the output
     */
    public void appendSequence(int column, long first, long step, long count)
            throws IOException
    {
        columns.get(column).appendSequence(first, step, count);
    }

    public boolean isEmpty()
    {
        return rows == 0;
    }

    /**
     * @return rows that are not written yet
     */
    public long rows()
    {
        return rows;
    }

    /**
     * @return compressed bytes that are not written yet, about
     */
    public long bufferedBytes()
    {
        return columns.stream().mapToLong(ColumnAssembler::bufferedBytes).sum();
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return columns.stream().mapToLong(ColumnAssembler::retainedBytes).sum();
    }

    /**
     * Writes the row group and begins a new one.
     *
     * @param sink takes the pages
     * @param auxiliarySink writes to the same file, and takes Bloom filters
     * @param ordinal of the row group in the file
     */
    public Finished finish(ParquetSink sink, ParquetSink auxiliarySink, short ordinal)
            throws IOException
    {
        boolean indexed = columns.stream().allMatch(ColumnAssembler::isOnRowBoundaries);
        long start = sink.position();
        List<FinishedColumn> finished = new ArrayList<>(columns.size());
        for (ColumnAssembler column : columns) {
            finished.add(column.finish(sink, rows, indexed));
        }
        long compressedSize = sink.position() - start;
        for (int column = 0; column < columns.size(); column++) {
            Optional<byte[]> filter = columns.get(column).finishBloomFilter();
            if (filter.isPresent()) {
                finished.get(column).chunk().getMeta_data().setBloom_filter_offset(sink.position());
                finished.get(column).chunk().getMeta_data().setBloom_filter_length(filter.get().length);
                auxiliarySink.write(filter.get(), 0, filter.get().length);
            }
        }
        List<ColumnChunk> chunks = finished.stream().map(FinishedColumn::chunk).toList();
        RowGroup rowGroup = new RowGroup(
                chunks,
                chunks.stream().mapToLong(chunk -> chunk.getMeta_data().getTotal_uncompressed_size()).sum(),
                rows);
        rowGroup.setTotal_compressed_size(compressedSize);
        rowGroup.setFile_offset(start);
        rowGroup.setOrdinal(ordinal);
        rows = 0;
        return new Finished(
                rowGroup,
                finished.stream().map(FinishedColumn::bounds).toList(),
                finished.stream().map(FinishedColumn::offsetIndex).toList(),
                finished.stream().map(FinishedColumn::columnIndex).toList());
    }
}
