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
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.lakesteward.stitch.bloom.BloomFilterReader;
import org.lakesteward.stitch.bloom.BloomFilterUnion;
import org.lakesteward.stitch.dictionary.DictionaryMerger;
import org.lakesteward.stitch.dictionary.IndexMapping;
import org.lakesteward.stitch.dictionary.IndexRuns;
import org.lakesteward.stitch.dictionary.InputDictionary;
import org.lakesteward.stitch.dictionary.UnitedDictionary;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.footer.StitchObstacle;
import org.lakesteward.stitch.footer.StitchObstacle.Reason;
import org.lakesteward.stitch.footer.UnsupportedParquetException;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.GrowableBytes;
import org.lakesteward.stitch.io.LittleEndian;
import org.lakesteward.stitch.io.ParquetSink;
import org.lakesteward.stitch.levels.BitPacking;
import org.lakesteward.stitch.levels.LevelRuns;
import org.lakesteward.stitch.levels.MalformedRunsException;
import org.lakesteward.stitch.page.ChunkPages;
import org.lakesteward.stitch.page.DeltaReader;
import org.lakesteward.stitch.page.PageContent;
import org.lakesteward.stitch.page.PageEncodings;
import org.lakesteward.stitch.page.PageInfo;
import org.lakesteward.stitch.statistics.Bounds;
import org.lakesteward.stitch.statistics.BoundsUnion;
import org.lakesteward.stitch.statistics.SizeStatisticsSum;
import org.lakesteward.stitch.verify.ColumnChecksum;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.Math.addExact;
import static java.lang.Math.multiplyExact;
import static org.lakesteward.stitch.footer.LeafColumn.VARIABLE_WIDTH;

/**
 * Puts the chunks of one column together. Each data page goes one of these ways:
 * <ul>
 * <li>copied, when its codec is the output's and its indices, if it has any, stay what they are;
 * <li>merged with its neighbours, when it is small, or its indices change: levels and indices keep their runs, PLAIN values are
 *     joined;
 * <li>gathered, when the united dictionary is closed: the values replace their indices;
 * <li>compressed anew, when only its codec differs.
 * </ul>
 * Pages of repeated columns that begin inside of a row are legal in version 1; then the row group gets no page index.
 *
 * <p>Not safe for use by several threads.
 */
final class ColumnAssembler
{
    /** Compressed sizes above this part of the uncompressed one are as good as uncompressed. */
    private static final double INCOMPRESSIBLE = 0.97;

    private final LeafColumn leaf;
    private final StitchContext context;
    private final ChunkOutput output;
    private final PendingPage pending;
    private final SequencePage sequence;
    private final LevelRuns levels = new LevelRuns();
    private final IndexRuns indexRuns = new IndexRuns();
    private final DeltaReader deltas = new DeltaReader();
    private final GatheredPages gatherer;
    private final Optional<DictionaryMerger> dictionaries;
    private final BoundsUnion bounds;
    private final SizeStatisticsSum sizeStatistics;
    private final BloomFilterUnion bloomFilters = new BloomFilterUnion();

    private Encoding dictionaryEncoding;
    private boolean dictionaryChecksum;
    /** What pages of version 1 call the encoding of their indices. */
    private Encoding indexEncoding = Encoding.PLAIN_DICTIONARY;

    ColumnAssembler(LeafColumn leaf, StitchContext context)
    {
        this.leaf = leaf;
        this.context = context;
        output = new ChunkOutput(leaf.order());
        pending = new PendingPage(leaf);
        sequence = new SequencePage(leaf);
        gatherer = new GatheredPages(leaf, indexRuns);
        dictionaries = leaf.type() == Type.BOOLEAN
                ? Optional.empty()
                : Optional.of(new DictionaryMerger(leaf.fixedWidth(), context.targetDictionarySize(), context.maxDictionarySize()));
        bounds = new BoundsUnion(leaf.order());
        sizeStatistics = new SizeStatisticsSum(leaf);
    }

    /**
     * Takes the Bloom filter of the column chunk that is about to be appended.
     *
     * @param footer of the file that the window is on
     */
    void appendBloomFilter(ColumnMetaData column, ParquetFooter footer)
            throws IOException
    {
        if (bloomFilters.isOpen()) {
            bloomFilters.add(BloomFilterReader.read(column, footer, context.window()));
        }
    }

    /**
     * Appends a column chunk.
     *
     * @param footer of the file that the window is on
     * @param checksum takes the pages as well, if there is one
     * @throws CorruptParquetException when a page is not what its header says
     */
    void append(ChunkPages chunk, ColumnMetaData column, ParquetFooter footer, Optional<ColumnChecksum> checksum)
            throws IOException
    {
        String file = footer.file();
        flushSequence();
        Bounds chunkBounds = Bounds.of(column, leaf.order());
        bounds.add(chunkBounds);
        sizeStatistics.add(column);
        Optional<IndexMapping> mapping = chunk.dictionary().isPresent()
                ? Optional.of(readDictionary(chunk, column, file))
                : Optional.empty();
        if (checksum.isPresent()) {
            checksum.get().begin(chunk, context.reader(), context.window(), file);
        }
        for (PageInfo page : chunk.dataPages()) {
            try {
                append(page, chunk, chunkBounds, mapping, file);
            }
            catch (MalformedRunsException | RuntimeException e) {
                throw new CorruptParquetException(file, "column %s: the page at byte %s cannot be taken over: %s".formatted(leaf.dottedPath(), page.position(), e.getMessage()), e);
            }
            if (checksum.isPresent()) {
                checksum.get().add(page, chunk, context.reader(), context.window(), file);
            }
        }
    }

    private IndexMapping readDictionary(ChunkPages chunk, ColumnMetaData column, String file)
            throws IOException
    {
        PageInfo page = chunk.dictionary().orElseThrow();
        byte[] bytes = context.reader().readDictionary(page, chunk.codec(), context.window(), file);
        InputDictionary dictionary = InputDictionary.parse(bytes, page.uncompressedSize(), page.values(), leaf.fixedWidth(), file);
        if (dictionaryEncoding == null) {
            dictionaryEncoding = page.encoding();
        }
        dictionaryChecksum |= page.crc().isPresent();
        return dictionaries.orElseThrow().add(dictionary, column.getNum_values());
    }

    private void append(PageInfo page, ChunkPages chunk, Bounds chunkBounds, Optional<IndexMapping> mapping, String file)
            throws IOException
    {
        if (page.values() == 0) {
            // legal, and of no use
            return;
        }
        boolean small = page.values() < context.smallPageValues();
        boolean sameCodec = chunk.codec() == context.codec();
        if (PageEncodings.isDictionary(page.encoding())) {
            switch (mapping.orElse(null)) {
                case null -> appendNulls(page, chunk, chunkBounds, file);
                case IndexMapping.Remap remap when remap.identity() && sameCodec && !small -> copy(page, chunk, chunkBounds, file);
                case IndexMapping.Remap remap -> mergeIndices(page, chunk, chunkBounds, remap, file);
                case IndexMapping.Gather gather -> gather(page, chunk, chunkBounds, gather.dictionary(), file);
            }
        }
        else if (small && page.encoding() == Encoding.PLAIN) {
            mergePlain(page, chunk, chunkBounds, file);
        }
        else if (small && page.encoding() == Encoding.DELTA_LENGTH_BYTE_ARRAY) {
            mergeDeltaLengths(page, chunk, chunkBounds, file);
        }
        else if (sameCodec) {
            copy(page, chunk, chunkBounds, file);
        }
        else {
            recompress(page, chunk, chunkBounds, file);
        }
    }

    private void copy(PageInfo page, ChunkPages chunk, Bounds chunkBounds, String file)
            throws IOException
    {
        context.counters().countCopied();
        flushPending();
        long rows = rowsOf(page, chunk, file);
        int offset = context.window().load(page.position(), page.totalSize());
        context.reader().load(page, context.window(), file);
        output.add(
                context.window().bytes(),
                offset,
                page.totalSize(),
                page.headerSize() + page.uncompressedSize(),
                page.type(),
                page.encoding(),
                page.values(),
                rows,
                boundsOf(page, chunk, chunkBounds));
    }

    private void recompress(PageInfo page, ChunkPages chunk, Bounds chunkBounds, String file)
            throws IOException
    {
        context.counters().countRecompressed();
        flushPending();
        long rows = rowsOf(page, chunk, file);
        PageContent content = context.reader().readData(page, leaf, chunk.codec(), context.window(), file);
        if (page.isVersion2()) {
            context.writer().makeVersion2(content.bytes(), page.repetitionSize(), page.definitionSize(), page.uncompressedSize(), page.encoding(), page.values(), page.nulls(), page.rows(), false, page.crc().isPresent());
        }
        else {
            context.writer().makeVersion1(content.bytes(), page.uncompressedSize(), page.encoding(), page.values(), false, page.crc().isPresent());
        }
        output.add(context.writer(), page.uncompressedSize(), page.type(), page.encoding(), page.values(), rows, boundsOf(page, chunk, chunkBounds));
    }

    /** What is known of a page that is not looked into: no more than of its chunk. */
    private static Bounds boundsOf(PageInfo page, ChunkPages chunk, Bounds chunkBounds)
    {
        if (chunk.dataPages().size() == 1) {
            return chunkBounds;
        }
        if (chunkBounds.isAllNull()) {
            return new Bounds(page.values(), OptionalLong.of(page.values()), Optional.empty());
        }
        if (page.isVersion2()) {
            return new Bounds(page.values(), OptionalLong.of(page.nulls()), page.nulls() == page.values() ? Optional.empty() : chunkBounds.range());
        }
        boolean noNulls = chunkBounds.nulls().isPresent() && chunkBounds.nulls().getAsLong() == 0;
        return new Bounds(page.values(), noNulls ? OptionalLong.of(0) : OptionalLong.empty(), chunkBounds.range());
    }

    private long rowsOf(PageInfo page, ChunkPages chunk, String file)
            throws IOException
    {
        if (leaf.isFlat()) {
            return page.values();
        }
        if (page.isVersion2()) {
            return page.rows();
        }
        if (chunk.dataPages().size() == 1) {
            return chunk.rows();
        }
        if (!output.index().isOnRowBoundaries()) {
            return 0;
        }
        return countRows(page, context.reader().readData(page, leaf, chunk.codec(), context.window(), file));
    }

    private int countRows(PageInfo page, PageContent content)
            throws MalformedRunsException
    {
        levels.count(content.bytes(), content.repetitionStart(), content.repetitionEnd(), leaf.maxRepetitionLevel(), page.values(), 0);
        noteFirstLevel(levels.first());
        return levels.counted();
    }

    private void noteFirstLevel(int level)
    {
        if (level > 0) {
            output.index().loseRowBoundaries();
        }
    }

    private void mergeIndices(PageInfo page, ChunkPages chunk, Bounds chunkBounds, IndexMapping.Remap remap, String file)
            throws IOException
    {
        PageContent content = read(page, chunk, file);
        if (!page.isVersion2()) {
            indexEncoding = page.encoding();
        }
        // wide enough for all that the dictionary has by now, so that pages of other inputs can follow
        int width = BitPacking.width(remap.max());
        makeRoom(page, page.encoding(), page.values(), width, BitPacking.width(Math.max(remap.max(), dictionarySize() - 1)), content.valuesSize());
        int nonNulls = pending.appendLevels(content, page.values());
        indexRuns.append(content.bytes(), content.valuesStart(), content.valuesEnd(), nonNulls, remap.indices(), pending.indices());
        note(page, nonNulls, chunkBounds);
    }

    private int dictionarySize()
    {
        return dictionaries.flatMap(DictionaryMerger::dictionary).map(UnitedDictionary::size).orElse(0);
    }

    private void mergePlain(PageInfo page, ChunkPages chunk, Bounds chunkBounds, String file)
            throws IOException
    {
        PageContent content = read(page, chunk, file);
        if (hasRoomInDictionary(content)) {
            mergeIntoDictionary(page, content, countNonNulls(page, content), content.bytes(), content.valuesStart(), content.valuesEnd(), chunkBounds, file);
            return;
        }
        makeRoom(page, Encoding.PLAIN, page.values(), 0, 0, content.valuesSize());
        int nonNulls = pending.appendLevels(content, page.values());
        if (leaf.type() == Type.BOOLEAN) {
            if ((nonNulls + 7) / 8 > content.valuesSize()) {
                throw new MalformedRunsException("%s booleans are in %s bytes".formatted(nonNulls, content.valuesSize()));
            }
            pending.appendBits(content.bytes(), content.valuesStart(), nonNulls);
        }
        else {
            pending.plain().write(content.bytes(), content.valuesStart(), plainSize(content, nonNulls));
        }
        note(page, nonNulls, chunkBounds);
    }

    private void mergeDeltaLengths(PageInfo page, ChunkPages chunk, Bounds chunkBounds, String file)
            throws IOException
    {
        PageContent content = read(page, chunk, file);
        int nonNulls = countNonNulls(page, content);
        long[] lengths = new long[nonNulls];
        // there may be nothing at all where all values are nulls
        int start = nonNulls == 0 ? content.valuesEnd() : deltas.readLengths(content.bytes(), content.valuesStart(), content.valuesEnd(), nonNulls, lengths);
        long size = Arrays.stream(lengths).sum();
        if (size > content.valuesEnd() - start) {
            throw new MalformedRunsException("values of %s bytes are in %s bytes".formatted(size, content.valuesEnd() - start));
        }
        if (hasRoomInDictionary(content)) {
            GrowableBytes plain = new GrowableBytes(nonNulls * Integer.BYTES + (int) size + PageContent.SLACK);
            int position = start;
            for (long length : lengths) {
                plain.writeInt((int) length);
                plain.write(content.bytes(), position, (int) length);
                position += (int) length;
            }
            mergeIntoDictionary(page, content, nonNulls, plain.array(), 0, plain.size(), chunkBounds, file);
            return;
        }
        makeRoom(page, Encoding.DELTA_LENGTH_BYTE_ARRAY, page.values(), 0, 0, content.valuesSize());
        pending.appendLevels(content, page.values());
        pending.appendLengths(lengths, nonNulls);
        pending.plain().write(content.bytes(), start, (int) size);
        note(page, nonNulls, chunkBounds);
    }

    private int countNonNulls(PageInfo page, PageContent content)
            throws MalformedRunsException
    {
        if (leaf.maxDefinitionLevel() == 0) {
            return page.values();
        }
        levels.count(content.bytes(), content.definitionStart(), content.definitionEnd(), leaf.maxDefinitionLevel(), page.values(), leaf.maxDefinitionLevel());
        return levels.counted();
    }

    private boolean hasRoomInDictionary(PageContent content)
    {
        return dictionaries.isPresent() && dictionaries.get().hasRoomFor(content.valuesSize());
    }

    /**
     * Some files are too small for a dictionary to pay in them. Their pages are not to cut those of files that have one.
     *
     * @param values in PLAIN encoding, which is what a dictionary is
     */
    private void mergeIntoDictionary(PageInfo page, PageContent content, int nonNulls, byte[] values, int start, int end, Bounds chunkBounds, String file)
            throws IOException
    {
        InputDictionary dictionary = InputDictionary.parse(Arrays.copyOfRange(values, start, Math.min(values.length, end + PageContent.SLACK)), end - start, nonNulls, leaf.fixedWidth(), file);
        int[] indices = dictionaries.orElseThrow().addValues(dictionary);
        int width = BitPacking.width(dictionarySize() - 1);
        makeRoom(page, page.isVersion2() ? Encoding.RLE_DICTIONARY : indexEncoding, page.values(), width, width, content.valuesSize());
        pending.appendLevels(content, page.values());
        pending.indices().write(indices, 0, nonNulls);
        note(page, nonNulls, chunkBounds);
    }

    /** Bytes of so many values. There may be others behind them in a page of its own, but not in one that goes on. */
    private int plainSize(PageContent content, int count)
            throws MalformedRunsException
    {
        int available = content.valuesSize();
        if (leaf.fixedWidth() != VARIABLE_WIDTH) {
            long size = (long) count * leaf.fixedWidth();
            if (size > available) {
                throw new MalformedRunsException("%s values of %s bytes are in %s bytes".formatted(count, leaf.fixedWidth(), available));
            }
            return (int) size;
        }
        int position = content.valuesStart();
        for (int index = 0; index < count; index++) {
            int left = content.valuesEnd() - position;
            int length = left < Integer.BYTES ? -1 : LittleEndian.getInt(content.bytes(), position);
            if (length < 0 || length > left - Integer.BYTES) {
                throw new MalformedRunsException("value %s of %s goes beyond the page".formatted(index, count));
            }
            position += Integer.BYTES + length;
        }
        return position - content.valuesStart();
    }

    /** Some writers give pages of nulls a dictionary encoding and no dictionary. There are no indices to speak of, so say PLAIN. */
    private void appendNulls(PageInfo page, ChunkPages chunk, Bounds chunkBounds, String file)
            throws IOException
    {
        PageContent content = read(page, chunk, file);
        makeRoom(page, Encoding.PLAIN, page.values(), 0, 0, 0);
        int nonNulls = pending.appendLevels(content, page.values());
        if (nonNulls > 0) {
            throw new MalformedRunsException("%s values are in a dictionary that is not there".formatted(nonNulls));
        }
        note(page, nonNulls, chunkBounds);
    }

    private void gather(PageInfo page, ChunkPages chunk, Bounds chunkBounds, InputDictionary dictionary, String file)
            throws IOException
    {
        context.counters().countGathered();
        PageContent content = read(page, chunk, file);
        gatherer.open(content, page.values(), dictionary);
        while (gatherer.nextSlice(context.targetPageSize(), context.targetPageValues())) {
            if (gatherer.sliceSize() > context.maxPageSize()) {
                throw new UnsupportedParquetException(new StitchObstacle(
                        Reason.PAGE_TOO_LARGE,
                        "a row of column %s of %s has %s bytes of values, the limit is %s bytes".formatted(leaf.dottedPath(), file, gatherer.sliceSize(), context.maxPageSize())));
            }
            makeRoom(page, Encoding.PLAIN, gatherer.sliceValues(), 0, 0, gatherer.sliceSize());
            gatherer.appendSlice(pending);
            pending.noteSource(gatherer.sliceValues(), gatherer.sliceNonNulls(), chunkBounds, page.crc().isPresent(), false);
        }
    }

    private PageContent read(PageInfo page, ChunkPages chunk, String file)
            throws IOException
    {
        PageContent content = context.reader().readData(page, leaf, chunk.codec(), context.window(), file);
        if (!leaf.isFlat() && output.index().isOnRowBoundaries()) {
            // a look at the first run would do, but there is no cheaper way to it
            levels.count(content.bytes(), content.repetitionStart(), content.repetitionEnd(), leaf.maxRepetitionLevel(), 1, 0);
            noteFirstLevel(levels.first());
        }
        return content;
    }

    /**
     * Ends the pending page if it cannot take what comes, and begins one if there is none.
     *
     * @param leastWidth bits of an index that are needed
     * @param newWidth bits of an index that a new page gets
     */
    private void makeRoom(PageInfo page, Encoding encoding, int count, int leastWidth, int newWidth, int size)
            throws IOException
    {
        if (!pending.isEmpty()) {
            boolean full = (long) pending.values() + count > context.targetPageValues() || (long) pending.size() + size > context.targetPageSize();
            if (full || !pending.fits(page.isVersion2(), encoding, leastWidth)) {
                flushPending();
            }
        }
        if (pending.isEmpty()) {
            pending.begin(page.isVersion2(), encoding, newWidth);
        }
    }

    private void note(PageInfo page, int nonNulls, Bounds chunkBounds)
    {
        context.counters().countMerged();
        pending.noteSource(page.values(), nonNulls, chunkBounds, page.crc().isPresent(), page.compressedSize() > INCOMPRESSIBLE * page.uncompressedSize());
    }

    private void flushPending()
            throws IOException
    {
        if (pending.isEmpty()) {
            return;
        }
        int size = pending.make(context.writer());
        output.add(
                context.writer(),
                size,
                pending.isVersion2() ? PageType.DATA_PAGE_V2 : PageType.DATA_PAGE,
                pending.encoding(),
                pending.values(),
                pending.rows(),
                pending.bounds());
        pending.clear();
    }

    /**
     * Appends numbers that no file has: {@code first}, {@code first + step} and so on.
     */
    void appendSequence(long first, long step, long count)
            throws IOException
    {
        flushPending();
        bloomFilters.add(Optional.empty());
        sizeStatistics.add(new ColumnMetaData());
        long last = addExact(first, multiplyExact(step, count - 1));
        bounds.add(SequencePage.bounds(count, Math.min(first, last), Math.max(first, last)));
        for (long index = 0; index < count; index++) {
            sequence.append(first + index * step, context.targetPageValues());
            if (sequence.size() == context.targetPageValues()) {
                flushSequence();
            }
        }
    }

    private void flushSequence()
            throws IOException
    {
        if (sequence.size() == 0) {
            return;
        }
        int size = sequence.make(context.writer());
        output.add(context.writer(), size, PageType.DATA_PAGE, SequencePage.ENCODING, sequence.size(), sequence.size(), sequence.bounds());
        sequence.clear();
    }

    /** Bytes that the column chunk would have now, about. */
    long bufferedBytes()
    {
        return output.size() + pending.size() + dictionaries.flatMap(DictionaryMerger::dictionary).map(dictionary -> dictionary.byteSize() / 2L).orElse(0L);
    }

    long retainedBytes()
    {
        return output.retainedBytes()
                + pending.retainedBytes()
                + sequence.retainedBytes()
                + gatherer.retainedBytes()
                + dictionaries.map(DictionaryMerger::retainedBytes).orElse(0L)
                + bloomFilters.retainedBytes();
    }

    /** Whether a page index can be made, which is settled once everything has been appended. */
    boolean isOnRowBoundaries()
    {
        return output.index().isOnRowBoundaries();
    }

    /**
     * Writes the column chunk and begins a new one.
     *
     * @param rows of the row group
     * @param indexed whether the row group gets a page index
     */
    FinishedColumn finish(ParquetSink sink, long rows, boolean indexed)
            throws IOException
    {
        flushPending();
        flushSequence();
        if (indexed && output.rows() != rows) {
            throw new IOException("column %s has %s rows in a row group of %s rows".formatted(leaf.dottedPath(), output.rows(), rows));
        }
        long start = sink.position();
        long uncompressedSize = output.uncompressedSize();
        ImmutableList.Builder<Encoding> encodings = ImmutableList.builder();
        encodings.addAll(output.encodings());
        ImmutableList.Builder<PageEncodingStats> encodingStatistics = ImmutableList.builder();
        Optional<UnitedDictionary> dictionary = dictionaries.flatMap(DictionaryMerger::dictionary).filter(_ -> output.hasDictionaryPages());
        if (dictionary.isPresent()) {
            UnitedDictionary united = dictionary.get();
            context.writer().makeDictionary(united.bytes(), united.byteSize(), united.size(), dictionaryEncoding, dictionaryChecksum);
            write(sink, context.writer().header());
            write(sink, context.writer().body());
            uncompressedSize += context.writer().header().size() + united.byteSize();
            if (!output.encodings().contains(dictionaryEncoding)) {
                encodings.add(dictionaryEncoding);
            }
            encodingStatistics.add(new PageEncodingStats(PageType.DICTIONARY_PAGE, dictionaryEncoding, 1));
        }
        encodingStatistics.addAll(output.encodingStatistics());
        long dataPageOffset = sink.position();
        output.writeTo(sink);

        Bounds chunkBounds = bounds.result();
        ColumnMetaData metadata = new ColumnMetaData(
                leaf.type(),
                encodings.build(),
                leaf.path(),
                context.codec(),
                output.values(),
                uncompressedSize,
                sink.position() - start,
                dataPageOffset);
        if (dictionary.isPresent()) {
            metadata.setDictionary_page_offset(start);
        }
        metadata.setEncoding_stats(encodingStatistics.build());
        metadata.setStatistics(BoundsUnion.toStatistics(chunkBounds));
        sizeStatistics.result().ifPresent(metadata::setSize_statistics);

        FinishedColumn finished = new FinishedColumn(
                new ColumnChunk(0).setMeta_data(metadata),
                chunkBounds,
                indexed ? Optional.of(serializeOffsetIndex(dataPageOffset)) : Optional.empty(),
                indexed ? serializeColumnIndex() : Optional.empty());
        resetExceptBloomFilters();
        return finished;
    }

    private static void write(ParquetSink sink, GrowableBytes bytes)
            throws IOException
    {
        sink.write(bytes.array(), 0, bytes.size());
    }

    private byte[] serializeOffsetIndex(long dataPageOffset)
            throws IOException
    {
        GrowableBytes bytes = new GrowableBytes(256);
        Util.writeOffsetIndex(output.index().offsetIndex(dataPageOffset), bytes);
        return bytes.toByteArray();
    }

    private Optional<byte[]> serializeColumnIndex()
            throws IOException
    {
        Optional<ColumnIndex> index = output.index().columnIndex();
        if (index.isEmpty()) {
            return Optional.empty();
        }
        GrowableBytes bytes = new GrowableBytes(256);
        Util.writeColumnIndex(index.get(), bytes);
        return Optional.of(bytes.toByteArray());
    }

    private void resetExceptBloomFilters()
    {
        output.reset();
        pending.clear();
        sequence.clear();
        dictionaries.ifPresent(DictionaryMerger::reset);
        bounds.reset();
        sizeStatistics.reset();
        dictionaryEncoding = null;
        dictionaryChecksum = false;
    }

    /**
     * @return the Bloom filter of the column chunk that was finished last, as it lies in a file; the next call begins a new one
     */
    Optional<byte[]> finishBloomFilter()
            throws IOException
    {
        Optional<byte[]> filter = bloomFilters.serialize();
        bloomFilters.reset();
        return filter;
    }

    static List<ColumnAssembler> of(List<LeafColumn> leaves, StitchContext context)
    {
        return leaves.stream().map(leaf -> new ColumnAssembler(leaf, context)).collect(ImmutableList.toImmutableList());
    }
}
