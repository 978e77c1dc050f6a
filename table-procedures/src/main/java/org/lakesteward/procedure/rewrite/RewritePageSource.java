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

import io.airlift.json.JsonCodec;
import io.airlift.slice.Slices;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.memory.context.LocalMemoryContext;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import org.lakesteward.procedure.rewrite.GroupWriter.Progress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/**
 * Does the work of one file group inside a table scan and yields a single row: the group's {@link GroupResult} as JSON.
 * Each call works for a bounded time, so that the engine's scheduler can run other queries, and reports memory, bytes, rows and what it waits for.
 */
final class RewritePageSource
        implements ConnectorPageSource
{
    private final GroupPermits permits;
    private final Function<Optional<String>, GroupWriter> encode;
    private final JsonCodec<GroupResult> resultCodec;
    private final int columns;
    private final AggregatedMemoryContext memoryContext;
    private final LocalMemoryContext writerMemory;
    private final RewriteStats stats;

    private GroupWriter writer;
    private GroupPermits.Permit permit;
    private CompletableFuture<?> blocked = NOT_BLOCKED;
    private boolean finished;
    private boolean closed;

    RewritePageSource(
            GroupPermits permits,
            Optional<GroupWriter> copy,
            Function<Optional<String>, GroupWriter> encode,
            JsonCodec<GroupResult> resultCodec,
            int columns,
            AggregatedMemoryContext memoryContext,
            RewriteStats stats)
    {
        this.permits = requireNonNull(permits, "permits is null");
        this.encode = requireNonNull(encode, "encode is null");
        this.resultCodec = requireNonNull(resultCodec, "resultCodec is null");
        this.columns = columns;
        this.memoryContext = requireNonNull(memoryContext, "memoryContext is null");
        this.stats = requireNonNull(stats, "stats is null");
        writerMemory = memoryContext.newLocalMemoryContext("RewritePageSource");
        writer = copy.orElse(null);
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
            writer = encode.apply(Optional.empty());
        }
        Progress progress;
        try {
            progress = writer.step();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        writerMemory.setBytes(writer.retainedBytes());
        switch (progress) {
            case Progress.More _ -> {}
            case Progress.Blocked(CompletableFuture<?> future) -> blocked = future;
            case Progress.Unsuitable(String reason) -> {
                writer.abort();
                writer = encode.apply(Optional.of(reason));
            }
            case Progress.Done(GroupResult result) -> {
                finished = true;
                stats.groupDone(result);
                return page(result);
            }
        }
        return null;
    }

    private SourcePage page(GroupResult result)
    {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, 1);
        VARCHAR.writeSlice(builder, Slices.wrappedBuffer(resultCodec.toJsonBytes(result)));
        Block block = builder.build();
        Block[] blocks = new Block[columns];
        Arrays.fill(blocks, block);
        return SourcePage.create(new Page(1, blocks));
    }

    @Override
    public long getCompletedBytes()
    {
        return writer == null ? 0 : writer.bytesRead();
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(writer == null ? 0 : writer.rowsRead());
    }

    @Override
    public long getReadTimeNanos()
    {
        return writer == null ? 0 : writer.readTimeNanos();
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
        try (GroupPermits.Permit _ = permit) {
            if (writer != null) {
                writer.abort();
            }
        }
        finally {
            memoryContext.close();
        }
    }
}
