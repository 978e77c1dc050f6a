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
import com.google.common.collect.Sets;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryFailedException;
import org.assertj.core.api.SoftAssertions;
import org.lakesteward.procedure.rewrite.RewriteTester.Refusal;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.trino.spi.ErrorType.INTERNAL_ERROR;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.rewrite.RewriteTester.rewriteSql;

/**
 * WHERE of rewrite_data_files: exactly the files all of whose rows satisfy it, or a refusal that names the condition to blame.
 */
public class TestRewriteWhere
{
    private RewriteTester tester;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        tester = RewriteTester.create();
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        if (tester != null) {
            tester.close();
        }
        tester = null;
    }

    @Test
    public void testTimeTransforms()
    {
        testTimeTransforms("date", "day");
        testTimeTransforms("date", "month");
        testTimeTransforms("timestamp(6)", "hour");
        testTimeTransforms("timestamp(6)", "day");
        testTimeTransforms("timestamp(6)", "year");
        testTimeTransforms("timestamp(6) with time zone", "hour");
        testTimeTransforms("timestamp(6) with time zone", "day");
        testTimeTransforms("timestamp(6) with time zone", "month");
    }

    private void testTimeTransforms(String type, String unit)
    {
        String table = "times_%s_%s".formatted(type.replaceAll("[^a-z]", ""), unit);
        String zone = type.endsWith("zone") ? " UTC" : "";
        String literal = type.equals("date") ? "date" : "timestamp";
        tester.execute("CREATE TABLE %s (id bigint, t %s) WITH (partitioning = ARRAY['%s(t)'])".formatted(table, type, unit));
        tester.execute("INSERT INTO %s SELECT id, CAST(t AS %s) FROM (VALUES ".formatted(table, type) + List.of(
                        "1969-12-31 22:00:00", "1969-12-31 22:59:59",
                        "2023-01-01 00:00:00", "2023-01-01 00:30:00",
                        "2023-01-31 23:00:00", "2023-01-31 23:59:59.999999",
                        "2023-12-31 23:00:00", "2023-12-31 23:10:00",
                        "2024-01-01 00:00:00", "2024-01-01 00:00:01",
                        "2024-02-29 12:00:00", "2024-02-29 12:01:00").stream()
                .map(time -> "(1, TIMESTAMP '%s%s')".formatted(time, zone))
                .collect(joining(", ")) + ", (2, NULL)) AS v(id, t)");

        String value = type.equals("date") ? "'2024-01-01'" : "'2024-01-01 00:00:00%s'".formatted(zone);
        List<String> yearly = ImmutableList.of(
                "t >= %s %s".formatted(literal, value),
                "t < %s %s".formatted(literal, value),
                "NOT (t < %s %s)".formatted(literal, value),
                "t IS NULL",
                "t IS NOT NULL",
                "t IS NULL OR t >= %s %s".formatted(literal, value),
                "year(t) = 2023",
                "year(t) IN (1969, 2024)",
                "year(t) <> 2023",
                "year(t) % 2 = 0",
                "year(t) + 1 = 2024",
                "date_trunc('year', t) = %s %s".formatted(literal, value),
                "date_trunc('year', t) > %s %s".formatted(literal, type.equals("date") ? "'2023-01-01'" : "'2023-01-01 00:00:00%s'".formatted(zone)));
        List<String> monthly = ImmutableList.of(
                "month(t) = 1",
                "quarter(t) = 4",
                "month(t) BETWEEN 2 AND 12",
                "date_trunc('month', t) = %s %s".formatted(literal, value),
                "year(t) = 2023 AND month(t) = 1",
                "last_day_of_month(t) = DATE '2024-02-29'");
        List<String> daily = ImmutableList.of(
                "day(t) = 31",
                "day_of_week(t) = 4",
                "CAST(t AS date) = DATE '2024-02-29'",
                "CAST(t AS date) IN (DATE '2024-02-29', DATE '1969-12-31')",
                "date(t) < DATE '2023-01-31'",
                "CAST(t AS date) BETWEEN DATE '2023-01-31' AND DATE '2024-01-01'",
                "week(t) = 1",
                "day_of_year(t) = 60",
                "date_trunc('day', t) = %s %s".formatted(literal, value),
                "date_trunc('week', t) = %s %s".formatted(literal, value));
        List<String> hourly = type.equals("date") ? ImmutableList.of() : ImmutableList.of(
                "hour(t) = 23",
                "hour(t) >= 12",
                "date_trunc('hour', t) = TIMESTAMP '2023-12-31 23:00:00%s'".formatted(zone));

        ImmutableList.Builder<String> predicates = ImmutableList.<String>builder().addAll(yearly);
        if (!unit.equals("year")) {
            predicates.addAll(monthly);
        }
        if (unit.equals("day") || unit.equals("hour")) {
            predicates.addAll(daily);
        }
        if (unit.equals("hour")) {
            predicates.addAll(hourly);
        }
        selects(table, predicates.build());
        if (!type.equals("date")) {
            refuses(table, "minute(t) = 30", "minute(t)");
            refuses(table, "t > %s '2024-02-29 12:00:30%s'".formatted(literal, zone), "t");
        }
        tester.execute("DROP TABLE " + table);
    }
    @Test
    public void testIdentity()
    {
        identity("boolean", "true", "false", "NULL");
        identity("integer", "1", "2", "-3", "NULL");
        identity("bigint", "10000000000", "2", "NULL");
        identity("varchar", "'a'", "'B b'", "'it''s/=%'", "''", "NULL");
        identity("varbinary", "X'00ff'", "X''", "NULL");
        identity("uuid", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", "UUID 'f2151fd2-7586-11e9-8f9e-2a86e4085a59'", "NULL");
        identity("decimal(9, 2)", "DECIMAL '1.10'", "DECIMAL '-2.00'", "NULL");
        identity("decimal(38, 10)", "DECIMAL '1234567890123456789012345678.0123456789'", "DECIMAL '-2.0'", "NULL");
        identity("double", "1e0", "infinity()", "nan()", "NULL");
        identity("real", "REAL '1.5'", "REAL '-2.5'", "CAST(nan() AS real)", "NULL");
        identity("date", "DATE '2024-02-29'", "DATE '1969-12-31'", "NULL");
        identity("time(6)", "TIME '01:02:03.456789'", "TIME '23:59:59'", "NULL");
        identity("timestamp(6)", "TIMESTAMP '2024-02-29 01:02:03.456789'", "TIMESTAMP '1969-12-31 23:59:59.999999'", "NULL");
        identity("timestamp(6) with time zone", "TIMESTAMP '2024-02-29 01:02:03.456789 UTC'", "TIMESTAMP '1969-12-31 23:59:59.999999 UTC'", "NULL");
    }

    private void identity(String type, String first, String... others)
    {
        String table = "identity_values";
        tester.execute("CREATE TABLE %s (id bigint, p %s) WITH (partitioning = ARRAY['p'])".formatted(table, type));
        tester.execute("INSERT INTO %s SELECT id, CAST(p AS %s) FROM (VALUES (1, %s), (2, %s)) v(id, p)".formatted(table, type, first, String.join("), (3, ", others)));
        selects(table, ImmutableList.<String>builder()
                .add("p = " + first)
                .add("p <> " + first)
                .add("NOT (p = %s)".formatted(first))
                .add("p IN (%s, %s)".formatted(first, others[0]))
                .add("p NOT IN (%s, %s)".formatted(first, others[0]))
                .add("p IS NULL OR p = " + first)
                .add("p IS DISTINCT FROM " + first)
                .add("coalesce(p, %s) = %s".formatted(first, first))
                .addAll(type.equals("boolean") ? List.of("p", "NOT p") : type.equals("double") || type.equals("real") ? List.of() : List.of("p > " + first, "p <= " + first, "p BETWEEN %s AND %s".formatted(first, first)))
                .addAll(type.equals("varchar") ? List.of("p LIKE 'B%'", "p LIKE '%s%'", "lower(p) = 'b b'", "length(p) > 1", "p LIKE 'it''_/\\%\\%' ESCAPE '\\'", "regexp_like(p, 'B|a')") : List.of())
                .addAll(type.equals("integer") ? List.of("p + 1 = 2", "abs(p) = 3", "p % 2 = 1", "p = 1.0", "CAST(p AS varchar) = '2'", "p * p > 3") : List.of())
                .build());
        tester.execute("DROP TABLE " + table);
    }

    @Test
    public void testTruncateAndBucket()
    {
        tester.execute("CREATE TABLE truncated (id bigint, s varchar, n integer) WITH (partitioning = ARRAY['truncate(s, 2)', 'truncate(n, 10)'])");
        tester.execute("INSERT INTO truncated VALUES (1, 'abc', 1), (2, 'abd', 9), (3, 'acx', 15), (4, 'b', 11), (5, NULL, 12), (6, 'abz', NULL), (7, '\u4e2d\u6587x', -5)".replace("\\u4e2d\\u6587", "\u4e2d\u6587"));
        selects("truncated",
                "n < 10",
                "n >= 10 AND n < 20",
                "n < 10 OR n IS NULL",
                "n IS NOT NULL",
                "s < 'ac'",
                "s IS NULL",
                "s LIKE 'ab%'",
                "s LIKE 'a%'",
                "s LIKE 'ab%' OR s LIKE 'ac%' OR n = -5",
                "s LIKE 'ab%' AND n BETWEEN 0 AND 9",
                "(s LIKE 'ab%' AND n < 10) OR (n >= 10 AND s >= 'b')",
                "s >= 'zz'",
                "n < 100");
        refuses("truncated", "n = 1", "n");
        refuses("truncated", "s = 'abc'", "s");
        refuses("truncated", "s LIKE '%c'", "LIKE");
        refuses("truncated", "n % 2 = 1", "n % 2");

        tester.execute("CREATE TABLE bucketed (id bigint, b bigint, u uuid) WITH (partitioning = ARRAY['bucket(b, 4)', 'bucket(u, 2)'])");
        tester.execute("INSERT INTO bucketed SELECT n, n, CAST('12151fd2-7586-11e9-8f9e-2a86e4085a' || CAST(10 + n AS varchar) AS uuid) FROM UNNEST(sequence(0, 39)) t(n)");
        tester.execute("INSERT INTO bucketed VALUES (100, NULL, NULL), (101, NULL, NULL)");
        selects("bucketed", "b IS NULL", "b IS NOT NULL", "b < 1000", "b > 1000", "u IS NULL", "u IS NOT NULL AND b IS NOT NULL");
        refuses("bucketed", "b = 1", "b");
        refuses("bucketed", "b < 3", "b");
        refuses("bucketed", "u = UUID '12151fd2-7586-11e9-8f9e-2a86e4085a10'", "u");
    }

    @Test
    public void testSeveralPartitionColumns()
    {
        tester.execute("CREATE TABLE several (id bigint, d date, region varchar, t timestamp(6)) WITH (partitioning = ARRAY['d', 'region', 'day(t)'])");
        tester.execute("INSERT INTO several SELECT day * 10 + hour, DATE '2024-01-01' + INTERVAL '1' DAY * day, r, TIMESTAMP '2024-01-01 01:00:00' + INTERVAL '1' DAY * day + INTERVAL '1' HOUR * hour " +
                "FROM UNNEST(sequence(0, 2)) a(day), UNNEST(ARRAY['eu', 'us', NULL]) b(r), UNNEST(ARRAY[0, 3]) c(hour)");
        selects("several",
                "d = DATE '2024-01-01' AND region = 'eu'",
                "d = DATE '2024-01-01' OR region = 'eu'",
                "(d = DATE '2024-01-01' AND region = 'eu') OR (d = DATE '2024-01-02' AND region = 'us')",
                "(t < TIMESTAMP '2024-01-02 00:00:00' AND region = 'eu') OR (t >= TIMESTAMP '2024-01-02 00:00:00' AND region = 'us')",
                "NOT (region = 'eu' AND d = DATE '2024-01-01')",
                "(region IS NULL AND CAST(t AS date) = DATE '2024-01-03') OR (region = 'us' AND day(t) = 1)",
                "concat(region, CAST(d AS varchar)) = 'eu2024-01-02'",
                "CAST(t AS date) = d",
                "day(t) = day(d) AND region = 'eu'",
                "region IN ('eu', 'us') AND d > DATE '2024-01-01' AND d < DATE '2024-01-03'",
                "d > DATE '2030-01-01'");
        refuses("several", "region = 'eu' AND id = 1", "id");
        refuses("several", "region = 'eu' OR hour(t) = 1", "hour(t)");
    }

    @Test
    public void testNames()
    {
        tester.execute("CREATE TABLE \"Upper Case\" (id bigint, \"part.one\" varchar, nested ROW(x bigint, inner_row ROW(y varchar, ts timestamp(6)))) " +
                "WITH (partitioning = ARRAY['\"part.one\"', '\"nested.x\"', '\"nested.inner_row.y\"', 'day(\"nested.inner_row.ts\")'])");
        tester.execute("INSERT INTO \"Upper Case\" VALUES " +
                "(1, 'a', ROW(1, ROW('p', TIMESTAMP '2024-01-01 01:00:00'))), (2, 'a', ROW(1, ROW('p', TIMESTAMP '2024-01-01 02:00:00'))), " +
                "(3, 'b', ROW(2, ROW('q', TIMESTAMP '2024-01-02 02:00:00'))), (4, 'b', NULL), (5, NULL, ROW(NULL, ROW(NULL, NULL)))");
        selects("\"Upper Case\"",
                "\"part.one\" = 'a'",
                "\"PART.ONE\" = 'a' AND NESTED.X = 1",
                "nested.x = 1",
                "nested.x IS NULL",
                "nested.x + 1 = 3",
                "nested.inner_row.y = 'q'",
                "nested.inner_row.y = 'q' OR \"part.one\" IS NULL",
                "upper(nested.inner_row.y) = 'P'",
                "nested.inner_row.ts >= TIMESTAMP '2024-01-02 00:00:00'",
                "CAST(nested.inner_row.ts AS date) = DATE '2024-01-01'",
                "\"part.one\" = 'b' AND day(nested.inner_row.ts) = 2");
        refuses("\"Upper Case\"", "nested.inner_row.ts > TIMESTAMP '2024-01-01 01:30:00'", "nested.inner_row.ts");
    }

    @Test
    public void testEvolvedSpecs()
    {
        tester.execute("CREATE TABLE evolved (id bigint, t timestamp(6), region varchar)");
        tester.execute("INSERT INTO evolved VALUES (1, TIMESTAMP '2024-01-01 01:00:00', 'eu'), (2, TIMESTAMP '2024-01-01 02:00:00', 'us')");
        tester.execute("ALTER TABLE evolved SET PROPERTIES partitioning = ARRAY['month(t)']");
        tester.execute("INSERT INTO evolved VALUES (3, TIMESTAMP '2024-01-02 01:00:00', 'eu'), (4, TIMESTAMP '2024-02-01 02:00:00', 'us'), (5, TIMESTAMP '2024-02-03 02:00:00', 'eu')");
        tester.execute("ALTER TABLE evolved SET PROPERTIES partitioning = ARRAY['day(t)', 'region']");
        tester.execute("INSERT INTO evolved VALUES (6, TIMESTAMP '2024-02-03 01:00:00', 'eu'), (7, TIMESTAMP '2024-02-03 02:00:00', 'us'), (8, NULL, NULL), (9, TIMESTAMP '2024-02-03 04:00:00', 'us')");
        selects("evolved",
                "t >= TIMESTAMP '2024-02-01 00:00:00'",
                "t IS NULL",
                "month(t) = 2 AND t > TIMESTAMP '2024-01-15 00:00:00'",
                "t < TIMESTAMP '2024-02-01 00:00:00' AND t >= TIMESTAMP '2024-01-01 00:00:00'",
                "region IS NULL",
                "\"$path\" IS NOT NULL");
        // the files of the older specs hold several regions
        refuses("evolved", "region = 'us'", "region");
        refuses("evolved", "CAST(t AS date) = DATE '2024-02-03'", "t");
        // once they are rewritten with the new spec, the same condition selects whole files
        tester.rewrite("evolved", "(rewrite_all => true)");
        selects("evolved", "region = 'us'", "CAST(t AS date) = DATE '2024-02-03'", "CAST(t AS date) = DATE '2024-02-03' AND region = 'eu'", "day_of_week(t) = 6");

        // a partition field that is dropped, and one that comes back
        tester.execute("ALTER TABLE evolved SET PROPERTIES partitioning = ARRAY['day(t)']");
        tester.execute("INSERT INTO evolved VALUES (10, TIMESTAMP '2024-03-03 01:00:00', 'eu'), (11, TIMESTAMP '2024-03-03 02:00:00', 'us')");
        selects("evolved", "t < TIMESTAMP '2024-03-01 00:00:00'", "region = 'us' AND t < TIMESTAMP '2024-03-01 00:00:00'");
        refuses("evolved", "region = 'us'", "region");
    }

    @Test
    public void testFormatVersion1VoidTransform()
    {
        tester.execute("CREATE TABLE version1 (id bigint, a varchar, b varchar) WITH (format_version = 1, partitioning = ARRAY['a', 'b'])");
        tester.execute("INSERT INTO version1 VALUES (1, 'a', 'b'), (2, 'a', 'c')");
        tester.execute("ALTER TABLE version1 SET PROPERTIES partitioning = ARRAY['b']");
        tester.execute("INSERT INTO version1 VALUES (3, 'a', 'b'), (4, 'c', 'b')");
        selects("version1", "b = 'b'", "b = 'c'", "a IS NULL", "a = 'a' AND b = 'c'");
        refuses("version1", "a = 'a'", "a");
    }

    @Test
    public void testUnpartitioned()
    {
        tester.execute("CREATE TABLE unpartitioned (id bigint, s varchar)");
        tester.execute("INSERT INTO unpartitioned VALUES (1, 'a'), (2, 'b')");
        tester.execute("INSERT INTO unpartitioned VALUES (11, 'a'), (12, NULL)");
        // column bounds decide where they can
        selects("unpartitioned", "id < 10", "id > 100", "id IS NOT NULL", "id >= 11 AND s < 'z' AND id < 5 OR id < 10 AND id > 0", "length(s) < 10 AND id > 100");
        refuses("unpartitioned", "id = 1", "id");
        refuses("unpartitioned", "s = 'a'", "s");
        refuses("unpartitioned", "s IS NULL", "s");
        refuses("unpartitioned", "lower(s) = 'a'", "lower(s)");
    }

    @Test
    public void testMetadataColumns()
    {
        tester.execute("CREATE TABLE hidden (id bigint, p varchar) WITH (partitioning = ARRAY['p'])");
        tester.execute("INSERT INTO hidden VALUES (1, 'a'), (2, 'a'), (3, 'b'), (4, NULL)");
        String path = (String) tester.scalar("SELECT min(\"$path\") FROM hidden");
        selects("hidden",
                "\"$path\" = '%s'".formatted(path),
                "\"$path\" <> '%s'".formatted(path),
                "\"$path\" LIKE '%.parquet'",
                "\"$partition\" = 'p=a'",
                "\"$partition\" IN ('p=a', 'p=null')",
                "\"$partition\" LIKE 'p=%' AND p IS NOT NULL");
        refuses("hidden", "\"$file_modified_time\" > TIMESTAMP '2020-01-01 00:00:00 UTC'", "$file_modified_time");
    }

    /** Only the files that are selected are rewritten, and the rest of the table stays as it is. */
    @Test
    public void testRewritesTheSelection()
    {
        tester.execute("CREATE TABLE selection (id bigint, p varchar) WITH (partitioning = ARRAY['p'])");
        for (int i = 0; i < 3; i++) {
            tester.execute("INSERT INTO selection VALUES (%s, 'a'), (%s, 'b'), (%s, NULL)".formatted(i, i + 10, i + 20));
        }
        Object checksum = tester.checksum("selection");
        Selection expected = expected("selection", List.of("p = 'a' OR p IS NULL")).getFirst();
        Set<String> others = new HashSet<>(tester.files("selection"));
        others.removeAll(expected.wholly());
        tester.rewrite("selection", "(min_input_files => 2) WHERE p = 'a' OR p IS NULL");
        assertThat(tester.files("selection")).hasSize(5).containsAll(others).doesNotContainAnyElementsOf(expected.wholly());
        assertThat(tester.checksum("selection")).isEqualTo(checksum);
    }

    @Test
    public void testWhatTrinoKeepsToItself()
    {
        tester.execute("CREATE TABLE kept (id bigint, p integer) WITH (partitioning = ARRAY['p'])");
        tester.execute("INSERT INTO kept VALUES (1, 1), (2, 2), (3, NULL)");
        // conditions that the engine turns into nothing or into a constant are no problem
        selects("kept",
                "true",
                "p = 1 OR true",
                "current_date > DATE '2020-01-01'",
                "p = 1 AND current_date > DATE '2020-01-01'",
                "p = CAST(year(current_date) / 3000 AS integer) + 1",
                "p IN (1, 2)",
                "nullif(p, 1) IS NULL",
                "p > 0 AND p < 2");
        // what it keeps, and a rewrite cannot apply, is refused with the columns of the condition
        for (String predicate : List.of(
                "CASE p WHEN 1 THEN 'a' WHEN 2 THEN 'b' END = 'a'",
                "(p, id) IN ((1, 1), (2, 2))")) {
            Refusal refusal = tester.refused("kept", rewriteSql("kept", " WHERE " + predicate));
            assertThat(refusal.errorCode()).as("%s: %s", predicate, refusal.message()).isEqualTo("MAINTENANCE_NOT_SUPPORTED");
            assertThat(refusal.message()).contains("does not hand over").containsPattern("about (id, )?p:");
        }
    }

    /**
     * Limits of Trino 483: what is turned into other plan nodes before a connector is asked, or is never shown to it.
     * The engine then answers, or refuses its own plan in words of its own (TableExecuteStructureValidator, TranslationMap). Nothing is changed.
     */
    @Test
    public void testWhatTrinoDecidesItself()
    {
        tester.execute("CREATE TABLE engine_only (id bigint, p integer) WITH (partitioning = ARRAY['p'])");
        tester.execute("INSERT INTO engine_only VALUES (1, 1), (2, 2), (3, NULL)");
        // the scan is planned away, and with it what the procedure would report
        long snapshot = tester.snapshot("engine_only").orElseThrow();
        for (String predicate : List.of("false", "p = 1 AND p = 2", "p = NULL")) {
            assertThat(tester.execute(rewriteSql("engine_only", "(rewrite_all => true) WHERE " + predicate)).getMaterializedRows())
                    .as(predicate)
                    .allMatch(row -> row.getField(0) == null);
            assertThat(tester.snapshot("engine_only")).contains(snapshot);
        }
        // a subquery that is a constant is one
        assertThat(tester.rewrite("engine_only", "(rewrite_all => true, dry_run => true) WHERE p = (SELECT 1)")).containsEntry("data_files_read", 1L);
        for (String predicate : List.of("random() < 0.5", "p = 1 AND random() < 0.5", "p IN (SELECT p FROM engine_only)", "any_match(ARRAY[1, 5], x -> x = p)", "TRY(10 / p) = 10")) {
            assertThat(tester.refused("engine_only", rewriteSql("engine_only", "(rewrite_all => true) WHERE " + predicate)).errorType())
                    .as(predicate)
                    .isEqualTo(INTERNAL_ERROR);
        }
    }

    /**
     * Random tables and conditions: what is rewritten is what the condition selects, file by file, or the statement is refused.
     * A file of which the condition selects a part must be refused.
     */
    @Test
    public void testRandomConditions()
    {
        long seed = 20240229;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int accepted = 0;
        int refused = 0;
        for (int round = 0; round < 6; round++) {
            tester.execute("CREATE TABLE random_conditions (id bigint, p integer, s varchar, t timestamp(6)) WITH (partitioning = ARRAY[%s])".formatted(randomSpec(random)));
            insertRandomRows(random);
            if (random.nextBoolean()) {
                tester.execute("ALTER TABLE random_conditions SET PROPERTIES partitioning = ARRAY[%s]".formatted(randomSpec(random)));
                insertRandomRows(random);
            }
            List<String> predicates = Stream.generate(() -> randomCondition(random, 2)).limit(7).toList();
            List<Selection> expected = expected("random_conditions", predicates);
            Object checksum = tester.checksum("random_conditions");
            long snapshot = tester.snapshot("random_conditions").orElseThrow();
            for (int i = 0; i < predicates.size(); i++) {
                Set<String> before = tester.files("random_conditions");
                String description = "seed %s, round %s: %s".formatted(seed, round, predicates.get(i));
                try {
                    tester.execute(rewriteSql("random_conditions", "(rewrite_all => true) WHERE " + predicates.get(i)));
                }
                catch (QueryFailedException e) {
                    assertThat(e).as(description).hasMessageStartingWith("rewrite_data_files works on whole data files");
                    assertThat(tester.snapshot("random_conditions")).contains(snapshot);
                    refused++;
                    continue;
                }
                accepted++;
                assertThat(expected.get(i).partly()).as(description).isEmpty();
                assertThat(Sets.difference(before, tester.files("random_conditions"))).as(description).isEqualTo(expected.get(i).wholly());
                if (!expected.get(i).wholly().isEmpty()) {
                    assertThat(tester.checksum("random_conditions")).as(description).isEqualTo(checksum);
                    tester.rollBack("random_conditions", snapshot);
                }
            }
            tester.execute("DROP TABLE random_conditions");
        }
        // it says nothing when all is refused, or nothing
        assertThat(accepted).isGreaterThan(8);
        assertThat(refused).isGreaterThan(3);
    }

    private static String randomSpec(Random random)
    {
        List<String> fields = new ArrayList<>(List.of(List.of("p", "truncate(p, 10)", "bucket(p, 3)").get(random.nextInt(3)), List.of("s", "truncate(s, 1)").get(random.nextInt(2)), List.of("day(t)", "month(t)", "hour(t)", "year(t)").get(random.nextInt(4))));
        Collections.shuffle(fields, random);
        return fields.stream().limit(random.nextInt(4)).map("'%s'"::formatted).collect(joining(", "));
    }

    private void insertRandomRows(Random random)
    {
        tester.execute("INSERT INTO random_conditions VALUES " + IntStream.range(0, 16)
                .mapToObj(_ -> "(%s, %s, %s, %s)".formatted(
                        random.nextInt(1000),
                        random.nextInt(6) == 0 ? "NULL" : random.nextInt(25),
                        random.nextInt(6) == 0 ? "NULL" : "'%s'".formatted(List.of("a", "ab", "b", "ba").get(random.nextInt(4))),
                        random.nextInt(6) == 0 ? "NULL" : "TIMESTAMP '2024-0%s-0%s 0%s:00:00'".formatted(1 + random.nextInt(2), 1 + random.nextInt(2), random.nextInt(2))))
                .collect(joining(", ")));
    }

    private static String randomCondition(Random random, int depth)
    {
        if (depth > 0 && random.nextInt(3) > 0) {
            String left = randomCondition(random, depth - 1);
            String right = randomCondition(random, depth - 1);
            return switch (random.nextInt(3)) {
                case 0 -> "(%s AND %s)".formatted(left, right);
                case 1 -> "(%s OR %s)".formatted(left, right);
                default -> "NOT (%s)".formatted(left);
            };
        }
        List<String> leaves = List.of(
                "p < 10", "p >= 20", "p = 3", "p IN (1, 2, 3)", "p IS NULL", "p IS NOT NULL", "coalesce(p, 1) < 10", "p % 2 = 0", "p BETWEEN 10 AND 19",
                "s = 'a'", "s LIKE 'a%'", "s >= 'b'", "s IS NULL", "s IN ('a', 'ab')", "upper(s) = 'B'", "coalesce(s, 'a') LIKE 'a%'",
                "t >= TIMESTAMP '2024-02-01 00:00:00'", "CAST(t AS date) = DATE '2024-01-02'", "month(t) = 1", "year(t) = 2024", "day(t) = 2 ", "t IS NULL", "hour(t) = 1", "t < TIMESTAMP '2030-01-01 00:00:00'");
        return leaves.get(random.nextInt(leaves.size()));
    }

    private void selects(String table, String... predicates)
    {
        selects(table, List.of(predicates));
    }

    /** The table's files that a WHERE clause must select are those that hold no row outside of it. */
    private void selects(String table, List<String> predicates)
    {
        List<Selection> expected = expected(table, predicates);
        SoftAssertions assertions = new SoftAssertions();
        for (int i = 0; i < predicates.size(); i++) {
            String predicate = predicates.get(i);
            assertThat(expected.get(i).partly()).as("files of %s partly in %s: the test is wrong", table, predicate).isEmpty();
            long selected = expected.get(i).wholly().size();
            assertions.assertThatCode(() -> assertThat(tester.rewrite(table, "(rewrite_all => true, dry_run => true) WHERE " + predicate).get("data_files_read")).isEqualTo(selected))
                    .as("files of %s where %s", table, predicate)
                    .doesNotThrowAnyException();
        }
        assertions.assertAll();
    }

    private void refuses(String table, String predicate, String condition)
    {
        Refusal refusal = tester.refused(table, rewriteSql(table, "(rewrite_all => true) WHERE " + predicate));
        assertThat(refusal.errorCode()).as("%s: %s", predicate, refusal.message()).isEqualTo("PARTIAL_PARTITION_PREDICATE");
        assertThat(refusal.message()).contains("WHERE condition").contains(condition).contains("First such file");
    }

    private List<Selection> expected(String table, List<String> predicates)
    {
        List<Selection> selections = predicates.stream().map(_ -> new Selection(new HashSet<>(), new HashSet<>())).toList();
        String counts = predicates.stream().map("count_if(%s)"::formatted).collect(joining(", "));
        for (MaterializedRow row : tester.execute("SELECT \"$path\", count(*), %s FROM (SELECT *, \"$path\", \"$partition\" FROM %s) GROUP BY 1".formatted(counts, table)).getMaterializedRows()) {
            for (int i = 0; i < predicates.size(); i++) {
                long selected = (Long) row.getField(i + 2);
                if (selected == (Long) row.getField(1)) {
                    selections.get(i).wholly().add((String) row.getField(0));
                }
                else if (selected > 0) {
                    selections.get(i).partly().add((String) row.getField(0));
                }
            }
        }
        return selections;
    }

    private record Selection(Set<String> wholly, Set<String> partly) {}
}
