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
import io.trino.Session;
import io.trino.testing.MaterializedRow;
import org.lakesteward.procedure.LakeQueryRunner;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static com.google.common.collect.Sets.intersection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.rewrite.RewriteTester.metadata;
import static org.lakesteward.procedure.rewrite.RewriteTester.rewriteSql;

/**
 * What a sort makes of tables: files with nothing in common, in order, as many as asked for, with the rows that were there. Two nodes, each of which writes two
 * ranges at a time, so that groups with more than four take several passes, and sorts little of them in memory.
 */
public class TestRewriteSort
{
    private static final String SORT_1MB = "(strategy => 'sort', target_file_size => '1MB')";

    private static final List<String> ORDERS = ImmutableList.of("k ASC NULLS FIRST", "k DESC NULLS LAST", "k ASC NULLS LAST", "k DESC NULLS FIRST");

    private final Map<String, String> properties;

    private RewriteTester tester;

    /** Rows go through the exchange, and a group of many ranges takes several passes. */
    public TestRewriteSort()
    {
        this(ImmutableMap.of("rewrite.max-sort-without-exchange", "0B", "rewrite.max-sort-ranges-per-node", "2", "iceberg.writer-sort-buffer-size", "1MB"));
    }

    protected TestRewriteSort(Map<String, String> properties)
    {
        this.properties = ImmutableMap.copyOf(properties);
    }

    @BeforeClass
    public void setUp()
            throws Exception
    {
        tester = new RewriteTester(LakeQueryRunner.create(1, properties));
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

    @Test
    public void testFilesAreDisjoint()
    {
        tester.execute("CREATE TABLE disjoint (k bigint, text varchar) WITH (sorted_by = ARRAY['k'])");
        insertRandom("disjoint", 0, 12, 8_000);
        assertThat(overlappingPairs("disjoint", "k")).hasSize(12 * 11 / 2);
        long bytes = bytes("disjoint");
        long expected = Math.ceilDiv(bytes, 1L << 20);
        // several passes, each over four ranges
        assertThat(expected).isGreaterThan(4);
        Object checksum = tester.checksum("disjoint");
        long snapshots = snapshots("disjoint");

        assertThat(tester.rewrite("disjoint", "(strategy => 'sort', target_file_size => '1MB', dry_run => true)"))
                .containsEntry("dry_run", 1L)
                .containsEntry("data_files_written", expected);
        Map<String, Long> metrics = tester.rewrite("disjoint", SORT_1MB);
        assertThat(metrics)
                .containsEntry("groups_sorted", 1L)
                .containsEntry("data_files_read", 12L)
                .containsEntry("data_files_written", expected)
                .containsEntry("rows_written", 96_000L);
        assertThat(tester.checksum("disjoint")).isEqualTo(checksum);
        assertSorted("disjoint", "k");
        assertBoundsDisjoint("disjoint", "k");
        assertThat(snapshots("disjoint")).isEqualTo(snapshots + 1);
        // nor are temporary files of spilled rows left
        String location = ((String) tester.scalar("SELECT DISTINCT \"$path\" FROM disjoint LIMIT 1")).replaceFirst("/data/.*", "");
        assertThat(LakeQueryRunner.dataFiles(tester.queryRunner(), location)).hasSize((int) (12 + expected));
        // the ranges are of like size
        assertThat((Long) tester.scalar("SELECT max(record_count) FROM " + metadata("disjoint", "files"))).isLessThan(2 * 96_000 / expected);
        assertThat(tester.execute("SELECT DISTINCT sort_order_id FROM " + metadata("disjoint", "files")).getOnlyColumnAsSet()).containsExactly(1);
        assertThat(tester.summary("disjoint"))
                .containsEntry("lakesteward.strategy", "sort")
                .containsEntry("lakesteward.sort-order", "k ASC NULLS FIRST")
                .containsEntry("lakesteward.groups-sorted", "1");

        long snapshot = tester.snapshot("disjoint").orElseThrow();
        assertThat(tester.rewrite("disjoint", SORT_1MB)).containsEntry("groups_planned", 0L);
        assertThat(tester.snapshot("disjoint")).contains(snapshot);
    }

    /** Iceberg compares UUIDs by signed halves, Trino and the bounds in Parquet by bytes. */
    @Test
    public void testOverlapOfUuidsIsFound()
    {
        tester.execute("CREATE TABLE uuids (k uuid, n bigint) WITH (sorted_by = ARRAY['k'])");
        tester.execute("INSERT INTO uuids VALUES (UUID '10000000-0000-4000-8000-000000000000', 1), (UUID 'f0000000-0000-4000-8000-000000000000', 2)");
        tester.execute("INSERT INTO uuids VALUES (UUID '40000000-0000-4000-8000-000000000000', 3)");
        tester.execute("INSERT INTO uuids VALUES (UUID 'c0000000-0000-4000-8000-000000000000', 4)");
        Object checksum = tester.checksum("uuids");
        assertThat(tester.rewrite("uuids", "(strategy => 'sort')"))
                .containsEntry("data_files_read", 3L)
                .containsEntry("data_files_written", 1L);
        assertThat(tester.checksum("uuids")).isEqualTo(checksum);
        assertThat(tester.rewrite("uuids", "(strategy => 'sort')")).containsEntry("groups_planned", 0L);
    }

    @Test
    public void testFilesSortedBeforeTheTableHadTheOrderGetIt()
    {
        tester.execute("CREATE TABLE later (k bigint, text varchar)");
        insertSequence("later", 0, 100);
        tester.rewrite("later", "(strategy => 'sort', sort_order => ARRAY['k'], rewrite_all => true)");
        tester.execute("ALTER TABLE later SET PROPERTIES sorted_by = ARRAY['k']");
        tester.rewrite("later", "(strategy => 'sort')");
        assertThat(tester.execute("SELECT DISTINCT sort_order_id FROM " + metadata("later", "files")).getOnlyColumnAsSet()).containsExactly(1);
        assertThat(tester.rewrite("later", "(strategy => 'sort')")).containsEntry("groups_planned", 0L);
    }

    @Test
    public void testOnlyWhatNewFilesOverlapIsRewritten()
    {
        tester.execute("CREATE TABLE appended (k bigint, text varchar) WITH (sorted_by = ARRAY['k'])");
        insertSequence("appended", 0, 60_000);
        tester.rewrite("appended", "(strategy => 'sort', target_file_size => '1MB', rewrite_all => true)");
        Set<String> before = tester.files("appended");
        assertThat(before).hasSizeGreaterThan(3);
        Object touched = tester.scalar("SELECT DISTINCT \"$path\" FROM appended WHERE k = 100");

        // within the range of one file
        insertSequence("appended", 90, 20);
        Object checksum = tester.checksum("appended");
        Map<String, Long> metrics = tester.rewrite("appended", SORT_1MB);
        assertThat(metrics).containsEntry("data_files_read", 2L);
        assertThat(tester.files("appended")).doesNotContain((String) touched);
        assertThat(intersection(tester.files("appended"), before)).hasSize(before.size() - 1);
        assertThat(tester.checksum("appended")).isEqualTo(checksum);
        assertSorted("appended", "k");
        assertThat(tester.rewrite("appended", SORT_1MB)).containsEntry("groups_planned", 0L);

        // after all others, and large enough
        insertSequence("appended", 100_000, 20_000);
        Set<String> sorted = tester.files("appended");
        assertThat(tester.rewrite("appended", SORT_1MB)).containsEntry("groups_planned", 0L);
        assertThat(tester.files("appended")).isEqualTo(sorted);
        assertSorted("appended", "k");
    }

    @Test
    public void testOneKeyInMostRows()
    {
        tester.execute("CREATE TABLE skewed (k bigint, text varchar)");
        insert("skewed", "IF(n % 10 = 0, n, 4_000)", 0, 80_000);
        insert("skewed", "IF(n % 10 = 0, n, 4_000)", 80_000, 80_000);
        Object checksum = tester.checksum("skewed");
        String sort = "(strategy => 'sort', sort_order => ARRAY['k'], target_file_size => '1MB')";
        Map<String, Long> metrics = tester.rewrite("skewed", sort);
        assertThat(tester.checksum("skewed")).isEqualTo(checksum);
        assertSorted("skewed", "k");
        // the heavy key has a file to itself, but for what lies between it and the next key of the sample
        assertThat((Double) tester.scalar("SELECT avg(IF(k = 4000, 1e0, 0e0)) FROM skewed WHERE \"$path\" IN (SELECT \"$path\" FROM skewed WHERE k = 4000)")).isGreaterThan(0.99);
        assertThat(tester.fileCount("skewed")).isEqualTo(metrics.get("data_files_written")).isGreaterThan(2);
        // no order of the table's own
        assertThat(tester.execute("SELECT DISTINCT sort_order_id FROM " + metadata("skewed", "files")).getOnlyColumnAsSet()).containsExactly(0);
        assertThat(tester.rewrite("skewed", sort)).containsEntry("groups_planned", 0L);
    }

    @Test
    public void testAllKeysEqual()
    {
        tester.execute("CREATE TABLE equal (k bigint, text varchar)");
        insert("equal", "7", 0, 30_000);
        insert("equal", "7", 30_000, 30_000);
        Object checksum = tester.checksum("equal");
        String sort = "(strategy => 'sort', sort_order => ARRAY['k'], target_file_size => '1MB', rewrite_all => true)";
        assertThat(tester.rewrite("equal", sort)).containsEntry("data_files_written", 1L);
        assertThat(tester.checksum("equal")).isEqualTo(checksum);
        assertThat(tester.rewrite("equal", "(strategy => 'sort', sort_order => ARRAY['k'], target_file_size => '1MB')")).containsEntry("groups_planned", 0L);
    }

    @Test
    public void testFewRows()
    {
        tester.execute("CREATE TABLE few (k bigint) WITH (sorted_by = ARRAY['k'])");
        assertThat(tester.rewrite("few", "(strategy => 'sort')")).containsEntry("groups_planned", 0L);
        assertThat(tester.rewrite("few", "(strategy => 'sort', dry_run => true)")).containsEntry("groups_planned", 0L);
        tester.execute("INSERT INTO few VALUES 3");
        assertThat(tester.rewrite("few", "(strategy => 'sort', rewrite_all => true)")).containsEntry("data_files_written", 1L).containsEntry("rows_written", 1L);
        assertThat(tester.scalar("SELECT k FROM few")).isEqualTo(3L);
        tester.execute("INSERT INTO few VALUES 1");
        tester.execute("INSERT INTO few VALUES 4, 2");
        tester.rewrite("few", "(strategy => 'sort')");
        assertSorted("few", "k");
        assertThat(tester.execute("SELECT k FROM few ORDER BY k").getOnlyColumn()).containsExactly(1L, 2L, 3L, 4L);
        tester.execute("DELETE FROM few");
        assertThat(tester.rewrite("few", "(strategy => 'sort', rewrite_all => true)")).containsEntry("groups_planned", 0L);
    }

    @DataProvider
    public Object[][] types()
    {
        return new Object[][] {
                {"boolean", "n % 2 = 0"},
                {"integer", "CAST(n * 7919 % 5000 - 2500 AS integer)"},
                {"bigint", "n * 1_000_000_007 - 9_000_000_000_000"},
                {"decimal_7_2", "CAST(n % 4000 - 2000 AS decimal(7, 2)) / 4"},
                {"decimal_38_5", "CAST(n - 4000 AS decimal(38, 5)) * DECIMAL '100000000000000000000.00001'"},
                {"real", "CAST(CASE n % 50 WHEN 0 THEN nan() WHEN 1 THEN infinity() WHEN 2 THEN -infinity() WHEN 3 THEN -0e0 WHEN 4 THEN 0e0 ELSE sin(n) * 1000 END AS real)"},
                {"double", "CASE n % 50 WHEN 0 THEN nan() WHEN 1 THEN infinity() WHEN 2 THEN -infinity() WHEN 3 THEN -0e0 WHEN 4 THEN 0e0 ELSE sin(n) * 1000 END"},
                {"varchar", "chr(CAST(65 + n % 26 AS integer)) || U&'\\00e4\\4e16\\+01f600' || chr(CAST(200 + n * 31 % 60000 % 50000 AS integer))"},
                {"varchar_long", "rpad('', 400, U&'\\00e4') || chr(CAST(97 + n % 26 AS integer)) || CAST(n AS varchar)"},
                {"varbinary", "CAST(substr(sha256(to_utf8(CAST(n AS varchar))), 1, CAST(n % 32 AS bigint)) AS varbinary)"},
                {"date", "DATE '1969-06-01' + n % 900 * INTERVAL '1' DAY"},
                {"time_6", "CAST(TIME '00:00:00.000001' + n * INTERVAL '7.001' SECOND AS time(6))"},
                {"timestamp_6", "CAST(TIMESTAMP '1969-12-31 23:00:00.123456' + n * INTERVAL '10.01' SECOND AS timestamp(6))"},
                {"timestamp_6_with_time_zone", "CAST(TIMESTAMP '1969-12-31 23:00:00.123456 +02:00' + n * INTERVAL '10.01' SECOND AS timestamp(6) with time zone)"},
                {"uuid", "CAST(substr(to_hex(md5(to_utf8(CAST(n AS varchar)))), 1, 8) || '-' || '0000-4000-8000-' || substr(to_hex(md5(to_utf8(CAST(n AS varchar)))), 9, 12) AS uuid)"},
        };
    }

    @Test(dataProvider = "types")
    public void testTypes(String name, String expression)
    {
        String table = "type_" + name;
        tester.execute("CREATE TABLE %s AS SELECT IF(n %% 11 = 5, NULL, %s) k, to_hex(sha512(to_utf8(CAST(n AS varchar)))) || to_hex(md5(to_utf8(CAST(n AS varchar)))) text FROM UNNEST(sequence(0, 9_999)) t(n)".formatted(table, expression));
        tester.execute("INSERT INTO %s SELECT IF(n %% 11 = 5, NULL, %s) k, to_hex(sha512(to_utf8(CAST(-1 - n AS varchar)))) || to_hex(md5(to_utf8(CAST(-1 - n AS varchar)))) FROM UNNEST(sequence(0, 9_999)) t(n)".formatted(table, expression));
        Object checksum = tester.checksum(table);
        // each order sorts what the one before left
        for (String order : name.equals("double") || name.equals("varchar") ? ORDERS : ORDERS.subList(0, 2)) {
            String sort = "(strategy => 'sort', sort_order => ARRAY['%s'], target_file_size => '1MB'%s)";
            // files that are apart by one order are apart by its reverse too, and would be left alone
            tester.rewrite(table, sort.formatted(order, ", rewrite_all => true"));
            assertThat(tester.checksum(table)).as(order).isEqualTo(checksum);
            assertSorted(table, order, name.equals("real") || name.equals("double") ? icebergOrder(order) : order);
            assertThat(tester.fileCount(table)).as(order).isGreaterThan(1);
            assertThat(tester.rewrite(table, sort.formatted(order, ""))).as(order).containsEntry("groups_planned", 0L);
        }
    }

    /** NaN is the greatest number in Iceberg; Trino's place of NaN goes with that of nulls. */
    private static String icebergOrder(String order)
    {
        return "k IS NULL %s, is_nan(k) %s, %s".formatted(order.contains("NULLS FIRST") ? "DESC" : "ASC", order.contains("DESC") ? "DESC" : "ASC", order);
    }

    @Test
    public void testSeveralColumnsAndQuotedNames()
    {
        tester.execute("CREATE TABLE \"Quoted sort\" (\"a b\" varchar, k bigint, \"x-y\" double, text varchar) WITH (sorted_by = ARRAY['\"a b\" DESC NULLS FIRST', 'k', '\"x-y\" DESC NULLS LAST'])");
        for (int file = 0; file < 3; file++) {
            tester.execute(("INSERT INTO \"Quoted sort\" SELECT IF(n %% 7 = 0, NULL, CAST(n %% 3 AS varchar)), n %% 1000, CASE n %% 9 WHEN 0 THEN NULL WHEN 1 THEN nan() ELSE sin(n) END, to_hex(sha512(to_utf8(CAST(n AS varchar)))) " +
                    "FROM UNNEST(sequence(%1$s, %1$s + 9_999)) t(n)").formatted(file * 10_000));
        }
        Object checksum = tester.checksum("\"Quoted sort\"");
        tester.rewrite("\"Quoted sort\"", SORT_1MB);
        assertThat(tester.checksum("\"Quoted sort\"")).isEqualTo(checksum);
        assertSorted("\"Quoted sort\"", "\"a b\" DESC NULLS FIRST, k ASC NULLS FIRST, \"x-y\" DESC NULLS LAST");
        assertThat(tester.fileCount("\"Quoted sort\"")).isGreaterThan(1);
        assertThat(tester.rewrite("\"Quoted sort\"", SORT_1MB)).containsEntry("groups_planned", 0L);
    }

    @Test
    public void testThousandPartitions()
    {
        tester.execute("CREATE TABLE thousand (p integer, k bigint) WITH (partitioning = ARRAY['p'])");
        for (int file = 0; file < 2; file++) {
            for (int part = 0; part < 10; part++) {
                // Trino writes at most 100 partitions at a time
                tester.execute("INSERT INTO thousand SELECT CAST(n %% 100 + %s AS integer), n * 7919 %% 10_007 FROM UNNEST(sequence(%2$s, %2$s + 999)) t(n)".formatted(part * 100, file * 1_000));
            }
        }
        Object checksum = tester.checksum("thousand");
        Map<String, Long> metrics = tester.rewrite("thousand", "(strategy => 'sort', sort_order => ARRAY['k DESC'])");
        assertThat(metrics).containsEntry("groups_sorted", 1_000L).containsEntry("data_files_written", 1_000L).containsEntry("data_files_read", 2_000L);
        assertThat(tester.checksum("thousand")).isEqualTo(checksum);
        assertThat(tester.scalar("SELECT count(DISTINCT partition.p) FROM \"thousand$files\"")).isEqualTo(1_000L);
        assertThat(tester.rewrite("thousand", "(strategy => 'sort', sort_order => ARRAY['k DESC'])")).containsEntry("groups_planned", 0L);
    }

    @Test
    public void testPartitionsOfOtherSpec()
    {
        tester.execute("CREATE TABLE evolved (k bigint, p varchar, r row(d date), text varchar)");
        for (int file = 0; file < 2; file++) {
            tester.execute(("INSERT INTO evolved SELECT n * 7919 %% 10_007, IF(n %% 5 = 0, NULL, 'p' || CAST(n %% 3 AS varchar)), ROW(DATE '2026-01-01' + n %% 40 * INTERVAL '1' DAY), to_hex(sha512(to_utf8(CAST(n AS varchar)))) " +
                    "FROM UNNEST(sequence(%1$s, %1$s + 9_999)) t(n)").formatted(file * 10_000));
        }
        tester.execute("ALTER TABLE evolved SET PROPERTIES partitioning = ARRAY['p', 'month(\"r.d\")']");
        Object checksum = tester.checksum("evolved");
        String sort = "(strategy => 'sort', sort_order => ARRAY['k'], target_file_size => '1MB')";
        tester.rewrite("evolved", sort);
        assertThat(tester.checksum("evolved")).isEqualTo(checksum);
        assertSorted("evolved", "k");
        assertThat(tester.scalar("SELECT count(DISTINCT partition) FROM \"evolved$files\"")).isEqualTo(8L);
        assertThat(tester.rewrite("evolved", sort)).containsEntry("groups_planned", 0L);
    }

    @Test
    public void testEmptyPartitionsAndWhere()
    {
        tester.execute("CREATE TABLE parts (k bigint, p varchar) WITH (partitioning = ARRAY['p'], sorted_by = ARRAY['k'])");
        for (int file = 0; file < 3; file++) {
            tester.execute("INSERT INTO parts SELECT n * 7919 %% 101, IF(n %% 3 = 0, NULL, 'p' || CAST(n %% 3 AS varchar)) FROM UNNEST(sequence(%1$s, %1$s + 99)) t(n)".formatted(file * 100));
        }
        tester.execute("DELETE FROM parts WHERE p = 'p1' AND k >= 0");
        tester.execute("DELETE FROM parts WHERE p IS NULL AND k < 50");
        Object checksum = tester.checksum("parts");
        Map<String, Long> metrics = tester.rewrite("parts", "(strategy => 'sort') WHERE p IS NULL");
        assertThat(metrics).containsEntry("groups_sorted", 1L).containsEntry("data_files_written", 1L);
        assertThat(tester.checksum("parts")).isEqualTo(checksum);
        metrics = tester.rewrite("parts", "(strategy => 'sort')");
        assertThat(metrics).containsEntry("groups_sorted", 2L).containsEntry("data_files_written", 1L);
        assertThat(tester.checksum("parts")).isEqualTo(checksum);
        assertSorted("parts", "k");
        assertThat(tester.fileCount("parts")).isEqualTo(2);
    }

    @Test
    public void testNestedColumnsTravelAlong()
    {
        tester.execute("CREATE TABLE nested (k bigint, a array(row(x bigint, y varchar)), m map(varchar, double), r row(n row(z date)), text varchar)");
        for (int file = 0; file < 2; file++) {
            tester.execute(("INSERT INTO nested SELECT n * 7919 %% 10_007, IF(n %% 4 = 0, NULL, ARRAY[ROW(n, 'y'), ROW(NULL, CAST(n AS varchar))]), MAP(ARRAY['a'], ARRAY[n / 7e0]), ROW(ROW(DATE '2026-01-01' + n %% 40 * INTERVAL '1' DAY)), to_hex(sha512(to_utf8(CAST(n AS varchar)))) " +
                    "FROM UNNEST(sequence(%1$s, %1$s + 9_999)) t(n)").formatted(file * 10_000));
        }
        Object before = tester.scalar("SELECT checksum(ROW(k, a, CAST(m AS json), r, text)) FROM nested");
        tester.rewrite("nested", "(strategy => 'sort', sort_order => ARRAY['k'], target_file_size => '1MB')");
        assertThat(tester.scalar("SELECT checksum(ROW(k, a, CAST(m AS json), r, text)) FROM nested")).isEqualTo(before);
        assertSorted("nested", "k");
    }

    @DataProvider
    public Object[][] formats()
    {
        return new Object[][] {{"ORC"}, {"AVRO"}};
    }

    @Test(dataProvider = "formats")
    public void testFormats(String format)
    {
        String table = "format_" + format;
        tester.execute("CREATE TABLE %s (k bigint, text varchar) WITH (format = '%s', sorted_by = ARRAY['k'])".formatted(table, format));
        insertRandom(table, 0, 2, 12_000);
        Object checksum = tester.checksum(table);
        tester.rewrite(table, SORT_1MB);
        assertThat(tester.checksum(table)).isEqualTo(checksum);
        assertThat(tester.fileCount(table)).isGreaterThan(1);
        assertSorted(table, "k");
        assertThat(tester.execute("SELECT DISTINCT file_format FROM " + metadata(table, "files")).getOnlyColumnAsSet()).containsExactly(format);
    }

    @Test
    public void testPreviewAndExplain()
    {
        tester.execute("CREATE TABLE preview (k bigint) WITH (sorted_by = ARRAY['k DESC'])");
        tester.execute("INSERT INTO preview VALUES 1, 5");
        tester.execute("INSERT INTO preview VALUES 2, 4");
        long snapshot = tester.snapshot("preview").orElseThrow();
        List<MaterializedRow> plan = tester.execute("SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => 'preview', strategy => 'sort', sort_order => ARRAY['k ASC NULLS LAST']))").getMaterializedRows();
        assertThat(plan).hasSize(1);
        assertThat(plan.getFirst().getFields().toString()).contains("sort", "overlap");
        assertThat((String) tester.scalar("EXPLAIN " + rewriteSql("preview", "(strategy => 'sort')"))).contains("sort by k DESC NULLS LAST");
        assertThat((String) tester.scalar("EXPLAIN (TYPE DISTRIBUTED) " + rewriteSql("preview", "(strategy => 'sort')"))).contains("TableScan");
        assertThat(tester.snapshot("preview")).contains(snapshot);
        assertThat((String) tester.scalar("EXPLAIN ANALYZE " + rewriteSql("preview", "(strategy => 'sort')"))).contains("sort by k DESC NULLS LAST");
        assertThat(tester.fileCount("preview")).isEqualTo(1);
    }

    /** Trino's sorting writer spills to ORC, which moves such values by a second. */
    @Test
    public void testTimestampsThatSpillingWouldChange()
    {
        for (String type : List.of("timestamp(6)", "timestamp(6) with time zone", "array(timestamp(6))", "row(x row(y timestamp(6) with time zone))", "map(varchar, timestamp(6))")) {
            tester.execute("DROP TABLE IF EXISTS last_second");
            tester.execute("CREATE TABLE last_second (k bigint, t %s) WITH (sorted_by = ARRAY['k'])".formatted(type));
            String value = switch (type) {
                case "array(timestamp(6))" -> "ARRAY[NULL, %s]";
                case "map(varchar, timestamp(6))" -> "MAP(ARRAY['a', 'b'], ARRAY[NULL, %s])";
                case "row(x row(y timestamp(6) with time zone))" -> "CAST(ROW(ROW(%s)) AS row(x row(y timestamp(6) with time zone)))";
                default -> "%s";
            };
            String zone = type.contains("zone") ? " UTC" : "";
            tester.execute("INSERT INTO last_second VALUES (1, %s), (2, NULL)".formatted(value.formatted("TIMESTAMP '1969-12-31 23:59:58.999999%s'".formatted(zone))));
            tester.execute("INSERT INTO last_second VALUES (1, %s), (2, NULL)".formatted(value.formatted("TIMESTAMP '1970-01-01 00:00:00.000000%s'".formatted(zone))));
            tester.rewrite("last_second", "(strategy => 'sort')");
            tester.execute("INSERT INTO last_second VALUES (1, %s), (2, NULL)".formatted(value.formatted("TIMESTAMP '1969-12-31 23:59:59.500000%s'".formatted(zone))));
            for (String arguments : List.of("strategy => 'sort'", "strategy => 'binpack'")) {
                RewriteTester.Refusal refusal = tester.refused("last_second", rewriteSql("last_second", "(rewrite_all => true, %s)".formatted(arguments)));
                assertThat(refusal.errorCode()).as("%s, %s: %s", type, arguments, refusal.message()).isEqualTo("MAINTENANCE_NOT_SUPPORTED");
                assertThat(refusal.message()).contains("Column t", "last second before 1970", "nothing was changed");
            }
        }
        Object checksum = tester.scalar("SELECT checksum(t['b']) FROM last_second WHERE t IS NOT NULL");
        Session unsorted = Session.builder(tester.queryRunner().getDefaultSession())
                .setCatalogSessionProperty("lake", "sorted_writing_enabled", "false")
                .build();
        assertThat(tester.rewrite(unsorted, "last_second", "(rewrite_all => true)")).containsEntry("data_files_written", 1L);
        assertThat(tester.scalar("SELECT checksum(t['b']) FROM last_second WHERE t IS NOT NULL")).isEqualTo(checksum);
    }

    @Test
    public void testZOrder()
    {
        tester.execute("CREATE TABLE zorder (a bigint, \"b b\" varchar, text varchar)");
        for (int file = 0; file < 12; file++) {
            tester.execute(("INSERT INTO zorder SELECT n * 7919 %% 100_003, to_hex(md5(to_utf8(CAST(n AS varchar)))), to_hex(sha512(to_utf8(CAST(n AS varchar)))) " +
                    "FROM UNNEST(sequence(%1$s, %1$s + 7_999)) t(n)").formatted(file * 8_000));
        }
        Object checksum = tester.checksum("zorder");
        long expected = Math.ceilDiv(bytes("zorder"), 1L << 20);
        assertThat(expected).isGreaterThan(6);
        String zorder = "(strategy => 'zorder', sort_order => ARRAY['a', '\"b b\"'], target_file_size => '1MB'%s)";
        assertThat(tester.rewrite("zorder", zorder.formatted(", rewrite_all => true")))
                .containsEntry("groups_sorted", 1L)
                .containsEntry("data_files_read", 12L)
                .containsEntry("data_files_written", expected)
                .containsEntry("rows_written", 96_000L);
        assertThat(tester.checksum("zorder")).isEqualTo(checksum);
        assertThat(tester.fileCount("zorder")).isEqualTo(expected);
        assertThat(tester.summary("zorder")).containsEntry("lakesteward.strategy", "zorder").containsEntry("lakesteward.sort-order", "zorder(a, \"b b\")");
        assertThat(tester.execute("SELECT DISTINCT sort_order_id FROM \"zorder$files\"").getOnlyColumnAsSet()).containsExactly(0);
        assertThat(tester.execute("SELECT * FROM zorder LIMIT 0").getColumnNames()).containsExactly("a", "b b", "text");
        // a narrow range of either column is in few of the files
        assertThat((Long) tester.scalar("SELECT count(DISTINCT \"$path\") FROM zorder WHERE a BETWEEN 30_000 AND 31_000")).isLessThanOrEqualTo(expected * 6 / 10);
        assertThat((Long) tester.scalar("SELECT count(DISTINCT \"$path\") FROM zorder WHERE \"b b\" BETWEEN '50' AND '53'")).isLessThanOrEqualTo(expected * 6 / 10);

        long snapshot = tester.snapshot("zorder").orElseThrow();
        assertThat(tester.rewrite("zorder", zorder.formatted(""))).containsEntry("groups_planned", 0L);
        assertThat(tester.rewrite("zorder", "(strategy => 'sort', sort_order => ARRAY[' zorder(a, \"b b\") '], target_file_size => '1MB')"))
                .containsEntry("groups_planned", 0L);
        // by other columns it is another order
        assertThat(tester.rewrite("zorder", "(strategy => 'zorder', sort_order => ARRAY['\"b b\"', 'a'], target_file_size => '1MB', dry_run => true)")).containsEntry("groups_planned", 1L);
        assertThat(tester.snapshot("zorder")).contains(snapshot);
        // one small file waits for others
        tester.execute("INSERT INTO zorder VALUES (1, 'x', 'y')");
        assertThat(tester.rewrite("zorder", zorder.formatted(""))).containsEntry("groups_planned", 0L);
    }

    /** Within a file too, so that its row groups are told apart. */
    @Test
    public void testZOrderWithinFile()
    {
        tester.execute("CREATE TABLE zorder_rows (a bigint, b double) WITH (format_version = 3)");
        tester.execute("INSERT INTO zorder_rows SELECT n % 100, n / 100 FROM UNNEST(sequence(0, 9_999)) t(n)");
        tester.execute("DELETE FROM zorder_rows WHERE a = 7 AND b < 50");
        List<List<Object>> lineage = rows("SELECT a, b, \"$row_id\", \"$last_updated_sequence_number\" FROM zorder_rows ORDER BY 1, 2");
        assertThat(tester.rewrite("zorder_rows", "(strategy => 'zorder', sort_order => ARRAY['a', 'b'], rewrite_all => true)")).containsEntry("data_files_written", 1L).containsEntry("delete_files_removed", 1L);
        assertThat(rows("SELECT a, b, \"$row_id\", \"$last_updated_sequence_number\" FROM zorder_rows ORDER BY 1, 2")).isEqualTo(lineage);
        // the first quarter of the curve is the lower half of each column
        List<List<Object>> rows = rows("SELECT a, b FROM zorder_rows");
        assertThat(rows.subList(0, 2_400)).allSatisfy(row -> {
            assertThat((Long) row.get(0)).isLessThan(51);
            assertThat((Double) row.get(1)).isLessThan(51);
        });
        assertThat(rows.subList(rows.size() - 2_400, rows.size())).allSatisfy(row -> {
            assertThat((Long) row.get(0)).isGreaterThan(48);
            assertThat((Double) row.get(1)).isGreaterThan(48);
        });
    }

    @Test
    public void testZOrderOfAnyKeys()
    {
        tester.execute("CREATE TABLE zorder_keys (flag boolean, heavy bigint, number double, name varchar, day date, id uuid, text varchar)");
        for (int file = 0; file < 2; file++) {
            tester.execute(("INSERT INTO zorder_keys SELECT IF(n %% 3 = 0, NULL, n %% 2 = 0), IF(n %% 10 = 0, n, 5), CASE n %% 7 WHEN 0 THEN nan() WHEN 1 THEN NULL ELSE sin(n) END, rpad('', 300, 'x') || CAST(n %% 100 AS varchar), " +
                    "DATE '1969-12-01' + n %% 90 * INTERVAL '1' DAY, CAST('00000000-0000-4000-8000-' || lpad(CAST(n AS varchar), 12, '0') AS uuid), to_hex(sha512(to_utf8(CAST(n AS varchar)))) " +
                    "FROM UNNEST(sequence(%1$s, %1$s + 9_999)) t(n)").formatted(file * 10_000));
        }
        tester.execute("ALTER TABLE zorder_keys SET PROPERTIES partitioning = ARRAY['flag']");
        Object checksum = tester.checksum("zorder_keys");
        String zorder = "(strategy => 'zorder', sort_order => ARRAY['heavy', 'number', 'name', 'day', 'id', 'flag'], target_file_size => '1MB')";
        tester.rewrite("zorder_keys", zorder);
        assertThat(tester.checksum("zorder_keys")).isEqualTo(checksum);
        assertThat(tester.scalar("SELECT count(DISTINCT partition) FROM \"zorder_keys$files\"")).isEqualTo(3L);
        assertThat(tester.rewrite("zorder_keys", zorder)).containsEntry("groups_planned", 0L);

        // one row, all rows equal, nothing
        tester.execute("CREATE TABLE zorder_few (a bigint, b bigint)");
        String few = "(strategy => 'zorder', sort_order => ARRAY['a', 'b'], rewrite_all => true)";
        assertThat(tester.rewrite("zorder_few", few)).containsEntry("groups_planned", 0L);
        tester.execute("INSERT INTO zorder_few VALUES (1, NULL)");
        assertThat(tester.rewrite("zorder_few", few)).containsEntry("rows_written", 1L);
        tester.execute("INSERT INTO zorder_few SELECT 1, NULL FROM UNNEST(sequence(1, 1000))");
        assertThat(tester.rewrite("zorder_few", few)).containsEntry("rows_written", 1001L).containsEntry("data_files_written", 1L);
        assertThat(tester.scalar("SELECT count(*) FROM zorder_few WHERE a = 1 AND b IS NULL")).isEqualTo(1001L);
    }

    private void insertRandom(String table, int from, int files, int rows)
    {
        for (int file = from; file < from + files; file++) {
            insert(table, "from_big_endian_64(xxhash64(to_utf8(CAST(n AS varchar))))", (long) file * rows, rows);
        }
    }

    private void insertSequence(String table, long from, int rows)
    {
        insert(table, "n", from, rows);
    }

    /** Rows of about 70 bytes on disk, with a key computed from {@code n}. */
    private void insert(String table, String key, long from, int rows)
    {
        tester.execute("INSERT INTO %s SELECT %s, to_hex(sha512(to_utf8(CAST(n AS varchar)))) FROM UNNEST(sequence(0, %s)) a(i) CROSS JOIN UNNEST(sequence(0, 999)) b(j) CROSS JOIN LATERAL (SELECT %s + i * 1000 + j n) WHERE i * 1000 + j < %s".formatted(table, key, (rows - 1) / 1000, from, rows));
    }

    private long bytes(String table)
    {
        return (Long) tester.scalar("SELECT sum(file_size_in_bytes) FROM " + metadata(table, "files"));
    }

    private long snapshots(String table)
    {
        return (Long) tester.scalar("SELECT count(*) FROM " + metadata(table, "snapshots"));
    }

    /** By reading all files: pairs within a partition that have any key between their first and their last in common. */
    private List<MaterializedRow> overlappingPairs(String table, String order)
    {
        return tester.execute("""
                WITH
                  keys AS (SELECT "$path" path, "$partition" part, dense_rank() OVER (PARTITION BY "$partition" ORDER BY %s) key FROM %s),
                  files AS (SELECT path, part, min(key) low, max(key) high FROM keys GROUP BY path, part)
                SELECT a.path, a.low, a.high, b.path, b.low, b.high FROM files a JOIN files b ON a.part IS NOT DISTINCT FROM b.part AND a.path < b.path AND a.low <= b.high AND b.low <= a.high
                """.formatted(order, table)).getMaterializedRows();
    }

    /** No two files of a partition have a key in common, and within each the rows are in order. */
    private void assertSorted(String table, String order)
    {
        assertSorted(table, order, order);
    }

    private void assertSorted(String table, String order, String keyOrder)
    {
        assertThat(overlappingPairs(table, keyOrder)).as("overlapping pairs of %s by %s", table, order).isEmpty();
        String columns = order.replaceAll(" (ASC|DESC)| NULLS (FIRST|LAST)", "");
        for (String file : tester.files(table)) {
            // a scan of one small file is one split, whose rows come as they lie in the file
            String scan = "SELECT %s FROM %s WHERE \"$path\" = '%s'".formatted(columns, table, file);
            assertThat(rows(scan)).as("order of %s by %s", file, order).isEqualTo(rows(scan + " ORDER BY " + order));
        }
    }

    private List<List<Object>> rows(String sql)
    {
        return tester.execute(sql).getMaterializedRows().stream()
                .map(row -> row.getFields().stream().map(TestRewriteSort::withoutSignOfZero).toList())
                .toList();
    }

    /** Zeros of both signs are one key. */
    private static Object withoutSignOfZero(Object value)
    {
        return switch (value) {
            case Double number -> number + 0.0;
            case Float number -> number + 0.0f;
            case byte[] bytes -> Arrays.toString(bytes);
            case null -> "null";
            default -> value;
        };
    }

    /** By the metrics in the manifests. */
    private void assertBoundsDisjoint(String table, String column)
    {
        TreeMap<Long, Long> ranges = new TreeMap<>();
        for (MaterializedRow row : tester.execute("SELECT CAST(json_extract_scalar(readable_metrics, '$.%1$s.lower_bound') AS bigint), CAST(json_extract_scalar(readable_metrics, '$.%1$s.upper_bound') AS bigint) FROM %2$s".formatted(column, metadata(table, "files"))).getMaterializedRows()) {
            assertThat(ranges.put((Long) row.getField(0), (Long) row.getField(1))).isNull();
        }
        assertThat(ranges.size()).isGreaterThan(1);
        long last = Long.MIN_VALUE;
        for (Map.Entry<Long, Long> range : ranges.entrySet()) {
            assertThat(range.getKey()).isGreaterThan(last);
            last = range.getValue();
        }
    }
}
