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
package org.lakesteward.procedure.health;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.ForwardingExecutorService;
import com.google.inject.Injector;
import io.trino.Session;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.sql.ReservedIdentifiers;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.TestingConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.types.Types;
import org.lakesteward.planner.health.TableName;
import org.lakesteward.procedure.LakeConnector;
import org.lakesteward.procedure.LakeQueryRunner;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Health in SQL, on a real engine. Each statement that a finding offers is run as it stands, and must make the finding go.
 */
public class TestTableHealth
{
    private DistributedQueryRunner queryRunner;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        // so that a metadata file that is lost shows at once
        queryRunner = LakeQueryRunner.create(1, ImmutableMap.of("iceberg.metadata-cache.enabled", "false"));
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        queryRunner.close();
        // Trino's TestNG listener ends the JVM when a closed query runner stays in a field
        queryRunner = null;
    }

    private record Finding(String kind, String severity, Double measured, String unit, Double threshold, String reason, String statement) {}

    // "t$health"

    @Test(dataProvider = "formatVersions")
    public void testHealthyTableHasNoRows(int formatVersion)
    {
        String table = "healthy_v" + formatVersion;
        execute("CREATE TABLE %s WITH (format_version = %s) AS SELECT * FROM tpch.tiny.orders".formatted(table, formatVersion));
        assertThat(findings(table)).isEmpty();
    }

    @DataProvider
    public Object[][] formatVersions()
    {
        return new Object[][] {{1}, {2}, {3}};
    }

    @Test
    public void testColumns()
    {
        execute("CREATE TABLE columns (id bigint)");
        assertThat(execute("DESCRIBE \"columns$health\"").getMaterializedRows())
                .extracting(row -> row.getField(0) + " " + row.getField(1))
                .containsExactly("finding varchar", "severity varchar", "measured_value double", "unit varchar", "threshold double", "reason varchar", "statement varchar");
        assertThat(execute("DESCRIBE lake.system.table_health").getMaterializedRows())
                .extracting(row -> row.getField(0))
                .startsWith("table_schema", "table_name", "worst_severity")
                .endsWith("error");
    }

    @Test
    public void testListIsListed()
    {
        assertThat(execute("SHOW TABLES FROM lake.system LIKE 'table_health'").getOnlyValue()).isEqualTo("table_health");
        assertThat(execute("SELECT table_type FROM lake.information_schema.tables WHERE table_schema = 'system' AND table_name LIKE 'table_heal%'").getOnlyValue()).isEqualTo("BASE TABLE");
        assertThat(execute("SELECT count(*) FROM lake.information_schema.columns WHERE table_schema = 'system' AND table_name LIKE 'table_heal%'").getOnlyValue()).isEqualTo(24L);
        assertThat(execute("SHOW TABLES FROM lake.test LIKE 'table_health'").getRowCount()).isZero();
        assertThat(execute("SELECT count(*) FROM lake.information_schema.tables WHERE table_name = 'iceberg_tables'").getOnlyValue()).isEqualTo(1L);
        assertThat(execute("SHOW SCHEMAS FROM lake LIKE 'system'").getOnlyValue()).isEqualTo("system");
    }

    @Test
    public void testTableWithoutSnapshotAndEmptyTable()
    {
        execute("CREATE TABLE never (id bigint)");
        execute("CREATE TABLE emptied AS SELECT * FROM tpch.tiny.orders");
        execute("DELETE FROM emptied");
        assertThat(findings("emptied")).isEmpty();
        assertThat(findings("never")).isEmpty();
        assertThat(metrics("never"))
                .containsEntry("data_files", 0L)
                .containsEntry("warning_findings", 0L)
                .doesNotContainKey("median_file_bytes");
        assertThat(execute("SELECT findings, worst_severity, data_files, error FROM lake.system.table_health WHERE table_schema = 'test' AND table_name IN ('never', 'emptied')").getMaterializedRows())
                .extracting(MaterializedRow::getFields)
                .containsExactly(Arrays.asList(0L, null, 0L, null), Arrays.asList(0L, null, 0L, null));
    }

    @Test
    public void testSmallFiles()
    {
        createSmallFiles("small_files", 6);
        Finding finding = only(findings("small_files"));
        assertThat(finding.kind()).isEqualTo("SMALL_FILES");
        assertThat(finding.severity()).isEqualTo("WARNING");
        assertThat(finding.measured()).isEqualTo(6);
        assertThat(finding.unit()).isEqualTo("files");
        assertThat(finding.threshold()).isEqualTo(5);
        assertThat(finding.statement()).isEqualTo("ALTER TABLE lake.test.small_files EXECUTE rewrite_data_files");
        execute(finding.statement());
        assertThat(findings("small_files")).isEmpty();
        assertThat(execute("SELECT sum(id) FROM small_files").getOnlyValue()).isEqualTo(15L);
    }

    @Test
    public void testSmallFilesSpreadOverPartitions()
    {
        execute("CREATE TABLE spread (id bigint, p bigint) WITH (partitioning = ARRAY['p'])");
        execute("INSERT INTO spread SELECT n, n FROM UNNEST(sequence(1, 12)) AS t(n)");
        Finding finding = only(findings("spread"));
        assertThat(finding.kind()).isEqualTo("SMALL_FILES");
        assertThat(finding.severity()).isEqualTo("INFO");
        assertThat(finding.statement()).isNull();
        assertThat(finding.reason()).contains("12 of 12 data files").contains("spread over 12 partitions");
        // which is true: a rewrite finds nothing to do
        assertThat(rows("ALTER TABLE spread EXECUTE rewrite_data_files(dry_run => true)")).containsEntry("groups_planned", 0L);
    }

    @Test
    public void testSmallFilesInPartitions()
    {
        execute("CREATE TABLE partitions (id bigint, p bigint) WITH (partitioning = ARRAY['p'])");
        for (int commit = 0; commit < 5; commit++) {
            execute("INSERT INTO partitions VALUES (%s, 1), (%s, 2)".formatted(commit, commit));
        }
        execute("INSERT INTO partitions VALUES (7, 3)");
        Finding finding = only(findings("partitions"));
        assertThat(finding.measured()).isEqualTo(10);
        assertThat(finding.reason()).contains("11 of 11 data files").contains("A rewrite would merge 10 files in 2 groups");
        execute(finding.statement());
        assertThat(findings("partitions")).isEmpty();
    }

    @Test(dataProvider = "formatVersionsWithDeletes")
    public void testPositionDeletes(int formatVersion)
    {
        String table = "position_deletes_v" + formatVersion;
        execute("CREATE TABLE %s (id bigint, p bigint) WITH (partitioning = ARRAY['p'], format_version = %s)".formatted(table, formatVersion));
        execute("INSERT INTO %s SELECT n, n %% 6 FROM UNNEST(sequence(1, 600)) AS t(n)".formatted(table));
        execute("DELETE FROM %s WHERE id %% 10 IN (1, 2)".formatted(table));

        List<Finding> findings = findings(table);
        assertThat(findings).extracting(Finding::kind).contains("POSITION_DELETES", "DELETED_ROWS");
        Finding finding = find(findings, "POSITION_DELETES");
        assertThat(finding.measured()).isEqualTo(1);
        assertThat(find(findings, "DELETED_ROWS").measured()).isEqualTo(0.2);
        assertThat(metrics(table))
                .containsEntry(formatVersion == 3 ? "deletion_vectors" : "position_delete_files", 6L)
                .containsEntry(formatVersion == 3 ? "position_delete_files" : "deletion_vectors", 0L)
                .containsEntry("position_delete_rows", 120L)
                .containsEntry("files_with_deletes", 6L)
                .containsEntry("equality_delete_files", 0L);

        assertThat(finding.statement()).isEqualTo("ALTER TABLE lake.test.%s EXECUTE rewrite_data_files(delete_file_threshold => 1)".formatted(table));
        execute(finding.statement());
        assertThat(findings(table)).extracting(Finding::kind).doesNotContain("POSITION_DELETES", "DELETED_ROWS");
        assertThat(metrics(table)).containsEntry("files_with_deletes", 0L).containsEntry("position_delete_rows", 0L);
        assertThat(execute("SELECT count(*) FROM " + table).getOnlyValue()).isEqualTo(480L);
    }

    @DataProvider
    public Object[][] formatVersionsWithDeletes()
    {
        return new Object[][] {{2}, {3}};
    }

    @Test
    public void testEqualityDeletes()
    {
        execute("CREATE TABLE equality_deletes (id bigint, name varchar)");
        execute("INSERT INTO equality_deletes SELECT n, 'n' FROM UNNEST(sequence(1, 100)) AS t(n)");
        // the data file of a table with one column, of the same field id, is just what an equality delete file is
        execute("CREATE TABLE deleted_keys (id bigint)");
        execute("INSERT INTO deleted_keys VALUES 1, 2, 3");
        MaterializedRow keys = execute("SELECT file_path, file_size_in_bytes FROM \"deleted_keys$files\"").getMaterializedRows().getFirst();
        BaseTable table = load("equality_deletes");
        table.newRowDelta()
                .addDeletes(FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                        .ofEqualityDeletes(1)
                        .withFormat(FileFormat.PARQUET)
                        .withPath((String) keys.getField(0))
                        .withFileSizeInBytes((long) keys.getField(1))
                        .withRecordCount(3)
                        .build())
                .commit();
        assertThat(execute("SELECT count(*) FROM equality_deletes").getOnlyValue()).isEqualTo(97L);

        Finding finding = find(findings("equality_deletes"), "EQUALITY_DELETES");
        assertThat(finding.severity()).isEqualTo("WARNING");
        assertThat(finding.reason()).startsWith("1 equality delete file with 3 rows");
        execute(finding.statement());
        assertThat(findings("equality_deletes")).extracting(Finding::kind).doesNotContain("EQUALITY_DELETES");
        assertThat(execute("SELECT count(*) FROM equality_deletes").getOnlyValue()).isEqualTo(97L);
    }

    @Test
    public void testDeleteFilesThatApplyToNothing()
    {
        execute("CREATE TABLE dangling (id bigint, p bigint) WITH (partitioning = ARRAY['p'], format_version = 2)");
        execute("INSERT INTO dangling SELECT n, n % 6 FROM UNNEST(sequence(1, 600)) AS t(n)");
        execute("DELETE FROM dangling WHERE id % 100 = 1 AND p = 1");
        BaseTable table = load("dangling");
        // written for partitions whose files are newer, so that they mean none of them
        for (int file = 0; file < 6; file++) {
            table.newRowDelta()
                    .addDeletes(FileMetadata.deleteFileBuilder(table.spec())
                            .ofPositionDeletes()
                            .withFormat(FileFormat.PARQUET)
                            .withPath("local:///absent/%s.parquet".formatted(file))
                            .withPartitionPath("p=" + (100 + file))
                            .withFileSizeInBytes(1_000)
                            .withRecordCount(1)
                            .build())
                    .commit();
        }
        Finding finding = find(findings("dangling"), "POSITION_DELETES");
        execute(finding.statement());
        assertThat(findings("dangling")).extracting(Finding::kind).doesNotContain("POSITION_DELETES");
        assertThat(metrics("dangling")).containsEntry("position_delete_files", 0L);
    }

    @Test
    public void testManifests()
    {
        execute("CREATE TABLE manifests (id bigint)");
        execute("INSERT INTO manifests VALUES 1");
        MaterializedRow file = execute("SELECT file_path, file_size_in_bytes FROM \"manifests$files\"").getMaterializedRows().getFirst();
        BaseTable table = load("manifests");
        for (int commit = 0; commit < 99; commit++) {
            table.newFastAppend()
                    .appendFile(DataFiles.builder(table.spec())
                            .withPath("local:///absent/%s.parquet".formatted(commit))
                            .withFormat(FileFormat.PARQUET)
                            .withFileSizeInBytes(512L << 20)
                            .withRecordCount(1)
                            .build())
                    .commit();
        }
        assertThat(file.getField(0)).isNotNull();
        Finding finding = only(findings("manifests"));
        assertThat(finding.kind()).isEqualTo("MANIFESTS");
        assertThat(finding.measured()).isEqualTo(100);
        assertThat(finding.statement()).isEqualTo("ALTER TABLE lake.test.manifests EXECUTE optimize_manifests");
        execute(finding.statement());
        assertThat(findings("manifests")).isEmpty();
        assertThat(metrics("manifests")).containsEntry("data_manifests", 1L);
    }

    @Test
    public void testSnapshots()
            throws IOException
    {
        createSmallFiles("young", 3);
        assertThat(findings("young")).isEmpty();
        registerAged("young", "aged", Duration.ofDays(10));

        Finding finding = only(findings("aged"));
        assertThat(finding.kind()).isEqualTo("SNAPSHOTS");
        assertThat(finding.severity()).isEqualTo("WARNING");
        assertThat(finding.measured()).isBetween(10.0, 10.1);
        assertThat(finding.threshold()).isEqualTo(7);
        assertThat(finding.statement()).isEqualTo("ALTER TABLE lake.test.aged EXECUTE expire_snapshots(retention_threshold => '7d')");

        // where the operator keeps snapshots for longer, younger ones are not old
        Session longRetention = Session.builder(queryRunner.getDefaultSession())
                .setCatalogSessionProperty("lake", "expire_snapshots_min_retention", "9d")
                .build();
        assertThat(only(findings(longRetention, "aged")).statement()).endsWith("(retention_threshold => '9d')");
        queryRunner.execute(longRetention, only(findings(longRetention, "aged")).statement());
        assertThat(findings("aged")).isEmpty();
        assertThat(metrics("aged")).containsEntry("snapshots", 1L);
        assertThat(execute("SELECT count(*) FROM aged").getOnlyValue()).isEqualTo(3L);
    }

    @Test
    public void testTagKeepsItsSnapshot()
            throws IOException
    {
        execute("CREATE TABLE tagged (id bigint)");
        execute("INSERT INTO tagged VALUES 1");
        BaseTable table = load("tagged");
        table.manageSnapshots().createTag("first", table.currentSnapshot().snapshotId()).commit();
        execute("INSERT INTO tagged VALUES 2");
        registerAged("tagged", "aged_tag", Duration.ofDays(10));
        // the snapshot of CREATE TABLE, the one that is tagged, and the current one
        execute("ALTER TABLE aged_tag EXECUTE expire_snapshots(retention_threshold => '7d')");
        assertThat(metrics("aged_tag")).containsEntry("snapshots", 2L);
        assertThat(findings("aged_tag")).isEmpty();
    }

    @Test
    public void testMetadataSize()
    {
        execute("CREATE TABLE large_metadata (id bigint)");
        BaseTable table = load("large_metadata");
        for (int column = 0; column <= 100; column++) {
            table.updateSchema().addColumn("c" + column, Types.LongType.get()).commit();
        }
        assertThat(findings("large_metadata")).isEmpty();
        // 9 MiB in one property, and a hundred schemas that nothing uses: the statement removes the schemas
        table.updateProperties().set("note", "x".repeat(9 << 20)).commit();
        Finding finding = only(findings("large_metadata"));
        assertThat(finding.kind()).isEqualTo("METADATA_SIZE");
        assertThat(finding.measured()).isBetween(9.0 * (1 << 20), 9.6 * (1 << 20));
        assertThat(finding.statement()).isEqualTo("ALTER TABLE lake.test.large_metadata EXECUTE expire_snapshots(retention_threshold => '7d', clean_expired_metadata => true)");
        int before = load("large_metadata").schemas().size();
        execute(finding.statement());
        assertThat(before).isGreaterThan(100);
        // the one of the first snapshot, and the current one
        assertThat(load("large_metadata").schemas()).hasSize(2);
        // nothing more that a statement could remove
        assertThat(only(findings("large_metadata")).statement()).isNull();
    }

    @Test
    public void testLongMetadataLog()
    {
        execute("CREATE TABLE long_log (id bigint)");
        BaseTable table = load("long_log");
        table.updateProperties().set("write.metadata.previous-versions-max", "5000").commit();
        for (int commit = 0; commit < 120; commit++) {
            table.updateProperties().set("n", Integer.toString(commit)).commit();
        }
        // the statement that the rule offers for a long log
        execute("ALTER TABLE lake.test.long_log SET PROPERTIES max_previous_versions = 100");
        assertThat(load("long_log").operations().current().previousFiles()).hasSizeLessThanOrEqualTo(100);
    }

    @Test
    public void testStatistics()
    {
        Session withoutStatistics = Session.builder(queryRunner.getDefaultSession())
                .setCatalogSessionProperty("lake", "collect_extended_statistics_on_write", "false")
                .build();
        queryRunner.execute(withoutStatistics, "CREATE TABLE unanalyzed AS SELECT * FROM tpch.tiny.orders");
        Finding missing = only(findings("unanalyzed"));
        assertThat(missing.kind()).isEqualTo("MISSING_STATISTICS");
        assertThat(missing.measured()).isEqualTo(1);
        assertThat(missing.statement()).isEqualTo("ANALYZE lake.test.unanalyzed");
        execute(missing.statement());
        assertThat(findings("unanalyzed")).isEmpty();

        queryRunner.execute(withoutStatistics, "INSERT INTO unanalyzed SELECT * FROM tpch.tiny.orders");
        Finding behind = only(findings("unanalyzed"));
        assertThat(behind.measured()).isEqualTo(0.5);
        assertThat(behind.reason()).isEqualTo("Rows changed since the statistics were collected: 15,000 in 1 snapshot; the table has 30,000.");
        execute(behind.statement());
        assertThat(findings("unanalyzed")).isEmpty();
    }

    @Test
    public void testSortOrder()
    {
        Session unsorted = Session.builder(queryRunner.getDefaultSession())
                .setCatalogSessionProperty("lake", "sorted_writing_enabled", "false")
                .build();
        execute("CREATE TABLE sorted (id bigint, name varchar) WITH (sorted_by = ARRAY['id'])");
        queryRunner.execute(unsorted, "INSERT INTO sorted SELECT orderkey, clerk FROM tpch.tiny.orders");

        Finding finding = only(findings("sorted"));
        assertThat(finding.kind()).isEqualTo("SORT_ORDER");
        assertThat(finding.measured()).isEqualTo(1);
        assertThat(finding.statement()).isEqualTo("ALTER TABLE lake.test.sorted EXECUTE rewrite_data_files(strategy => 'sort')");
        assertThat(only(findings(unsorted, "sorted")).statement()).isNull();
        assertThat(only(findings(unsorted, "sorted")).reason()).contains("sorted writing is disabled");

        execute(finding.statement());
        assertThat(findings("sorted")).isEmpty();
    }

    @Test
    public void testOverlappingFiles()
    {
        execute("CREATE TABLE overlapping (id bigint, name varchar) WITH (sorted_by = ARRAY['id'])");
        for (int file = 0; file < 4; file++) {
            execute("INSERT INTO overlapping VALUES (%s, 'a'), (%s, 'z')".formatted(file, 100 - file));
        }
        // few, and fewer than are worth a rewrite
        assertThat(findings("overlapping")).isEmpty();
        execute("INSERT INTO overlapping VALUES (50, 'm'), (51, 'n')");
        Finding finding = findings("overlapping").stream().filter(candidate -> candidate.kind().equals("OVERLAPPING_FILES")).findFirst().orElseThrow();
        assertThat(finding.measured()).isEqualTo((1 + 2 + 3 + 4 + 5) / 5e0);
        assertThat(finding.reason()).contains("in 3.00 files on average, in 5 at most").contains("5 data files");
        assertThat(finding.statement()).isEqualTo("ALTER TABLE lake.test.overlapping EXECUTE rewrite_data_files(strategy => 'sort')");
        execute(finding.statement());
        assertThat(findings("overlapping")).isEmpty();
        // new keys after all others
        for (int file = 0; file < 3; file++) {
            execute("INSERT INTO overlapping VALUES (%s, 'a'), (%s, 'z')".formatted(200 + 10 * file, 205 + 10 * file));
        }
        assertThat(findings("overlapping")).isEmpty();
    }

    @Test
    public void testOddNames()
    {
        execute("CREATE SCHEMA \"odd schema\"");
        for (String name : ImmutableList.of("order", "two words", "2026", "say \"hi\"", "größe", "semi;colon")) {
            String quoted = "\"odd schema\".\"" + name.replace("\"", "\"\"") + "\"";
            createSmallFiles(quoted, 5);
            String health = "\"odd schema\".\"" + name.replace("\"", "\"\"") + "$health\"";
            String statement = (String) execute("SELECT statement FROM " + health).getOnlyValue();
            assertThat(statement).contains("\"odd schema\"");
            execute(statement);
            assertThat(execute("SELECT * FROM " + health).getRowCount()).isZero();
            assertThat(execute("SELECT error FROM lake.system.table_health WHERE table_schema = 'odd schema' AND table_name = '" + name + "'").getOnlyValue()).isNull();
        }
        // the file metastore of tests lists a quote as %22, under which name there is no table
        assertThat(execute("SELECT table_name FROM lake.system.table_health WHERE table_schema = 'odd schema'").getOnlyColumnAsSet())
                .isEqualTo(Set.of("order", "two words", "2026", "größe", "semi;colon"));
    }

    @Test
    public void testReservedWordsAreTrinos()
    {
        assertThat(TableName.reservedWords()).isEqualTo(ReservedIdentifiers.reservedIdentifiers().stream()
                .map(word -> word.toLowerCase(Locale.ROOT))
                .collect(toImmutableSet()));
    }

    @Test
    public void testWhatIsNoTable()
    {
        execute("CREATE TABLE viewed (id bigint)");
        execute("CREATE VIEW a_view AS SELECT * FROM viewed");
        for (String name : ImmutableList.of("a_view", "missing", "viewed$files", "missing$files", "")) {
            assertThatThrownBy(() -> execute("SELECT * FROM \"" + name + "$health\""))
                    .as(name)
                    .hasMessageContaining("Table 'lake.test.\"" + name + "$health\"' does not exist");
            assertThatThrownBy(() -> execute("SELECT * FROM \"" + name + "$snapshots\""))
                    .as(name)
                    .hasMessageContaining("Table 'lake.test.\"" + name + "$snapshots\"' does not exist");
        }
        assertThatThrownBy(() -> execute("ALTER TABLE missing EXECUTE table_health"))
                .hasMessageContaining("Table 'lake.test.missing' does not exist");
        assertThatThrownBy(() -> execute("ALTER TABLE a_view EXECUTE table_health"))
                .hasMessageContaining("not supported for views");
        assertThatThrownBy(() -> execute("SELECT * FROM \"viewed$health\" FOR VERSION AS OF 1"))
                .hasMessageContaining("versioned");
    }

    @Test
    public void testMaterializedView()
    {
        createSmallFiles("mv_base", 1);
        execute("CREATE MATERIALIZED VIEW mv AS SELECT * FROM mv_base");
        execute("REFRESH MATERIALIZED VIEW mv");
        assertThat(findings("mv")).isEmpty();
    }

    @Test
    public void testSelectRightIsNeeded()
    {
        createSmallFiles("secret", 5);
        queryRunner.getAccessControl().deny(privilege("secret$health", SELECT_COLUMN));
        try {
            assertThatThrownBy(() -> execute("SELECT * FROM \"secret$health\""))
                    .hasMessageContaining("Access Denied");
            assertThat(listed("table_name = 'secret'")).isEmpty();
            assertThat(listed("table_schema = 'test' AND table_name = 'secret'")).isEmpty();
        }
        finally {
            queryRunner.getAccessControl().reset();
        }
        assertThat(listed("table_name = 'secret'")).containsExactly("secret");

        queryRunner.getAccessControl().denyTables(table -> !table.getTableName().equals("secret"));
        try {
            assertThat(listed("table_name = 'secret'")).isEmpty();
        }
        finally {
            queryRunner.getAccessControl().reset();
        }
    }

    // EXECUTE table_health

    @Test
    public void testProcedure()
    {
        createSmallFiles("numbers", 6);
        Map<String, Long> metrics = metrics("numbers");
        assertThat(metrics)
                .containsEntry("data_files", 6L)
                .containsEntry("records", 6L)
                .containsEntry("partitions", 1L)
                .containsEntry("small_files", 6L)
                .containsEntry("rewrite_groups", 1L)
                .containsEntry("rewrite_files", 6L)
                .containsEntry("delete_manifests", 0L)
                .containsEntry("critical_findings", 0L)
                .containsEntry("warning_findings", 1L)
                .containsEntry("info_findings", 0L);
        assertThat(metrics.get("data_bytes")).isEqualTo(execute("SELECT sum(file_size_in_bytes) FROM \"numbers$files\"").getOnlyValue());
        assertThat(metrics.get("snapshots")).isEqualTo(execute("SELECT count(*) FROM \"numbers$snapshots\"").getOnlyValue());
        assertThat(metrics.get("data_manifests")).isEqualTo(execute("SELECT count(*) FROM \"numbers$manifests\"").getOnlyValue());
        long snapshots = metrics.get("snapshots");
        assertThat(metrics("numbers")).as("nothing changes").isEqualTo(metrics);
        assertThat(execute("SELECT count(*) FROM \"numbers$snapshots\"").getOnlyValue()).isEqualTo(snapshots);
        assertThat((String) execute("EXPLAIN ALTER TABLE numbers EXECUTE table_health").getOnlyValue()).contains("table_health[test.numbers]");
        assertThatThrownBy(() -> execute("ALTER TABLE numbers EXECUTE table_health(depth => 1)"))
                .hasMessageContaining("depth");
    }

    // system.table_health

    @Test
    public void testListing()
            throws IOException
    {
        execute("CREATE SCHEMA many");
        execute("CREATE SCHEMA few");
        createSmallFiles("many.worn", 5);
        createSmallFiles("few.worn", 5);
        execute("CREATE TABLE many.broken (id bigint)");
        execute("CREATE VIEW many.a_view AS SELECT 1 one");
        for (int table = 0; table < 198; table++) {
            execute("CREATE TABLE many.t%03d (id bigint)".formatted(table));
        }
        breakTable("many", "broken");

        List<MaterializedRow> rows = execute("SELECT table_name, worst_severity, worst_finding, findings, statement, data_files, error FROM lake.system.table_health WHERE table_schema = 'many'").getMaterializedRows();
        assertThat(rows).hasSize(200);
        MaterializedRow worn = rows.stream().filter(row -> row.getField(0).equals("worn")).findFirst().orElseThrow();
        assertThat(worn.getFields()).containsExactly("worn", "WARNING", "SMALL_FILES", 1L, "ALTER TABLE lake.many.worn EXECUTE rewrite_data_files", 5L, null);
        MaterializedRow broken = rows.stream().filter(row -> row.getField(0).equals("broken")).findFirst().orElseThrow();
        assertThat(broken.getFields().subList(1, 6)).containsOnlyNulls();
        assertThat((String) broken.getField(6)).contains("broken");
        assertThat(rows).filteredOn(row -> row.getField(6) != null).hasSize(1);

        // conditions decide what is read
        assertTablesRead(1, 1, "table_schema = 'many' AND table_name = 'worn'");
        assertTablesRead(2, 2, "table_schema IN ('many', 'few') AND table_name = 'worn'");
        assertTablesRead(1, 1, "table_schema = 'few'");
        assertTablesRead(2, 2, "table_name = 'worn'");
        assertTablesRead(10, 10, "table_schema = 'many' AND table_name LIKE 't00%'");
        assertTablesRead(1, 0, "table_schema = 'many' AND table_name = 'absent'");
        assertTablesRead(0, 0, "table_schema = 'absent' AND table_name IS NULL");
        assertTablesRead(0, 0, "table_schema = 'absent'");
        assertTablesRead(0, 0, "table_schema = ''");
        // a condition on another column decides nothing beforehand, and holds all the same
        assertTablesRead(1, 0, "table_schema = 'few' AND data_files > 100");
        assertThat(listed("table_schema = 'many' AND table_name = 'a_view'")).isEmpty();
        // the rest is cancelled
        assertThat(execute("SELECT table_name FROM lake.system.table_health WHERE table_schema = 'many' LIMIT 1").getRowCount()).isEqualTo(1);
        assertThat(execute("SELECT count(*) FROM lake.system.table_health t JOIN lake.information_schema.tables i ON t.table_schema = i.table_schema AND t.table_name = i.table_name WHERE i.table_schema = 'few'").getOnlyValue()).isEqualTo(1L);
    }

    @Test
    public void testTablesBeingReadAreBounded()
    {
        List<Runnable> submitted = new ArrayList<>();
        ExecutorService executor = new ForwardingExecutorService()
        {
            @Override
            protected ExecutorService delegate()
            {
                throw new UnsupportedOperationException();
            }

            @Override
            public void execute(Runnable task)
            {
                submitted.add(task);
            }
        };
        List<SchemaTableName> absent = IntStream.range(0, 5).mapToObj(table -> new SchemaTableName("test", "absent" + table)).collect(toImmutableList());
        HealthReader reader = injector().getInstance(HealthReader.class);
        HealthStats stats = injector().getInstance(HealthStats.class);
        long before = stats.getTablesRead().getTotalCount();
        ConnectorSession session = session();
        TableHealthPageSource source = new TableHealthPageSource(reader, session, reader.catalog(session), absent, executor, 2);
        assertThat(submitted).isEmpty();
        assertThat(source.getNextSourcePage()).isNull();
        assertThat(submitted).hasSize(2);
        assertThat(source.getNextSourcePage()).isNull();
        assertThat(submitted).hasSize(2);

        submitted.removeFirst().run();
        assertThat(source.getNextSourcePage()).isNull();
        assertThat(submitted).hasSize(2);
        assertThat(source.isFinished()).isFalse();

        source.close();
        assertThat(source.isFinished()).isTrue();
        submitted.forEach(Runnable::run);
        assertThat(stats.getTablesRead().getTotalCount() - before).as("what was cancelled is not read").isEqualTo(1);
    }

    @Test
    public void testListingAgreesWithTheTable()
    {
        execute("CREATE TABLE agrees (id bigint) WITH (format_version = 3)");
        execute("INSERT INTO agrees SELECT n FROM UNNEST(sequence(1, 100)) AS t(n)");
        execute("DELETE FROM agrees WHERE id < 50");
        BaseTable table = load("agrees");
        MaterializedRow row = execute("SELECT table_uuid, format_version, sequence_number, snapshot_id, to_unixtime(committed_at) * 1000, snapshots, data_files, records, delete_files, position_delete_rows, equality_delete_rows, data_manifests, delete_manifests, worst_severity, worst_finding, reason " +
                "FROM lake.system.table_health WHERE table_schema = 'test' AND table_name = 'agrees'").getMaterializedRows().getFirst();
        assertThat(row.getFields().subList(0, 13)).containsExactly(
                table.uuid().toString(),
                3L,
                table.operations().current().lastSequenceNumber(),
                table.currentSnapshot().snapshotId(),
                (double) table.currentSnapshot().timestampMillis(),
                (long) ImmutableList.copyOf(table.snapshots()).size(),
                1L,
                100L,
                1L,
                49L,
                0L,
                1L,
                1L);
        Finding worst = findings("agrees").getFirst();
        assertThat(row.getFields().subList(13, 16)).containsExactly(worst.severity(), worst.kind(), worst.reason());
    }

    private void assertTablesRead(long tables, int rows, String condition)
    {
        HealthStats stats = injector().getInstance(HealthStats.class);
        long before = stats.getTablesRead().getTotalCount();
        assertThat(listed(condition)).as(condition).hasSize(rows);
        assertThat(stats.getTablesRead().getTotalCount() - before).as(condition).isEqualTo(tables);
    }

    private List<Object> listed(String condition)
    {
        return execute("SELECT table_name FROM lake.system.table_health WHERE " + condition).getMaterializedRows().stream()
                .map(row -> row.getField(0))
                .collect(toImmutableList());
    }

    private MaterializedResult execute(String sql)
    {
        return queryRunner.execute(sql);
    }

    private Map<String, Long> metrics(String table)
    {
        return rows("ALTER TABLE " + table + " EXECUTE table_health");
    }

    private Map<String, Long> rows(String sql)
    {
        return execute(sql).getMaterializedRows().stream()
                .collect(toImmutableMap(row -> (String) row.getField(0), row -> (Long) row.getField(1)));
    }

    private List<Finding> findings(String table)
    {
        return findings(queryRunner.getDefaultSession(), table);
    }

    private List<Finding> findings(Session session, String table)
    {
        return queryRunner.execute(session, "SELECT * FROM \"" + table + "$health\"").getMaterializedRows().stream()
                .map(row -> new Finding(
                        (String) row.getField(0),
                        (String) row.getField(1),
                        (Double) row.getField(2),
                        (String) row.getField(3),
                        (Double) row.getField(4),
                        (String) row.getField(5),
                        (String) row.getField(6)))
                .collect(toImmutableList());
    }

    private static Finding only(List<Finding> findings)
    {
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    private static Finding find(List<Finding> findings, String kind)
    {
        return findings.stream().filter(finding -> finding.kind().equals(kind)).findFirst().orElseThrow(() -> new AssertionError(findings));
    }

    private void createSmallFiles(String table, int files)
    {
        execute("CREATE TABLE " + table + " (id bigint)");
        for (int file = 0; file < files; file++) {
            execute("INSERT INTO " + table + " VALUES " + file);
        }
    }

    private Injector injector()
    {
        return ((LakeConnector) queryRunner.getCoordinator().getConnector("lake")).getInjector();
    }

    private ConnectorSession session()
    {
        return TestingConnectorSession.builder()
                .setPropertyMetadata(queryRunner.getCoordinator().getConnector("lake").getSessionProperties())
                .build();
    }

    private BaseTable load(String table)
    {
        return load("test", table);
    }

    private BaseTable load(String schema, String table)
    {
        ConnectorSession session = session();
        return injector().getInstance(TrinoCatalogFactory.class).create(session.getIdentity()).loadTable(session, new SchemaTableName(schema, table));
    }

    /**
     * Registers the metadata of a table under another name, with all of its times moved into the past.
     */
    private void registerAged(String table, String agedTable, Duration age)
            throws IOException
    {
        String location = load(table).operations().current().metadataFileLocation();
        Matcher times = Pattern.compile("(\"(?:timestamp-ms|last-updated-ms)\"\\s*:\\s*)(\\d+)").matcher(Files.readString(path(location), UTF_8));
        String aged = times.replaceAll(match -> match.group(1) + (Long.parseLong(match.group(2)) - age.toMillis()));
        String agedLocation = location.replaceFirst("[^/]*$", "99999-00000000-0000-4000-8000-000000000000.metadata.json");
        Files.writeString(path(agedLocation), aged, UTF_8);
        String folder = location.substring(0, location.indexOf("/metadata/"));
        execute("CALL lake.system.register_table('test', '%s', '%s', '99999-00000000-0000-4000-8000-000000000000.metadata.json')".formatted(agedTable, folder));
    }

    private void breakTable(String schema, String table)
            throws IOException
    {
        String location = load(schema, table).operations().current().metadataFileLocation();
        Files.delete(path(location));
    }

    private Path path(String location)
    {
        return LakeQueryRunner.folder(queryRunner).resolve(location.replaceFirst("^local:/+", ""));
    }
}
