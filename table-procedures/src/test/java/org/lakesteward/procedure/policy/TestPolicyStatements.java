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
package org.lakesteward.procedure.policy;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryFailedException;
import io.trino.testing.TestingConnectorSession;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.UpdateProperties;
import org.lakesteward.planner.policy.PolicyEntry;
import org.lakesteward.procedure.LakeConnector;
import org.lakesteward.procedure.LakeQueryRunner;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.Map;

import static io.trino.spi.StandardErrorCode.INVALID_MATERIALIZED_VIEW_PROPERTY;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Properties of policies in SQL, on a real engine, and what other engines find and leave in the table.
 */
public class TestPolicyStatements
{
    private DistributedQueryRunner queryRunner;
    private TrinoCatalogFactory catalogFactory;
    private ConnectorSession session;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        // the operator allows one name, not all as other tests do
        queryRunner = LakeQueryRunner.create(0, ImmutableMap.of("iceberg.allowed-extra-properties", "owner.team", "iceberg.metadata-cache.enabled", "false"));
        LakeConnector connector = (LakeConnector) queryRunner.getCoordinator().getConnector("lake");
        catalogFactory = connector.getInjector().getInstance(TrinoCatalogFactory.class);
        session = TestingConnectorSession.builder().setPropertyMetadata(connector.getSessionProperties()).build();
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        if (queryRunner != null) {
            queryRunner.close();
        }
        // Trino's TestNG listener ends the JVM when a closed query runner stays in a field
        queryRunner = null;
    }

    private static final String SOME_PROPERTIES =
            """
            maintenance_enabled = true,
            maintenance_priority = 7,
            maintenance_rewrite_target_file_size = '256MB',
            maintenance_snapshots_max_age = '36h',
            maintenance_analyze_changed_rows_ratio = 0.25,
            maintenance_retention_column = 'Order Day',
            maintenance_retention_max_age = '90d'""";

    private static final Map<String, String> SOME_ENTRIES = ImmutableMap.<String, String>builder()
            .put("maintenance.enabled", "true")
            .put("maintenance.priority", "7")
            .put("maintenance.rewrite.target-file-size", "256MB")
            .put("maintenance.snapshots.max-age", "36h")
            .put("maintenance.analyze.changed-rows-ratio", "0.25")
            .put("maintenance.retention.column", "Order Day")
            .put("maintenance.retention.max-age", "90d")
            .buildOrThrow();

    private static final String[] SOME_SHOWN = {
            "maintenance_enabled = true",
            "maintenance_priority = 7",
            "maintenance_rewrite_target_file_size = '256MB'",
            "maintenance_snapshots_max_age = '36h'",
            "maintenance_analyze_changed_rows_ratio = 2.5E-1",
            "maintenance_retention_column = 'Order Day'",
            "maintenance_retention_max_age = '90d'",
    };

    // tables

    @DataProvider
    public static Object[][] creations()
    {
        return new Object[][] {
                {"CREATE TABLE %s (id bigint) WITH (format = 'ORC', %s, extra_properties = MAP(ARRAY['owner.team'], ARRAY['blue']))"},
                {"CREATE TABLE %s WITH (format = 'ORC', %s, extra_properties = MAP(ARRAY['owner.team'], ARRAY['blue'])) AS SELECT BIGINT '1' AS id"},
                {"CREATE OR REPLACE TABLE %s (id bigint) WITH (format = 'ORC', %s, extra_properties = MAP(ARRAY['owner.team'], ARRAY['blue']))"},
                {"CREATE OR REPLACE TABLE %s WITH (format = 'ORC', %s, extra_properties = MAP(ARRAY['owner.team'], ARRAY['blue'])) AS SELECT BIGINT '1' AS id"},
                {"CREATE TABLE IF NOT EXISTS %s (id bigint) WITH (format = 'ORC', %s, extra_properties = MAP(ARRAY['owner.team'], ARRAY['blue']))"},
        };
    }

    @Test(dataProvider = "creations")
    public void testCreate(String statement)
    {
        execute("DROP TABLE IF EXISTS created");
        execute(statement.formatted("created", SOME_PROPERTIES));

        assertThat(entries("created")).isEqualTo(SOME_ENTRIES);
        assertThat(load("created").properties()).containsEntry("owner.team", "blue").containsEntry("write.format.default", "ORC");
        String shown = showCreate("TABLE created");
        assertThat(shown).contains(SOME_SHOWN);

        // what is shown makes the same table
        execute("DROP TABLE created");
        execute(shown.replaceFirst("location = '[^']*',\n", ""));
        assertThat(entries("created")).isEqualTo(SOME_ENTRIES);
        assertThat(withoutLocation(showCreate("TABLE created"))).isEqualTo(withoutLocation(shown));
    }

    private static String withoutLocation(String statement)
    {
        return statement.replaceFirst(" *location = '[^']*',\n", "");
    }

    @Test
    public void testTableWithoutPolicyShowsNone()
    {
        execute("CREATE TABLE plain (id bigint)");
        assertThat(showCreate("TABLE plain")).doesNotContain("maintenance").isEqualTo(((String) queryRunner.execute("SHOW CREATE TABLE stock.test.plain").getOnlyValue()).replace("stock.test", "lake.test"));
        assertThat(entries("plain")).isEmpty();
    }

    @Test
    public void testReplacedTableForgets()
    {
        execute("CREATE TABLE replaced (id bigint) WITH (maintenance_enabled = true, maintenance_priority = 3)");
        execute("CREATE OR REPLACE TABLE replaced (id bigint) WITH (maintenance_priority = 4)");
        assertThat(entries("replaced")).isEqualTo(Map.of("maintenance.priority", "4"));
    }

    @Test
    public void testLikeIncludingProperties()
    {
        execute("CREATE TABLE original (id bigint) WITH (maintenance_enabled = true)");
        execute("CREATE TABLE twin (LIKE original INCLUDING PROPERTIES) WITH (location = 'local:///twin_of_original')");
        execute("CREATE TABLE cousin (LIKE original EXCLUDING PROPERTIES)");
        assertThat(entries("twin")).isEqualTo(Map.of("maintenance.enabled", "true"));
        assertThat(entries("cousin")).isEmpty();
    }

    @Test
    public void testSetAndReset()
    {
        execute("CREATE TABLE changed (id bigint) WITH (maintenance_priority = 3)");
        execute("INSERT INTO changed VALUES 1");
        long snapshot = load("changed").currentSnapshot().snapshotId();

        execute("ALTER TABLE changed SET PROPERTIES maintenance_enabled = true, maintenance_orphans_min_age = '9d'");
        assertThat(entries("changed")).isEqualTo(Map.of("maintenance.enabled", "true", "maintenance.priority", "3", "maintenance.orphans.min-age", "9d"));
        assertThat(showCreate("TABLE changed")).contains("maintenance_enabled = true", "maintenance_orphans_min_age = '9d'", "maintenance_priority = 3");

        // beside properties of the stock connector, with one commit
        int versions = load("changed").operations().current().previousFiles().size();
        execute("ALTER TABLE changed SET PROPERTIES maintenance_priority = 4, format = 'ORC', extra_properties = MAP(ARRAY['owner.team', 'maintenance.manifests.min-count'], ARRAY['red', '50'])");
        assertThat(entries("changed")).isEqualTo(Map.of("maintenance.enabled", "true", "maintenance.priority", "4", "maintenance.orphans.min-age", "9d", "maintenance.manifests.min-count", "50"));
        assertThat(load("changed").properties()).containsEntry("owner.team", "red").containsEntry("write.format.default", "ORC");
        assertThat(load("changed").operations().current().previousFiles()).hasSize(versions + 1);

        // some away, some new, with one commit
        execute("ALTER TABLE changed SET PROPERTIES maintenance_enabled = DEFAULT, maintenance_priority = DEFAULT, maintenance_analyze_enabled = false");
        assertThat(entries("changed")).isEqualTo(Map.of("maintenance.orphans.min-age", "9d", "maintenance.manifests.min-count", "50", "maintenance.analyze.enabled", "false"));
        assertThat(load("changed").operations().current().previousFiles()).hasSize(versions + 2);
        assertThat(showCreate("TABLE changed")).doesNotContain("maintenance_enabled", "maintenance_priority").contains("maintenance_analyze_enabled = false");

        // what is away already
        execute("ALTER TABLE changed SET PROPERTIES maintenance_enabled = DEFAULT");
        assertThat(load("changed").currentSnapshot().snapshotId()).isEqualTo(snapshot);
        assertThat(queryRunner.execute("SELECT * FROM changed").getOnlyValue()).isEqualTo(1L);
    }

    @Test
    public void testResetBesideStockPropertiesIsRefused()
    {
        execute("CREATE TABLE mixed (id bigint) WITH (maintenance_priority = 3)");
        assertFails("ALTER TABLE mixed SET PROPERTIES maintenance_priority = DEFAULT, format = 'ORC'", NOT_SUPPORTED,
                "Properties of maintenance can be set to DEFAULT only in a statement without format: use one statement for each");
        assertThat(entries("mixed")).isEqualTo(Map.of("maintenance.priority", "3"));
        assertThat(load("mixed").properties()).containsEntry("write.format.default", "PARQUET");
    }

    @DataProvider
    public static Object[][] wrongValues()
    {
        return new Object[][] {
                {"maintenance_priority = 0", "Unable to set catalog 'lake' table property 'maintenance_priority' to [0]: it must be a whole number from 1 to 10"},
                {"maintenance_priority = -1", "Unable to set catalog 'lake' table property 'maintenance_priority' to [-1]: it must be a whole number from 1 to 10"},
                {"maintenance_priority = 'high'", "Invalid value for catalog 'lake' table property 'maintenance_priority': Cannot convert ['high'] to integer"},
                {"maintenance_enabled = 'yes'", "Invalid value for catalog 'lake' table property 'maintenance_enabled': Cannot convert ['yes'] to boolean"},
                {"maintenance_rewrite_strategy = 'zorder'", "Unable to set catalog 'lake' table property 'maintenance_rewrite_strategy' to ['zorder']: it must be binpack or sort"},
                {"maintenance_rewrite_target_file_size = '512'", "Unable to set catalog 'lake' table property 'maintenance_rewrite_target_file_size' to ['512']: it must be a size of 1MB or more, such as 512MB"},
                {"maintenance_orphans_min_age = '1h'", "Unable to set catalog 'lake' table property 'maintenance_orphans_min_age' to ['1h']: it must be a duration from 1d to 36500d, such as 7d"},
                {"maintenance_analyze_changed_rows_ratio = 1.5", "Unable to set catalog 'lake' table property 'maintenance_analyze_changed_rows_ratio' to [DECIMAL '1.5']: it must be a number above 0 and at most 1"},
                {"maintenance_analyze_changed_rows_ratio = nan()", "Unable to set catalog 'lake' table property 'maintenance_analyze_changed_rows_ratio' to [nan()]: it must be a number above 0 and at most 1"},
                {"maintenance_priority = NULL", "Invalid null value for catalog 'lake' table property 'maintenance_priority' from [null]"},
                {"maintenance_foo = 1", "Catalog 'lake' table property 'maintenance_foo' does not exist"},
                {"maintenance_refresh_schedule = '15m'", "Catalog 'lake' table property 'maintenance_refresh_schedule' does not exist"},
                {"extra_properties = MAP(ARRAY['maintenance.foo'], ARRAY['1'])", "'maintenance.foo' in extra_properties: there is no entry of that name in the maintenance policies of tables"},
                {"extra_properties = MAP(ARRAY['Maintenance.Priority'], ARRAY['0'])", "maintenance.priority is '0': it must be a whole number from 1 to 10"},
                {"maintenance_priority = 5, extra_properties = MAP(ARRAY['maintenance.priority'], ARRAY['5'])", "maintenance.priority is set twice: by a property and by extra_properties"},
                // what the operator did not allow stays refused
                {"maintenance_priority = 5, extra_properties = MAP(ARRAY['owner.name'], ARRAY['me'])", "Illegal keys in extra_properties: [owner.name]"},
        };
    }

    @Test(dataProvider = "wrongValues")
    public void testWrongValues(String property, String message)
    {
        assertFails("CREATE TABLE wrong (id bigint) WITH (" + property + ")", INVALID_TABLE_PROPERTY, message);
        assertFails("CREATE TABLE wrong WITH (" + property + ") AS SELECT 1 AS id", INVALID_TABLE_PROPERTY, message);
        execute("CREATE TABLE IF NOT EXISTS right_one (id bigint) WITH (maintenance_priority = 3)");
        assertFails("ALTER TABLE right_one SET PROPERTIES " + property, INVALID_TABLE_PROPERTY, message);
        assertThat(entries("right_one")).isEqualTo(Map.of("maintenance.priority", "3"));
        assertThat(queryRunner.tableExists(queryRunner.getDefaultSession(), "wrong")).isFalse();
    }

    @Test
    public void testNamesWithPointsAreNone()
    {
        assertFails("CREATE TABLE wrong (id bigint) WITH (\"maintenance.enabled\" = true)", INVALID_TABLE_PROPERTY, "Catalog 'lake' table property 'maintenance.enabled' does not exist");
    }

    /** As Spark sets them. */
    @Test
    public void testPropertiesOfAnotherEngine()
    {
        execute("CREATE TABLE theirs (id bigint)");
        execute("INSERT INTO theirs VALUES 1");
        set("theirs", Map.of(
                "maintenance.enabled", "true",
                "maintenance.snapshots.max-age", "3d",
                // mistakes
                "maintenance.priority", "eleven",
                "maintenance.foo", "bar",
                "maintenance.orphans.min-age", "1 hour"));

        assertThat(showCreate("TABLE theirs"))
                .contains("maintenance_enabled = true", "maintenance_snapshots_max_age = '3d'")
                .doesNotContain("maintenance_priority", "foo", "maintenance_orphans_min_age");
        assertThat(queryRunner.execute("SELECT * FROM theirs").getOnlyValue()).isEqualTo(1L);
        execute("INSERT INTO theirs VALUES 2");
        execute("ANALYZE theirs");
        assertThat(queryRunner.execute("SELECT value FROM \"theirs$properties\" WHERE key = 'maintenance.priority'").getOnlyValue()).isEqualTo("eleven");

        // a mistake can be mended from here
        execute("ALTER TABLE theirs SET PROPERTIES maintenance_priority = 9, maintenance_orphans_min_age = DEFAULT");
        assertThat(entries("theirs")).isEqualTo(Map.of("maintenance.enabled", "true", "maintenance.snapshots.max-age", "3d", "maintenance.priority", "9", "maintenance.foo", "bar"));
    }

    @Test
    public void testPropertiesAreListed()
    {
        assertThat(queryRunner.execute("SELECT property_name FROM system.metadata.table_properties WHERE catalog_name = 'lake' AND property_name LIKE 'maintenance\\_%' ESCAPE '\\'").getRowCount())
                .isEqualTo(PolicyEntry.all().size() - 1);
        assertThat(queryRunner.execute("SELECT description FROM system.metadata.table_properties WHERE catalog_name = 'lake' AND property_name = 'maintenance_priority'").getOnlyValue())
                .isEqualTo("Weight of the table among others; a whole number from 1 to 10, 5 if nobody sets it");
        assertThat(queryRunner.execute("SELECT property_name FROM system.metadata.table_properties WHERE catalog_name = 'stock' AND property_name LIKE 'maintenance%'").getRowCount()).isZero();
    }

    /** Another session sees them as the stock connector sees any property. */
    @Test
    public void testStockConnectorReadsTheTable()
    {
        execute("CREATE TABLE shared (id bigint) WITH (maintenance_enabled = true)");
        execute("INSERT INTO stock.test.shared VALUES 1");
        execute("ALTER TABLE stock.test.shared SET PROPERTIES format = 'ORC'");
        assertThat(entries("shared")).isEqualTo(Map.of("maintenance.enabled", "true"));
        assertThat(showCreate("TABLE stock.test.shared")).doesNotContain("maintenance");
    }

    @Test
    public void testWritesKeepProperties()
    {
        execute("CREATE TABLE kept (id bigint, name varchar) WITH (maintenance_enabled = true, maintenance_priority = 2)");
        execute("INSERT INTO kept VALUES (1, 'a'), (2, 'b')");
        execute("DELETE FROM kept WHERE id = 1");
        execute("ALTER TABLE kept ADD COLUMN age integer");
        execute("ALTER TABLE kept EXECUTE rewrite_data_files(rewrite_all => true)");
        execute("COMMENT ON TABLE kept IS 'mine'");
        execute("ALTER TABLE kept RENAME TO kept_on");
        assertThat(entries("kept_on")).isEqualTo(Map.of("maintenance.enabled", "true", "maintenance.priority", "2"));
        assertThat(showCreate("TABLE kept_on")).contains("COMMENT 'mine'", "maintenance_priority = 2");
    }

    // materialized views

    @Test
    public void testMaterializedView()
    {
        execute("CREATE TABLE base (id bigint)");
        execute("INSERT INTO base VALUES 1, 2");
        execute("CREATE MATERIALIZED VIEW totals WITH (format = 'ORC', maintenance_enabled = true, maintenance_refresh_schedule = '15m') AS SELECT count(*) AS n FROM base");
        assertThat(viewEntries("totals")).isEqualTo(Map.of("maintenance.enabled", "true", "maintenance.refresh.schedule", "15m"));
        String shown = showCreate("MATERIALIZED VIEW totals");
        assertThat(shown).contains("format = 'ORC'", "maintenance_enabled = true", "maintenance_refresh_schedule = '15m'");

        execute("REFRESH MATERIALIZED VIEW totals");
        assertThat(queryRunner.execute("SELECT n FROM totals").getOnlyValue()).isEqualTo(2L);
        assertThat(viewEntries("totals")).hasSize(2);

        execute("ALTER MATERIALIZED VIEW totals SET PROPERTIES maintenance_refresh_schedule = '0 3 * * MON-FRI', maintenance_enabled = DEFAULT");
        assertThat(viewEntries("totals")).isEqualTo(Map.of("maintenance.refresh.schedule", "0 3 * * MON-FRI"));
        assertThat(showCreate("MATERIALIZED VIEW totals")).contains("maintenance_refresh_schedule = '0 3 * * MON-FRI'").doesNotContain("maintenance_enabled");
        execute("REFRESH MATERIALIZED VIEW totals");
        assertThat(queryRunner.execute("SELECT n FROM totals").getOnlyValue()).isEqualTo(2L);

        // another statement of the same name leaves it alone
        execute("CREATE MATERIALIZED VIEW IF NOT EXISTS totals WITH (maintenance_priority = 9) AS SELECT count(*) AS n FROM base");
        assertThat(viewEntries("totals")).isEqualTo(Map.of("maintenance.refresh.schedule", "0 3 * * MON-FRI"));
        execute("CREATE OR REPLACE MATERIALIZED VIEW totals WITH (maintenance_priority = 9) AS SELECT count(*) AS n FROM base");
        assertThat(viewEntries("totals")).isEqualTo(Map.of("maintenance.priority", "9"));

        execute("DROP MATERIALIZED VIEW totals");
        execute(withoutLocation(shown).replaceFirst(" *storage_schema = '[^']*'", "   max_commit_retry = 4"));
        assertThat(viewEntries("totals")).isEqualTo(Map.of("maintenance.enabled", "true", "maintenance.refresh.schedule", "15m"));
        execute("DROP MATERIALIZED VIEW totals");
    }

    @Test
    public void testMaterializedViewWithoutPolicyIsAsStock()
    {
        execute("CREATE MATERIALIZED VIEW plain_view AS SELECT 1 AS one");
        assertThat(showCreate("MATERIALIZED VIEW plain_view")).doesNotContain("maintenance");
        assertFails("ALTER MATERIALIZED VIEW plain_view SET PROPERTIES format = 'ORC'", NOT_SUPPORTED, "This connector does not support setting materialized view properties");
        assertFails("ALTER MATERIALIZED VIEW plain_view SET PROPERTIES format = 'ORC', maintenance_enabled = true", NOT_SUPPORTED, "This connector does not support setting materialized view properties");
        assertThat(viewEntries("plain_view")).isEmpty();
        execute("DROP MATERIALIZED VIEW plain_view");
    }

    @DataProvider
    public static Object[][] wrongViewValues()
    {
        return new Object[][] {
                {"maintenance_refresh_schedule = '30s'", "Unable to set catalog 'lake' materialized view property 'maintenance_refresh_schedule' to ['30s']: it must be an interval of 1m or more, such as 15m, or the five fields of a crontab line in UTC, such as '0 3 * * *'"},
                {"maintenance_refresh_schedule = '0 25 * * *'", "Unable to set catalog 'lake' materialized view property 'maintenance_refresh_schedule' to ['0 25 * * *']: it must be an interval of 1m or more, such as 15m, or the five fields of a crontab line in UTC, such as '0 3 * * *'"},
                {"maintenance_retention_column = 'day'", "Catalog 'lake' materialized view property 'maintenance_retention_column' does not exist"},
        };
    }

    @Test(dataProvider = "wrongViewValues")
    public void testWrongViewValues(String property, String message)
    {
        assertFails("CREATE MATERIALIZED VIEW wrong_view WITH (" + property + ") AS SELECT 1 AS one", INVALID_MATERIALIZED_VIEW_PROPERTY, message);
        assertThat(queryRunner.tableExists(queryRunner.getDefaultSession(), "wrong_view")).isFalse();
    }

    private void execute(String sql)
    {
        queryRunner.execute(sql);
    }

    private String showCreate(String relation)
    {
        return (String) queryRunner.execute("SHOW CREATE " + relation).getOnlyValue();
    }

    private BaseTable load(String table)
    {
        return catalogFactory.create(session.getIdentity()).loadTable(session, new SchemaTableName(LakeQueryRunner.SCHEMA, table));
    }

    /** What other engines read. */
    private Map<String, String> entries(String table)
    {
        return Maps.filterKeys(load(table).properties(), PolicyEntry::isReserved);
    }

    private Map<String, String> viewEntries(String view)
    {
        return Maps.filterKeys(
                catalogFactory.create(session.getIdentity()).getMaterializedViewStorageTable(session, new SchemaTableName(LakeQueryRunner.SCHEMA, view)).orElseThrow().properties(),
                PolicyEntry::isReserved);
    }

    private void set(String table, Map<String, String> properties)
    {
        UpdateProperties update = load(table).updateProperties();
        properties.forEach(update::set);
        update.commit();
    }

    private void assertFails(String sql, ErrorCodeSupplier errorCode, String message)
    {
        Throwable failure = catchThrowable(() -> queryRunner.execute(sql));
        assertThat(failure).as(sql).isInstanceOf(QueryFailedException.class);
        assertThat(failure.getMessage().replaceFirst("^line [0-9:]*: ", "")).as(sql).isEqualTo(message);
        assertThat(queryRunner.getCoordinator().getDispatchManager().getQueryInfo(((QueryFailedException) failure).getQueryId()).getErrorCode()).as(sql).isEqualTo(errorCode.toErrorCode());
    }
}
