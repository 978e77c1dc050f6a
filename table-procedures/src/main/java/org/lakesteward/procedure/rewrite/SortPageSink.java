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
import io.airlift.json.JsonCodec;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ConnectorPageSink;
import org.lakesteward.procedure.rewrite.SortFragment.FilePass;
import org.lakesteward.procedure.rewrite.SortFragment.WrittenRange;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_VERIFICATION_FAILED;

/**
 * Writes key ranges, each with a stock Iceberg writer of its own that sorts, spills and never begins a second file for a partition. A range is finished as soon as
 * all rows have arrived that its readers say they sent, so that memory follows the groups at work and not those of the whole statement.
 */
final class SortPageSink
        implements ConnectorPageSink
{
    private final int routeChannel;
    private final boolean placed;
    private final RangeWriters writers;
    private final TrinoFileSystem fileSystem;
    private final JsonCodec<CommitTaskData> commitTaskCodec;
    private final JsonCodec<SortFragment> fragmentCodec;

    private final Map<RangeId, Range> open = new LinkedHashMap<>();
    private final List<Slice> fragments = new ArrayList<>();
    private final List<FilePass> passes = new ArrayList<>();
    private final List<Location> files = new ArrayList<>();
    private long writtenBytes;

    /** @param placed the writers sort by the places in the routes, which they get as a last column */
    SortPageSink(
            int routeChannel,
            boolean placed,
            RangeWriters writers,
            TrinoFileSystem fileSystem,
            JsonCodec<CommitTaskData> commitTaskCodec,
            JsonCodec<SortFragment> fragmentCodec)
    {
        this.routeChannel = routeChannel;
        this.placed = placed;
        this.writers = requireNonNull(writers, "writers is null");
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.commitTaskCodec = requireNonNull(commitTaskCodec, "commitTaskCodec is null");
        this.fragmentCodec = requireNonNull(fragmentCodec, "fragmentCodec is null");
    }

    /** Makes the writer of a range. */
    interface RangeWriters
    {
        ConnectorPageSink create(int groupId, int range);
    }

    @Override
    public CompletableFuture<?> appendPage(Page page)
    {
        Block routes = page.getBlock(routeChannel);
        int[] dataChannels = IntStream.range(0, page.getChannelCount()).filter(channel -> channel != routeChannel).toArray();
        int count = page.getPositionCount();
        List<Slice> marks = new ArrayList<>();
        Map<RangeId, Positions> positions = new HashMap<>();
        RangeId last = null;
        Positions lastPositions = null;
        for (int position = 0; position < count; position++) {
            Slice route = VARCHAR.getSlice(routes, position);
            if (Route.isMark(route)) {
                marks.add(route);
                continue;
            }
            if (Route.isFragment(route)) {
                passOn(Route.fragment(route));
                continue;
            }
            if (last == null || last.range() != Route.range(route) || last.groupId() != Route.group(route)) {
                last = RangeId.of(route);
                lastPositions = positions.computeIfAbsent(last, _ -> new Positions());
            }
            lastPositions.add(position, count);
        }
        Page data = placed ? page.getColumns(dataChannels).appendColumn(places(routes, count)) : page.getColumns(dataChannels);
        positions.forEach((id, selected) -> {
            Range range = open.computeIfAbsent(id, _ -> new Range());
            Page part = selected.count == count ? data : data.copyPositions(selected.positions, 0, selected.count);
            range.append(id, part);
        });
        for (Slice mark : marks) {
            RangeId id = RangeId.of(mark);
            if (Route.firstRange(mark) == id.range()) {
                passes.add(new FilePass(id.groupId(), Route.file(mark), id.range(), Route.fileRows(mark)));
            }
            open.computeIfAbsent(id, _ -> new Range()).mark(mark);
            finishIfComplete(id);
        }
        positions.keySet().forEach(this::finishIfComplete);
        return NOT_BLOCKED;
    }

    /** Of files that were written within a scan. */
    private void passOn(Slice fragment)
    {
        fragmentCodec.fromJson(fragment.toStringUtf8()).ranges().forEach(range -> {
            writtenBytes += range.bytesWritten();
            range.commitTasks().forEach(task -> files.add(Location.of(commitTaskCodec.fromJson(task).path())));
        });
        fragments.add(fragment);
    }

    private static Block places(Block routes, int count)
    {
        BlockBuilder places = BIGINT.createFixedSizeBlockBuilder(count);
        for (int position = 0; position < count; position++) {
            Slice route = VARCHAR.getSlice(routes, position);
            // marks and fragments are no rows, and are left out
            BIGINT.writeLong(places, Route.isMark(route) || Route.isFragment(route) ? 0 : Route.place(route));
        }
        return places.build();
    }

    private void finishIfComplete(RangeId id)
    {
        Range range = open.get(id);
        if (range == null || !range.isComplete()) {
            return;
        }
        List<String> commitTasks = new ArrayList<>();
        long bytes = 0;
        if (range.sink.isPresent()) {
            // the stock writer's future is always done
            for (Slice task : range.sink.get().finish().join()) {
                String json = task.toStringUtf8();
                CommitTaskData data = commitTaskCodec.fromJson(json);
                commitTasks.add(json);
                files.add(Location.of(data.path()));
                bytes += data.fileSizeInBytes();
            }
        }
        open.remove(id);
        writtenBytes += bytes;
        addFragment(new SortFragment(ImmutableList.of(new WrittenRange(id.groupId(), id.range(), range.rows, bytes, commitTasks)), ImmutableList.of()));
    }

    private void addFragment(SortFragment fragment)
    {
        fragments.add(Slices.wrappedBuffer(fragmentCodec.toJsonBytes(fragment)));
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        open.forEach((id, range) -> {
            throw new TrinoException(REWRITE_VERIFICATION_FAILED, "The check before the commit failed: key range %s of file group %s received %s rows of %s, from %s of %s files; nothing was changed"
                    .formatted(id.range(), id.groupId(), range.rows, range.expectedRows, range.marks, range.files));
        });
        if (!passes.isEmpty()) {
            addFragment(new SortFragment(ImmutableList.of(), passes));
        }
        return completedFuture(fragments);
    }

    @Override
    public long getCompletedBytes()
    {
        return writtenBytes;
    }

    @Override
    public long getMemoryUsage()
    {
        return open.values().stream().flatMap(range -> range.sink.stream()).mapToLong(ConnectorPageSink::getMemoryUsage).sum()
                + fragments.stream().mapToLong(Slice::getRetainedSize).sum();
    }

    @Override
    public void abort()
    {
        RuntimeException failure = null;
        for (Range range : open.values()) {
            try {
                range.sink.ifPresent(ConnectorPageSink::abort);
            }
            catch (RuntimeException e) {
                failure = addTo(failure, e);
            }
        }
        open.clear();
        try {
            fileSystem.deleteFiles(files);
        }
        catch (IOException e) {
            failure = addTo(failure, new UncheckedIOException(e));
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException addTo(RuntimeException failure, RuntimeException next)
    {
        RuntimeException all = failure == null ? new RuntimeException("Deleting the files of an aborted rewrite failed") : failure;
        all.addSuppressed(next);
        return all;
    }

    private record RangeId(int groupId, int range)
    {
        static RangeId of(Slice route)
        {
            return new RangeId(Route.group(route), Route.range(route));
        }
    }

    private static final class Positions
    {
        private int[] positions = new int[16];
        private int count;

        void add(int position, int most)
        {
            if (count == positions.length) {
                positions = Arrays.copyOf(positions, Math.min(most, 2 * count));
            }
            positions[count] = position;
            count++;
        }
    }

    private final class Range
    {
        private Optional<ConnectorPageSink> sink = Optional.empty();
        private long rows;
        private long expectedRows;
        private int marks;
        private int files;

        void append(RangeId id, Page page)
        {
            if (sink.isEmpty()) {
                sink = Optional.of(writers.create(id.groupId(), id.range()));
            }
            sink.get().appendPage(page);
            rows += page.getPositionCount();
        }

        void mark(Slice mark)
        {
            marks++;
            files = Route.files(mark);
            expectedRows += Route.rows(mark);
        }

        boolean isComplete()
        {
            return marks > 0 && marks == files && rows == expectedRows;
        }
    }
}
