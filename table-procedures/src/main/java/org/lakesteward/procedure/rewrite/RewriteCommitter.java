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

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.json.JsonCodec;
import io.airlift.log.Logger;
import io.airlift.slice.Slice;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.ForIcebergPlanning;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.plugin.iceberg.PartitionData;
import io.trino.plugin.iceberg.TableStatisticsWriter;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.ValidationException;
import org.lakesteward.planner.rewrite.FileGroup;
import org.lakesteward.procedure.rewrite.CommitAttempt.Outcome;
import org.lakesteward.procedure.rewrite.LaterEqualityDeletes.DroppedException;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_COMMIT_FAILED;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_CONFLICT;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_OUTCOME_UNKNOWN;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_VERIFICATION_FAILED;

/**
 * Checks what the workers report and commits it as one snapshot. Thread-safe.
 * <p>
 * Files are left for {@link RewriteCleanup} to delete only while it is certain that no snapshot refers to them.
 */
public class RewriteCommitter
{
    private static final Logger log = Logger.get(RewriteCommitter.class);

    /** Conflicts one after the other that skip_group works around in one statement. */
    private static final int MAX_CONFLICTS = 10;
    private static final int NAMED_PARTITIONS = 3;
    private static final Pattern DESCRIBED_FILE = Pattern.compile("Generic(?:Data|Delete)File\\{[^{}]*?\\bfile_path=([^,}]+)[^{}]*(?:\\{[^{}]*}[^{}]*)*}");
    private static final String QUERY_ID_SUMMARY = "trino_query_id";

    private final TrinoCatalogFactory catalogFactory;
    private final TableStatisticsWriter statisticsWriter;
    private final ConflictFinder conflictFinder;
    private final RewriteCleanup cleanup;
    private final ExecutorService planningExecutor;
    private final JsonCodec<CommitTaskData> commitTaskCodec;
    private final JsonCodec<GroupResult> resultCodec;
    private final SortResults sortResults;
    private final RewriteStats stats;

    @Inject
    public RewriteCommitter(
            TrinoCatalogFactory catalogFactory,
            TableStatisticsWriter statisticsWriter,
            ConflictFinder conflictFinder,
            RewriteCleanup cleanup,
            @ForIcebergPlanning ExecutorService planningExecutor,
            JsonCodec<CommitTaskData> commitTaskCodec,
            JsonCodec<GroupResult> resultCodec,
            SortResults sortResults,
            RewriteStats stats)
    {
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
        this.statisticsWriter = requireNonNull(statisticsWriter, "statisticsWriter is null");
        this.conflictFinder = requireNonNull(conflictFinder, "conflictFinder is null");
        this.cleanup = requireNonNull(cleanup, "cleanup is null");
        this.planningExecutor = requireNonNull(planningExecutor, "planningExecutor is null");
        this.commitTaskCodec = requireNonNull(commitTaskCodec, "commitTaskCodec is null");
        this.resultCodec = requireNonNull(resultCodec, "resultCodec is null");
        this.sortResults = requireNonNull(sortResults, "sortResults is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    /**
     * @param fragments one {@link GroupResult} as JSON for each file group, or {@link SortFragment}s in a sort
     * @throws TrinoException REWRITE_VERIFICATION_FAILED, REWRITE_CONFLICT, REWRITE_COMMIT_FAILED with the table as it was,
     * or REWRITE_OUTCOME_UNKNOWN
     */
    RewriteReport commit(ConnectorSession session, RewriteRun run, PlannedRewrite planned, Collection<Slice> fragments)
    {
        List<GroupResult> reported = run.settings().sort().isPresent()
                ? sortResults.assemble(planned, fragments)
                : fragments.stream().map(fragment -> resultCodec.fromJson(fragment.toStringUtf8())).collect(toImmutableList());
        Map<Integer, VerifiedGroup> verified = verify(planned, reported);
        if (run.settings().sort().isPresent()) {
            reported.forEach(stats::groupDone);
        }
        Map<Integer, GroupResult> results = new HashMap<>();
        verified.forEach((id, group) -> results.put(id, group.result()));

        LaterEqualityDeletes laterDeletes = new LaterEqualityDeletes(planned, session.getQueryId());
        try {
            return commit(session, run, planned, verified, results, laterDeletes);
        }
        finally {
            if (run.isUnreferenced()) {
                laterDeletes.discard();
            }
        }
    }

    private RewriteReport commit(
            ConnectorSession session,
            RewriteRun run,
            PlannedRewrite planned,
            Map<Integer, VerifiedGroup> verified,
            Map<Integer, GroupResult> results,
            LaterEqualityDeletes laterDeletes)
    {
        SchemaTableName tableName = run.writer().schemaTableName();
        List<FileGroup> remaining = planned.plan().groups();
        List<FileGroup> skipped = new ArrayList<>();
        for (int conflicts = 0; ; conflicts++) {
            BaseTable table = loadTable(session, tableName);
            checkSameTable(table, run, planned);
            List<DeleteFile> removedDeletes = stillLive(table, planned, planned.removableDeletes(remaining, run.settings().removeDanglingDeletes()));
            RewriteReport report = RewriteReport.of(run.settings(), planned, remaining, results, removedDeletes.size());
            if (remaining.isEmpty() && removedDeletes.isEmpty()) {
                stats.getSkippedGroups().update(skipped.size());
                return report;
            }
            boolean addsFiles = !remaining.isEmpty();
            if (addsFiles) {
                laterDeletes.retainLive(table);
            }
            else {
                laterDeletes.discard();
            }
            CommitAttempt attempt = new CommitAttempt(table.operations(), (base, metadata) -> {
                if (addsFiles) {
                    laterDeletes.check(table.io(), base, metadata);
                }
            });
            run.beginCommit();
            try {
                commitOnce(session, attempt, table.name(), run, planned, remaining, verified, removedDeletes, laterDeletes, report);
            }
            catch (RuntimeException e) {
                if (attempt.outcome() == Outcome.NOT_COMMITTED) {
                    if (run.commitFailed()) {
                        cleanup.deleteFilesOf(run);
                    }
                    if (e instanceof DroppedException dropped && conflicts < MAX_CONFLICTS) {
                        laterDeletes.copy(table, dropped.files());
                        continue;
                    }
                    if (!(e instanceof ValidationException)) {
                        throw new TrinoException(REWRITE_COMMIT_FAILED, "The rewrite of table %s was not committed; nothing was changed: %s".formatted(tableName, describe(e)), e);
                    }
                    stats.getConflicts().update(1);
                    BaseTable current = loadTable(session, tableName);
                    checkSameTable(current, run, planned);
                    List<FileGroup> conflicting = conflictFinder.conflicting(current, planned, remaining);
                    // what another commit removed as dangling already need not be removed again
                    boolean onlyDeletesGone = conflicting.isEmpty() && stillLive(current, planned, removedDeletes).size() < removedDeletes.size();
                    boolean skip = run.settings().onConflict() == ConflictAction.SKIP_GROUP && !conflicting.isEmpty();
                    if (!(skip || onlyDeletesGone) || conflicts >= MAX_CONFLICTS) {
                        throw conflict(tableName, planned, conflicting, e);
                    }
                    log.info("Query %s skips %s file groups of %s that another commit touched", session.getQueryId(), conflicting.size(), tableName);
                    skipped.addAll(conflicting);
                    remaining = remaining.stream().filter(group -> !conflicting.contains(group)).collect(toImmutableList());
                    continue;
                }
                if (attempt.outcome() == Outcome.UNKNOWN && !wasCommitted(session, tableName)) {
                    stats.getUnknownOutcomes().update(1);
                    throw new TrinoException(
                            REWRITE_OUTCOME_UNKNOWN,
                            "The catalog did not say whether it committed the rewrite of table %s; all files that query %s wrote were kept, whose names begin with the query id: %s"
                                    .formatted(tableName, session.getQueryId(), describe(e)),
                            e);
                }
                log.warn(e, "Query %s: the catalog failed after it had committed the rewrite of %s", session.getQueryId(), tableName);
            }
            stats.getCommits().update(1);
            stats.getSkippedGroups().update(skipped.size());
            // what was skipped is known, complete and in nobody's snapshot
            run.settle();
            cleanup.deleteFiles(session, table, skipped.stream().flatMap(group -> verified.get(group.id()).paths().stream()).collect(toImmutableList()));
            return report;
        }
    }

    private void commitOnce(
            ConnectorSession session,
            CommitAttempt attempt,
            String tableName,
            RewriteRun run,
            PlannedRewrite planned,
            List<FileGroup> groups,
            Map<Integer, VerifiedGroup> verified,
            List<DeleteFile> removedDeletes,
            LaterEqualityDeletes laterDeletes,
            RewriteReport report)
    {
        BaseTable table = new BaseTable(attempt, tableName);
        Transaction transaction = table.newTransaction();
        RewriteFiles rewrite = transaction.newRewrite();
        planned.files(groups).forEach(file -> rewrite.deleteFile(file.file()));
        removedDeletes.forEach(rewrite::deleteFile);
        laterDeletes.addTo(rewrite);
        groups.forEach(group -> verified.get(group.id()).tasks().forEach(task -> rewrite.addFile(toDataFile(task, table, run.settings().options().outputSpecId()))));
        // an equality delete committed since the plan still applies to the new files
        rewrite.dataSequenceNumber(planned.sequenceNumber());
        // a position delete committed since the plan on a replaced file is a conflict
        rewrite.validateFromSnapshot(planned.snapshotId());
        // Iceberg looks at the history only for replaced data files; a delete file that dangles in the plan can be needed after a rollback
        rewrite.validateWith(new PlannedSnapshotIsAncestor(planned.snapshotId()));
        rewrite.scanManifestsWith(planningExecutor);
        report.toSummary().forEach(rewrite::set);
        IcebergUtil.commit(rewrite, session);
        Optional<StatisticsFile> statistics = keepStatistics(session, transaction);
        try {
            transaction.commitTransaction();
        }
        catch (RuntimeException e) {
            if (attempt.outcome() == Outcome.NOT_COMMITTED) {
                statistics.ifPresent(file -> deleteStatistics(table, file, e));
            }
            throw e;
        }
    }

    /** Rows did not change, so that distinct-value statistics hold for the new snapshot too. */
    private Optional<StatisticsFile> keepStatistics(ConnectorSession session, Transaction transaction)
    {
        Table table = transaction.table();
        Optional<StatisticsFile> statistics = statisticsWriter.rewriteStatisticsFile(session, table, table.currentSnapshot().snapshotId());
        statistics.ifPresent(file -> transaction.updateStatistics().setStatistics(file).commit());
        return statistics;
    }

    private static void deleteStatistics(Table table, StatisticsFile file, RuntimeException failure)
    {
        try {
            table.io().deleteFile(file.path());
        }
        catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Those of the delete files that the table still has. Another rewrite may have removed some that dangled. */
    private static List<DeleteFile> stillLive(BaseTable table, PlannedRewrite planned, List<DeleteFile> deletes)
    {
        Snapshot current = table.currentSnapshot();
        if (deletes.isEmpty() || (current != null && current.snapshotId() == planned.snapshotId())) {
            return deletes;
        }
        Set<DeleteKey> live = new HashSet<>();
        if (current != null) {
            RewriteScanner.forEachLiveDelete(table, current, file -> live.add(DeleteKey.of(file)));
        }
        return deletes.stream()
                .filter(file -> live.contains(DeleteKey.of(file)))
                .collect(toImmutableList());
    }

    private static DataFile toDataFile(CommitTaskData task, BaseTable table, int specId)
    {
        PartitionSpec spec = table.specs().get(specId);
        DataFiles.Builder builder = DataFiles.builder(spec)
                .withPath(task.path())
                .withFileSizeInBytes(task.fileSizeInBytes())
                .withFormat(task.fileFormat().toIceberg())
                .withMetrics(task.metrics().metrics())
                .withSortOrder(table.sortOrders().get(task.sortOrderId()));
        task.fileSplitOffsets().ifPresent(builder::withSplitOffsets);
        if (spec.isPartitioned()) {
            builder.withPartition(PartitionData.fromJson(task.partitionDataJson().orElseThrow(() -> new IllegalStateException("Partition data is missing for " + task.path())), spec));
        }
        return builder.build();
    }

    private Map<Integer, VerifiedGroup> verify(PlannedRewrite planned, Collection<GroupResult> results)
    {
        Map<Integer, VerifiedGroup> groups = new HashMap<>();
        for (GroupResult result : results) {
            VerifiedGroup group = new VerifiedGroup(result, result.commitTasks().stream().map(commitTaskCodec::fromJson).collect(toImmutableList()));
            if (groups.put(result.groupId(), group) != null) {
                throw verificationFailed("file group %s was reported twice".formatted(result.groupId()));
            }
        }
        for (FileGroup group : planned.plan().groups()) {
            VerifiedGroup written = groups.get(group.id());
            if (written == null) {
                throw verificationFailed("file group %s was planned but not reported".formatted(group.id()));
            }
            long records = planned.files(group).stream().mapToLong(file -> file.file().recordCount()).sum();
            long rowsWritten = written.tasks().stream().mapToLong(task -> task.metrics().recordCount()).sum();
            GroupResult result = written.result();
            if (result.rowsRead() != rowsWritten) {
                throw verificationFailed("file group %s read %s rows and wrote %s".formatted(group.id(), result.rowsRead(), rowsWritten));
            }
            if (result.rowsRead() + result.rowsDeleted() != records || result.rowsDeleted() < 0) {
                throw verificationFailed("file group %s has %s rows by its manifests, but %s were read and %s deleted".formatted(group.id(), records, result.rowsRead(), result.rowsDeleted()));
            }
            boolean deletesApply = planned.files(group).stream().anyMatch(file -> !file.deletes().isEmpty());
            if (!deletesApply && result.rowsDeleted() != 0) {
                throw verificationFailed("file group %s lost %s of %s rows although no deletes apply".formatted(group.id(), result.rowsDeleted(), records));
            }
        }
        if (groups.size() != planned.plan().groups().size()) {
            throw verificationFailed("%s file groups were planned and %s reported".formatted(planned.plan().groups().size(), groups.size()));
        }
        return groups;
    }

    private static TrinoException verificationFailed(String what)
    {
        return new TrinoException(REWRITE_VERIFICATION_FAILED, "The check before the commit failed: " + what + "; nothing was changed");
    }

    private static void checkSameTable(BaseTable table, RewriteRun run, PlannedRewrite planned)
    {
        if (!table.uuid().equals(planned.tableUuid())) {
            throw new TrinoException(REWRITE_CONFLICT, "Table %s was replaced by another table of the same name during the rewrite; nothing was changed".formatted(run.writer().schemaTableName()));
        }
    }

    /** Always the newest state: a catalog object of Trino's remembers the tables that it has loaded, so that each load takes a new one. */
    private BaseTable loadTable(ConnectorSession session, SchemaTableName tableName)
    {
        try {
            return catalogFactory.create(session.getIdentity()).loadTable(session, tableName);
        }
        catch (RuntimeException e) {
            throw new TrinoException(REWRITE_COMMIT_FAILED, "Cannot load table %s to commit its rewrite; nothing was changed: %s".formatted(tableName, describe(e)), e);
        }
    }

    /** Whether a snapshot of this query is there, in spite of what the catalog answered. False also when nobody can tell. */
    private boolean wasCommitted(ConnectorSession session, SchemaTableName tableName)
    {
        try {
            for (Snapshot snapshot : loadTable(session, tableName).snapshots()) {
                if (session.getQueryId().equals(snapshot.summary().get(QUERY_ID_SUMMARY))) {
                    return true;
                }
            }
            return false;
        }
        catch (RuntimeException e) {
            log.warn(e, "Query %s: cannot find out whether the rewrite of %s was committed", session.getQueryId(), tableName);
            return false;
        }
    }

    private static TrinoException conflict(SchemaTableName tableName, PlannedRewrite planned, List<FileGroup> conflicting, RuntimeException cause)
    {
        if (conflicting.isEmpty()) {
            return new TrinoException(
                    REWRITE_CONFLICT,
                    "Table %s was rolled back or changed during its rewrite in a way that the rewrite cannot follow; nothing was changed. Run it again: %s".formatted(tableName, describe(cause)),
                    cause);
        }
        List<String> partitions = conflicting.stream()
                .map(planned::partitionName)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        String where = partitions.isEmpty()
                ? ""
                : " (partition %s%s)".formatted(String.join(", ", partitions.subList(0, Math.min(NAMED_PARTITIONS, partitions.size()))), partitions.size() > NAMED_PARTITIONS ? ", …" : "");
        return new TrinoException(
                REWRITE_CONFLICT,
                "Another commit removed or deleted rows from files that the rewrite of table %s replaces; nothing was changed. File groups touched: %s of %s%s. Run it again, or with on_conflict => 'skip_group': %s"
                        .formatted(tableName, conflicting.size(), planned.plan().groups().size(), where, describe(cause)),
                cause);
    }

    private static String describe(Throwable failure)
    {
        String message = Optional.ofNullable(failure.getMessage()).orElseGet(() -> Throwables.getRootCause(failure).toString());
        // Iceberg names a file by all that its manifest says of it
        return DESCRIBED_FILE.matcher(message).replaceAll("$1");
    }

    /** Nothing that was planned holds in a history that the planned snapshot is no part of. */
    private record PlannedSnapshotIsAncestor(long plannedSnapshotId)
            implements SnapshotAncestryValidator
    {
        @Override
        public boolean validate(Iterable<Snapshot> ancestors)
        {
            for (Snapshot ancestor : ancestors) {
                if (ancestor.snapshotId() == plannedSnapshotId) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String errorMessage()
        {
            return "snapshot %s, which the rewrite was planned on, is no ancestor of the current one".formatted(plannedSnapshotId);
        }
    }

    /** A file group's result whose rows have been counted. */
    private record VerifiedGroup(GroupResult result, List<CommitTaskData> tasks)
    {
        List<String> paths()
        {
            return tasks.stream().map(CommitTaskData::path).toList();
        }
    }
}
