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

import com.google.inject.Inject;
import io.airlift.json.JsonCodec;
import io.airlift.slice.Slice;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorInsertTableHandle;
import io.trino.spi.connector.ConnectorMergeSink;
import io.trino.spi.connector.ConnectorMergeTableHandle;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorPageSinkId;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;


import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/**
 * Passes the results of file groups on to the coordinator, writes the key ranges of a sort, and is the stock provider for everything else. Thread-safe.
 */
public class RewritePageSinkProvider
        implements ConnectorPageSinkProvider
{
    private final ConnectorPageSinkProvider stock;
    private final IcebergFileSystemFactory fileSystemFactory;
    private final SortSinkFactory sortSinkFactory;
    private final JsonCodec<GroupResult> resultCodec;
    private final JsonCodec<CommitTaskData> commitTaskCodec;

    @Inject
    public RewritePageSinkProvider(
            ConnectorPageSinkProvider stock,
            IcebergFileSystemFactory fileSystemFactory,
            SortSinkFactory sortSinkFactory,
            JsonCodec<GroupResult> resultCodec,
            JsonCodec<CommitTaskData> commitTaskCodec)
    {
        this.stock = requireNonNull(stock, "stock is null");
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.sortSinkFactory = requireNonNull(sortSinkFactory, "sortSinkFactory is null");
        this.resultCodec = requireNonNull(resultCodec, "resultCodec is null");
        this.commitTaskCodec = requireNonNull(commitTaskCodec, "commitTaskCodec is null");
    }

    @Override
    public ConnectorPageSink createPageSink(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorOutputTableHandle table, Optional<ConnectorTableCredentials> credentials, ConnectorPageSinkId pageSinkId)
    {
        return stock.createPageSink(transaction, session, table, credentials, pageSinkId);
    }

    @Override
    public ConnectorPageSink createPageSink(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorInsertTableHandle table, Optional<ConnectorTableCredentials> credentials, ConnectorPageSinkId pageSinkId)
    {
        return stock.createPageSink(transaction, session, table, credentials, pageSinkId);
    }

    @Override
    public ConnectorPageSink createPageSink(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableExecuteHandle execute, Optional<ConnectorTableCredentials> credentials, ConnectorPageSinkId pageSinkId)
    {
        if (!(execute instanceof RewriteExecuteHandle rewrite)) {
            return stock.createPageSink(transaction, session, execute, credentials, pageSinkId);
        }
        IcebergTableCredentials tableCredentials = (IcebergTableCredentials) credentials.orElseThrow(() -> new IllegalStateException("Table credentials are missing"));
        return rewrite.sort()
                .map(sort -> sortSinkFactory.create(session, rewrite, sort, sort.bufferSize(), tableCredentials))
                .orElseGet(() -> new ResultSink(fileSystemFactory.create(session.getIdentity(), tableCredentials)));
    }

    @Override
    public ConnectorMergeSink createMergeSink(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorMergeTableHandle merge, Optional<ConnectorTableCredentials> credentials, ConnectorPageSinkId pageSinkId)
    {
        return stock.createMergeSink(transaction, session, merge, credentials, pageSinkId);
    }

    /** Passes on what the workers did inside their scans. */
    private final class ResultSink
            implements ConnectorPageSink
    {
        private final TrinoFileSystem fileSystem;
        private final List<Slice> results = new ArrayList<>();
        private final List<Location> files = new ArrayList<>();
        private long writtenBytes;

        private ResultSink(TrinoFileSystem fileSystem)
        {
            this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        }

        @Override
        public CompletableFuture<?> appendPage(Page page)
        {
            Block block = page.getBlock(0);
            for (int position = 0; position < page.getPositionCount(); position++) {
                Slice json = VARCHAR.getSlice(block, position).copy();
                GroupResult result = resultCodec.fromJson(json.toStringUtf8());
                results.add(json);
                writtenBytes += result.bytesWritten();
                result.commitTasks().forEach(task -> files.add(Location.of(commitTaskCodec.fromJson(task).path())));
            }
            return NOT_BLOCKED;
        }

        /** Bytes of the files that the groups wrote, so that the engine's statistics show them. */
        @Override
        public long getCompletedBytes()
        {
            return writtenBytes;
        }

        @Override
        public long getMemoryUsage()
        {
            return results.stream().mapToLong(Slice::getRetainedSize).sum();
        }

        @Override
        public CompletableFuture<Collection<Slice>> finish()
        {
            return completedFuture(results);
        }

        @Override
        public void abort()
        {
            try {
                fileSystem.deleteFiles(files);
            }
            catch (IOException e) {
                throw new UncheckedIOException("Deleting the files of an aborted rewrite failed", e);
            }
        }
    }
}
