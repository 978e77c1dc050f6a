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
package org.lakesteward.access;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.reflect.ClassPath;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.Statement;
import io.trino.util.StatementUtils;
import org.lakesteward.access.TestClient.Outcome;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;
import org.testng.annotations.AfterClass;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import static com.google.common.base.Verify.verify;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every statement of Trino in a window and without one, as a client sends it.
 */
public class TestStatementMatrix
{
    private MaintenanceCluster cluster;
    private TestClient user;
    private TestClient operator;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        cluster = MaintenanceCluster.create();
        user = new TestClient(cluster.uri(), "bob", ImmutableMap.of(
                "prepared_insert", "INSERT INTO t VALUES (?, ?)",
                "prepared_select", "SELECT * FROM t"));
        operator = cluster.client("operator");
        for (String sql : new String[] {
                "CREATE SCHEMA lake.s",
                "CREATE TABLE t (x bigint, y varchar)",
                "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
                "CREATE TABLE u AS SELECT BIGINT '1' x",
                "CREATE VIEW v SECURITY DEFINER AS SELECT * FROM t",
                "CREATE VIEW vi SECURITY INVOKER AS SELECT * FROM t",
                "CREATE VIEW vv SECURITY DEFINER AS SELECT x FROM v",
                "CREATE MATERIALIZED VIEW m AS SELECT x FROM t",
                "REFRESH MATERIALIZED VIEW m",
                "INSERT INTO t VALUES (3, 'later than m')",
                "CREATE VIEW passing SECURITY DEFINER AS SELECT * FROM TABLE(remote.system.query(query => 'x'))",
                "CREATE VIEW passing_nested SECURITY INVOKER AS SELECT * FROM passing"}) {
            operator.rows(sql);
        }
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        if (user != null) {
            user.close();
            user = null;
        }
        if (operator != null) {
            operator.close();
            operator = null;
        }
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }

    @AfterMethod(alwaysRun = true)
    public void endWindows()
    {
        if (cluster != null) {
            cluster.store().endAll();
        }
    }

    @DataProvider
    public Object[][] cases()
    {
        return StatementCase.readAll().stream()
                .map(statement -> new Object[] {statement})
                .toArray(Object[][]::new);
    }

    @Test(dataProvider = "cases")
    public void testStatement(Object statement)
    {
        StatementCase testCase = (StatementCase) statement;
        if (testCase.refused()) {
            prepare(testCase);
            cluster.store().open(WindowScope.cluster());
            assertRefused(testCase, user, testCase.sql());
            if (!testCase.directOnly()) {
                assertRefused(testCase, user, "EXECUTE IMMEDIATE " + literal(testCase.sql()));
                assertPreparedRefused(testCase);
                assertRefusedInTransaction(testCase);
            }
            cluster.store().endAll();
            // prepared already, and nothing has changed since
            assertWorks(testCase, testCase.sql());
            cleanUp(testCase);
            return;
        }
        prepare(testCase);
        cluster.store().open(WindowScope.cluster());
        assertWorks(testCase, testCase.sql());
        cleanUp(testCase);
        if (!testCase.directOnly()) {
            prepare(testCase);
            cluster.store().open(WindowScope.cluster());
            assertWorks(testCase, "EXECUTE IMMEDIATE " + literal(testCase.sql()));
            cleanUp(testCase);
        }
        prepare(testCase);
        assertWorks(testCase, testCase.sql());
        cleanUp(testCase);
    }

    /** What Trino may gain one day fails this test, until somebody has decided about it. */
    @Test
    public void testCasesNameEveryStatement()
            throws IOException
    {
        SqlParser parser = new SqlParser();
        Set<String> covered = new TreeSet<>();
        StatementCase.readAll().forEach(testCase -> covered.add(parser.createStatement(testCase.sql()).getClass().getSimpleName()));

        Set<String> known = new TreeSet<>();
        for (ClassPath.ClassInfo info : ClassPath.from(Statement.class.getClassLoader()).getTopLevelClasses(Statement.class.getPackageName())) {
            Class<?> type = info.load();
            if (Statement.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
                known.add(type.getSimpleName());
            }
        }
        assertThat(known).hasSizeGreaterThanOrEqualTo(79);
        StatementUtils.getNonDataDefinitionStatements().forEach(type -> assertThat(known).contains(type.getSimpleName()));
        assertThat(covered).isEqualTo(known);
    }

    @Test
    public void testMaterializedViewIsReadStaleInWindow()
    {
        operator.rows("CREATE TABLE base AS SELECT 1 x");
        operator.rows("CREATE MATERIALIZED VIEW stale AS SELECT x FROM base");
        operator.rows("CREATE MATERIALIZED VIEW inlined GRACE PERIOD INTERVAL '0' SECOND AS SELECT x FROM base");
        operator.rows("REFRESH MATERIALIZED VIEW stale");
        operator.rows("REFRESH MATERIALIZED VIEW inlined");
        operator.rows("INSERT INTO base VALUES 2");
        cluster.store().open(WindowScope.cluster());
        assertThat(user.rows("SELECT freshness FROM system.metadata.materialized_views WHERE catalog_name = 'lake' AND name IN ('stale', 'inlined')"))
                .isEqualTo(ImmutableList.of(ImmutableList.of("STALE"), ImmutableList.of("STALE")));
        assertThat(user.rows("SELECT count(*) FROM stale")).isEqualTo(ImmutableList.of(ImmutableList.of(1L)));
        // without a grace period Trino runs the view's query in place of its rows
        assertThat(user.rows("SELECT count(*) FROM inlined")).isEqualTo(ImmutableList.of(ImmutableList.of(2L)));
        assertRefused("REFRESH MATERIALIZED VIEW stale");
        cluster.store().endAll();
        operator.rows("DROP MATERIALIZED VIEW stale");
        operator.rows("DROP MATERIALIZED VIEW inlined");
        operator.rows("DROP TABLE base");
    }

    @Test
    public void testEndOfWindow()
    {
        Instant now = Instant.now();
        cluster.store().put(windowUntil(now.plus(Duration.ofDays(1))));
        assertThat(user.execute("INSERT INTO t VALUES (1, 'a')").message()).contains("retry after 30 seconds, the window ends at ");
        // nobody has ended it, but its time is over
        cluster.store().put(windowUntil(now.minusSeconds(1)));
        assertThat(user.execute("INSERT INTO t VALUES (1, 'a')").message()).isEqualTo("works");
    }

    private static MaintenanceWindow windowUntil(Instant until)
    {
        return new MaintenanceWindow(
                "ending",
                WindowScope.schema("lake", "s"),
                "restore of a backup",
                "operator",
                until.minus(Duration.ofDays(2)),
                Optional.of(until),
                Duration.ofSeconds(30),
                false,
                Optional.empty(),
                Optional.empty());
    }

    @Test
    public void testMessageForUsers()
    {
        cluster.store().open(WindowScope.schema("lake", "s"));
        Outcome outcome = user.execute("INSERT INTO t VALUES (1, 'a')");
        assertThat(outcome.error().orElseThrow().getErrorCode()).isEqualTo(0x0113_0000);
        assertThat(outcome.error().orElseThrow().getErrorType()).isEqualTo("INSUFFICIENT_RESOURCES");
        assertThat(outcome.error().orElseThrow().getMessage())
                .startsWith("CLUSTER_IN_MAINTENANCE: writes to lake.s are closed for maintenance since ")
                .endsWith(" (restore of a backup), so lake.s.t cannot be changed now; reads work; retry after 30 seconds");
    }

    @Test
    public void testNarrowWindows()
    {
        operator.rows("CREATE TABLE narrow (x bigint)");
        cluster.store().open(WindowScope.table("lake", "s", "narrow"));
        cluster.store().open(WindowScope.catalog("remote"));
        assertRefused("INSERT INTO narrow VALUES 1");
        assertRefused("ALTER TABLE narrow RENAME TO elsewhere");
        // one of the schema's tables is closed, though it does not exist
        operator.rows("CREATE SCHEMA lake.half");
        cluster.store().open(WindowScope.table("lake", "half", "nothing"));
        assertRefused("DROP SCHEMA lake.half");
        cluster.store().end(WindowScope.table("lake", "half", "nothing"));
        assertThat(user.execute("DROP SCHEMA lake.half").message()).isEqualTo("works");
        assertRefused("CALL lake.system.rollback_to_snapshot('s', 'narrow', 1)");
        assertRefused("CALL remote.system.execute('x')");
        assertThat(user.execute("INSERT INTO t VALUES (9, 'other table')").message()).isEqualTo("works");
        assertThat(user.execute("CREATE TABLE other (x bigint)").message()).isEqualTo("works");
        cluster.store().open(WindowScope.table("lake", "s", "future"));
        assertRefused("ALTER TABLE other RENAME TO future");
        cluster.store().end(WindowScope.table("lake", "s", "narrow"));
        assertThat(user.execute("INSERT INTO narrow VALUES 1").message()).isEqualTo("works");
        assertRefused("SELECT * FROM TABLE(remote.system.query(query => 'x'))");
        cluster.store().end(WindowScope.catalog("remote"));
        assertThat(user.execute("SELECT * FROM TABLE(remote.system.query(query => 'x'))").message()).isEqualTo("works");
        operator.rows("DROP TABLE narrow");
        operator.rows("DROP TABLE other");
    }

    /** Iceberg takes writes in autocommit only, so no row can land with a COMMIT in a window. */
    @Test
    public void testTransactionOpenedBeforeWindow()
    {
        try (TestClient session = cluster.client("alice")) {
            long before = count("t");
            session.rows("START TRANSACTION");
            assertThat(session.inTransaction()).isTrue();
            session.rows("SELECT * FROM t");
            assertThat(session.execute("INSERT INTO t VALUES (10, 'in a transaction')").message()).contains("only supports writes using autocommit");
            session.execute("ROLLBACK");
            session.rows("START TRANSACTION");
            session.rows("SELECT * FROM t");
            cluster.store().open(WindowScope.cluster());
            assertThat(session.execute("COMMIT").message()).isEqualTo("works");
            assertThat(count("t")).isEqualTo(before);
        }
    }

    private long count(String table)
    {
        return (long) operator.rows("SELECT count(*) FROM " + table).getFirst().getFirst();
    }

    private void prepare(StatementCase testCase)
    {
        cluster.store().endAll();
        testCase.before().forEach(operator::rows);
    }

    private void cleanUp(StatementCase testCase)
    {
        cluster.store().endAll();
        testCase.after().forEach(operator::rows);
    }

    private void assertWorks(StatementCase testCase, String sql)
    {
        Outcome outcome = user.execute(sql);
        if (user.inTransaction()) {
            user.rows("ROLLBACK");
        }
        assertThat(outcome.isRefused()).describedAs(outcome.message()).isFalse();
        testCase.fails().ifPresentOrElse(
                text -> assertThat(outcome.message()).describedAs(testCase.toString()).containsIgnoringCase(text),
                () -> assertThat(outcome.message()).describedAs(testCase.toString()).isEqualTo("works"));
    }

    private void assertRefused(String sql)
    {
        assertRefused(user, sql);
    }

    private static void assertRefused(TestClient client, String sql)
    {
        Outcome outcome = client.execute(sql);
        assertThat(outcome.message()).describedAs(sql).startsWith("CLUSTER_IN_MAINTENANCE: CLUSTER_IN_MAINTENANCE: writes to ");
        assertThat(outcome.isRefused()).isTrue();
    }

    private static void assertRefused(StatementCase testCase, TestClient client, String sql)
    {
        if (!testCase.inView()) {
            assertRefused(client, sql);
            return;
        }
        assertThat(client.execute(sql).message())
                .describedAs(testCase.toString())
                .startsWith("INVALID_VIEW: ")
                .contains("CLUSTER_IN_MAINTENANCE: writes to ");
    }

    private void assertPreparedRefused(StatementCase testCase)
    {
        try (TestClient session = new TestClient(cluster.uri(), "bob", ImmutableMap.of("statement", testCase.sql()))) {
            assertRefused(testCase, session, "EXECUTE statement");
        }
    }

    private void assertRefusedInTransaction(StatementCase testCase)
    {
        try (TestClient session = cluster.client("bob")) {
            session.rows("START TRANSACTION");
            verify(session.inTransaction(), "no transaction");
            if (testCase.transaction().isPresent()) {
                assertThat(session.execute(testCase.sql()).message()).describedAs(testCase.toString()).contains(testCase.transaction().get());
            }
            else {
                assertRefused(testCase, session, testCase.sql());
            }
            session.execute("ROLLBACK");
        }
    }

    private static String literal(String sql)
    {
        return "'" + sql.replace("'", "''") + "'";
    }
}
