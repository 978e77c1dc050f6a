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

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.testing.MaterializedRow;
import org.lakesteward.procedure.LakeQueryRunner;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.rewrite.RewriteTester.metadata;
import static org.lakesteward.procedure.rewrite.RewriteTester.metrics;
import static org.lakesteward.procedure.rewrite.RewriteTester.rewriteSql;

/**
 * How many files a rewrite leaves, what it says about itself, and that it comes to rest.
 */
public class TestRewriteCounts
{
    private RewriteTester tester;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        tester = new RewriteTester(LakeQueryRunner.create(2, ImmutableMap.of()));
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        if (tester != null) {
            tester.close();
        }
        // Trino's TestNG listener ends the JVM when a closed query runner stays in a field
        tester = null;
    }

    /** Eight files of incompressible text, about 1.2 MB each; the target of 4 MB is filled by some. */
    private long createBytes(String table, int files)
    {
        tester.execute("CREATE TABLE %s (id bigint, text varchar)".formatted(table));
        for (int i = 0; i < files; i++) {
            tester.execute("INSERT INTO %s SELECT n, to_hex(sha512(to_utf8(CAST(n * 31 + %s AS varchar)))) || to_hex(sha512(to_utf8(CAST(n * 37 + %s AS varchar)))) FROM UNNEST(sequence(1, 8000)) t(n)".formatted(table, i * 100_000_000L, i * 100_000_007L));
        }
        return (Long) tester.scalar("SELECT sum(file_size_in_bytes) FROM " + metadata(table, "files"));
    }

    @Test
    public void testExactNumberOfFiles()
    {
        long bytes = createBytes("exact", 8);
        long target = 4L << 20;
        long expected = Math.ceilDiv(bytes, target);
        assertThat(expected).isBetween(2L, 4L);
        Object checksum = tester.checksum("exact");
        Session writers = Session.builder(tester.queryRunner().getDefaultSession())
                .setSystemProperty("task_min_writer_count", "4")
                .setSystemProperty("task_max_writer_count", "8")
                .setSystemProperty("max_writer_task_count", "16")
                .build();
        Map<String, Long> metrics = tester.rewrite(writers, "exact", "(target_file_size => '4MB')");
        assertThat(tester.fileCount("exact")).isEqualTo(expected);
        assertThat(metrics).containsEntry("data_files_written", expected).containsEntry("data_files_read", 8L).containsEntry("bytes_read", bytes);
        assertThat(tester.checksum("exact")).isEqualTo(checksum);

        long snapshot = tester.snapshot("exact").orElseThrow();
        Map<String, Long> second = tester.rewrite("exact", "(target_file_size => '4MB')");
        assertThat(second).containsEntry("data_files_written", 0L).containsEntry("groups_planned", 0L);
        assertThat(tester.snapshot("exact")).contains(snapshot);
    }

    @Test
    public void testFilesJustBelowTheTargetAreLeftAlone()
    {
        long bytes = createBytes("below", 3);
        long snapshot = tester.snapshot("below").orElseThrow();
        Map<String, Long> metrics = tester.rewrite("below", "(target_file_size => '%sB')".formatted(bytes / 3 + 20_000));
        assertThat(metrics).containsEntry("groups_planned", 0L).containsEntry("files_left_alone_right_size", 3L);
        assertThat(tester.snapshot("below")).contains(snapshot);
    }

    @Test
    public void testNothingToDo()
    {
        tester.execute("CREATE TABLE nothing (id bigint)");
        assertThat(tester.rewrite("nothing", "(rewrite_all => true)")).containsEntry("groups_planned", 0L);
        assertThat(tester.rewrite("nothing", "(rewrite_all => true, dry_run => true)")).containsEntry("dry_run", 1L);
        assertThat(tester.rewrite("nothing", "(rewrite_all => true) WHERE id > 5")).containsEntry("groups_planned", 0L);
        assertThat(plan("nothing", ", rewrite_all => true")).isEmpty();
        tester.execute("INSERT INTO nothing VALUES 1, 2");
        tester.execute("DELETE FROM nothing");
        long snapshot = tester.snapshot("nothing").orElseThrow();
        assertThat(tester.rewrite("nothing", "(rewrite_all => true)")).containsEntry("groups_planned", 0L).containsEntry("delete_files_removed", 0L);
        assertThat(tester.snapshot("nothing")).contains(snapshot);
        assertThat(plan("nothing", ", rewrite_all => true")).isEmpty();
        assertThat(tester.scalar("SELECT count(*) FROM nothing")).isEqualTo(0L);
    }

    /** dry_run, plan_rewrite, the run's metric rows and the snapshot's summary tell the same story. */
    @Test
    public void testPlanAgreesWithRun()
    {
        tester.execute("CREATE TABLE story (id bigint, p varchar) WITH (partitioning = ARRAY['p'])");
        for (int i = 0; i < 6; i++) {
            tester.execute("INSERT INTO story VALUES (%1$s, 'a'), (%1$s + 100, NULL)".formatted(i) + (i < 2 ? ", (%s, 'few')".formatted(i + 200) : ""));
        }
        tester.execute("DELETE FROM story WHERE id = 3");
        Object checksum = tester.checksum("story");
        long snapshot = tester.snapshot("story").orElseThrow();

        List<MaterializedRow> plan = plan("story", "");
        Map<String, Long> dryRun = tester.rewrite("story", "(dry_run => true)");
        assertThat(tester.snapshot("story")).contains(snapshot);
        Map<String, Long> run = tester.rewrite("story", "");
        assertThat(tester.snapshot("story")).isPresent().get().isNotEqualTo(snapshot);
        assertThat(tester.checksum("story")).isEqualTo(checksum);

        List<MaterializedRow> groups = plan.stream().filter(row -> row.getField(0).equals("rewrite")).toList();
        assertThat(groups).hasSize(2);
        assertThat(groups).extracting(row -> row.getField(2)).containsExactlyInAnyOrder("p=a", "p=null");
        assertThat(run).containsEntry("groups_planned", 2L).containsEntry("groups_encoded", 2L).containsEntry("groups_copied", 0L);
        for (String metric : Set.of("groups_planned", "groups_encoded", "groups_copied", "data_files_read", "data_files_written", "delete_files_removed", "bytes_read", "files_left_alone_too_few_files")) {
            assertThat(dryRun.get(metric)).as(metric).isEqualTo(run.get(metric));
        }
        assertThat(run.get("data_files_read")).isEqualTo(groups.stream().mapToLong(row -> (Long) row.getField(4)).sum());
        assertThat(run.get("bytes_read")).isEqualTo(groups.stream().mapToLong(row -> (Long) row.getField(5)).sum());
        assertThat(run.get("data_files_written")).isEqualTo(groups.stream().mapToLong(row -> (Long) row.getField(7)).sum());
        assertThat(run.get("rows_read") - run.get("rows_removed_by_deletes")).isEqualTo(run.get("rows_written"));

        Map<String, String> summary = tester.summary("story");
        assertThat(summary).containsEntry("lakesteward.operation", "rewrite_data_files").containsEntry("lakesteward.strategy", "binpack");
        for (String metric : Set.of("groups_planned", "groups_encoded", "groups_copied", "groups_skipped_by_conflict", "data_files_read", "data_files_written", "delete_files_removed", "bytes_read", "bytes_written", "rows_read", "rows_written")) {
            assertThat(summary).containsEntry("lakesteward." + metric.replace('_', '-'), run.get(metric).toString());
        }
        assertThat(summary).containsEntry("added-records", summary.get("lakesteward.rows-written"));
    }

    @Test
    public void testWaysToRun()
    {
        tester.execute("CREATE TABLE ways (id bigint)");
        for (int i = 0; i < 5; i++) {
            tester.execute("INSERT INTO ways VALUES " + i);
        }
        long snapshot = tester.snapshot("ways").orElseThrow();
        assertThat((String) tester.scalar("EXPLAIN " + rewriteSql("ways", ""))).contains("rewrite_data_files");
        assertThat((String) tester.scalar("EXPLAIN (TYPE DISTRIBUTED) " + rewriteSql("ways", " WHERE id < 100"))).contains("TableScan");
        assertThat(tester.snapshot("ways")).contains(snapshot);
        assertThat((String) tester.scalar("EXPLAIN ANALYZE " + rewriteSql("ways", ""))).contains("rewrite_data_files");
        assertThat(tester.fileCount("ways")).isEqualTo(1);
        assertThat(tester.scalar("SELECT count(*) FROM ways")).isEqualTo(5L);

        tester.rollBack("ways", snapshot);
        // Trino 483 does not find parameters in this statement (ParameterExtractor), so that none can be given
        Session prepared = Session.builder(tester.queryRunner().getDefaultSession())
                .addPreparedStatement("compact", rewriteSql("ways", "(min_input_files => 2) WHERE id < 100"))
                .build();
        tester.queryRunner().execute(prepared, "EXECUTE compact");
        assertThat(tester.fileCount("ways")).isEqualTo(1);

        tester.rollBack("ways", snapshot);
        tester.execute("EXECUTE IMMEDIATE '%s'".formatted(rewriteSql("ways", "")));
        assertThat(tester.fileCount("ways")).isEqualTo(1);
        tester.rollBack("ways", snapshot);
        assertThat(metrics(tester.execute(rewriteSql("lake.test.ways", "")))).containsEntry("data_files_read", 5L);
    }

    private List<MaterializedRow> plan(String table, String arguments)
    {
        return tester.execute("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => '%s'%s))".formatted(table, arguments)).getMaterializedRows();
    }
}
