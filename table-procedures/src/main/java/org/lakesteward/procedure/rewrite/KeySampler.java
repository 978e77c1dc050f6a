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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.ForIcebergPlanning;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.delete.DeleteFile;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;
import org.lakesteward.planner.sort.RangeCutter;
import org.lakesteward.planner.sort.ZOrder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;

import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static java.lang.Math.ceilDiv;
import static java.lang.Math.clamp;
import static java.lang.Math.floorMod;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Finds where the key ranges of a file group begin, from keys that are really there. Thread-safe.
 * <p>
 * The key columns of the group's row groups are read, and of each run of rows one is taken at a place that depends on nothing but the file's name, so that a
 * snapshot gives the same boundaries each time. A key stands for the bytes of the rows that it was taken from. Very large groups are read in part, every so many
 * row groups in key order. Memory is bounded by the number of keys and by the length at which texts and bytes are cut: a shortened key sorts before what it was
 * cut from, and is as good a boundary.
 */
public class KeySampler
{
    /** With 400 keys to a range its size is right within about 5 %. */
    private static final long KEYS_PER_RANGE = 400;
    private static final long LEAST_KEYS = 4_000;
    private static final long MOST_KEYS = 200_000;
    /** What the coordinator reads of one group, unless more row groups are needed for the keys. */
    private static final long MOST_ROWS_READ = 20_000_000;
    /** Of one value of a key, where few keys are taken and where many are. */
    private static final int MOST_VALUE_BYTES = 1024;
    private static final int LEAST_VALUE_BYTES = 256;
    private static final long MOST_SAMPLE_BYTES = 64L << 20;
    /** Of each of many values that travel with every split. */
    private static final int MOST_QUANTILE_BYTES = 128;

    private final ExecutorService executor;

    @Inject
    public KeySampler(@ForIcebergPlanning ExecutorService executor)
    {
        this.executor = requireNonNull(executor, "executor is null");
    }

    /**
     * Reads, and waits for it.
     *
     * @param files in key order
     * @param ranges how many are wanted
     * @param cancelled asked now and then; the result does not matter once it is true
     */
    KeyBoundaries sample(List<Input> files, int ranges, SortKey key, Readers readers, List<IcebergColumnHandle> tableColumns, BooleanSupplier cancelled)
    {
        if (ranges == 1) {
            return boundaries(key, ImmutableList.of(), ImmutableList.of());
        }
        return cut(read(files, ranges, key, readers, tableColumns, cancelled), ranges, key);
    }

    /**
     * Finds the curve of a z-order and the ranges of places on it, from one sample.
     *
     * @param columns the key of the partition, if rows go to several, and of the columns to interleave
     */
    ZOrderSample sampleZOrder(List<Input> files, int ranges, SortKey columns, Readers readers, List<IcebergColumnHandle> tableColumns, BooleanSupplier cancelled)
    {
        List<Sample> samples = read(files, ranges, columns, readers, tableColumns, cancelled);
        ZOrderCurve curve = new ZOrderCurve(IntStream.range(columns.partitionParts(), columns.types().size())
                .mapToObj(column -> quantiles(samples, column, columns))
                .toList());
        SortKey key = columns.along(curve);
        Function<List<Block>, List<Block>> places = key.places();
        List<Sample> placed = samples.stream()
                .map(sample -> new Sample(
                        sample.pages().stream()
                                .map(page -> new Page(page.getPositionCount(), places.apply(blocks(page)).toArray(Block[]::new)))
                                .toList(),
                        sample.weight()))
                .toList();
        return new ZOrderSample(curve, cut(placed, ranges, key));
    }

    record ZOrderSample(ZOrderCurve curve, KeyBoundaries boundaries) {}

    private static KeyBoundaries quantiles(List<Sample> samples, int column, SortKey key)
    {
        SortedSample sorted = SortedSample.of(samples, (left, leftPosition, right, rightPosition) -> key.order().compareColumn(column, left, leftPosition, right, rightPosition));
        List<Address> cuts = sorted.cut(ZOrder.QUANTILES);
        List<Type> type = ImmutableList.of(key.types().get(column));
        PageBuilder builder = new PageBuilder(max(1, cuts.size()), type);
        for (Address cut : cuts) {
            append(builder, type, ImmutableList.of(sorted.blocks().get(cut.page()).get(column)), cut.position(), MOST_QUANTILE_BYTES);
        }
        return new KeyBoundaries(cuts.size(), columns(builder), OptionalInt.empty());
    }

    private List<Sample> read(List<Input> files, int ranges, SortKey key, Readers readers, List<IcebergColumnHandle> tableColumns, BooleanSupplier cancelled)
    {
        List<Unit> units = new ArrayList<>();
        files.forEach(file -> units.addAll(units(file)));
        long allRows = units.stream().mapToLong(Unit::rows).sum();
        List<Unit> chosen = choose(units, allRows);
        long rows = chosen.stream().mapToLong(Unit::rows).sum();
        long keys = clamp(KEYS_PER_RANGE * ranges, LEAST_KEYS, MOST_KEYS);
        long interval = max(1, rows / keys);
        int valueBytes = (int) clamp(MOST_SAMPLE_BYTES / keys, LEAST_VALUE_BYTES, MOST_VALUE_BYTES);

        List<IcebergColumnHandle> columns = key.sourceColumns(tableColumns);
        List<CompletableFuture<Sample>> samples = chosen.stream()
                .map(unit -> CompletableFuture.supplyAsync(() -> cancelled.getAsBoolean() ? Sample.NONE : read(unit, interval, valueBytes, key, readers, columns, cancelled), executor))
                .toList();
        return samples.stream().map(CompletableFuture::join).filter(sample -> sample.size() > 0).toList();
    }

    /** Opens the live rows of a part of a data file; one for each thread. */
    interface Readers
    {
        ConnectorPageSource open(GroupFile file, List<DeleteFile> deletes, List<IcebergColumnHandle> columns, long start, long length, AggregatedMemoryContext memoryContext);
    }

    /**
     * @param splitOffsets where the file's row groups begin, empty when that is not known
     * @param bytesPerRow what a live row is worth
     */
    record Input(GroupFile file, List<DeleteFile> deletes, List<Long> splitOffsets, double bytesPerRow) {}

    /** A row group, or a whole file where its row groups are not known. */
    private record Unit(Input input, long start, long length, long rows) {}

    /** @param weight of each key */
    private record Sample(List<Page> pages, double weight)
    {
        static final Sample NONE = new Sample(ImmutableList.of(), 0);

        int size()
        {
            return pages.stream().mapToInt(Page::getPositionCount).sum();
        }
    }

    private static List<Unit> units(Input input)
    {
        GroupFile file = input.file();
        List<Long> offsets = input.splitOffsets();
        if (offsets.size() < 2) {
            return ImmutableList.of(new Unit(input, 0, file.size(), file.recordCount()));
        }
        ImmutableList.Builder<Unit> units = ImmutableList.builder();
        for (int index = 0; index < offsets.size(); index++) {
            long start = offsets.get(index);
            long end = index + 1 < offsets.size() ? offsets.get(index + 1) : file.size();
            units.add(new Unit(input, start, end - start, max(1, file.recordCount() / offsets.size())));
        }
        return units.build();
    }

    private static List<Unit> choose(List<Unit> units, long allRows)
    {
        long step = ceilDiv(allRows, MOST_ROWS_READ);
        if (step <= 1) {
            return units;
        }
        // one unit for each step of its like in rows
        ImmutableList.Builder<Unit> chosen = ImmutableList.builder();
        long rows = 0;
        long stepRows = step * max(1, allRows / units.size());
        long next = stepRows / 2;
        for (Unit unit : units) {
            rows += unit.rows();
            if (rows > next) {
                chosen.add(unit);
                next += stepRows;
            }
        }
        return chosen.build();
    }

    private static Sample read(Unit unit, long interval, int valueBytes, SortKey key, Readers readers, List<IcebergColumnHandle> columns, BooleanSupplier cancelled)
    {
        Function<Page, List<Block>> keys = key.reader(columns);
        PageBuilder builder = new PageBuilder(key.types());
        ImmutableList.Builder<Page> pages = ImmutableList.builder();
        long seed = Hashing.murmur3_128().newHasher().putString(unit.input().file().path(), UTF_8).putLong(unit.start()).hash().asLong();
        AggregatedMemoryContext memoryContext = newSimpleAggregatedMemoryContext();
        try (ConnectorPageSource source = readers.open(unit.input().file(), unit.input().deletes(), columns, unit.start(), unit.length(), memoryContext)) {
            long row = 0;
            long run = 0;
            long wanted = place(seed, run, interval);
            while (!source.isFinished() && !cancelled.getAsBoolean()) {
                SourcePage sourcePage = source.getNextSourcePage();
                if (sourcePage == null || sourcePage.getPositionCount() == 0) {
                    source.isBlocked().join();
                    continue;
                }
                int count = sourcePage.getPositionCount();
                if (wanted < row + count) {
                    List<Block> blocks = keys.apply(sourcePage.getPage());
                    while (wanted < row + count) {
                        append(builder, key.types(), blocks, (int) (wanted - row), valueBytes);
                        if (builder.isFull()) {
                            pages.add(builder.build());
                            builder.reset();
                        }
                        run++;
                        wanted = run * interval + place(seed, run, interval);
                    }
                }
                row += count;
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!builder.isEmpty()) {
            pages.add(builder.build());
        }
        return new Sample(pages.build(), interval * unit.input().bytesPerRow());
    }

    private static long place(long seed, long run, long interval)
    {
        return floorMod(Hashing.murmur3_128().hashLong(seed ^ (run * 0x9E37_79B9_7F4A_7C15L)).asLong(), interval);
    }

    private static void append(PageBuilder builder, List<Type> types, List<Block> blocks, int position, int valueBytes)
    {
        builder.declarePosition();
        for (int column = 0; column < types.size(); column++) {
            Type type = types.get(column);
            Block block = blocks.get(column);
            BlockBuilder target = builder.getBlockBuilder(column);
            if (block.isNull(position)) {
                target.appendNull();
            }
            else if (type instanceof VarcharType || type instanceof VarbinaryType) {
                Slice value = type.getSlice(block, position);
                type.writeSlice(target, value.slice(0, cutAt(value, type, valueBytes)));
            }
            else {
                target.append(block.getUnderlyingValueBlock(), block.getUnderlyingValuePosition(position));
            }
        }
    }

    private static int cutAt(Slice value, Type type, int valueBytes)
    {
        int length = min(value.length(), valueBytes);
        if (type instanceof VarcharType && length < value.length()) {
            // not within a character
            while (length > 0 && (value.getByte(length) & 0xC0) == 0x80) {
                length--;
            }
        }
        return length;
    }

    private static KeyBoundaries cut(List<Sample> samples, int ranges, SortKey key)
    {
        SortedSample sorted = SortedSample.of(samples, key.order()::compare);
        return boundaries(key, sorted.blocks(), sorted.cut(ranges));
    }

    private static List<Block> blocks(Page page)
    {
        return IntStream.range(0, page.getChannelCount()).mapToObj(page::getBlock).toList();
    }

    private interface KeyComparison
    {
        int compare(List<Block> left, int leftPosition, List<Block> right, int rightPosition);
    }

    /**
     * The distinct keys of a sample in order.
     *
     * @param blocks of all pages
     * @param weights of the keys
     */
    private record SortedSample(List<List<Block>> blocks, List<Address> keys, double[] weights)
    {
        static SortedSample of(List<Sample> samples, KeyComparison comparison)
        {
            List<List<Block>> blocks = new ArrayList<>();
            List<Double> pageWeights = new ArrayList<>();
            List<Address> addresses = new ArrayList<>();
            for (Sample sample : samples) {
                for (Page page : sample.pages()) {
                    for (int position = 0; position < page.getPositionCount(); position++) {
                        addresses.add(new Address(blocks.size(), position));
                    }
                    blocks.add(KeySampler.blocks(page));
                    pageWeights.add(max(Double.MIN_NORMAL, sample.weight()));
                }
            }
            Comparator<Address> order = (left, right) -> comparison.compare(blocks.get(left.page()), left.position(), blocks.get(right.page()), right.position());
            addresses.sort(order);

            List<Address> distinct = new ArrayList<>();
            double[] weights = new double[addresses.size()];
            for (Address address : addresses) {
                if (distinct.isEmpty() || order.compare(distinct.getLast(), address) != 0) {
                    distinct.add(address);
                }
                weights[distinct.size() - 1] += pageWeights.get(address.page());
            }
            return new SortedSample(blocks, distinct, Arrays.copyOf(weights, distinct.size()));
        }

        /** The keys that begin a range other than the first. */
        List<Address> cut(int ranges)
        {
            return RangeCutter.cut(weights, ranges).stream().map(keys::get).toList();
        }
    }

    private record Address(int page, int position) {}

    /**
     * The boundaries, and one more where NaNs begin or end: they get a file of their own, because a file that has one has no bounds.
     */
    private static KeyBoundaries boundaries(SortKey key, List<List<Block>> blocks, List<Address> cuts)
    {
        List<Type> types = key.types();
        PageBuilder builder = new PageBuilder(max(1, cuts.size() + 1), types);
        for (Address cut : cuts) {
            append(builder, types, blocks.get(cut.page()), cut.position(), MOST_VALUE_BYTES);
        }
        List<Block> columns = columns(builder);
        if (!key.leadsWithFloatingPoint()) {
            return new KeyBoundaries(cuts.size(), columns, OptionalInt.empty());
        }
        List<Block> afterOrAtNans = columns(floatingPointBoundary(types, key.leadsAscending()));
        int index = 0;
        while (index < cuts.size() && key.order().compareLeading(columns, index, afterOrAtNans, 0) < 0) {
            index++;
        }
        PageBuilder all = new PageBuilder(cuts.size() + 1, types);
        for (int boundary = 0; boundary < index; boundary++) {
            append(all, types, columns, boundary, MOST_VALUE_BYTES);
        }
        append(all, types, afterOrAtNans, 0, MOST_VALUE_BYTES);
        for (int boundary = index; boundary < cuts.size(); boundary++) {
            append(all, types, columns, boundary, MOST_VALUE_BYTES);
        }
        return new KeyBoundaries(cuts.size() + 1, columns(all), OptionalInt.of(index));
    }

    /** NaN when it comes after all numbers, the greatest number when it comes before them. */
    private static PageBuilder floatingPointBoundary(List<Type> types, boolean ascending)
    {
        PageBuilder builder = new PageBuilder(1, types);
        builder.declarePosition();
        if (types.getFirst() == DOUBLE) {
            DOUBLE.writeDouble(builder.getBlockBuilder(0), ascending ? Double.NaN : Double.POSITIVE_INFINITY);
        }
        else {
            REAL.writeFloat(builder.getBlockBuilder(0), ascending ? Float.NaN : Float.POSITIVE_INFINITY);
        }
        for (int column = 1; column < types.size(); column++) {
            builder.getBlockBuilder(column).appendNull();
        }
        return builder;
    }

    private static List<Block> columns(PageBuilder builder)
    {
        return blocks(builder.build());
    }
}
