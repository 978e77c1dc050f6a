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
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.plugin.iceberg.procedure.IcebergOptimizeHandle;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.connector.ConnectorSession;
import org.apache.iceberg.io.LocationProvider;

import static java.util.Objects.requireNonNull;

/**
 * Opens the writers of a sort. Thread-safe.
 */
public class SortSinkFactory
{
    private final IcebergFileSystemFactory fileSystemFactory;
    private final OutputSinkFactory sinkFactory;
    private final JsonCodec<SortFragment> fragmentCodec;
    private final JsonCodec<CommitTaskData> commitTaskCodec;

    @Inject
    public SortSinkFactory(
            IcebergFileSystemFactory fileSystemFactory,
            OutputSinkFactory sinkFactory,
            JsonCodec<SortFragment> fragmentCodec,
            JsonCodec<CommitTaskData> commitTaskCodec)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.sinkFactory = requireNonNull(sinkFactory, "sinkFactory is null");
        this.fragmentCodec = requireNonNull(fragmentCodec, "fragmentCodec is null");
        this.commitTaskCodec = requireNonNull(commitTaskCodec, "commitTaskCodec is null");
    }

    /** @param bufferSize bytes that the writer of a range sorts in memory before it spills */
    ConnectorPageSink create(ConnectorSession session, RewriteExecuteHandle execute, SortTask sort, long bufferSize, IcebergTableCredentials credentials)
    {
        IcebergOptimizeHandle output = execute.output();
        LocationProvider locations = IcebergUtil.getLocationProvider(execute.writer().schemaTableName(), execute.writer().tableLocation(), output.tableStorageProperties());
        return new SortPageSink(
                sort.routeChannel(),
                sort.request().zorder(),
                (groupId, range) -> sinkFactory.createSorting(
                        session,
                        output,
                        sort.request().zorder(),
                        new SortFileNames(locations, session.getQueryId(), groupId, range, sort.request().tag()),
                        credentials,
                        bufferSize),
                fileSystemFactory.create(session.getIdentity(), credentials),
                commitTaskCodec,
                fragmentCodec);
    }
}
