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
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.delete.DeleteFile;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import org.lakesteward.planner.rewrite.RewritePath;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_VERIFICATION_FAILED;

/**
 * Decodes the group's files, deletes applied, and encodes them anew with the stock Iceberg writer.
 * A group with several outputs is divided evenly by rows, one writer after the other, so that their number is the planned one.
 */
final class EncodeGroupWriter
        implements GroupWriter
{
    private final FileGroupSplit split;
    private final Optional<String> fallbackReason;
    private final DataFileReader reader;
    private final Supplier<ConnectorPageSink> sinks;
    private final JsonCodec<CommitTaskData> commitTaskCodec;
    private final AggregatedMemoryContext memoryContext;
    private final long stepNanos;
    private final int outputs;
    private final long expectedRows;

    private int nextFile;
    private ConnectorPageSource source;
    private long sourceRows;
    private OptionalLong sourceExpectedRows = OptionalLong.empty();
    private ConnectorPageSink sink;
    private int output;
    private Page pending;
    private CompletableFuture<Collection<Slice>> finishing;
    private final List<ConnectorPageSink> finished = new ArrayList<>();
    private final List<String> commitTasks = new ArrayList<>();
    private long rowsRead;
    private long rowsWritten;
    private long completedBytes;
    private long completedNanos;
    private boolean done;

    EncodeGroupWriter(
            FileGroupSplit split,
            Optional<String> fallbackReason,
            DataFileReader reader,
            Supplier<ConnectorPageSink> sinks,
            JsonCodec<CommitTaskData> commitTaskCodec,
            AggregatedMemoryContext memoryContext,
            long stepNanos)
    {
        this.split = requireNonNull(split, "split is null");
        this.fallbackReason = requireNonNull(fallbackReason, "fallbackReason is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.sinks = requireNonNull(sinks, "sinks is null");
        this.commitTaskCodec = requireNonNull(commitTaskCodec, "commitTaskCodec is null");
        this.memoryContext = requireNonNull(memoryContext, "memoryContext is null");
        this.stepNanos = stepNanos;
        // rows of another spec are spread over partitions of the output spec, where one writer rolls at the target size
        outputs = split.singlePartition() ? split.outputFiles() : 1;
        expectedRows = split.files().stream().mapToLong(file -> file.expectedRows().orElse(file.recordCount())).sum();
    }

    @Override
    public Progress step()
            throws IOException
    {
        long deadline = System.nanoTime() + stepNanos;
        while (System.nanoTime() < deadline) {
            if (finishing != null) {
                if (!finishing.isDone()) {
                    return new Progress.Blocked(finishing);
                }
                finishing.join().forEach(task -> commitTasks.add(task.toStringUtf8()));
                finishing = null;
                finished.add(sink);
                sink = null;
                output++;
            }
            if (pending != null) {
                CompletableFuture<?> blocked = writePending();
                if (!blocked.isDone()) {
                    return new Progress.Blocked(blocked);
                }
                continue;
            }
            if (source == null) {
                if (nextFile == split.files().size()) {
                    if (sink != null) {
                        finishing = sink.finish();
                        continue;
                    }
                    done = true;
                    return new Progress.Done(result());
                }
                openNext();
                continue;
            }
            SourcePage page = source.getNextSourcePage();
            if (page != null) {
                if (page.getPositionCount() > 0) {
                    pending = page.getPage();
                    sourceRows += pending.getPositionCount();
                    rowsRead += pending.getPositionCount();
                }
            }
            else if (source.isFinished()) {
                closeSource();
            }
            else if (!source.isBlocked().isDone()) {
                return new Progress.Blocked(source.isBlocked());
            }
        }
        return Progress.MORE;
    }

    private void openNext()
    {
        GroupFile file = split.files().get(nextFile++);
        List<DeleteFile> deletes = file.deletes().stream().map(split.deletes()::get).toList();
        sourceExpectedRows = reader.expectedRows(file, deletes, memoryContext);
        sourceRows = 0;
        source = reader.open(file, deletes, memoryContext.newAggregatedMemoryContext());
    }

    private void closeSource()
            throws IOException
    {
        GroupFile file = split.files().get(nextFile - 1);
        completedBytes += source.getCompletedBytes();
        completedNanos += source.getReadTimeNanos();
        source.close();
        source = null;
        if (sourceRows > file.recordCount() || (sourceExpectedRows.isPresent() && sourceRows != sourceExpectedRows.getAsLong())) {
            throw new TrinoException(REWRITE_VERIFICATION_FAILED, "Data file %s must yield %s rows after its deletes, but yielded %s: nothing was changed"
                    .formatted(file.path(), sourceExpectedRows.isPresent() ? sourceExpectedRows.getAsLong() : "at most " + file.recordCount(), sourceRows));
        }
    }

    /** Writes as much of the pending page as belongs to the current output. */
    private CompletableFuture<?> writePending()
    {
        if (sink == null) {
            sink = sinks.get();
        }
        Page page = pending;
        // the last output takes all that is left, also when fewer rows were expected
        long left = output == outputs - 1 ? Long.MAX_VALUE : share(output + 1) - rowsWritten;
        if (page.getPositionCount() > left) {
            pending = page.getRegion((int) left, page.getPositionCount() - (int) left);
            page = page.getRegion(0, (int) left);
        }
        else {
            pending = null;
        }
        CompletableFuture<?> blocked = ConnectorPageSink.NOT_BLOCKED;
        if (page.getPositionCount() > 0) {
            blocked = sink.appendPage(page);
            rowsWritten += page.getPositionCount();
        }
        if (left != Long.MAX_VALUE && rowsWritten >= share(output + 1)) {
            finishing = sink.finish();
        }
        return blocked;
    }

    /** Rows that the first outputs hold together. */
    private long share(int firstOutputs)
    {
        return Math.ceilDiv(Math.multiplyExact(expectedRows, (long) firstOutputs), outputs);
    }

    private GroupResult result()
    {
        long records = split.files().stream().mapToLong(GroupFile::recordCount).sum();
        return new GroupResult(
                split.groupId(),
                RewritePath.ENCODE,
                fallbackReason,
                rowsRead,
                records - rowsRead,
                split.files().stream().mapToLong(GroupFile::size).sum(),
                commitTasks.stream().mapToLong(task -> commitTaskCodec.fromJson(task).fileSizeInBytes()).sum(),
                ImmutableList.copyOf(commitTasks));
    }

    @Override
    public long rowsRead()
    {
        return rowsRead;
    }

    @Override
    public long bytesRead()
    {
        return completedBytes + (source == null ? 0 : source.getCompletedBytes());
    }

    @Override
    public long readTimeNanos()
    {
        return completedNanos + (source == null ? 0 : source.getReadTimeNanos());
    }

    @Override
    public long retainedBytes()
    {
        return sink == null ? 0 : sink.getMemoryUsage();
    }

    @Override
    public void abort()
    {
        RuntimeException failure = null;
        if (source != null) {
            try {
                source.close();
            }
            catch (IOException | RuntimeException e) {
                failure = new RuntimeException("Closing a data file failed", e);
            }
            source = null;
        }
        if (done) {
            return;
        }
        if (sink != null) {
            finished.add(sink);
            sink = null;
        }
        for (ConnectorPageSink written : finished) {
            try {
                written.abort();
            }
            catch (RuntimeException e) {
                if (failure == null) {
                    failure = new RuntimeException("Deleting the files of file group %s failed".formatted(split.groupId()));
                }
                failure.addSuppressed(e);
            }
        }
        finished.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
