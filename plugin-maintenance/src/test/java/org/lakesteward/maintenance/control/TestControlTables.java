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
package org.lakesteward.maintenance.control;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WriteInFlight;
import org.lakesteward.planner.window.WriteInFlight.KillAttempt;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The tables of the control catalog, read through the engine over a store with known content.
 */
public class TestControlTables
{
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private static final Instant OPENED = NOW.minus(Duration.ofHours(2));

    private InMemoryWindowStore store;
    private DistributedQueryRunner queryRunner;
    private String query;

    @BeforeClass
    public void start()
            throws Exception
    {
        store = new InMemoryWindowStore();
        queryRunner = ControlQueryRunner.create(store);
        // the coordinator of the test reports a statement of its own as a write, so that the tables can be joined with its queries
        queryRunner.execute(ControlQueryRunner.session("alice"), "SELECT count(*) FROM tpch.tiny.nation");
        query = text("SELECT query_id FROM system.runtime.queries WHERE \"user\" = 'alice'");

        store.put(window("w1", "lake.sales", OPENED, Optional.of(NOW.plus(Duration.ofDays(1))), Optional.of("bob"), Optional.of("no such table")));
        store.put(window("w2", "lake.sales.orders", OPENED.plusSeconds(1), Optional.empty(), Optional.empty(), Optional.empty()));
        store.put(window("w3", "other", OPENED.plusSeconds(2), Optional.of(NOW.minusSeconds(60)), Optional.empty(), Optional.empty()));
        store.put(new EndedWindow(window("w4", "old", OPENED.minusSeconds(3600), Optional.empty(), Optional.empty(), Optional.empty()), Optional.of("carol"), OPENED.minusSeconds(60)));
        store.put(new EndedWindow(window("w5", "older", OPENED.minusSeconds(7200), Optional.of(OPENED.minusSeconds(120)), Optional.empty(), Optional.empty()), Optional.empty(), OPENED.minusSeconds(120)));

        // acknowledged both; one write holds the window of the schema, none that of the table
        store.put(new CoordinatorState(
                new CoordinatorReport(
                        "c1",
                        OPENED.minusSeconds(9000),
                        NOW,
                        false,
                        ImmutableMap.of(
                                "w1", new Acknowledgement(OPENED.plusSeconds(3), Optional.empty()),
                                "w2", new Acknowledgement(OPENED.plusSeconds(3), Optional.of(OPENED.plusSeconds(4))),
                                "gone", new Acknowledgement(OPENED, Optional.of(OPENED))),
                        ImmutableList.of(
                                write(query, "alice", "lake.sales.items", NOW.minusSeconds(7300), Optional.empty()),
                                write("q2", "dave", "lake.sales.lines", NOW.minusSeconds(7400), Optional.of(new KillAttempt(NOW, Optional.of("no rights"))))),
                        3),
                true));
        // a coordinator that has long been silent holds nothing up
        store.put(new CoordinatorState(new CoordinatorReport("c2", OPENED, OPENED, false, ImmutableMap.of(), ImmutableList.of(), 0), false));
    }

    @AfterClass(alwaysRun = true)
    public void stop()
    {
        store = null;
        if (queryRunner != null) {
            queryRunner.close();
            queryRunner = null;
        }
    }

    private static MaintenanceWindow window(String id, String scope, Instant openedAt, Optional<Instant> until, Optional<String> extendedBy, Optional<String> warning)
    {
        return new MaintenanceWindow(id, WindowScope.parse(scope), "restore of " + scope, "ann", openedAt, until, Duration.ofSeconds(90), id.equals("w2"), extendedBy, warning);
    }

    private static WriteInFlight write(String queryId, String user, String target, Instant createdAt, Optional<KillAttempt> kill)
    {
        return new WriteInFlight(queryId, user, StatementKind.INSERT, createdAt, ImmutableSet.of(WindowScope.parse(target), WindowScope.parse("a.b")), kill);
    }

    @Test
    public void testShow()
    {
        assertThat(column("SHOW SCHEMAS FROM maintenance")).containsExactlyInAnyOrder("information_schema", "system");
        assertThat(column("SHOW TABLES FROM maintenance.system")).containsExactlyInAnyOrder("maintenance_windows", "writes_in_flight", "window_acknowledgements", "coordinators");
        assertThat(column("SHOW TABLES FROM maintenance.system LIKE '%window%'")).containsExactlyInAnyOrder("maintenance_windows", "window_acknowledgements");
        assertThat(text("SHOW CREATE TABLE maintenance.system.coordinators")).contains("coordinator_id varchar COMMENT 'Unique among the coordinators of the lake");
    }

    @DataProvider
    public Object[][] columns()
    {
        return new Object[][] {
                {
                        "maintenance_windows",
                        ImmutableList.of(
                                "scope varchar", "state varchar", "reason varchar", "opened_by varchar", "opened_at timestamp(3) with time zone",
                                "closed_at timestamp(3) with time zone", "until timestamp(3) with time zone", "retry_after interval day to second",
                                "kill_running_writes boolean", "extended_by varchar", "ended_by varchar", "ended_at timestamp(3) with time zone", "warning varchar")},
                {
                        "writes_in_flight",
                        ImmutableList.of(
                                "window_scope varchar", "query_id varchar", "user varchar", "statement_kind varchar", "created_at timestamp(3) with time zone",
                                "age interval day to second", "state varchar", "kill_error varchar", "targets array(varchar)", "coordinator varchar")},
                {
                        "window_acknowledgements",
                        ImmutableList.of(
                                "window_scope varchar", "coordinator varchar", "live boolean", "acknowledged boolean", "acknowledged_at timestamp(3) with time zone",
                                "drained_at timestamp(3) with time zone", "store_ignored boolean", "last_report_at timestamp(3) with time zone")},
                {
                        "coordinators",
                        ImmutableList.of(
                                "coordinator_id varchar", "live boolean", "started_at timestamp(3) with time zone", "last_report_at timestamp(3) with time zone",
                                "store_ignored boolean", "windows_acknowledged bigint", "writes_in_flight bigint")},
        };
    }

    @Test(dataProvider = "columns")
    public void testColumns(String table, List<String> columns)
    {
        assertThat(queryRunner.execute("DESCRIBE maintenance.system." + table).getMaterializedRows())
                .extracting(row -> row.getField(0) + " " + row.getField(1))
                .isEqualTo(columns);
        assertThat(queryRunner.execute("DESCRIBE maintenance.system." + table).getMaterializedRows())
                .allSatisfy(row -> assertThat((String) row.getField(3)).isNotBlank());
        assertThat(column("SELECT column_name || ' ' || data_type FROM maintenance.information_schema.columns WHERE table_schema = 'system' AND table_name = '" + table + "' ORDER BY ordinal_position"))
                .isEqualTo(columns);
        assertThat(text("SELECT comment FROM system.metadata.table_comments WHERE catalog_name = 'maintenance' AND schema_name = 'system' AND table_name = '" + table + "'")).isNotBlank();
    }

    @Test
    public void testWindows()
    {
        // in the order of the table: the open ones, then the past ones, newest first
        assertThat(rows("SELECT scope, state, reason, opened_by, extended_by, ended_by, warning FROM maintenance.system.maintenance_windows")).containsExactly(
                row("lake.sales", "CLOSING", "restore of lake.sales", "ann", "bob", null, "no such table"),
                row("lake.sales.orders", "CLOSED", "restore of lake.sales.orders", "ann", null, null, null),
                row("other", "EXPIRED", "restore of other", "ann", null, null, null),
                row("old", "ENDED", "restore of old", "ann", null, "carol", null),
                row("older", "EXPIRED", "restore of older", "ann", null, null, null));
    }

    @Test
    public void testTimes()
    {
        assertThat(rows("""
                SELECT scope, opened_at = TIMESTAMP '%s', closed_at = TIMESTAMP '%s', until = TIMESTAMP '%s', ended_at, retry_after = INTERVAL '90' SECOND, kill_running_writes
                FROM maintenance.system.maintenance_windows WHERE state IN ('CLOSING', 'CLOSED')
                """.formatted(sql(OPENED), sql(OPENED.plusSeconds(4)), sql(NOW.plus(Duration.ofDays(1)))))).containsExactly(
                row("lake.sales", true, null, true, null, true, false),
                row("lake.sales.orders", false, true, null, null, true, true));
        assertThat(rows("""
                SELECT scope, closed_at, ended_at = TIMESTAMP '%s'
                FROM maintenance.system.maintenance_windows WHERE ended_at IS NOT NULL
                """.formatted(sql(OPENED.minusSeconds(60))))).containsExactly(
                row("other", null, false),
                row("old", null, true),
                row("older", null, false));
    }

    @Test
    public void testWritesInFlight()
    {
        assertThat(rows("SELECT window_scope, query_id, \"user\", statement_kind, state, kill_error, targets, coordinator FROM maintenance.system.writes_in_flight")).containsExactly(
                row("lake.sales", "q2", "dave", "INSERT", "KILL_FAILED", "no rights", ImmutableList.of("a.b", "lake.sales.lines"), "c1"),
                row("lake.sales", query, "alice", "INSERT", "RUNNING", null, ImmutableList.of("a.b", "lake.sales.items"), "c1"));
        assertThat(column("SELECT query_id FROM maintenance.system.writes_in_flight WHERE age BETWEEN INTERVAL '7400' SECOND AND INTERVAL '3' HOUR AND created_at = TIMESTAMP '%s'"
                .formatted(sql(NOW.minusSeconds(7400))))).containsExactly("q2");
        assertThat(column("SELECT query_id FROM maintenance.system.writes_in_flight WHERE contains(targets, 'lake.sales.items')")).containsExactly(query);
    }

    @Test
    public void testJoin()
    {
        assertThat(rows("""
                SELECT w.query_id, w."user", q.query, q.state
                FROM maintenance.system.writes_in_flight w
                JOIN system.runtime.queries q ON q.query_id = w.query_id
                JOIN maintenance.system.maintenance_windows m ON m.scope = w.window_scope
                """)).containsExactly(row(query, "alice", "SELECT count(*) FROM tpch.tiny.nation", "FINISHED"));
    }

    @Test
    public void testAcknowledgements()
    {
        assertThat(rows("SELECT window_scope, coordinator, live, acknowledged, acknowledged_at = TIMESTAMP '%s', drained_at = TIMESTAMP '%s', store_ignored, last_report_at = TIMESTAMP '%s' FROM maintenance.system.window_acknowledgements"
                .formatted(sql(OPENED.plusSeconds(3)), sql(OPENED.plusSeconds(4)), sql(NOW)))).containsExactly(
                row("lake.sales", "c1", true, true, true, null, false, true),
                row("lake.sales", "c2", false, false, null, null, false, false),
                row("lake.sales.orders", "c1", true, true, true, true, false, true),
                row("lake.sales.orders", "c2", false, false, null, null, false, false));
    }

    @Test
    public void testCoordinators()
    {
        assertThat(rows("SELECT coordinator_id, live, started_at = TIMESTAMP '%s', last_report_at = TIMESTAMP '%s', store_ignored, windows_acknowledged, writes_in_flight FROM maintenance.system.coordinators"
                .formatted(sql(OPENED), sql(OPENED)))).containsExactly(
                row("c1", true, false, false, false, 2L, 5L),
                row("c2", false, true, true, false, 0L, 0L));
    }

    @Test
    public void testPredicatesLimitsAndCounts()
    {
        assertThat(queryRunner.execute("SELECT count(*) FROM maintenance.system.maintenance_windows").getOnlyValue()).isEqualTo(5L);
        assertThat(queryRunner.execute("SELECT count(*) FROM maintenance.system.maintenance_windows WHERE scope LIKE 'lake.%' AND NOT kill_running_writes").getOnlyValue()).isEqualTo(1L);
        assertThat(rows("SELECT * FROM maintenance.system.maintenance_windows LIMIT 2")).hasSize(2);
        assertThat(column("SELECT scope FROM maintenance.system.maintenance_windows WHERE scope = 'old'")).containsExactly("old");
        assertThat(column("SELECT scope FROM maintenance.system.maintenance_windows WHERE state = 'OPEN'")).isEmpty();
        assertThat(rows("SELECT state, count(*) FROM maintenance.system.maintenance_windows GROUP BY state ORDER BY state")).containsExactly(
                row("CLOSED", 1L), row("CLOSING", 1L), row("ENDED", 1L), row("EXPIRED", 2L));
        assertThat(text("EXPLAIN SELECT scope FROM maintenance.system.maintenance_windows WHERE state = 'CLOSED'")).contains("maintenance:system.maintenance_windows");
        assertThat(text("EXPLAIN ANALYZE SELECT count(*) FROM maintenance.system.coordinators")).contains("maintenance:system.coordinators");
    }

    @DataProvider
    public Object[][] writes()
    {
        return new Object[][] {
                {"DELETE FROM maintenance.system.maintenance_windows", "This connector does not support"},
                {"UPDATE maintenance.system.maintenance_windows SET reason = 'x'", "This connector does not support"},
                {"CREATE TABLE maintenance.system.t (a bigint)", "This connector does not support"},
                // the engine's own words for every system table
                {"INSERT INTO maintenance.system.coordinators SELECT * FROM maintenance.system.coordinators", "Cannot record write"},
                {"DROP TABLE maintenance.system.maintenance_windows", "Cannot record write"},
        };
    }

    /** The right to write a table of the control catalog means the right to call its procedures, and nothing else. */
    @Test(dataProvider = "writes")
    public void testTablesCannotBeWritten(String sql, String message)
    {
        assertThatThrownBy(() -> queryRunner.execute(sql)).hasMessageContaining(message);
    }

    @Test
    public void testUnknownTable()
    {
        assertThatThrownBy(() -> queryRunner.execute("SELECT * FROM maintenance.system.nothing")).hasMessageContaining("Table 'maintenance.system.nothing' does not exist");
    }

    private static String sql(Instant instant)
    {
        return instant.toString().replace('T', ' ').replace("Z", " UTC");
    }

    private static List<Object> row(Object... values)
    {
        return Arrays.asList(values);
    }

    private List<List<Object>> rows(String sql)
    {
        return queryRunner.execute(sql).getMaterializedRows().stream()
                .map(MaterializedRow::getFields)
                .toList();
    }

    private List<String> column(String sql)
    {
        return queryRunner.execute(sql).getMaterializedRows().stream()
                .map(row -> (String) row.getField(0))
                .toList();
    }

    private String text(String sql)
    {
        return (String) queryRunner.execute(sql).getOnlyValue();
    }
}
