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
import com.google.common.collect.ImmutableMap;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.lakesteward.procedure.LakeErrorCode;
import org.lakesteward.procedure.LakeQueryRunner;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Iterables.getOnlyElement;
import static com.google.common.util.concurrent.Uninterruptibles.getUninterruptibly;
import static java.util.Locale.ENGLISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_COMMIT_FAILED;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_CONFLICT;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_OUTCOME_UNKNOWN;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_VERIFICATION_FAILED;
import static org.lakesteward.procedure.rewrite.RewriteCluster.await;
import static org.lakesteward.procedure.rewrite.RewriteCluster.failure;

/**
 * What others do to the table while a rewrite runs, and what the catalog does to its commit.
 */
public class TestRewriteConflicts
{
    private final String all;
    private final String allOrSkip;

    private RewriteCluster cluster;
    private OutsideWriter outside;

    /** When another commit takes place, as seen from the rewrite. */
    public enum Moment
    {
        /** Between the plan and the first file written. */
        AFTER_PLAN,
        /** When all files are written and the table has been loaded to commit to it. */
        BEFORE_COMMIT,
    }

    public TestRewriteConflicts()
    {
        this("");
    }

    /** @param arguments of each rewrite of all files, such as {@code ", name => value"} */
    protected TestRewriteConflicts(String arguments)
    {
        all = "(rewrite_all => true%s)".formatted(arguments);
        allOrSkip = "(rewrite_all => true, on_conflict => 'skip_group'%s)".formatted(arguments);
    }

    @BeforeClass
    public void setUp()
            throws Exception
    {
        cluster = new RewriteCluster();
        outside = cluster.outside();
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        cluster.close();
        cluster = null;
    }

    @DataProvider
    public Object[][] moments()
    {
        return new Object[][] {{Moment.AFTER_PLAN}, {Moment.BEFORE_COMMIT}};
    }

    @Test(dataProvider = "moments")
    public void testEqualityDeleteMeanwhileStillApplies(Moment moment)
    {
        String table = create("eq_meanwhile", moment, 2, 4);
        DataFile inA = fileOf(table, "a");
        Map<String, Long> metrics = rewrite(table, all, moment, () -> {
            outside.deleteEqual(table, inA, "id", 0L);
            cluster.execute("INSERT INTO %s VALUES ('a', 0, 'again')".formatted(table));
        });
        assertThat(metrics).containsEntry("delete_files_removed", 0L).containsEntry("rows_written", 4L);
        assertThat(outside.dataFiles(table)).extracting(DataFile::dataSequenceNumber).containsExactlyInAnyOrder(5L, 5L, 7L);
        // Iceberg drops delete files that are older than all data files which the commit does not add
        assertThat(getOnlyElement(outside.deleteFiles(table)).dataSequenceNumber()).isEqualTo(6L);
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v2", "v3", "again");
        assertThat(outside.deleteFiles(table)).hasSize(1);

        cluster.rewrite(table, all);
        assertThat(outside.deleteFiles(table)).isEmpty();
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v2", "v3", "again");
    }

    @Test(dataProvider = "conflictActions")
    public void testNothingOfPreservedEqualityDeletesStaysAfterConflict(String onConflict)
    {
        String table = create("eq_then_" + onConflict, Moment.BEFORE_COMMIT, 2, 4);
        List<DataFile> files = outside.dataFiles(table);
        cluster.commits().onCommit(table, commit -> {
            outside.deleteEqual(table, files.getFirst(), "id", 0L);
            cluster.execute("INSERT INTO %s VALUES ('a', 0, 'again')".formatted(table));
            commit.run();
        });
        cluster.commits().onCommit(table, commit -> {
            // by now the statement has written a copy of the equality delete file
            assertThat(cluster.unaccountedFiles(table)).anyMatch(file -> file.getFileName().toString().contains("-later-"));
            outside.removeFiles(table, files.toArray(DataFile[]::new));
            commit.run();
        });
        String arguments = "(rewrite_all => true, on_conflict => '%s')".formatted(onConflict);
        if (onConflict.equals("fail")) {
            assertThat(failure(REWRITE_CONFLICT, () -> cluster.rewrite(table, arguments)))
                    .contains("File groups touched: ")
                    .doesNotContain("partition ''")
                    .doesNotContain("DataFile{");
        }
        else {
            assertThat(cluster.rewrite(table, arguments)).containsEntry("groups_skipped_by_conflict", 2L);
        }
        assertThat(rows(table)).containsExactly("again");
        await(() -> cluster.unaccountedFiles(table).isEmpty());
    }

    @DataProvider
    public Object[][] conflictActions()
    {
        return new Object[][] {{"fail"}, {"skip_group"}};
    }

    @Test(dataProvider = "moments")
    public void testPositionDeleteMeanwhile(Moment moment)
    {
        String table = create("pos_fail", moment, 2, 6);
        List<DataFile> inA = filesOf(table, "a");
        // in one delete file for several data files of the partition
        String message = assertFailsUnchanged(table, all, REWRITE_CONFLICT, moment, () -> outside.deletePositions(
                table,
                ImmutableMap.of(inA.get(0), ImmutableList.of(0L), inA.get(2), ImmutableList.of(0L))));
        assertThat(message).contains("nothing was changed").contains("part=a").contains("1 of 2");
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v2", "v3", "v5");
    }

    @Test(dataProvider = "moments")
    public void testPositionDeleteMeanwhileSkipsGroup(Moment moment)
    {
        String table = create("pos_skip", moment, 2, 6);
        List<DataFile> inA = filesOf(table, "a");
        Map<String, Long> metrics = rewrite(table, allOrSkip, moment, () -> outside.deletePositions(
                table,
                ImmutableMap.of(inA.get(0), ImmutableList.of(0L), inA.get(2), ImmutableList.of(0L))));
        assertThat(metrics)
                .containsEntry("groups_planned", 2L)
                .containsEntry("groups_skipped_by_conflict", 1L)
                .containsEntry("data_files_read", 3L)
                .containsEntry("data_files_written", 1L);
        assertThat(filesOf(table, "a")).extracting(DataFile::location).containsExactlyElementsOf(inA.stream().map(DataFile::location).toList());
        assertThat(filesOf(table, "b")).hasSize(1);
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v2", "v3", "v5");
        // what was written for partition a is gone
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test(dataProvider = "moments")
    public void testDeletionVectorMeanwhile(Moment moment)
    {
        String table = create("vector", moment, 3, 6);
        List<DataFile> inA = filesOf(table, "a");
        assertFailsUnchanged(table, all, REWRITE_CONFLICT, moment, () -> outside.deleteByVectors(table, ImmutableMap.of(inA.get(1), ImmutableList.of(0L))));
        assertThat(rows(table)).containsExactlyInAnyOrder("v0", "v1", "v3", "v4", "v5");

        // now with a vector that the rewrite knows and another deletes more rows of the file
        cluster.execute("INSERT INTO %s VALUES ('b', 11, 'w1'), ('b', 12, 'w2'), ('b', 13, 'w3')".formatted(table));
        cluster.execute("DELETE FROM %s WHERE name = 'w1'".formatted(table));
        Map<String, Long> metrics = rewrite(table, allOrSkip, moment, () -> cluster.execute("DELETE FROM %s WHERE name = 'w2'".formatted(table)));
        assertThat(metrics).containsEntry("groups_skipped_by_conflict", 1L).containsEntry("data_files_written", 1L).containsEntry("delete_files_removed", 1L);
        assertThat(rows(table)).containsExactlyInAnyOrder("v0", "v1", "v3", "v4", "v5", "w3");
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test(dataProvider = "moments")
    public void testFilesRemovedMeanwhile(Moment moment)
    {
        String table = create("removed", moment, 2, 6);
        assertFailsUnchanged(table, all, REWRITE_CONFLICT, moment, () -> cluster.execute("DELETE FROM %s WHERE part = 'a'".formatted(table)));
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v3", "v5");

        cluster.execute("INSERT INTO %s VALUES ('a', 10, 'w')".formatted(table));
        Map<String, Long> metrics = rewrite(table, allOrSkip, moment, () -> cluster.execute("DELETE FROM %s WHERE part = 'b'".formatted(table)));
        assertThat(metrics).containsEntry("groups_skipped_by_conflict", 1L).containsEntry("data_files_written", 1L);
        assertThat(rows(table)).containsExactlyInAnyOrder("w");
        assertThat(cluster.unaccountedFiles(table)).isEmpty();

        // all groups skipped: no commit at all
        long[] truncated = new long[1];
        metrics = rewrite(table, allOrSkip, moment, () -> {
            outside.removeFiles(table, fileOf(table, "a"));
            truncated[0] = snapshotId(table);
        });
        assertThat(metrics).containsEntry("groups_skipped_by_conflict", 1L).containsEntry("data_files_written", 0L);
        assertThat(snapshotId(table)).isEqualTo(truncated[0]);
        await(() -> cluster.unaccountedFiles(table).isEmpty());
    }

    @Test
    public void testTwoRewritesAtOnce()
    {
        String table = create("two", Moment.BEFORE_COMMIT, 2, 6);
        assertFailsUnchanged(table, all, REWRITE_CONFLICT, Moment.BEFORE_COMMIT, () -> cluster.rewrite(table, all));
        assertThat(rows(table)).hasSize(6);
        assertThat(outside.dataFiles(table)).hasSize(2);
    }

    @Test
    public void testTwoRewritesOfDifferentPartitionsAtOnce()
    {
        String table = create("apart", Moment.BEFORE_COMMIT, 2, 6);
        // dangling in the plans of both
        outside.deleteEqual(table, fileOf(table, "a"), "id", 0L);
        outside.removeFiles(table, filesOf(table, "a").getFirst(), filesOf(table, "a").get(1), filesOf(table, "a").get(2));
        cluster.execute("INSERT INTO %s VALUES ('a', 0, 'w0')".formatted(table));
        assertThat(outside.deleteFiles(table)).hasSize(1);

        Map<String, Long> metrics = rewrite(table, all + " WHERE part = 'a'", Moment.BEFORE_COMMIT, () ->
                assertThat(cluster.rewrite(table, all + " WHERE part = 'b'")).containsEntry("delete_files_removed", 1L));
        assertThat(metrics).containsEntry("delete_files_removed", 0L).containsEntry("data_files_written", 1L);
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v3", "v5", "w0");
        assertThat(outside.deleteFiles(table)).isEmpty();
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test
    public void testTableDroppedBeforeWriting()
    {
        String table = create("dropped", Moment.AFTER_PLAN, 2, 4);
        String location = outside.load(table).location();
        assertThatThrownBy(() -> cluster.rewriteDuring(table, all, () -> cluster.execute("DROP TABLE " + table)));
        await(() -> LakeQueryRunner.dataFiles(cluster.queryRunner(), location).isEmpty());
    }

    @Test
    public void testTableDroppedBeforeCommit()
    {
        String table = create("dropped", Moment.BEFORE_COMMIT, 2, 4);
        // Trino's metastore catalogs answer so when the table is gone under their hands: it might have been committed and then renamed
        failure(REWRITE_OUTCOME_UNKNOWN, () -> rewrite(table, all, Moment.BEFORE_COMMIT, () -> cluster.execute("DROP TABLE " + table)));
    }

    @Test
    public void testTableRecreatedBeforeWriting()
    {
        String table = create("recreated", Moment.AFTER_PLAN, 2, 4);
        String location = outside.load(table).location();
        // without its files, so that it is for the commit to notice
        assertThat(failure(REWRITE_CONFLICT, () -> cluster.rewriteDuring(table, all, () -> {
            cluster.execute("CALL lake.system.unregister_table('test', '%s')".formatted(table));
            recreate(table);
        }))).contains("replaced by another table").contains("nothing was changed");
        assertThat(rows(table)).containsExactly("new");
        await(() -> LakeQueryRunner.dataFiles(cluster.queryRunner(), location).size() == 4);
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test
    public void testTableRecreatedBeforeCommit()
    {
        String table = create("recreated", Moment.BEFORE_COMMIT, 2, 4);
        String location = outside.load(table).location();
        assertThat(failure(REWRITE_COMMIT_FAILED, () -> rewrite(table, all, Moment.BEFORE_COMMIT, () -> {
            cluster.execute("DROP TABLE " + table);
            recreate(table);
        }))).contains("nothing was changed");
        assertThat(rows(table)).containsExactly("new");
        await(() -> LakeQueryRunner.dataFiles(cluster.queryRunner(), location).isEmpty());
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    private void recreate(String table)
    {
        cluster.execute("CREATE TABLE %s AS SELECT 'a' part, bigint '7' id, 'new' name".formatted(table));
    }

    @Test(dataProvider = "moments")
    public void testTableReplaced(Moment moment)
    {
        String table = create("replaced", moment, 2, 4);
        assertThat(failure(REWRITE_CONFLICT, () -> rewrite(table, all, moment, () ->
                cluster.execute("CREATE OR REPLACE TABLE %s AS SELECT 'a' part, bigint '7' id, 'new' name".formatted(table))))).contains("nothing was changed");
        assertThat(rows(table)).containsExactly("new");
        await(() -> cluster.unaccountedFiles(table).isEmpty());
    }

    @Test
    public void testTableRenamedBeforeWriting()
    {
        String table = create("renamed", Moment.AFTER_PLAN, 2, 4);
        String to = table + "_to";
        assertThat(failure(REWRITE_COMMIT_FAILED, () -> cluster.rewriteDuring(table, all, () -> rename(table, to)))).contains("nothing was changed");
        assertThat(rows(to)).hasSize(4);
        await(() -> cluster.unaccountedFiles(to).isEmpty());
    }

    @Test
    public void testTableRenamedBeforeCommit()
    {
        String table = create("renamed", Moment.BEFORE_COMMIT, 2, 4);
        String to = table + "_to";
        failure(REWRITE_OUTCOME_UNKNOWN, () -> rewrite(table, all, Moment.BEFORE_COMMIT, () -> rename(table, to)));
        assertThat(rows(to)).hasSize(4);
        // kept, for the new name might refer to them
        assertThat(cluster.unaccountedFiles(to)).hasSize(2);
    }

    private void rename(String from, String to)
    {
        cluster.execute("ALTER TABLE %s RENAME TO %s".formatted(from, to));
    }

    @Test(dataProvider = "moments")
    public void testTableRolledBack(Moment moment)
    {
        String table = create("rolled_back", moment, 2, 4);
        long before = snapshotId(table);
        cluster.execute("DELETE FROM %s WHERE id = 0".formatted(table));
        for (String arguments : List.of(all, allOrSkip)) {
            assertThat(failure(REWRITE_CONFLICT, () -> rewrite(table, arguments, moment, () -> rollBack(table, before)))).contains("nothing was changed");
            assertThat(snapshotId(table)).isEqualTo(before);
            // the deleted row is there again, and must stay
            assertThat(rows(table)).containsExactlyInAnyOrder("v0", "v1", "v2", "v3");
            cluster.execute("DELETE FROM %s WHERE id = 0".formatted(table));
        }
        await(() -> cluster.unaccountedFiles(table).isEmpty());
    }

    @Test
    public void testDanglingDeleteNeededAfterRollBack()
    {
        String table = create("dangling_back", Moment.BEFORE_COMMIT, 2, 4);
        outside.deleteEqual(table, fileOf(table, "a"), "id", 0L);
        long needed = snapshotId(table);
        outside.removeFiles(table, filesOf(table, "a").toArray(DataFile[]::new));
        // dangles in the plan, and is needed again when the rewrite commits
        assertThat(failure(REWRITE_CONFLICT, () -> rewrite(table, "", Moment.BEFORE_COMMIT, () -> {
            rollBack(table, needed);
            checkState(rows(table).size() == 3);
        }))).contains("rolled back");
        assertThat(outside.deleteFiles(table)).hasSize(1);
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v2", "v3");
    }

    @DataProvider
    public Object[][] lies()
    {
        return new Object[][] {{"more", 3L}, {"fewer", 1L}};
    }

    @Test(dataProvider = "lies")
    public void testLyingRecordCount(String name, long claimed)
    {
        String table = "lying_" + name;
        cluster.execute("CREATE TABLE %s (part varchar, id bigint, name varchar)".formatted(table));
        cluster.execute("INSERT INTO %s VALUES ('x', 1, 'v1')".formatted(table));
        outside.appendLying(table, claimed, new Object[] {"x", 2L, "v2"}, new Object[] {"x", 3L, "v3"});
        long snapshot = snapshotId(table);
        assertThat(failure(REWRITE_VERIFICATION_FAILED, () -> cluster.rewrite(table, all)))
                .contains("nothing was changed")
                .contains("must yield %s rows".formatted(claimed))
                .contains("yielded 2");
        assertThat(snapshotId(table)).isEqualTo(snapshot);
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v2", "v3");
        await(() -> cluster.unaccountedFiles(table).isEmpty());
    }

    @Test
    public void testUnknownOutcomeThatWasCommitted()
    {
        String table = create("unknown_done", Moment.BEFORE_COMMIT, 2, 6);
        cluster.commits().onCommit(table, commit -> {
            commit.run();
            throw new CommitStateUnknownException(new RuntimeException("connection reset"));
        });
        assertThat(cluster.rewrite(table, all)).containsEntry("data_files_written", 2L);
        assertThat(outside.dataFiles(table)).hasSize(2);
        assertThat(rows(table)).hasSize(6);
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test
    public void testUnknownOutcomeAfterSkippedGroup()
    {
        String table = create("unknown_skip", Moment.BEFORE_COMMIT, 2, 6);
        List<DataFile> inA = filesOf(table, "a");
        cluster.commits().onCommit(table, commit -> {
            outside.deletePositions(table, ImmutableMap.of(inA.get(0), ImmutableList.of(0L)));
            commit.run();
        });
        cluster.commits().onCommit(table, commit -> {
            commit.run();
            throw new CommitStateUnknownException(new RuntimeException("connection reset"));
        });
        assertThat(cluster.rewrite(table, allOrSkip)).containsEntry("data_files_written", 1L).containsEntry("groups_skipped_by_conflict", 1L);
        assertThat(rows(table)).hasSize(5);
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test
    public void testUnknownOutcomeKeepsFiles()
    {
        String table = create("unknown", Moment.BEFORE_COMMIT, 2, 6);
        Runnable[] late = new Runnable[1];
        cluster.commits().onCommit(table, commit -> {
            late[0] = commit;
            throw new CommitStateUnknownException(new RuntimeException("connection reset"));
        });
        assertThat(failure(REWRITE_OUTCOME_UNKNOWN, () -> cluster.rewrite(table, all)))
                .contains("did not say whether it committed")
                .contains("kept");
        assertThat(cluster.unaccountedFiles(table)).hasSize(2);
        // the catalog gets round to it after all
        late[0].run();
        assertThat(outside.dataFiles(table)).hasSize(2);
        assertThat(rows(table)).hasSize(6);
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test
    public void testUnknownErrorOfCatalogKeepsFiles()
    {
        // not only the exception that says so: any failure of the catalog leaves the outcome open
        String table = create("unknown_error", Moment.BEFORE_COMMIT, 2, 6);
        cluster.commits().onCommit(table, _ -> {
            throw new IllegalStateException("catalog is confused");
        });
        assertThat(failure(REWRITE_OUTCOME_UNKNOWN, () -> cluster.rewrite(table, all))).contains("catalog is confused");
        assertThat(cluster.unaccountedFiles(table)).hasSize(2);
    }

    @Test
    public void testKnownFailureDeletesFiles()
    {
        String table = create("refused", Moment.BEFORE_COMMIT, 2, 6);
        cluster.execute("ANALYZE " + table);
        outside.load(table).updateProperties().set("commit.retry.num-retries", "0").commit();
        Set<Path> metadata = metadataFiles(table);
        cluster.commits().onCommit(table, _ -> {
            throw new CommitFailedException("no, not today");
        });
        assertThat(failure(REWRITE_COMMIT_FAILED, () -> cluster.rewrite(table, all))).contains("nothing was changed").contains("no, not today");
        await(() -> cluster.unaccountedFiles(table).isEmpty());
        assertThat(rows(table)).hasSize(6);
        // nor do manifests or statistics stay behind
        assertThat(metadataFiles(table)).isEqualTo(metadata);
    }

    @Test
    public void testFailureWhilePreparingCommitIsKnown()
    {
        String table = create("unprepared", Moment.BEFORE_COMMIT, 2, 6);
        cluster.execute("ANALYZE " + table);
        BaseTable icebergTable = outside.load(table);
        StatisticsFile statistics = getOnlyElement(icebergTable.statisticsFiles().stream()
                .filter(file -> file.snapshotId() == icebergTable.currentSnapshot().snapshotId())
                .toList());
        assertThatThrownBy(() -> cluster.rewriteDuring(table, all, () -> icebergTable.io().deleteFile(statistics.path())))
                .satisfies(e -> assertThat(failure(REWRITE_COMMIT_FAILED, () -> {
                    throw (RuntimeException) e;
                })).contains("nothing was changed"));
        await(() -> cluster.unaccountedFiles(table).isEmpty());
        assertThat(rows(table)).hasSize(6);
    }

    @Test
    public void testKilledBeforeGroupsAreWritten()
    {
        String table = create("killed", Moment.BEFORE_COMMIT, 2, 6);
        long snapshot = snapshotId(table);
        assertThatThrownBy(() -> cluster.rewriteDuring(table, all, () -> kill(table))).hasMessageContaining("killed");
        assertThat(snapshotId(table)).isEqualTo(snapshot);
        await(() -> cluster.unaccountedFiles(table).isEmpty());
        GroupPermits permits = cluster.commits().injectors().getFirst().getInstance(GroupPermits.class);
        await(() -> permits.getUsed() == 0 && permits.getWaiting() == 0);
        assertThat(cluster.rewrite(table, all)).containsEntry("data_files_written", 2L);
    }

    @Test
    public void testKilledDuringCommitThatSucceeds()
    {
        String table = create("killed_commit", Moment.BEFORE_COMMIT, 2, 6);
        assertThatThrownBy(() -> rewrite(table, all, Moment.BEFORE_COMMIT, () -> {
            kill(table);
            await(() -> runs().size() == 0);
        })).hasMessageContaining("killed");
        // the commit went on: what it refers to must be there
        await(() -> outside.dataFiles(table).size() == 2);
        assertThat(rows(table)).hasSize(6);
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test
    public void testKilledDuringCommitThatFails()
    {
        String table = create("killed_conflict", Moment.BEFORE_COMMIT, 2, 6);
        List<DataFile> inA = filesOf(table, "a");
        assertThatThrownBy(() -> rewrite(table, all, Moment.BEFORE_COMMIT, () -> {
            kill(table);
            await(() -> runs().size() == 0);
            outside.deletePositions(table, ImmutableMap.of(inA.get(0), ImmutableList.of(0L)));
        })).hasMessageContaining("killed");
        await(() -> cluster.unaccountedFiles(table).isEmpty());
        assertThat(rows(table)).hasSize(5);
    }

    @Test
    public void testFailedGroup()
    {
        String table = create("failed_group", Moment.BEFORE_COMMIT, 2, 6);
        long snapshot = snapshotId(table);
        DataFile lost = filesOf(table, "b").get(2);
        BaseTable icebergTable = outside.load(table);
        assertThatThrownBy(() -> cluster.rewriteDuring(table, all, () -> icebergTable.io().deleteFile(lost.location())));
        assertThat(snapshotId(table)).isEqualTo(snapshot);
        await(() -> cluster.unaccountedFiles(table).isEmpty());
    }

    private RewriteRuns runs()
    {
        return cluster.commits().injectors().getFirst().getInstance(RewriteRuns.class);
    }

    private void kill(String table)
    {
        String queryId = (String) cluster.scalar("SELECT query_id FROM system.runtime.queries WHERE state <> 'FAILED' AND state <> 'FINISHED' AND query LIKE 'ALTER TABLE %s EXECUTE%%'".formatted(table));
        cluster.execute("CALL system.runtime.kill_query(query_id => '%s', message => 'killed by test')".formatted(queryId));
    }

    private void rollBack(String table, long snapshot)
    {
        cluster.execute("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(table, snapshot));
    }

    private Map<String, Long> rewrite(String table, String arguments, Moment moment, Runnable meanwhile)
    {
        return switch (moment) {
            case AFTER_PLAN -> cluster.rewriteDuring(table, arguments, meanwhile);
            case BEFORE_COMMIT -> {
                boolean[] reached = new boolean[1];
                cluster.commits().onCommit(table, commit -> {
                    reached[0] = true;
                    // another thread, because the rewrite's own is interrupted when its query is killed
                    Future<?> other = cluster.executor().submit(() -> {
                        meanwhile.run();
                        commit.run();
                    });
                    try {
                        getUninterruptibly(other);
                    }
                    catch (ExecutionException e) {
                        throwIfUnchecked(e.getCause());
                        throw new RuntimeException(e.getCause());
                    }
                });
                try {
                    yield cluster.rewrite(table, arguments);
                }
                finally {
                    assertThat(reached[0]).as("commit was reached").isTrue();
                }
            }
        };
    }

    /** The statement fails, and the table is as the other commit left it. */
    private String assertFailsUnchanged(String table, String arguments, LakeErrorCode code, Moment moment, Runnable meanwhile)
    {
        long[] snapshot = new long[1];
        String message = failure(code, () -> rewrite(table, arguments, moment, () -> {
            meanwhile.run();
            snapshot[0] = snapshotId(table);
        }));
        assertThat(snapshotId(table)).isEqualTo(snapshot[0]);
        await(() -> cluster.unaccountedFiles(table).isEmpty());
        return message;
    }

    private String create(String name, Moment moment, int formatVersion, int inserts)
    {
        String table = name + "_" + moment.name().toLowerCase(ENGLISH);
        cluster.execute("CREATE TABLE %s (part varchar, id bigint, name varchar) WITH (format_version = %s, partitioning = ARRAY['part'])".formatted(table, formatVersion));
        for (int i = 0; i < inserts; i++) {
            cluster.execute("INSERT INTO %s VALUES ('%s', %s, 'v%s')".formatted(table, i % 2 == 0 ? "a" : "b", i, i));
        }
        return table;
    }

    private Set<Path> metadataFiles(String table)
    {
        Path folder = LakeQueryRunner.folder(cluster.queryRunner()).resolve(outside.load(table).location().replaceFirst("^local:/+", "")).resolve("metadata");
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().endsWith(".crc")).collect(toImmutableSet());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long snapshotId(String table)
    {
        return outside.load(table).currentSnapshot().snapshotId();
    }

    private DataFile fileOf(String table, String partition)
    {
        return filesOf(table, partition).getFirst();
    }

    private List<DataFile> filesOf(String table, String partition)
    {
        return outside.dataFiles(table).stream()
                .filter(file -> file.partition().get(0, String.class).equals(partition))
                .toList();
    }

    private List<Object> rows(String table)
    {
        return cluster.column("SELECT name FROM " + table);
    }
}
