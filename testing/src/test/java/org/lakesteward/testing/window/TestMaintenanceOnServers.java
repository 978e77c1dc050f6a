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
package org.lakesteward.testing.window;

import com.google.common.collect.ImmutableList;
import org.lakesteward.testing.etcd.EtcdProcess;
import org.lakesteward.testing.server.ProjectLayout;
import org.lakesteward.testing.server.StatementFailedException;
import org.lakesteward.testing.server.TrinoClient;
import org.lakesteward.testing.server.TrinoCluster;
import org.testng.annotations.AfterClass;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Maintenance mode as operators run it: coordinators of their own processes, which share a lake and one etcd and are each asked
 * directly. A window that only one of them obeys would pass a test that asks one of them.
 */
public class TestMaintenanceOnServers
{
    private static final String WRITE = "INSERT INTO lake.test.notes VALUES 'note'";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private EtcdProcess etcd;
    private TrinoCluster first;
    private TrinoCluster second;

    @BeforeClass
    public void start()
            throws IOException
    {
        etcd = EtcdProcess.start();
        first = builder("first").start();
        second = builder("second").lakeOf(first).start();
        first.query("CREATE SCHEMA lake.test");
        first.query("CREATE TABLE lake.test.notes (note varchar)");
    }

    @AfterClass(alwaysRun = true)
    public void stop()
    {
        if (second != null) {
            second.close();
            second = null;
        }
        if (first != null) {
            first.close();
            first = null;
        }
        if (etcd != null) {
            etcd.close();
            etcd = null;
        }
    }

    @AfterMethod(alwaysRun = true)
    public void openEverything()
    {
        if (first == null) {
            return;
        }
        for (Object scope : first.query("SELECT scope FROM maintenance.system.maintenance_windows WHERE state IN ('CLOSING', 'CLOSED')").column("scope")) {
            first.query("CALL maintenance.system.exit_maintenance(scope => '%s')".formatted(scope));
        }
    }

    private TrinoCluster.Builder builder(String name)
    {
        TrinoCluster.Builder builder = TrinoCluster.builder(ProjectLayout.current())
                .emptyFolder(ProjectLayout.current().root().resolve("testing/target/clusters/maintenance").resolve(name))
                .coordinatorId("coordinator-" + name)
                .workers(0);
        for (String file : ImmutableList.of("access control", "catalog")) {
            property(builder, file, "window.store", "etcd");
            property(builder, file, "window.etcd.endpoints", etcd.endpoint());
            property(builder, file, "window.presence-timeout", "5s");
        }
        return builder
                .accessControlProperty("window.report-interval", "1s");
    }

    private static void property(TrinoCluster.Builder builder, String file, String name, String value)
    {
        if (file.equals("catalog")) {
            builder.catalogProperty("maintenance", name, value);
        }
        else {
            builder.accessControlProperty(name, value);
        }
    }

    @Test
    public void testCycleOnBothCoordinators()
    {
        long before = notes();
        first.query(WRITE);
        second.query(WRITE);

        second.client().withUser("alice").query("CALL maintenance.system.enter_maintenance(reason => 'restore', retry_after => '90s')");
        for (TrinoCluster cluster : ImmutableList.of(first, second)) {
            assertRefused(cluster, "restore", "the whole cluster", "lake.test.notes", "retry after 1 minute 30 seconds");
            assertThat(cluster.query("SELECT scope, state, opened_by FROM maintenance.system.maintenance_windows WHERE state = 'CLOSED'").rows())
                    .containsExactly(List.of("cluster", "CLOSED", "alice"));
            assertThat(cluster.query("SELECT coordinator FROM maintenance.system.window_acknowledgements WHERE live AND acknowledged ORDER BY 1").column("coordinator"))
                    .containsExactly("coordinator-first", "coordinator-second");
            cluster.query("EXPLAIN " + WRITE);
            cluster.query("SELECT count(*) FROM lake.information_schema.tables");
            cluster.query("SHOW CREATE TABLE lake.test.notes");
        }
        assertThat(notes()).isEqualTo(before + 2);

        // somebody else may open the lake again, and that stays on record
        first.client().withUser("bob").query("CALL maintenance.system.exit_maintenance()");
        first.query(WRITE);
        awaitWrite(second);
        assertThat(notes()).isEqualTo(before + 4);
        assertThat(first.query("SELECT opened_by, ended_by FROM maintenance.system.maintenance_windows WHERE state = 'ENDED' ORDER BY ended_at DESC LIMIT 1").rows())
                .containsExactly(List.of("alice", "bob"));
    }

    @Test
    public void testRestartedCoordinatorRefusesItsFirstWrite()
    {
        first.query("CALL maintenance.system.enter_maintenance(reason => 'restart')");
        second.coordinator().kill();
        second.restart(second.coordinator());
        assertRefused(second, "restart");
        first.query("CALL maintenance.system.exit_maintenance()");
        awaitWrite(second);
    }

    @Test
    public void testJoiningCoordinatorRefusesItsFirstWrite()
    {
        first.query("CALL maintenance.system.enter_maintenance(reason => 'join', scope => 'lake.test')");
        try (TrinoCluster third = builder("third").lakeOf(first).start()) {
            assertRefused(third, "join", "lake.test");
            third.query("CREATE SCHEMA lake.elsewhere");
            third.query("DROP SCHEMA lake.elsewhere");
            first.query("CALL maintenance.system.exit_maintenance(scope => 'lake.test')");
            awaitWrite(third);
            // a client hears of the end of its write a moment before the access control does
            await(() -> gauge(third, "WritesInFlight") == 0);
        }
        // it stopped in good order, so nobody waits for it
        first.query("CALL maintenance.system.enter_maintenance(reason => 'left', wait_timeout => '30s')");
        assertThat(first.query("SELECT count(*) FROM maintenance.system.coordinators WHERE coordinator_id = 'coordinator-third'").onlyValue()).isEqualTo(0L);
    }

    @Test
    public void testWriteInFlightIsWaitedForAndKilled()
            throws Exception
    {
        second.query("CREATE TABLE lake.test.copies AS SELECT * FROM tpch.tiny.lineitem WITH NO DATA");
        TrinoClient writer = second.client().withUser("writer");
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<?> write = executor.submit(() -> writer.query("INSERT INTO lake.test.copies SELECT * FROM tpch.sf1000.lineitem"));
            await(() -> !second.query("SELECT 1 FROM system.runtime.queries WHERE \"user\" = 'writer' AND state = 'RUNNING'").rows().isEmpty());

            assertThatThrownBy(() -> first.query("CALL maintenance.system.enter_maintenance(reason => 'kill', scope => 'lake.test.copies', wait_timeout => '2s')"))
                    .isInstanceOfSatisfying(StatementFailedException.class, failure -> assertThat(failure.errorName()).isEqualTo("MAINTENANCE_NOT_CLOSED"))
                    .hasMessageContaining("writer")
                    .hasMessageContaining("INSERT")
                    .hasMessageContaining("coordinator-second");
            assertThat(first.query("SELECT window_scope, \"user\", statement_kind, state, coordinator FROM maintenance.system.writes_in_flight").rows())
                    .containsExactly(List.of("lake.test.copies", "writer", "INSERT", "RUNNING", "coordinator-second"));

            first.query("CALL maintenance.system.extend_maintenance(scope => 'lake.test.copies', kill_running_writes => true)");
            assertThatThrownBy(() -> write.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(StatementFailedException.class, failure -> assertThat(failure.errorName()).isEqualTo("ADMINISTRATIVELY_KILLED"))
                    .hasMessageContaining("kill");
            await(() -> first.query("SELECT state FROM maintenance.system.maintenance_windows WHERE scope = 'lake.test.copies' AND state IN ('CLOSING', 'CLOSED')").column("state").equals(List.of("CLOSED")));
        }
        assertThat(second.query("SELECT count(*) FROM lake.test.copies").onlyValue()).isEqualTo(0L);
    }

    @Test
    public void testMessageOverJdbcAndPlainHttp()
            throws SQLException, IOException, InterruptedException
    {
        first.query("CALL maintenance.system.enter_maintenance(reason => 'clients')");
        try (Connection connection = second.connect("lake", "test");
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(WRITE))
                    .isInstanceOfSatisfying(SQLException.class, failure -> assertThat(failure.getErrorCode()).isEqualTo(0x0113_0000))
                    .hasMessageContaining("CLUSTER_IN_MAINTENANCE")
                    .hasMessageContaining("clients")
                    .hasMessageContaining("retry after");
            assertThat(statement.executeQuery("SELECT count(*) FROM notes").next()).isTrue();
        }

        HttpClient http = HttpClient.newHttpClient();
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(first.coordinatorUri().resolve("/v1/statement"))
                        .header("X-Trino-User", "curl")
                        .POST(HttpRequest.BodyPublishers.ofString(WRITE))
                        .build(),
                ofString());
        String body = response.body();
        while (!body.contains("\"error\"") && body.contains("\"nextUri\"")) {
            URI next = URI.create(body.replaceAll("(?s).*\"nextUri\"\\s*:\\s*\"([^\"]+)\".*", "$1"));
            body = http.send(HttpRequest.newBuilder(next).header("X-Trino-User", "curl").build(), ofString()).body();
        }
        assertThat(body).contains("\"errorName\":\"CLUSTER_IN_MAINTENANCE\"", "\"errorType\":\"INSUFFICIENT_RESOURCES\"", "clients");
    }

    @Test(priority = 1)
    public void testLastStateHoldsWhileEtcdIsAway()
            throws Exception
    {
        first.query("CALL maintenance.system.enter_maintenance(reason => 'outage', scope => 'lake.test.notes')");
        first.query("CREATE TABLE lake.test.open (note varchar)");
        etcd.stop();

        await(() -> gauge(first, "StoreStalenessSeconds") > 1);
        assertRefused(first, "outage");
        assertRefused(second, "outage");
        assertThat(notes()).isNotNegative();
        second.query("INSERT INTO lake.test.open VALUES 'not covered'");
        assertThatThrownBy(() -> first.query("CALL maintenance.system.exit_maintenance(scope => 'lake.test.notes')"))
                .isInstanceOfSatisfying(StatementFailedException.class, failure -> assertThat(failure.errorName()).isEqualTo("WINDOW_STORE_UNAVAILABLE"));

        // one that starts now cannot know of the window
        try (TrinoCluster third = builder("third").accessControlProperty("window.start-timeout", "1s").lakeOf(first).start()) {
            assertRefused(third, "could not be read since this coordinator started");
            assertThat(third.query("SELECT count(*) FROM lake.test.notes").onlyValue()).isEqualTo(notes());

            etcd.restart();
            await(() -> message(third).contains("outage"));
            first.query("CALL maintenance.system.exit_maintenance(scope => 'lake.test.notes')");
            awaitWrite(third);
        }
        awaitWrite(first);
        awaitWrite(second);
    }

    /** As the coordinator exports it */
    private static double gauge(TrinoCluster cluster, String name)
    {
        try {
            HttpResponse<String> response = HttpClient.newHttpClient().send(
                    HttpRequest.newBuilder(cluster.coordinatorUri().resolve("/metrics"))
                            .header("X-Trino-User", "operator")
                            .build(),
                    ofString());
            return response.body().lines()
                    .filter(line -> line.matches("JMX_trino_plugin_maintenance_NAME_WindowStats_ATTRIBUTE_%s [0-9.E]+".formatted(name)))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                    .findAny()
                    .orElseThrow(() -> new AssertionError("the gauge is missing"));
        }
        catch (IOException e) {
            throw new IllegalStateException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private long notes()
    {
        return (long) first.query("SELECT count(*) FROM lake.test.notes").onlyValue();
    }

    private static void assertRefused(TrinoCluster cluster, String... parts)
    {
        assertThatThrownBy(() -> cluster.query(WRITE))
                .isInstanceOfSatisfying(StatementFailedException.class, failure -> {
                    assertThat(failure.errorName()).isEqualTo("CLUSTER_IN_MAINTENANCE");
                    assertThat(failure.trinoMessage()).contains(parts);
                });
    }

    private static String message(TrinoCluster cluster)
    {
        try {
            cluster.query(WRITE);
            return "";
        }
        catch (StatementFailedException e) {
            return e.trinoMessage();
        }
    }

    /** The end of a window reaches the other coordinators a moment later. */
    private static void awaitWrite(TrinoCluster cluster)
    {
        await(() -> message(cluster).isEmpty());
    }

    private static void await(BooleanSupplier condition)
    {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("a condition did not come true within " + PATIENCE).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
