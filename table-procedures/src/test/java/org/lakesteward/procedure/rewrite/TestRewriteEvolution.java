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

import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.lakesteward.procedure.LakeQueryRunner;
import org.lakesteward.procedure.rewrite.RewriteTester.Refusal;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.rewrite.RewriteTester.metadata;
import static org.lakesteward.procedure.rewrite.RewriteTester.rewriteSql;

/**
 * Rewrites of tables that have changed since their files were written, and of every kind of value: what a query returns stays the same.
 */
public class TestRewriteEvolution
{
    private static final String ALL = "(rewrite_all => true)";

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
        // Trino's TestNG listener ends the JVM when a closed query runner stays in a field
        tester = null;
    }

    private Map<String, Long> rewriteKeepsRows(String table, String clauses)
    {
        Object checksum = tester.checksum(table);
        Map<String, Long> metrics = tester.rewrite(table, clauses);
        assertThat(tester.checksum(table)).as("rows of %s", table).isEqualTo(checksum);
        return metrics;
    }

    @Test
    public void testManyPartitionsFromOneOldFile()
    {
        tester.execute("CREATE TABLE fan_out (id bigint, p integer)");
        tester.execute("INSERT INTO fan_out SELECT n, n % 150 FROM UNNEST(sequence(1, 600)) t(n)");
        tester.execute("ALTER TABLE fan_out SET PROPERTIES partitioning = ARRAY['p']");
        Map<String, Long> metrics = rewriteKeepsRows("fan_out", ALL);
        assertThat(metrics).containsEntry("data_files_written", 150L);
        assertThat(tester.scalar("SELECT count(DISTINCT partition) FROM " + metadata("fan_out", "files"))).isEqualTo(150L);
        // back into the unpartitioned spec
        metrics = rewriteKeepsRows("fan_out", "(rewrite_all => true, output_spec_id => 0)");
        assertThat(metrics.get("data_files_read")).isEqualTo(150L);
        assertThat(tester.scalar("SELECT count(*) FROM fan_out WHERE p = 7")).isEqualTo(4L);
    }

    @Test
    public void testManySmallGroups()
    {
        tester.execute("CREATE TABLE many (id bigint, p integer) WITH (partitioning = ARRAY['p'])");
        for (int i = 0; i < 2; i++) {
            for (int from = 0; from < 900; from += 90) {
                tester.execute("INSERT INTO many SELECT n, n FROM UNNEST(sequence(%s, %s)) t(n)".formatted(from, from + 89));
            }
        }
        Map<String, Long> metrics = rewriteKeepsRows("many", "(min_input_files => 2)");
        assertThat(metrics).containsEntry("groups_planned", 900L).containsEntry("data_files_written", 900L);
        assertThat(tester.fileCount("many")).isEqualTo(900);
    }

    @Test
    public void testEvolvedSchema()
    {
        tester.execute("CREATE TABLE schema_changes (id integer, dropped varchar, renamed varchar, r real, d decimal(5, 2), nested ROW(a integer, b varchar), list array(ROW(x integer)))");
        tester.execute("INSERT INTO schema_changes VALUES (1, 'x', 'y', 1.5, 1.25, ROW(1, 'b'), ARRAY[ROW(1), NULL])");
        tester.execute("ALTER TABLE schema_changes ADD COLUMN added varchar");
        tester.execute("INSERT INTO schema_changes VALUES (2, 'x', 'y', 2.5, 2.25, ROW(2, 'b'), NULL, 'new')");
        tester.execute("ALTER TABLE schema_changes DROP COLUMN dropped");
        tester.execute("ALTER TABLE schema_changes RENAME COLUMN renamed TO other");
        tester.execute("ALTER TABLE schema_changes ALTER COLUMN id SET DATA TYPE bigint");
        tester.execute("ALTER TABLE schema_changes ALTER COLUMN r SET DATA TYPE double");
        tester.execute("ALTER TABLE schema_changes ALTER COLUMN d SET DATA TYPE decimal(12, 2)");
        tester.execute("ALTER TABLE schema_changes ADD COLUMN nested.c bigint");
        tester.execute("ALTER TABLE schema_changes ADD COLUMN list.element.y varchar");
        tester.execute("ALTER TABLE schema_changes DROP COLUMN nested.b");
        tester.execute("ALTER TABLE schema_changes ADD COLUMN first varchar FIRST");
        tester.execute("ALTER TABLE schema_changes ADD COLUMN dropped bigint");
        tester.execute("INSERT INTO schema_changes (id, other, nested, dropped, first) VALUES (10000000000, 'y', ROW(3, 4), 5, 'f')");
        Map<String, Long> metrics = rewriteKeepsRows("schema_changes", ALL);
        assertThat(metrics).containsEntry("data_files_read", 3L).containsEntry("data_files_written", 1L);
        assertThat(tester.scalar("SELECT count(*) FROM schema_changes WHERE dropped IS NULL")).isEqualTo(2L);
    }

    @Test
    public void testDroppedPartitionSource()
            throws IOException
    {
        tester.execute("CREATE TABLE dropped_source (id bigint, p varchar) WITH (partitioning = ARRAY['p'])");
        tester.execute("INSERT INTO dropped_source VALUES (1, 'a'), (2, 'b'), (3, NULL)");
        tester.execute("ALTER TABLE dropped_source SET PROPERTIES partitioning = ARRAY['bucket(id, 2)']");
        tester.execute("INSERT INTO dropped_source VALUES (4, 'a'), (5, 'b')");
        // Trino itself keeps such columns
        registerWithoutColumn("dropped_source", "p", "source_is_gone");
        assertThat(tester.refused("source_is_gone", rewriteSql("source_is_gone", "(output_spec_id => 0)")).message()).contains("output_spec_id", "source columns");
        // nor does it read such files: a rewrite says so, in its plan too
        String plan = "SELECT * FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => 'source_is_gone', rewrite_all => true))";
        for (String sql : List.of(rewriteSql("source_is_gone", ALL), rewriteSql("source_is_gone", "(rewrite_all => true, dry_run => true)"), plan)) {
            Refusal refusal = tester.refused("source_is_gone", sql);
            assertThat(refusal.errorCode()).as(sql).isEqualTo("MAINTENANCE_NOT_SUPPORTED");
            assertThat(refusal.message()).contains("partition spec 0", "p", "dropped");
        }
        assertThat(tester.failure(tester.queryRunner().getDefaultSession(), "SELECT * FROM stock.test.source_is_gone").message()).contains("Error processing metadata");
    }

    /** As another engine drops a column that only an old partition spec uses. */
    private void registerWithoutColumn(String table, String column, String newTable)
            throws IOException
    {
        String latest = (String) tester.scalar("SELECT max_by(file, latest_sequence_number) FROM " + metadata(table, "metadata_log_entries"));
        Path folder = LakeQueryRunner.folder(tester.queryRunner()).resolve(latest.replaceFirst("^local:/+", "")).getParent();
        TableMetadata metadata = TableMetadataParser.fromJson(latest, Files.readString(folder.resolve(latest.replaceFirst(".*/", ""))));
        Schema schema = new Schema(metadata.schema().columns().stream().filter(field -> !field.name().equals(column)).toList());
        TableMetadata changed = TableMetadata.buildFrom(metadata).setCurrentSchema(schema, metadata.lastColumnId()).build();
        Files.writeString(folder.resolve("00099-5ba5ba5b-0000-4000-8000-000000000000.metadata.json"), TableMetadataParser.toJson(changed));
        tester.execute("CALL lake.system.register_table('test', '%s', '%s', '00099-5ba5ba5b-0000-4000-8000-000000000000.metadata.json')".formatted(newTable, metadata.location()));
    }

    @Test
    public void testFormats()
    {
        for (String codec : List.of("ZSTD", "SNAPPY", "GZIP")) {
            tester.execute("CREATE TABLE formats (id bigint, v varchar) WITH (format = 'PARQUET', compression_codec = '%s')".formatted(codec));
            tester.execute("INSERT INTO formats VALUES (1, 'parquet')");
            tester.execute("ALTER TABLE formats SET PROPERTIES format = 'ORC'");
            tester.execute("INSERT INTO formats VALUES (2, 'orc')");
            tester.execute("ALTER TABLE formats SET PROPERTIES format = 'AVRO', compression_codec = 'ZSTD'");
            tester.execute("INSERT INTO formats VALUES (3, 'avro'), (4, NULL)");
            for (String format : List.of("AVRO", "ORC", "PARQUET")) {
                tester.execute("ALTER TABLE formats SET PROPERTIES format = '%s'".formatted(format));
                assertThat(rewriteKeepsRows("formats", ALL)).containsEntry("data_files_written", 1L);
                assertThat(tester.scalar("SELECT DISTINCT file_format FROM " + metadata("formats", "files"))).isEqualTo(format);
            }
            tester.execute("DROP TABLE formats");
        }
    }

    @Test
    public void testTableProperties()
    {
        tester.execute("CREATE TABLE properties (id bigint, v varchar, w bigint) WITH (parquet_bloom_filter_columns = ARRAY['v'], sorted_by = ARRAY['w DESC', 'id'], object_store_layout_enabled = true, data_location = 'local:///elsewhere/properties')");
        for (int i = 0; i < 5; i++) {
            tester.execute("INSERT INTO properties SELECT n, 'v' || CAST(n AS varchar), (n * 7919) %% 1000 FROM UNNEST(sequence(%s, %s)) t(n)".formatted(i * 200, i * 200 + 199));
        }
        assertThat(rewriteKeepsRows("properties", "")).containsEntry("data_files_written", 1L);
        assertThat((String) tester.files("properties").iterator().next()).startsWith("local:///elsewhere/properties/");
        assertThat(tester.scalar("SELECT sort_order_id FROM " + metadata("properties", "files"))).isEqualTo(1);
        assertThat(tester.execute("SELECT w FROM properties").getOnlyColumnAsSet()).hasSize(1000);
        List<Object> order = tester.execute("SELECT w FROM properties").getOnlyColumn().toList();
        assertThat(order).isEqualTo(tester.execute("SELECT w FROM properties ORDER BY w DESC").getOnlyColumn().toList());
    }

    @Test
    public void testFormatVersions()
    {
        tester.execute("CREATE TABLE versions (id bigint, v varchar) WITH (format_version = 1)");
        tester.execute("INSERT INTO versions VALUES (1, 'one')");
        assertThat(rewriteKeepsRows("versions", ALL)).containsEntry("data_files_written", 1L);
        tester.execute("INSERT INTO versions VALUES (2, 'one')");
        tester.execute("ALTER TABLE versions SET PROPERTIES format_version = 2");
        tester.execute("INSERT INTO versions VALUES (3, 'two'), (4, 'gone')");
        tester.execute("DELETE FROM versions WHERE id = 4");
        tester.execute("ALTER TABLE versions SET PROPERTIES format_version = 3");
        tester.execute("INSERT INTO versions VALUES (5, 'three'), (6, 'gone')");
        tester.execute("DELETE FROM versions WHERE id = 6");
        Map<String, Long> metrics = rewriteKeepsRows("versions", ALL);
        assertThat(metrics).containsEntry("rows_removed_by_deletes", 2L);
        assertThat(tester.scalar("SELECT count(*) FROM " + metadata("versions", "files"))).isEqualTo(1L);
    }

    @Test
    public void testRowLineageSurvives()
    {
        tester.execute("CREATE TABLE lineage (id bigint, v varchar) WITH (format_version = 3)");
        for (int i = 0; i < 3; i++) {
            tester.execute("INSERT INTO lineage VALUES (%s, 'a'), (%s, 'b')".formatted(i, i + 10));
        }
        tester.execute("UPDATE lineage SET v = 'c' WHERE id = 1");
        String lineage = "SELECT id, \"$row_id\", \"$last_updated_sequence_number\" FROM lineage ORDER BY id";
        List<?> before = tester.execute(lineage).getMaterializedRows();
        rewriteKeepsRows("lineage", ALL);
        assertThat(tester.execute(lineage).getMaterializedRows()).isEqualTo(before);
        rewriteKeepsRows("lineage", ALL);
        assertThat(tester.execute(lineage).getMaterializedRows()).isEqualTo(before);
    }

    @Test
    public void testTypes()
    {
        for (int version : List.of(2, 3)) {
            for (String format : List.of("PARQUET", "ORC", "AVRO")) {
                types(version, format);
            }
        }
    }

    private void types(int version, String format)
    {
        tester.execute("CREATE TABLE types WITH (format_version = %s, format = '%s') AS ".formatted(version, format) + """
                SELECT * FROM (VALUES
                    (true, 1, 10000000000, REAL '1.5', 2.5e0, DECIMAL '123.45', DECIMAL '12345678901234567890123456789012345678', DATE '2024-02-29', TIME '12:34:56.123456',
                     TIMESTAMP '2024-02-29 12:34:56.123456', TIMESTAMP '2024-02-29 12:34:56.123456 UTC', 'text', X'00ff', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59',
                     ARRAY[1, NULL, 3], CAST(MAP(ARRAY['a', 'b'], ARRAY[ROW(1, ARRAY['x']), NULL]) AS map(varchar, ROW(x integer, y array(varchar)))), CAST(ROW(1, ROW('y', NULL)) AS ROW(a integer, b ROW(c varchar, d double)))),
                    (false, -1, -1, CAST(nan() AS real), nan(), DECIMAL '-999.99', DECIMAL '-0', DATE '-0001-01-01', TIME '00:00:00',
                     TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMP '0001-01-01 00:00:00 UTC', '', X'', UUID '00000000-0000-0000-0000-000000000000',
                     ARRAY[], MAP(), NULL),
                    (NULL, NULL, NULL, REAL '-0.0', -infinity(), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL))
                AS v(bool, i, l, r, d, small_decimal, big_decimal, dt, tm, ts, tstz, s, bin, u, list, dictionary, nested)""");
        tester.execute("INSERT INTO types SELECT * FROM types");
        if (version == 3 && !format.equals("AVRO")) {
            tester.execute("ALTER TABLE types ADD COLUMN nanos timestamp(9)");
            tester.execute("INSERT INTO types (i, nanos) VALUES (7, TIMESTAMP '2024-02-29 12:34:56.123456789')");
        }
        assertThat(rewriteKeepsRows("types", ALL)).as("version %s, %s", version, format).containsEntry("data_files_written", 1L);
        tester.execute("DROP TABLE types");
    }

    @Test
    public void testVariant()
    {
        tester.execute("CREATE TABLE variants (id bigint, v variant) WITH (format_version = 3)");
        for (int i = 0; i < 3; i++) {
            tester.execute("INSERT INTO variants VALUES (%s, CAST(JSON '{\"a\": [1, \"x\", null]}' AS variant)), (%s, NULL)".formatted(i, i + 10));
        }
        String rows = "SELECT id, CAST(v AS json) FROM variants ORDER BY id";
        List<?> before = tester.execute(rows).getMaterializedRows();
        assertThat(tester.rewrite("variants", ALL)).containsEntry("data_files_written", 1L);
        assertThat(tester.execute(rows).getMaterializedRows()).isEqualTo(before);
    }

    /** Files without field ids, which a name mapping explains. */
    @Test
    public void testAddedFiles()
    {
        tester.execute("CREATE TABLE donor (id bigint, name varchar)");
        tester.execute("INSERT INTO donor VALUES (1, 'a'), (2, NULL)");
        tester.execute("INSERT INTO donor VALUES (3, 'c')");
        tester.execute("CREATE TABLE adopted (id bigint, name varchar)");
        String folder = tester.files("donor").iterator().next().replaceFirst("/[^/]*$", "");
        tester.execute("ALTER TABLE adopted EXECUTE add_files('%s', 'PARQUET')".formatted(folder));
        assertThat(tester.scalar("SELECT count(*) FROM adopted")).isEqualTo(3L);
        assertThat(rewriteKeepsRows("adopted", ALL)).containsEntry("data_files_read", 2L).containsEntry("data_files_written", 1L);
        assertThat(tester.scalar("SELECT count(*) FROM donor")).isEqualTo(3L);
    }

    /** Row groups above 8 MB take the copy path, unless something about the table or a file is in the way. */
    @Test
    public void testCopy()
    {
        for (int version : List.of(2, 3)) {
            tester.execute("CREATE TABLE copies (id bigint, text varchar, dropped varchar) WITH (format_version = %s, compression_codec = 'NONE')".formatted(version));
            for (int i = 0; i < 2; i++) {
                tester.execute("INSERT INTO copies SELECT n, to_hex(sha512(to_utf8(CAST(n AS varchar)))) || to_hex(sha512(to_utf8(CAST(n + 5000000 AS varchar)))), 'x' FROM (SELECT a * 1000 + b n FROM UNNEST(sequence(%s, %s)) s(a), UNNEST(sequence(0, 999)) t(b))".formatted(i * 40, i * 40 + 39));
            }
            long snapshot = tester.snapshot("copies").orElseThrow();
            assertThat(path("copies")).isEqualTo("copy");
            Map<String, Long> metrics = rewriteKeepsRows("copies", ALL);
            assertThat(metrics).containsEntry("groups_copied", 1L).containsEntry("groups_encoded", 0L).containsEntry("data_files_written", 1L).containsEntry("rows_written", 80_000L);

            // by its footers alone a worker sees that the schema changed
            tester.rollBack("copies", snapshot);
            tester.execute("ALTER TABLE copies DROP COLUMN dropped");
            metrics = rewriteKeepsRows("copies", ALL);
            assertThat(metrics).containsEntry("groups_copied", 0L).containsEntry("groups_encoded", 1L).containsEntry("rows_written", 80_000L);

            // deletes forbid it from the start
            tester.rollBack("copies", snapshot);
            tester.execute("DELETE FROM copies WHERE id = 5");
            assertThat(path("copies")).isEqualTo("encode");
            metrics = rewriteKeepsRows("copies", ALL);
            assertThat(metrics).containsEntry("groups_encoded", 1L).containsEntry("rows_written", 79_999L);
            tester.execute("DROP TABLE copies");
        }
    }

    private Object path(String table)
    {
        return tester.scalar("SELECT path FROM TABLE(lake.system.plan_rewrite(schema_name => 'test', table_name => '%s', rewrite_all => true)) WHERE action = 'rewrite'".formatted(table));
    }
}
