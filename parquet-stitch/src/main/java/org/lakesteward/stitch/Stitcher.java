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

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;
import org.lakesteward.stitch.footer.KeyValueMetadata;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.footer.LineageColumns;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.footer.UnsupportedParquetException;
import org.lakesteward.stitch.io.ChecksummedSink;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.InputWindow;
import org.lakesteward.stitch.io.ParquetSink;
import org.lakesteward.stitch.io.ParquetSource;
import org.lakesteward.stitch.page.ChunkPages;
import org.lakesteward.stitch.page.Codec;
import org.lakesteward.stitch.page.PageLimits;
import org.lakesteward.stitch.page.PageReader;
import org.lakesteward.stitch.page.PageScanner;
import org.lakesteward.stitch.page.PageWriter;
import org.lakesteward.stitch.rowgroup.PageCounters;
import org.lakesteward.stitch.rowgroup.RowGroupAssembler;
import org.lakesteward.stitch.rowgroup.StitchContext;
import org.lakesteward.stitch.statistics.BoundsUnion;
import org.lakesteward.stitch.verify.ColumnChecksum;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Merges Parquet files into one without decoding their values. Files are appended one after the other; their rows are in the
 * output in this order.
 *
 * <p>Memory: the row group that is being put together, which is up to {@link StitchOptions#targetRowGroupSize} and a quarter of
 * it, or half of it and one row group of an input if that is more; for each column a page and a united dictionary; one page of
 * an input, compressed and not; what is read at once; footers of finished row groups. {@link #retainedBytes} tells what it is.
 *
 * <p>An exception leaves the output unusable. Not safe for use by several threads.
 */
public final class Stitcher
{
    private static final int FOOTER_BYTES_PER_CHUNK = 1024;

    private final ParquetSink sink;
    private final ChecksummedSink auxiliarySink;
    private final StitchTarget target;
    private final StitchOptions options;
    private final List<LeafColumn> leaves;
    private final InputWindow window;
    private final PageReader reader;
    private final PageWriter writer;
    private final PageCounters counters = new PageCounters();
    private final RowGroupAssembler assembler;
    private final List<ColumnChecksum> checksums;
    private final List<RowGroupAssembler.Finished> rowGroups = new ArrayList<>();

    private State state = State.OPEN;
    private int inputs;
    private int version = 1;
    private long rows;
    private long appendedRows;
    private long indexBytes;
    private Map<String, String> keyValues;

    private enum State
    {
        OPEN,
        FAILED,
        FINISHED,
    }

    private Stitcher(ParquetSink sink, StitchTarget target, StitchOptions options)
    {
        this.sink = sink;
        auxiliarySink = new ChecksummedSink(sink);
        this.target = target;
        this.options = options;
        leaves = ParquetFooter.leavesOf(target.schema());
        window = new InputWindow(options.readSize());
        Codec codec = new Codec();
        reader = new PageReader(codec);
        writer = new PageWriter(codec, target.codec());
        assembler = new RowGroupAssembler(leaves, new StitchContext(
                target.codec(),
                window,
                reader,
                writer,
                counters,
                options.targetPageSize(),
                options.targetPageValues(),
                options.smallPageValues(),
                options.targetDictionarySize(),
                options.maxDictionarySize(),
                options.maxPageSize()));
        checksums = options.verify() ? leaves.stream().map(ColumnChecksum::new).collect(toImmutableList()) : ImmutableList.of();
    }

    /**
     * Begins a file.
     *
     * @param sink at the file's first byte
     * @throws IOException when storage fails
     */
    public static Stitcher create(ParquetSink sink, StitchTarget target, StitchOptions options)
            throws IOException
    {
        requireNonNull(sink, "sink is null");
        requireNonNull(target, "target is null");
        requireNonNull(options, "options is null");
        checkArgument(sink.position() == 0, "sink is at byte %s, must be at the first one", sink.position());
        sink.write(FileTail.MAGIC, 0, FileTail.MAGIC.length);
        return new Stitcher(sink, target, options);
    }

    /**
     * Appends a file, unless it has to be encoded first. The headers of all its pages are read before anything is taken over.
     *
     * @param footer of the file
     * @param lineage what its rows inherit; needed when the target keeps lineage and the file has no columns for it
     * @return {@link StitchDecision#STITCH} when the file was appended; otherwise nothing has changed, and other files can follow
     * @throws CorruptParquetException when a page turns out not to be what its header says
     * @throws UnsupportedParquetException when a row would take more than a page
     * @throws IOException when storage fails
     */
    public StitchDecision append(ParquetSource source, ParquetFooter footer, Optional<RowLineage> lineage)
            throws IOException
    {
        requireNonNull(source, "source is null");
        requireNonNull(footer, "footer is null");
        checkState(state == State.OPEN, "stitcher is %s", state);
        checkArgument(source.length() == footer.fileSize(), "%s has %s bytes, the footer is of a file of %s", source.name(), source.length(), footer.fileSize());
        StitchDecision decision = StitchDecision.of(target, footer, lineage);
        if (decision instanceof StitchDecision.EncodeFirst) {
            return decision;
        }
        window.open(source);
        List<List<ChunkPages>> pages;
        try {
            pages = scan(footer);
        }
        catch (IOException e) {
            Optional<StitchDecision> unreadable = StitchDecision.ofUnreadable(e);
            if (unreadable.isPresent()) {
                return unreadable.get();
            }
            throw e;
        }
        state = State.FAILED;
        appendRowGroups(footer, pages, lineage);
        Map<String, String> entries = KeyValueMetadata.of(footer.metadata());
        if (LineageColumns.countIn(footer.metadata().getSchema()) != LineageColumns.countIn(target.schema())) {
            entries = KeyValueMetadata.withoutSchemas(entries);
        }
        if (keyValues == null) {
            keyValues = entries;
        }
        else {
            keyValues.entrySet().retainAll(entries.entrySet());
        }
        version = Math.max(version, footer.metadata().getVersion());
        inputs++;
        state = State.OPEN;
        return decision;
    }

    private List<List<ChunkPages>> scan(ParquetFooter footer)
            throws IOException
    {
        PageScanner scanner = new PageScanner(footer, window, new PageLimits(options.maxPageSize(), options.maxPageValues()));
        ImmutableList.Builder<List<ChunkPages>> pages = ImmutableList.builder();
        for (RowGroup rowGroup : footer.rowGroups()) {
            ImmutableList.Builder<ChunkPages> chunks = ImmutableList.builder();
            for (LeafColumn leaf : footer.leaves()) {
                chunks.add(scanner.scan(rowGroup, leaf));
            }
            pages.add(chunks.build());
        }
        return pages.build();
    }

    private void appendRowGroups(ParquetFooter footer, List<List<ChunkPages>> pages, Optional<RowLineage> lineage)
            throws IOException
    {
        boolean synthesized = footer.leaves().size() < leaves.size();
        long fileRow = 0;
        for (int index = 0; index < pages.size(); index++) {
            RowGroup rowGroup = footer.rowGroups().get(index);
            long rowGroupRows = rowGroup.getNum_rows();
            if (rowGroupRows == 0) {
                continue;
            }
            long size = ParquetFooter.compressedSize(rowGroup);
            long buffered = assembler.bufferedBytes();
            if (buffered >= options.targetRowGroupSize() / 2 && buffered + size > options.targetRowGroupSize() / 4 * 5) {
                finishRowGroup();
            }
            assembler.append(rowGroup, pages.get(index), footer, checksums);
            if (synthesized) {
                RowLineage inherited = lineage.orElseThrow();
                int column = footer.leaves().size();
                appendSequence(column, Math.addExact(inherited.firstRowId(), fileRow), 1, rowGroupRows);
                appendSequence(column + 1, inherited.dataSequenceNumber(), 0, rowGroupRows);
            }
            appendedRows += rowGroupRows;
            checkRowCounts(footer, rowGroupRows);
            fileRow += rowGroupRows;
            if (assembler.bufferedBytes() >= options.targetRowGroupSize()) {
                finishRowGroup();
            }
        }
    }

    private void appendSequence(int column, long first, long step, long count)
            throws IOException
    {
        assembler.appendSequence(column, first, step, count);
        if (options.verify()) {
            checksums.get(column).addSequence(first, step, count);
        }
    }

    private void checkRowCounts(ParquetFooter footer, long rowGroupRows)
            throws CorruptParquetException
    {
        for (int column = 0; column < checksums.size(); column++) {
            long columnRows = checksums.get(column).rowCount() - (appendedRows - rowGroupRows);
            if (columnRows != rowGroupRows) {
                throw new CorruptParquetException(footer.file(), "column %s has %s rows in a row group of %s".formatted(leaves.get(column).dottedPath(), columnRows, rowGroupRows));
            }
        }
    }

    private void finishRowGroup()
            throws IOException
    {
        if (assembler.isEmpty()) {
            return;
        }
        if (rowGroups.size() == Short.MAX_VALUE) {
            throw new IOException("The output has %s row groups, more cannot be numbered".formatted(rowGroups.size()));
        }
        rows += assembler.rows();
        RowGroupAssembler.Finished finished = assembler.finish(sink, auxiliarySink, (short) rowGroups.size());
        indexBytes += finished.indexBytes();
        rowGroups.add(finished);
    }

    /**
     * Writes what is left and the footer. The caller closes what the sink writes to.
     *
     * @throws IOException when storage fails
     */
    public StitchResult finish()
            throws IOException
    {
        checkState(state == State.OPEN, "stitcher is %s", state);
        state = State.FAILED;
        window.close();
        finishRowGroup();
        FileTail.Written written = new FileTail(auxiliarySink, rowGroups).write(target, version, rows, leaves.size(), keyValues == null ? Map.of() : keyValues);
        state = State.FINISHED;
        return new StitchResult(
                sink.position(),
                written.footerSize(),
                rows,
                inputs,
                written.metadata(),
                SplitOffsets.of(written.metadata().getRow_groups(), options.minSplitDistance()),
                leaves.stream().map(this::metrics).collect(toImmutableList()),
                counters.copied(),
                counters.merged(),
                counters.gathered(),
                counters.recompressed(),
                auxiliarySink.checksum(),
                options.verify() ? Optional.of(checksums.stream().map(ColumnChecksum::sum).collect(toImmutableList())) : Optional.empty());
    }

    private ColumnMetrics metrics(LeafColumn leaf)
    {
        BoundsUnion bounds = new BoundsUnion(leaf.order());
        long size = 0;
        for (RowGroupAssembler.Finished rowGroup : rowGroups) {
            ColumnMetaData column = rowGroup.rowGroup().getColumns().get(leaf.index()).getMeta_data();
            size += column.getTotal_compressed_size();
            bounds.add(rowGroup.bounds().get(leaf.index()));
        }
        return new ColumnMetrics(
                leaf.path(),
                leaf.element().isSetField_id() ? OptionalInt.of(leaf.element().getField_id()) : OptionalInt.empty(),
                size,
                bounds.result().values(),
                bounds.result().nulls(),
                bounds.result().range());
    }

    /**
     * @return rows appended so far
     */
    public long rowCount()
    {
        return rows + assembler.rows();
    }

    /**
     * @return what the file would have if it were finished now, about, in bytes
     */
    public long estimatedSize()
    {
        return sink.position() + assembler.bufferedBytes();
    }

    /**
     * @return memory held, in bytes, without footers of inputs
     */
    public long retainedBytes()
    {
        return assembler.retainedBytes()
                + window.retainedBytes()
                + reader.retainedBytes()
                + writer.retainedBytes()
                + indexBytes
                + (long) rowGroups.size() * leaves.size() * FOOTER_BYTES_PER_CHUNK;
    }
}
