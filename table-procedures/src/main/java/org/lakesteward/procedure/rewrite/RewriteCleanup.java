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
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.plugin.iceberg.IcebergFileSystemFactory;
import io.trino.plugin.iceberg.IcebergTableCredentials;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.plugin.iceberg.PartitionData;
import io.trino.plugin.iceberg.procedure.IcebergOptimizeHandle;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.PreDestroy;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.io.LocationProvider;
import org.lakesteward.planner.rewrite.FileGroup;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newSingleThreadScheduledExecutor;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Deletes the files of rewrites that no snapshot refers to. Thread-safe.
 * <p>
 * A worker deletes what it wrote when its task is aborted. What is left are files of finished groups of a failed statement, and files of a
 * worker that was killed. Their names are known from the plan, so that nothing is listed, and only files of this query can be hit.
 */
public class RewriteCleanup
{
    private static final Logger log = Logger.get(RewriteCleanup.class);

    /** A worker may be writing while the statement fails; it stops within seconds. Deleting again what is gone costs nothing but requests. */
    private static final List<Integer> DELAYS_SECONDS = ImmutableList.of(0, 5, 30);
    /** Copied groups can need more files than planned when footers grow too large, and NaNs get a file of their own. */
    private static final int SPARE_NAMES = 4;

    private final IcebergFileSystemFactory fileSystemFactory;
    private final RewriteStats stats;
    private final ScheduledExecutorService executor = newSingleThreadScheduledExecutor(daemonThreadsNamed("rewrite-cleanup-%s"));

    @Inject
    public RewriteCleanup(IcebergFileSystemFactory fileSystemFactory, RewriteStats stats)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    @PreDestroy
    public void stop()
    {
        executor.shutdownNow();
    }

    /** Called once a statement is over, however it ended. */
    void afterQuery(RewriteRun run)
    {
        switch (run.end()) {
            case SETTLED -> {}
            case POSSIBLY_REFERENCED -> log.warn("Files of query %s on %s are kept, because a snapshot may refer to them", run.session().getQueryId(), run.writer().schemaTableName());
            case UNREFERENCED, ABANDONED -> deleteFilesOf(run);
        }
    }

    /** Deletes, in the background, whatever the statement may have written. It must have been abandoned. */
    void deleteFilesOf(RewriteRun run)
    {
        if (!run.splitsHandedOut() || run.planned().isEmpty()) {
            return;
        }
        String queryId = run.session().getQueryId();
        PlannedRewrite planned = run.planned().get();
        DELAYS_SECONDS.forEach(delay -> executor.schedule(() -> {
            try {
                int deleted = deleteFilesOf(run, planned);
                if (deleted > 0) {
                    log.info("Deleted %s files of query %s on %s, which did not commit", deleted, queryId, run.writer().schemaTableName());
                }
            }
            catch (IOException | RuntimeException e) {
                stats.getCleanUpFailures().update(1);
                log.warn(e, "Cannot delete all files of query %s on %s, which did not commit; their names begin with the query id", queryId, run.writer().schemaTableName());
            }
        }, delay, SECONDS));
    }

    /** Deletes files that are known to be complete and in no snapshot. A failure is logged, since the statement has succeeded. */
    void deleteFiles(ConnectorSession session, BaseTable table, Collection<String> paths)
    {
        if (paths.isEmpty()) {
            return;
        }
        try {
            TrinoFileSystem fileSystem = fileSystemFactory.create(session.getIdentity(), IcebergTableCredentials.forFileIO(table.io()));
            fileSystem.deleteFiles(paths.stream().map(Location::of).toList());
            stats.getFilesCleanedUp().update(paths.size());
        }
        catch (IOException | RuntimeException e) {
            stats.getCleanUpFailures().update(1);
            log.warn(e, "Cannot delete the files of skipped file groups of query %s on %s: %s", session.getQueryId(), table.name(), paths);
        }
    }

    private int deleteFilesOf(RewriteRun run, PlannedRewrite planned)
            throws IOException
    {
        IcebergOptimizeHandle output = (IcebergOptimizeHandle) run.writer().procedureHandle();
        PartitionSpec spec = PartitionSpecParser.fromJson(SchemaParser.fromJson(output.schemaAsJson()), output.partitionSpecAsJson());
        LocationProvider locations = IcebergUtil.getLocationProvider(run.writer().schemaTableName(), run.writer().tableLocation(), output.tableStorageProperties());
        TrinoFileSystem fileSystem = fileSystemFactory.create(run.session().getIdentity(), planned.credentials());
        String queryId = run.session().getQueryId();
        String formatExtension = output.fileFormat().toIceberg().addExtension("x").substring(2);
        String extension = run.settings().sort()
                .map(sort -> SortFileNames.extension(sort.tag(), formatExtension))
                .orElse(formatExtension);

        int deleted = 0;
        boolean unknownPartitions = false;
        for (FileGroup group : planned.plan().groups()) {
            if (group.partition().specId() != spec.specId()) {
                unknownPartitions = true;
                continue;
            }
            // keys that stand out get ranges of their own, up to twice as many as planned and one more
            int names = run.settings().sort().isPresent() ? 2 * group.outputFiles() + 1 : group.outputFiles();
            for (int number = 0; number < names + SPARE_NAMES; number++) {
                String name = GroupFileNames.fileName(queryId, group.id(), number, extension);
                String path = spec.isPartitioned()
                        ? locations.newDataLocation(spec, PartitionData.fromJson(group.partition().partition(), spec), name)
                        : locations.newDataLocation(name);
                deleted += deleteIfThere(fileSystem, Location.of(path)) ? 1 : 0;
            }
        }
        if (unknownPartitions) {
            // rows of an older spec went to partitions that only the worker knew: look through the data folder for this query's names
            deleted += deleteByPrefix(fileSystem, Location.of(locations.newDataLocation("x")).parentDirectory(), queryId + "-");
        }
        if (!output.sortFields().isEmpty()) {
            deleted += deleteByPrefix(fileSystem, Location.of(locations.newDataLocation("trino-tmp-files")), "sorting-file-writer-" + queryId);
        }
        stats.getFilesCleanedUp().update(deleted);
        return deleted;
    }

    private static int deleteByPrefix(TrinoFileSystem fileSystem, Location folder, String prefix)
            throws IOException
    {
        int deleted = 0;
        ImmutableList.Builder<Location> found = ImmutableList.builder();
        FileIterator files = fileSystem.listFiles(folder);
        while (files.hasNext()) {
            FileEntry file = files.next();
            if (file.location().fileName().startsWith(prefix)) {
                found.add(file.location());
            }
        }
        for (Location location : found.build()) {
            deleted += deleteIfThere(fileSystem, location) ? 1 : 0;
        }
        return deleted;
    }

    private static boolean deleteIfThere(TrinoFileSystem fileSystem, Location location)
            throws IOException
    {
        if (!fileSystem.newInputFile(location).exists()) {
            return false;
        }
        fileSystem.deleteFile(location);
        return true;
    }
}
