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
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Deletes of every kind and what a rewrite makes of them.
 */
public class TestRewriteDeletes
{
    private final String all;
    private final Map<String, String> properties;

    private RewriteCluster cluster;
    private OutsideWriter outside;

    public TestRewriteDeletes()
    {
        this("", ImmutableMap.of());
    }

    /** @param arguments of each rewrite of all files, such as {@code ", name => value"} */
    protected TestRewriteDeletes(String arguments, Map<String, String> properties)
    {
        this.properties = ImmutableMap.copyOf(properties);
        all = "(rewrite_all => true%s)".formatted(arguments);
    }

    @BeforeClass
    public void setUp()
            throws Exception
    {
        cluster = new RewriteCluster(properties);
        outside = cluster.outside();
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        cluster.close();
        cluster = null;
    }

    @Test
    public void testEqualityDeletesOfPartition()
    {
        create("eq_partition", 2, 6);
        // id 0 is deleted in partition a only
        cluster.execute("INSERT INTO eq_partition VALUES ('b', 0, 'b0')");
        outside.deleteEqual("eq_partition", fileOf("eq_partition", "a"), "id", 0L, 2L);
        outside.deleteEqual("eq_partition", fileOf("eq_partition", "b"), "id", 5L);
        assertThat(rows("eq_partition")).containsExactlyInAnyOrder("b0", "v1", "v3", "v4");

        assertThat(cluster.rewrite("eq_partition", "(rewrite_all => true) WHERE part = 'a'"))
                .containsEntry("delete_files_removed", 1L)
                .containsEntry("rows_removed_by_deletes", 2L);
        // the delete file of partition b stays
        assertThat(outside.deleteFiles("eq_partition")).hasSize(1);
        assertThat(rows("eq_partition")).containsExactlyInAnyOrder("b0", "v1", "v3", "v4");

        assertThat(cluster.rewrite("eq_partition", "(rewrite_all => true) WHERE part = 'b'")).containsEntry("delete_files_removed", 1L);
        assertThat(outside.deleteFiles("eq_partition")).isEmpty();
        assertThat(rows("eq_partition")).containsExactlyInAnyOrder("b0", "v1", "v3", "v4");
        assertThat(cluster.unaccountedFiles("eq_partition")).isEmpty();
    }

    @Test
    public void testGlobalEqualityDeletes()
    {
        cluster.execute("CREATE TABLE eq_global (part varchar, id bigint, name varchar) WITH (format_version = 2)");
        cluster.execute("ALTER TABLE eq_global SET PROPERTIES partitioning = ARRAY['part']");
        cluster.execute("INSERT INTO eq_global VALUES ('a', 1, 'a1'), ('a', 2, 'a2')");
        cluster.execute("INSERT INTO eq_global VALUES ('b', 1, 'b1'), ('b', 2, 'b2')");
        outside.deleteEqualEverywhere("eq_global", "id", 1L);
        assertThat(rows("eq_global")).containsExactlyInAnyOrder("a2", "b2");

        // partition b still needs it
        assertThat(cluster.rewrite("eq_global", "(rewrite_all => true) WHERE part = 'a'"))
                .containsEntry("delete_files_removed", 0L)
                .containsEntry("rows_removed_by_deletes", 1L);
        assertThat(outside.deleteFiles("eq_global")).hasSize(1);
        assertThat(rows("eq_global")).containsExactlyInAnyOrder("a2", "b2");

        assertThat(cluster.rewrite("eq_global", "(rewrite_all => true) WHERE part = 'b'")).containsEntry("delete_files_removed", 1L);
        assertThat(outside.deleteFiles("eq_global")).isEmpty();
        assertThat(rows("eq_global")).containsExactlyInAnyOrder("a2", "b2");
    }

    @Test
    public void testPositionDeletesOfSeveralFiles()
    {
        cluster.execute("CREATE TABLE positions (part varchar, id bigint, name varchar) WITH (format_version = 2)");
        cluster.execute("INSERT INTO positions VALUES ('x', 1, 'v1'), ('x', 2, 'v2'), ('x', 3, 'v3')");
        cluster.execute("INSERT INTO positions VALUES ('x', 101, 'v101'), ('x', 102, 'v102'), ('x', 103, 'v103')");
        List<DataFile> files = outside.dataFiles("positions");
        // the same position in two delete files counts once
        outside.deletePositions("positions", ImmutableMap.of(files.get(0), ImmutableList.of(0L, 2L), files.get(1), ImmutableList.of(1L)));
        outside.deletePositions("positions", ImmutableMap.of(files.get(0), ImmutableList.of(2L)));
        assertThat(rows("positions")).containsExactlyInAnyOrder("v2", "v101", "v103");

        // one of the two data files only: the delete file that covers both must stay, the other goes
        assertThat(cluster.rewrite("positions", "(rewrite_all => true) WHERE id < 50"))
                .containsEntry("data_files_read", 1L)
                .containsEntry("delete_files_removed", 1L)
                .containsEntry("rows_removed_by_deletes", 2L);
        assertThat(outside.deleteFiles("positions")).hasSize(1);
        assertThat(rows("positions")).containsExactlyInAnyOrder("v2", "v101", "v103");

        assertThat(cluster.rewrite("positions", "(rewrite_all => true) WHERE id >= 50")).containsEntry("delete_files_removed", 1L);
        assertThat(outside.deleteFiles("positions")).isEmpty();
        assertThat(rows("positions")).containsExactlyInAnyOrder("v2", "v101", "v103");
        assertThat(cluster.unaccountedFiles("positions")).isEmpty();
    }

    @Test
    public void testDeletionVectorsInOnePuffinFile()
    {
        cluster.execute("CREATE TABLE vectors (part varchar, id bigint, name varchar) WITH (format_version = 3)");
        cluster.execute("INSERT INTO vectors VALUES ('x', 1, 'v1'), ('x', 2, 'v2')");
        cluster.execute("INSERT INTO vectors VALUES ('x', 101, 'v101'), ('x', 102, 'v102')");
        List<DataFile> files = outside.dataFiles("vectors");
        outside.deleteByVectors("vectors", ImmutableMap.of(files.get(0), ImmutableList.of(0L), files.get(1), ImmutableList.of(1L)));
        assertThat(rows("vectors")).containsExactlyInAnyOrder("v2", "v101");

        // both vectors are in one file, and differ by their offset alone
        assertThat(cluster.rewrite("vectors", "(rewrite_all => true) WHERE id < 50")).containsEntry("delete_files_removed", 1L);
        assertThat(outside.deleteFiles("vectors")).hasSize(1);
        assertThat(outside.deleteFiles("vectors").getFirst().referencedDataFile()).isEqualTo(files.get(1).location());
        assertThat(rows("vectors")).containsExactlyInAnyOrder("v2", "v101");

        assertThat(cluster.rewrite("vectors", all)).containsEntry("delete_files_removed", 1L);
        assertThat(outside.deleteFiles("vectors")).isEmpty();
        assertThat(rows("vectors")).containsExactlyInAnyOrder("v2", "v101");
    }

    @Test
    public void testDanglingDeletesWithoutFilesToRewrite()
    {
        create("dangling", 2, 2);
        outside.deleteEqual("dangling", fileOf("dangling", "a"), "id", 0L);
        // the delete file stays behind, and the rows that come later are newer than it
        outside.removeFiles("dangling", fileOf("dangling", "a"));
        cluster.execute("INSERT INTO dangling VALUES ('a', 0, 'again')");
        List<DataFile> files = outside.dataFiles("dangling");
        long snapshot = snapshotId("dangling");

        assertThat(cluster.rewrite("dangling", "(remove_dangling_deletes => false)")).containsEntry("delete_files_removed", 0L);
        assertThat(cluster.rewrite("dangling", "(dry_run => true)")).containsEntry("delete_files_removed", 1L);
        assertThat(snapshotId("dangling")).isEqualTo(snapshot);

        assertThat(cluster.rewrite("dangling", ""))
                .containsEntry("groups_planned", 0L)
                .containsEntry("data_files_read", 0L)
                .containsEntry("delete_files_removed", 1L);
        assertThat(outside.deleteFiles("dangling")).isEmpty();
        assertThat(outside.dataFiles("dangling")).extracting(DataFile::location).containsExactlyElementsOf(files.stream().map(DataFile::location).toList());
        assertThat(rows("dangling")).containsExactlyInAnyOrder("v1", "again");

        snapshot = snapshotId("dangling");
        assertThat(cluster.rewrite("dangling", "")).containsEntry("delete_files_removed", 0L);
        assertThat(snapshotId("dangling")).isEqualTo(snapshot);
    }

    @Test
    public void testDanglingPositionDeletesAroundTheRewrittenFile()
    {
        cluster.execute("CREATE TABLE around (part varchar, id bigint, name varchar) WITH (format_version = 2)");
        cluster.execute("INSERT INTO around VALUES ('x', 1, 'v1'), ('x', 2, 'v2')");
        outside.append("around", new Object[] {"x", 3L, "v3"}, new Object[] {"x", 4L, "v4"});
        List<DataFile> files = outside.dataFiles("around");
        outside.deletePositions("around", ImmutableMap.of(files.get(0), ImmutableList.of(0L), files.get(1), ImmutableList.of(0L)));

        // the new file's name lies between the names in the delete file, and it keeps a sequence number to which the delete file applies
        assertThat(cluster.rewrite("around", "(rewrite_all => true, remove_dangling_deletes => false)")).containsEntry("delete_files_removed", 0L);
        String rewritten = outside.dataFiles("around").getFirst().location();
        assertThat(rewritten).isBetween(files.get(0).location(), files.get(1).location());
        assertThat(rows("around")).containsExactlyInAnyOrder("v2", "v4");

        assertThat(cluster.rewrite("around", "")).containsEntry("groups_planned", 0L).containsEntry("delete_files_removed", 1L);
        assertThat(outside.deleteFiles("around")).isEmpty();
        assertThat(rows("around")).containsExactlyInAnyOrder("v2", "v4");
    }

    @DataProvider
    public Object[][] versions()
    {
        return new Object[][] {{2}, {3}};
    }

    @Test(dataProvider = "versions")
    public void testPartitionOfOneFile(int version)
    {
        String table = "single_v" + version;
        create(table, version, 0);
        cluster.execute("INSERT INTO %s VALUES ('a', 1, 'v1'), ('a', 2, 'v2'), ('a', 3, 'v3')".formatted(table));
        cluster.execute("INSERT INTO %s VALUES ('b', 1, 'w1'), ('b', 2, 'w2'), ('b', 3, 'w3')".formatted(table));
        cluster.execute("DELETE FROM %s WHERE name IN ('v2', 'w1')".formatted(table));
        assertThat(outside.deleteFiles(table)).hasSize(2);

        assertThat(cluster.rewrite(table, ""))
                .containsEntry("groups_planned", 2L)
                .containsEntry("delete_files_removed", 2L)
                .containsEntry("rows_removed_by_deletes", 2L);
        assertThat(outside.deleteFiles(table)).isEmpty();
        assertThat(rows(table)).containsExactlyInAnyOrder("v1", "v3", "w2", "w3");
        assertThat(cluster.rewrite(table, "")).containsEntry("groups_planned", 0L).containsEntry("delete_files_removed", 0L);
    }

    @Test(dataProvider = "versions")
    public void testAllRowsDeleted(int version)
    {
        String table = "empty_v" + version;
        create(table, version, 4);
        outside.deleteEqual(table, fileOf(table, "a"), "id", 0L, 2L);
        outside.deleteEqual(table, fileOf(table, "b"), "id", 1L, 3L);
        assertThat(rows(table)).isEmpty();
        assertThat(cluster.rewrite(table, all))
                .containsEntry("delete_files_removed", 2L)
                .containsEntry("data_files_written", 0L)
                .containsEntry("rows_written", 0L);
        assertThat(outside.dataFiles(table)).isEmpty();
        assertThat(outside.deleteFiles(table)).isEmpty();
        assertThat(rows(table)).isEmpty();
        assertThat(cluster.unaccountedFiles(table)).isEmpty();
    }

    @Test
    public void testRowLineage()
    {
        create("lineage", 3, 6);
        cluster.execute("UPDATE lineage SET name = 'updated' WHERE id = 2");
        cluster.execute("DELETE FROM lineage WHERE id = 4");
        String lineage = "SELECT concat_ws('|', cast(id AS varchar), name, cast(\"$row_id\" AS varchar), cast(\"$last_updated_sequence_number\" AS varchar)) FROM lineage";
        List<Object> before = cluster.column(lineage);
        assertThat(before).hasSize(5).doesNotContainNull();

        assertThat(cluster.rewrite("lineage", all)).containsEntry("rows_written", 5L);
        assertThat(cluster.column(lineage)).containsExactlyInAnyOrderElementsOf(before);
        // once more, now from the columns in the files
        assertThat(cluster.rewrite("lineage", all)).containsEntry("rows_written", 5L);
        assertThat(cluster.column(lineage)).containsExactlyInAnyOrderElementsOf(before);
        // and new rows get ids of their own
        cluster.execute("INSERT INTO lineage VALUES ('a', 7, 'v7')");
        List<Object> ids = cluster.column("SELECT \"$row_id\" FROM lineage");
        assertThat(ids).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    public void testStatisticsAreKept()
    {
        create("statistics", 2, 6);
        cluster.execute("ANALYZE statistics");
        Set<Object> before = cluster.queryRunner().execute("SHOW STATS FOR statistics").getMaterializedRows().stream().map(row -> row.getField(0) + "=" + row.getField(2)).collect(toImmutableSet());
        assertThat(before).contains("id=6.0");
        cluster.rewrite("statistics", all);
        assertThat(cluster.queryRunner().execute("SHOW STATS FOR statistics").getMaterializedRows().stream().map(row -> row.getField(0) + "=" + row.getField(2)).collect(toImmutableSet()))
                .isEqualTo(before);
        BaseTable table = outside.load("statistics");
        assertThat(table.statisticsFiles()).anyMatch(file -> file.snapshotId() == table.currentSnapshot().snapshotId());
    }

    @Test
    public void testBranchesTagsAndTimeTravel()
    {
        create("history", 2, 6);
        outside.deleteEqual("history", fileOf("history", "a"), "id", 0L);
        long before = snapshotId("history");
        outside.load("history").manageSnapshots().createTag("release", before).createBranch("work", before).commit();
        cluster.execute("DELETE FROM history WHERE id = 3");
        long deleted = snapshotId("history");

        assertThat(cluster.rewrite("history", all)).containsEntry("delete_files_removed", 2L);
        assertThat(snapshotId("history")).isNotEqualTo(deleted);
        assertThat(outside.load("history").currentSnapshot().parentId()).isEqualTo(deleted);
        assertThat(rows("history")).containsExactlyInAnyOrder("v1", "v2", "v4", "v5");
        assertThat(rows("history FOR VERSION AS OF " + deleted)).containsExactlyInAnyOrder("v1", "v2", "v4", "v5");
        for (String version : List.of(Long.toString(before), "'release'", "'work'")) {
            assertThat(rows("history FOR VERSION AS OF " + version)).as(version).containsExactlyInAnyOrder("v1", "v2", "v3", "v4", "v5");
        }
        assertThat(outside.load("history").refs()).containsKeys("release", "work");
        assertThat(cluster.unaccountedFiles("history")).isEmpty();
    }

    @Test
    public void testOneSnapshotPerStatement()
    {
        create("snapshots", 2, 10);
        outside.deleteEqual("snapshots", fileOf("snapshots", "a"), "id", 0L);
        List<Object> before = rows("snapshots");
        long snapshots = (long) cluster.scalar("SELECT count(*) FROM \"snapshots$snapshots\"");
        assertThat(cluster.rewrite("snapshots", all)).containsEntry("groups_planned", 2L).containsEntry("data_files_written", 2L);
        assertThat(cluster.scalar("SELECT count(*) FROM \"snapshots$snapshots\"")).isEqualTo(snapshots + 1);
        assertThat(rows("snapshots")).containsExactlyInAnyOrderElementsOf(before);
    }

    private void create(String table, int formatVersion, int inserts)
    {
        cluster.execute("CREATE TABLE %s (part varchar, id bigint, name varchar) WITH (format_version = %s, partitioning = ARRAY['part'])".formatted(table, formatVersion));
        for (int i = 0; i < inserts; i++) {
            cluster.execute("INSERT INTO %s VALUES ('%s', %s, 'v%s')".formatted(table, i % 2 == 0 ? "a" : "b", i, i));
        }
    }

    private long snapshotId(String table)
    {
        return outside.load(table).currentSnapshot().snapshotId();
    }

    private DataFile fileOf(String table, String partition)
    {
        return outside.dataFiles(table).stream()
                .filter(file -> file.partition().get(0, String.class).equals(partition))
                .findFirst()
                .orElseThrow();
    }

    private List<Object> rows(String table)
    {
        return cluster.column("SELECT name FROM " + table);
    }
}
