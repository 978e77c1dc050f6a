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
import io.trino.memory.context.LocalMemoryContext;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/**
 * Sorts a portion of a group within the scan: what otherwise goes from the readers through the exchange to the writers of ranges is handed on here, with the same marks and
 * checks. Yields the writers' fragments, each in a row of its own with a route that tells it from rows of data. Each call works for a bounded time.
 */
final class SortPortionPageSource
        implements ConnectorPageSource
{
    private final GroupPermits permits;
    private final SortPortionSplit split;
    private final Iterator<SortSplit> passes;
    private final Function<SortSplit, ConnectorPageSource> readers;
    private final Supplier<ConnectorPageSink> writers;
    private final List<IcebergColumnHandle> columns;
    private final AggregatedMemoryContext memoryContext;
    private final LocalMemoryContext writerMemory;
    private final long stepNanos;

    private GroupPermits.Permit permit;
    private ConnectorPageSource reader;
    private ConnectorPageSink writer;
    private Page pending;
    private int pendingPosition;
    private CompletableFuture<Collection<Slice>> finishing;
    private CompletableFuture<?> blocked = NOT_BLOCKED;
    private long completedBytes;
    private long completedRows;
    private long completedNanos;
    private boolean finished;
    private boolean closed;

    /**
     * @param readers opens a pass over a file, whose pages have the columns that the writers want
     * @param writers opens the writers of all ranges
     * @param columns what the engine wants of the scan
     */
    SortPortionPageSource(
            GroupPermits permits,
            SortPortionSplit split,
            Function<SortSplit, ConnectorPageSource> readers,
            Supplier<ConnectorPageSink> writers,
            List<IcebergColumnHandle> columns,
            AggregatedMemoryContext memoryContext,
            long stepNanos)
    {
        this.permits = requireNonNull(permits, "permits is null");
        this.split = requireNonNull(split, "split is null");
        this.readers = requireNonNull(readers, "readers is null");
        this.writers = requireNonNull(writers, "writers is null");
        this.columns = ImmutableList.copyOf(columns);
        this.memoryContext = requireNonNull(memoryContext, "memoryContext is null");
        this.stepNanos = stepNanos;
        passes = split.passes().iterator();
        writerMemory = memoryContext.newLocalMemoryContext("SortPortionPageSource");
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
        if (writer == null) {
            writer = writers.get();
        }
        try {
            return work();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        finally {
            writerMemory.setBytes(writer.getMemoryUsage());
        }
    }

    private SourcePage work()
            throws IOException
    {
        long deadline = System.nanoTime() + stepNanos;
        while (System.nanoTime() < deadline) {
            if (finishing != null) {
                if (!finishing.isDone()) {
                    blocked = finishing;
                    return null;
                }
                finished = true;
                return SourcePage.create(fragments(finishing.join()));
            }
            if (pending != null) {
                // a mark can complete a range, which is sorted and written at once: no more than one in a step
                Page next = pending.getRegion(pendingPosition, 1);
                pendingPosition++;
                if (pendingPosition == pending.getPositionCount()) {
                    pending = null;
                }
                if (!append(next)) {
                    return null;
                }
                continue;
            }
            if (reader == null) {
                if (passes.hasNext()) {
                    reader = readers.apply(passes.next());
                }
                else {
                    finishing = writer.finish();
                }
                continue;
            }
            SourcePage page = reader.getNextSourcePage();
            if (page != null) {
                if (reader.isFinished()) {
                    // the marks come last
                    pending = page.getPage();
                    pendingPosition = 0;
                }
                else if (!append(page.getPage())) {
                    return null;
                }
            }
            else if (reader.isFinished()) {
                completedBytes += reader.getCompletedBytes();
                completedRows += reader.getCompletedPositions().orElse(0);
                completedNanos += reader.getReadTimeNanos();
                reader.close();
                reader = null;
            }
            else if (!reader.isBlocked().isDone()) {
                blocked = reader.isBlocked();
                return null;
            }
        }
        return null;
    }

    private boolean append(Page page)
    {
        CompletableFuture<?> written = writer.appendPage(page);
        if (!written.isDone()) {
            blocked = written;
            return false;
        }
        return true;
    }

    private Page fragments(Collection<Slice> fragments)
    {
        BlockBuilder routes = VARCHAR.createBlockBuilder(null, fragments.size());
        for (Slice fragment : fragments) {
            VARCHAR.writeSlice(routes, Route.fragment(split.bucket(), split.groupId(), fragment));
        }
        Block[] blocks = new Block[columns.size()];
        for (int column = 0; column < blocks.length; column++) {
            IcebergColumnHandle handle = columns.get(column);
            blocks[column] = handle.isPathColumn() ? routes.build() : RunLengthEncodedBlock.create(handle.getType(), null, fragments.size());
        }
        return new Page(fragments.size(), blocks);
    }

    @Override
    public long getCompletedBytes()
    {
        return completedBytes + (reader == null ? 0 : reader.getCompletedBytes());
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(completedRows + (reader == null ? 0 : reader.getCompletedPositions().orElse(0)));
    }

    @Override
    public long getReadTimeNanos()
    {
        return completedNanos + (reader == null ? 0 : reader.getReadTimeNanos());
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
        boolean complete = finished;
        finished = true;
        try (GroupPermits.Permit _ = permit) {
            if (reader != null) {
                reader.close();
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        finally {
            try {
                // what a finished portion wrote is deleted by the coordinator if the statement fails
                if (writer != null && !complete) {
                    writer.abort();
                }
            }
            finally {
                memoryContext.close();
            }
        }
    }
}
