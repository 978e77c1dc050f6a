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
import io.airlift.slice.Slice;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.delete.DeleteFile;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_VERIFICATION_FAILED;

/**
 * Reads the live rows of a data file and gives each the route to the writer of its range; marks follow the last row.
 */
final class SortPageSource
        implements ConnectorPageSource
{
    private final GroupPermits permits;
    private final SortSplit split;
    private final DataFileReader reader;
    private final List<IcebergColumnHandle> columns;
    private final List<Integer> channels;
    private final SortKey key;
    private final Function<Page, List<Block>> keys;
    private final AggregatedMemoryContext memoryContext;
    private final Block routes;
    private final long[] rows;

    private GroupPermits.Permit permit;
    private ConnectorPageSource source;
    private OptionalLong expectedRows = OptionalLong.empty();
    private CompletableFuture<?> blocked = NOT_BLOCKED;
    private long fileRows;
    private int lastRange;
    private boolean finished;
    private boolean closed;

    /** @param columns what the engine wants of the scan: all columns of the table, and the text column that carries routes */
    SortPageSource(
            GroupPermits permits,
            SortSplit split,
            DataFileReader reader,
            List<IcebergColumnHandle> columns,
            SortKey key,
            AggregatedMemoryContext memoryContext)
    {
        this.permits = requireNonNull(permits, "permits is null");
        this.split = requireNonNull(split, "split is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.columns = ImmutableList.copyOf(columns);
        this.key = requireNonNull(key, "key is null");
        this.memoryContext = requireNonNull(memoryContext, "memoryContext is null");
        List<Integer> readerIds = reader.columns().stream().map(IcebergColumnHandle::getId).toList();
        channels = columns.stream()
                .map(column -> readerIds.indexOf(column.getId()))
                .collect(toImmutableList());
        keys = key.reader(reader.columns());
        BlockBuilder routes = VARCHAR.createBlockBuilder(null, split.ranges());
        for (int range = split.firstRange(); range < split.firstRange() + split.ranges(); range++) {
            VARCHAR.writeSlice(routes, Route.route(split.bucket(range), split.groupId(), range));
        }
        this.routes = routes.build();
        rows = new long[split.ranges()];
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (finished) {
            return null;
        }
        if (permit == null) {
            permit = permits.acquire();
        }
        if (!permit.granted().isDone()) {
            blocked = permit.granted();
            return null;
        }
        blocked = NOT_BLOCKED;
        if (source == null) {
            GroupFile file = split.groupFile();
            List<DeleteFile> deletes = file.deletes().stream().map(split.deletes()::get).toList();
            expectedRows = reader.expectedRows(file, deletes, memoryContext);
            source = reader.open(file, deletes, memoryContext.newAggregatedMemoryContext());
        }
        SourcePage page = source.getNextSourcePage();
        if (page == null) {
            if (source.isFinished()) {
                checkRows();
                finished = true;
                return SourcePage.create(marks());
            }
            blocked = source.isBlocked();
            return null;
        }
        if (page.getPositionCount() == 0) {
            return null;
        }
        fileRows += page.getPositionCount();
        Page routed = route(page.getPage());
        return routed.getPositionCount() == 0 ? null : SourcePage.create(routed);
    }

    private void checkRows()
    {
        GroupFile file = split.groupFile();
        if (fileRows > file.recordCount() || (expectedRows.isPresent() && fileRows != expectedRows.getAsLong())) {
            throw new TrinoException(REWRITE_VERIFICATION_FAILED, "Data file %s must yield %s rows after its deletes, but yielded %s: nothing was changed"
                    .formatted(file.path(), expectedRows.isPresent() ? expectedRows.getAsLong() : "at most " + file.recordCount(), fileRows));
        }
    }

    private Page route(Page page)
    {
        int count = page.getPositionCount();
        if (split.boundaries().ranges() == 1 && split.curve().isEmpty()) {
            rows[0] += count;
            return withRoutes(page, RunLengthEncodedBlock.create(routes, count));
        }
        List<Block> pageKeys = keys.apply(page);
        int[] ids = new int[count];
        int[] positions = new int[count];
        int selected = 0;
        for (int position = 0; position < count; position++) {
            int range = split.boundaries().rangeOf(key.order(), pageKeys, position, lastRange);
            lastRange = range;
            int id = range - split.firstRange();
            if (0 <= id && id < split.ranges()) {
                rows[id]++;
                ids[selected] = id;
                positions[selected] = position;
                selected++;
            }
        }
        Page kept = selected == count ? page : page.getPositions(positions, 0, selected);
        if (selected == 0) {
            return withRoutes(kept, routes.getRegion(0, 0));
        }
        return withRoutes(kept, split.curve().isPresent() ? placedRoutes(pageKeys.getLast(), positions, ids, selected) : DictionaryBlock.create(selected, routes, ids));
    }

    private Block placedRoutes(Block places, int[] positions, int[] ids, int count)
    {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, count);
        for (int index = 0; index < count; index++) {
            int range = split.firstRange() + ids[index];
            VARCHAR.writeSlice(builder, Route.route(split.bucket(range), split.groupId(), range, BIGINT.getLong(places, positions[index])));
        }
        return builder.build();
    }

    private Page withRoutes(Page page, Block routes)
    {
        Block[] blocks = new Block[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            blocks[column] = channels.get(column) < 0 ? routes : page.getBlock(channels.get(column));
        }
        return new Page(page.getPositionCount(), blocks);
    }

    private Page marks()
    {
        BlockBuilder marks = VARCHAR.createBlockBuilder(null, split.ranges());
        for (int index = 0; index < split.ranges(); index++) {
            int range = split.firstRange() + index;
            Slice mark = Route.mark(split.bucket(range), split.groupId(), range, split.files(), split.file(), split.firstRange(), rows[index], fileRows);
            VARCHAR.writeSlice(marks, mark);
        }
        Block[] blocks = new Block[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            blocks[column] = channels.get(column) < 0 ? marks.build() : RunLengthEncodedBlock.create(columns.get(column).getType(), null, split.ranges());
        }
        return new Page(split.ranges(), blocks);
    }

    @Override
    public long getCompletedBytes()
    {
        return source == null ? 0 : source.getCompletedBytes();
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(fileRows);
    }

    @Override
    public long getReadTimeNanos()
    {
        return source == null ? 0 : source.getReadTimeNanos();
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return blocked;
    }

    @Override
    public void close()
    {
        if (closed) {
            return;
        }
        closed = true;
        finished = true;
        try (GroupPermits.Permit _ = permit) {
            if (source != null) {
                source.close();
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        finally {
            memoryContext.close();
        }
    }
}
