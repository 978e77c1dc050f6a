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
import io.trino.Session;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryFailedException;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WindowSnapshot;
import org.lakesteward.planner.window.WriteInFlight;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.testing.assertions.Assert.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.lakesteward.planner.window.WindowScope.cluster;

/**
 * The procedures about windows, called through the engine.
 */
public class TestMaintenanceProcedures
{
    private InMemoryWindowStore store;
    private DistributedQueryRunner queryRunner;
    private ExecutorService executor;

    @BeforeClass
    public void start()
            throws Exception
    {
        store = new InMemoryWindowStore();
        queryRunner = ControlQueryRunner.create(store);
        executor = Executors.newCachedThreadPool();
    }

    @AfterClass(alwaysRun = true)
    public void stop()
    {
        store = null;
        if (queryRunner != null) {
            queryRunner.close();
            queryRunner = null;
        }
        if (executor != null) {
            executor.shutdownNow();
            executor = null;
        }
    }

    @BeforeMethod
    public void reset()
    {
        store.reset();
    }

    @Test
    public void testDefaults()
    {
        store.addObedientCoordinator("c1");
        Instant before = Instant.now().minusMillis(1);
        call("enter_maintenance(reason => 'restore')");

        MaintenanceWindow window = getOnlyElement(store.content().windows());
        assertThat(window.openedAt()).isBetween(before, Instant.now());
        assertThat(window).isEqualTo(new MaintenanceWindow(
                window.id(), cluster(), "restore", "operator", window.openedAt(), Optional.empty(), Duration.ofSeconds(30), false, Optional.empty(), Optional.empty()));
        assertThat(queryRunner.execute("SELECT state FROM maintenance.system.maintenance_windows").getOnlyValue()).isEqualTo("CLOSED");

        call("exit_maintenance()");
        assertThat(store.content().windows()).isEmpty();
        EndedWindow ended = getOnlyElement(store.content().ended());
        assertThat(ended.window()).isEqualTo(window);
        assertThat(ended.endedBy()).contains("operator");
        assertThat(queryRunner.execute("SELECT state FROM maintenance.system.maintenance_windows").getOnlyValue()).isEqualTo("ENDED");
    }

    @Test
    public void testAllArguments()
    {
        call("enter_maintenance(reason => 'Schlüssel tauschen', scope => 'tpch.tiny.\"nation\"', retry_after => '1.5h', until => '2100-02-03 04:05:06.789 Europe/Berlin', wait => false, wait_timeout => '0s', kill_running_writes => true)");
        MaintenanceWindow window = getOnlyElement(store.content().windows());
        assertThat(window).isEqualTo(new MaintenanceWindow(
                window.id(),
                WindowScope.table("tpch", "tiny", "nation"),
                "Schlüssel tauschen",
                "operator",
                window.openedAt(),
                Optional.of(Instant.parse("2100-02-03T03:05:06.789Z")),
                Duration.ofMinutes(90),
                true,
                Optional.empty(),
                Optional.empty()));

        call("exit_maintenance('TPCH.tiny.nation')");
        assertThat(store.content().windows()).isEmpty();
    }

    @Test
    public void testUntilFromExpression()
    {
        Instant before = Instant.now();
        call("enter_maintenance(reason => 'restore', wait => false, until => CAST(now() + INTERVAL '2' HOUR AS varchar))");
        assertThat(getOnlyElement(store.content().windows()).until().orElseThrow())
                .isBetween(before.plus(Duration.ofHours(2)).minusMillis(1), Instant.now().plus(Duration.ofHours(2)));
    }

    @Test
    public void testSeveralWindows()
    {
        Stream.of("cluster", "tpch", "tpch.tiny", "tpch.tiny.nation").forEach(scope -> call("enter_maintenance(reason => 'r', scope => '%s', wait => false)".formatted(scope)));
        assertThat(scopes()).containsExactly("cluster", "tpch", "tpch.tiny", "tpch.tiny.nation");
        call("exit_maintenance(scope => 'tpch')");
        assertThat(scopes()).containsExactly("cluster", "tpch.tiny", "tpch.tiny.nation");
    }

    @Test
    public void testAnotherUserExtendsAndEnds()
    {
        call("enter_maintenance(reason => 'r', wait => false, until => '2100-01-01 00:00 UTC')");
        MaintenanceWindow opened = getOnlyElement(store.content().windows());

        call("bob", "extend_maintenance(until => '2100-01-02T00:00:00Z', retry_after => '10m', kill_running_writes => true)");
        MaintenanceWindow extended = getOnlyElement(store.content().windows());
        assertThat(extended).isEqualTo(new MaintenanceWindow(
                opened.id(), cluster(), "r", "operator", opened.openedAt(), Optional.of(Instant.parse("2100-01-02T00:00:00Z")), Duration.ofMinutes(10), true, Optional.of("bob"), Optional.empty()));

        call("carol", "extend_maintenance(scope => 'cluster', until_ended => true)");
        assertThat(getOnlyElement(store.content().windows()).until()).isEmpty();
        assertThat(getOnlyElement(store.content().windows()).extendedBy()).contains("carol");

        call("dave", "exit_maintenance()");
        assertThat(getOnlyElement(store.content().ended()).window().openedBy()).isEqualTo("operator");
        assertThat(getOnlyElement(store.content().ended()).endedBy()).contains("dave");
    }

    @DataProvider
    public Object[][] badInput()
    {
        String scopes = ", it must be cluster, catalog, catalog.schema or catalog.schema.table, with names that are no plain identifiers in double quotes";
        String until = "(?s)until is '%s', it must be a time such as 2030-12-31 23:59:00 UTC .*";
        return new Object[][] {
                {"enter_maintenance(reason => '')", "INVALID_WINDOW_ARGUMENT", "reason is empty, it must be a text of 1 to 1000 characters that tells refused users why"},
                {"enter_maintenance(reason => '   ')", "INVALID_WINDOW_ARGUMENT", "reason is empty, .*"},
                {"enter_maintenance(reason => '%s')".formatted("x".repeat(1001)), "INVALID_WINDOW_ARGUMENT", "reason is 1001 characters long, it must be a text of 1 to 1000 .*"},
                {"enter_maintenance(reason => NULL)", "INVALID_WINDOW_ARGUMENT", "reason is null, it must be a text of 1 to 1000 characters that tells refused users why"},
                {"enter_maintenance()", "INVALID_ARGUMENTS", ".*Required procedure argument 'REASON' is missing"},
                {"enter_maintenance(reason => 'r', scope => 'a.b.c.d')", "INVALID_WINDOW_ARGUMENT", "scope is 'a.b.c.d'" + scopes},
                {"enter_maintenance(reason => 'r', scope => '')", "INVALID_WINDOW_ARGUMENT", "scope is ''" + scopes},
                {"enter_maintenance(reason => 'r', scope => 'a b')", "INVALID_WINDOW_ARGUMENT", "scope is 'a b'" + scopes},
                {"enter_maintenance(reason => 'r', scope => 'a..b')", "INVALID_WINDOW_ARGUMENT", "scope is 'a..b'" + scopes},
                {"enter_maintenance(reason => 'r', scope => NULL)", "INVALID_WINDOW_ARGUMENT", "scope is null, it must be cluster, .*"},
                {"enter_maintenance(reason => 'r', until => '2020-01-01 00:00:00 UTC')", "INVALID_WINDOW_ARGUMENT", "until is 2020-01-01T00:00:00Z, it must be in the future .*"},
                {"enter_maintenance(reason => 'r', until => 'tomorrow')", "INVALID_WINDOW_ARGUMENT", until.formatted("tomorrow")},
                {"enter_maintenance(reason => 'r', until => '2100-13-01 00:00:00')", "INVALID_WINDOW_ARGUMENT", until.formatted("2100-13-01 00:00:00")},
                {"enter_maintenance(reason => 'r', until => '2100-01-01')", "INVALID_WINDOW_ARGUMENT", until.formatted("2100-01-01")},
                {"enter_maintenance(reason => 'r', until => '2100-01-01 00:00 Nowhere/City')", "INVALID_WINDOW_ARGUMENT", until.formatted("2100-01-01 00:00 Nowhere/City")},
                {"enter_maintenance(reason => 'r', retry_after => '0s')", "INVALID_WINDOW_ARGUMENT", "retry_after is '0s', it must be a duration from 1s to 7d"},
                {"enter_maintenance(reason => 'r', retry_after => '8d')", "INVALID_WINDOW_ARGUMENT", "retry_after is '8d', it must be a duration from 1s to 7d"},
                {"enter_maintenance(reason => 'r', retry_after => '999999999999999999999999999999d')", "INVALID_WINDOW_ARGUMENT", "retry_after is '999999999999999999999999999999d', it must be a duration from 1s to 7d"},
                {"enter_maintenance(reason => 'r', until => '2100-02-31 10:00:00 UTC')", "INVALID_WINDOW_ARGUMENT", until.formatted("2100-02-31 10:00:00 UTC")},
                {"enter_maintenance(reason => 'r', until => '2100-02-28 24:00:00 UTC')", "INVALID_WINDOW_ARGUMENT", until.formatted("2100-02-28 24:00:00 UTC")},
                {"enter_maintenance(reason => 'r', until => '+99999-01-01 00:00:00 UTC')", "INVALID_WINDOW_ARGUMENT", "until is \\+99999-01-01T00:00:00Z, it must be before the year 10000; .*"},
                {"enter_maintenance(reason => 'r', scope => '%s')".formatted("c".repeat(1001)), "INVALID_WINDOW_ARGUMENT", "scope is 1001 characters long, it must be at most 1000"},
                {"enter_maintenance(reason => 'r', scope => U&'\"a\\000Ab\"')", "INVALID_WINDOW_ARGUMENT", "scope is '\"a b\"', it must not contain control characters: .*"},
                {"enter_maintenance(reason => 'r', scope => 'Maintenance.system')", "INVALID_WINDOW_ARGUMENT", "scope is 'maintenance.system', it must not be within the control catalog, .*"},
                {"enter_maintenance(reason => 'r', retry_after => '-30s')", "INVALID_WINDOW_ARGUMENT", "retry_after is '-30s', it must be a duration from 1s to 7d"},
                {"enter_maintenance(reason => 'r', retry_after => 'soon')", "INVALID_WINDOW_ARGUMENT", "retry_after is 'soon', it must be a duration from 1s to 7d"},
                {"enter_maintenance(reason => 'r', retry_after => NULL)", "INVALID_WINDOW_ARGUMENT", "retry_after is null, it must be a duration from 1s to 7d"},
                {"enter_maintenance(reason => 'r', wait_timeout => '-1s')", "INVALID_WINDOW_ARGUMENT", "wait_timeout is '-1s', it must be a duration from 0s to 1d"},
                {"enter_maintenance(reason => 'r', wait_timeout => '25h')", "INVALID_WINDOW_ARGUMENT", "wait_timeout is '25h', it must be a duration from 0s to 1d"},
                {"enter_maintenance(reason => 'r', wait_timeout => '99999999999999999999d')", "INVALID_WINDOW_ARGUMENT", "wait_timeout is '99999999999999999999d', it must be a duration from 0s to 1d"},
                {"enter_maintenance(reason => 'r', wait_timeout => NULL)", "INVALID_WINDOW_ARGUMENT", "wait_timeout is null, it must be a duration from 0s to 1d"},
                {"enter_maintenance(reason => 'r', wait => NULL)", "INVALID_WINDOW_ARGUMENT", "wait is null, it must be true or false"},
                {"enter_maintenance(reason => 'r', kill_running_writes => NULL)", "INVALID_WINDOW_ARGUMENT", "kill_running_writes is null, it must be true or false"},
                {"enter_maintenance(reason => 'r', retry_after => INTERVAL '30' SECOND)", "TYPE_MISMATCH", ".*Cannot cast type interval day to second to varchar"},
                {"enter_maintenance(reason => 'again', scope => 'tpch.SF1')", "WINDOW_EXISTS", "a window on tpch.sf1 was opened by ann at .* \\(index\\) and is still open: use extend_maintenance to change it or exit_maintenance to end it"},
                {"extend_maintenance(scope => 'tpch.sf1')", "INVALID_WINDOW_ARGUMENT", "nothing is to be changed: give until, until_ended, retry_after or kill_running_writes"},
                {"extend_maintenance(scope => 'tpch.sf1', until => '2100-01-01 00:00 UTC', until_ended => true)", "INVALID_WINDOW_ARGUMENT", "until and until_ended exclude each other: give one of them"},
                {"extend_maintenance(scope => 'tpch.sf1', until => '2020-01-01 00:00 UTC')", "INVALID_WINDOW_ARGUMENT", "until is .*, it must be in the future .*"},
                {"extend_maintenance(scope => 'tpch.sf1', retry_after => '0s')", "INVALID_WINDOW_ARGUMENT", "retry_after is '0s', .*"},
                {"extend_maintenance(scope => 'tpch.sf1', until_ended => NULL)", "INVALID_WINDOW_ARGUMENT", "until_ended is null, it must be true or false"},
                {"extend_maintenance(retry_after => '1m')", "NO_SUCH_WINDOW", "no window on cluster is open; open are: tpch.sf1"},
                {"extend_maintenance(scope => 'x.y.z.a', retry_after => '1m')", "INVALID_WINDOW_ARGUMENT", "scope is 'x.y.z.a'" + scopes},
                {"exit_maintenance()", "NO_SUCH_WINDOW", "no window on cluster is open; open are: tpch.sf1"},
                {"exit_maintenance(scope => 'tpch')", "NO_SUCH_WINDOW", "no window on tpch is open; open are: tpch.sf1"},
                {"exit_maintenance(scope => 'over')", "NO_SUCH_WINDOW", "no window on over is open; open are: tpch.sf1"},
                {"exit_maintenance(scope => NULL)", "INVALID_WINDOW_ARGUMENT", "scope is null, .*"},
                {"exit_maintenance(scope => 'a.\"b')", "INVALID_WINDOW_ARGUMENT", "scope is 'a.\"b'" + scopes},
                {"wait_maintenance(scope => 'tpch')", "NO_SUCH_WINDOW", "no window on tpch is open"},
                {"wait_maintenance(scope => 'over')", "NO_SUCH_WINDOW", "no window on over is open"},
                {"wait_maintenance(scope => 'tpch.sf1', wait_timeout => '2d')", "INVALID_WINDOW_ARGUMENT", "wait_timeout is '2d', it must be a duration from 0s to 1d"},
                {"forget_coordinator(coordinator_id => 'nobody')", "NO_SUCH_COORDINATOR", "no coordinator 'nobody' reports to the store of windows; known are: c1"},
                {"forget_coordinator(coordinator_id => 'c1')", "NO_SUCH_COORDINATOR", "coordinator c1 is live and cannot be forgotten \\(it was last heard from at .*\\): stop it first"},
                {"forget_coordinator(coordinator_id => NULL)", "INVALID_WINDOW_ARGUMENT", "coordinator_id is null, it must be an id from the table coordinators"},
                {"forget_coordinator()", "INVALID_ARGUMENTS", ".*Required procedure argument 'COORDINATOR_ID' is missing"},
        };
    }

    @Test(dataProvider = "badInput")
    public void testBadInputChangesNothing(String call, String code, String message)
    {
        store.put(window("w1", "tpch.sf1", Instant.now(), Optional.empty()));
        store.put(window("w2", "over", Instant.now().minusSeconds(60), Optional.of(Instant.now().minusSeconds(1))));
        store.addObedientCoordinator("c1");
        WindowSnapshot before = store.content();

        QueryFailedException failure = failure("operator", call);
        assertThat(failure.getMessage()).matches(message);
        assertThat(code(call)).isEqualTo(code);
        assertThat(store.content()).isEqualTo(before);
    }

    @Test
    public void testScopeThatDoesNotExist()
    {
        ImmutableMap.<String, Optional<String>>builder()
                .put("nowhere", Optional.of("this coordinator has no catalog nowhere; the window covers it as soon as there is one"))
                .put("nowhere.a", Optional.of("this coordinator has no catalog nowhere; the window covers it as soon as there is one"))
                .put("nowhere.a.b", Optional.of("this coordinator has no catalog nowhere; the window covers it as soon as there is one"))
                .put("tpch.tiny.nothing", Optional.of("no table or view tpch.tiny.nothing exists; the window covers it as soon as there is one"))
                .put("tpch.tiny.nation", Optional.empty())
                // a schema cannot be asked for
                .put("tpch.nothing", Optional.empty())
                .put("tpch", Optional.empty())
                .put("cluster", Optional.empty())
                .buildOrThrow()
                .forEach((scope, warning) -> {
                    call("enter_maintenance(reason => 'r', wait => false, scope => '%s')".formatted(scope));
                    assertThat(store.content().window(WindowScope.parse(scope)).orElseThrow().warning()).as(scope).isEqualTo(warning);
                    assertThat(queryRunner.execute("SELECT warning FROM maintenance.system.maintenance_windows WHERE scope = '%s'".formatted(scope)).getOnlyValue())
                            .isEqualTo(warning.orElse(null));
                });
    }

    @Test
    public void testOverWindowMakesRoom()
    {
        store.put(window("w1", "tpch", Instant.now().minusSeconds(60), Optional.of(Instant.now().minusSeconds(1))));
        call("enter_maintenance(reason => 'r', scope => 'tpch', wait => false)");
        assertThat(getOnlyElement(store.content().ended()).window().id()).isEqualTo("w1");
        assertThat(queryRunner.execute("SELECT array_agg(state) FROM maintenance.system.maintenance_windows").getOnlyValue()).isEqualTo(ImmutableList.of("CLOSING", "EXPIRED"));
    }

    @Test
    public void testTooManyWindows()
    {
        IntStream.range(0, WindowChange.MAX_WINDOWS).forEach(index -> store.put(window("w" + index, "c" + index, Instant.now(), Optional.empty())));
        WindowSnapshot before = store.content();
        assertThat(failure("operator", "enter_maintenance(reason => 'r')").getMessage()).matches("1000 windows are open, and no more than that many are accepted: .*");
        assertThat(store.content()).isEqualTo(before);
    }

    @Test
    public void testConcurrentOpening()
            throws Exception
    {
        store.addObedientCoordinator("c1");
        store.changeTogether(2);
        List<Future<Optional<String>>> calls = Stream.of("ann", "bob")
                .map(user -> executor.submit(() -> {
                    try {
                        call(user, "enter_maintenance(reason => 'I am %s')".formatted(user));
                        return Optional.<String>empty();
                    }
                    catch (QueryFailedException e) {
                        return Optional.of(e.getMessage());
                    }
                }))
                .toList();
        List<Optional<String>> outcomes = ImmutableList.of(calls.get(0).get(), calls.get(1).get());

        MaintenanceWindow window = getOnlyElement(store.content().windows());
        assertThat(window.reason()).isEqualTo("I am " + window.openedBy());
        assertThat(outcomes).filteredOn(Optional::isEmpty).hasSize(1);
        assertThat(outcomes).filteredOn(Optional::isPresent).singleElement()
                .satisfies(message -> assertThat(message.orElseThrow()).startsWith("a window on cluster was opened by %s at ".formatted(window.openedBy())));
    }

    @Test
    public void testWaitRunsOut()
    {
        Instant now = Instant.now();
        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c1", now), true));
        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c2", now.minusSeconds(300)), false));
        store.put(new CoordinatorState(new CoordinatorReport("c3", now, now, true, ImmutableMap.of(), ImmutableList.of(), 0), true));

        assertThat(code("enter_maintenance(reason => 'r', scope => 'tpch', wait_timeout => '0s')")).isEqualTo("MAINTENANCE_NOT_CLOSED");
        assertThat(scopes()).containsExactly("tpch");
        assertThat(failure("operator", "wait_maintenance(scope => 'tpch', wait_timeout => '1s')").getMessage()).isEqualTo(
                "the window on tpch is open and refuses new writes where coordinators obey it, but it has not closed within 1 second. It waits for " +
                        "coordinators that have not acknowledged the window: c1; " +
                        "coordinators that were lost before they acknowledged, and may run on without the store: c2 (last heard from at %s); if one is gone for good, CALL maintenance.system.forget_coordinator(coordinator_id => '…'); ".formatted(now.minusSeconds(300).truncatedTo(ChronoUnit.SECONDS)) +
                        "coordinators that an operator made ignore every window, where writes go on: c3. " +
                        "Wait on with CALL maintenance.system.wait_maintenance(scope => 'tpch'); writes are open again after CALL maintenance.system.exit_maintenance(scope => 'tpch')");
    }

    @Test
    public void testWaitWithoutCoordinators()
    {
        assertThat(failure("operator", "enter_maintenance(reason => 'r', wait_timeout => '0s')").getMessage())
                .startsWith("the window on cluster is open, but no coordinator with access-control.name=maintenance reports to this store, so nothing enforces it and writes go on: ");
        assertThat(scopes()).containsExactly("cluster");
    }

    @Test
    public void testForgettingClosesTheWindow()
    {
        store.addObedientCoordinator("c1");
        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c2", Instant.now().minusSeconds(300)), false));
        assertThat(failure("operator", "enter_maintenance(reason => 'r', wait_timeout => '0s')").getMessage()).contains("c2 (last heard from at ");

        call("forget_coordinator(coordinator_id => 'c2')");
        assertThat(store.content().coordinators()).extracting(coordinator -> coordinator.report().coordinatorId()).containsExactly("c1");
        call("wait_maintenance()");
    }

    @Test
    public void testWaitSeesWritesFinish()
            throws Exception
    {
        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c1", Instant.now()), true));
        Future<?> call = executor.submit(() -> call("enter_maintenance(reason => 'r')"));
        assertEventually(() -> assertThat(store.content().windows()).hasSize(1));
        MaintenanceWindow window = getOnlyElement(store.content().windows());

        report(window, false, 7);
        assertThat(failure("operator", "wait_maintenance(wait_timeout => '0s')").getMessage())
                .matches(".* It waits for 7 writes in flight: (q\\d \\(INSERT by alice on c1, 1 minute(?: \\d+ seconds?)? old\\)(?:, )?){5} and 2 more\\. Wait on with CALL .*, or have the writes killed with CALL maintenance.system.extend_maintenance\\(scope => 'cluster', kill_running_writes => true\\); writes are open again after .*");
        assertThat(call.isDone()).isFalse();

        report(window, true, 0);
        call.get();
    }

    private void report(MaintenanceWindow window, boolean drained, int writes)
    {
        Instant now = Instant.now();
        store.report(new CoordinatorReport(
                "c1",
                now,
                now,
                false,
                ImmutableMap.of(window.id(), new Acknowledgement(now, drained ? Optional.of(now) : Optional.empty())),
                IntStream.range(0, writes)
                        .mapToObj(index -> new WriteInFlight("q" + index, "alice", StatementKind.INSERT, now.minusSeconds(60), ImmutableSet.of(WindowScope.catalog("tpch")), Optional.empty()))
                        .toList(),
                0));
    }

    @Test
    public void testExitReturnsWhenCoordinatorsHaveHeard()
            throws Exception
    {
        store.addObedientCoordinator("c2");
        call("enter_maintenance(reason => 'r', wait => false)");
        report(getOnlyElement(store.content().windows()), true, 0);
        Future<?> call = executor.submit(() -> call("exit_maintenance()"));
        assertEventually(() -> assertThat(store.content().windows()).isEmpty());
        assertEventually(() -> assertThat(waitingThreads(".PropagationWait")).isNotEmpty());
        assertThat(call.isDone()).isFalse();

        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c1", Instant.now()), true));
        call.get();
    }

    @Test
    public void testExtendReturnsWhenCoordinatorsKnowTheNewEnd()
            throws Exception
    {
        call("enter_maintenance(reason => 'r', wait => false, until => '2100-01-01 00:00 UTC')");
        MaintenanceWindow window = getOnlyElement(store.content().windows());
        report("c1", new Acknowledgement(Instant.now(), Optional.of(Instant.now()), window.until()));
        call("wait_maintenance(wait_timeout => '1m')");

        Future<?> call = executor.submit(() -> call("extend_maintenance(until => '2100-01-02 00:00 UTC')"));
        assertEventually(() -> assertThat(waitingThreads(".PropagationWait")).isNotEmpty());
        assertThat(call.isDone()).isFalse();
        // a window whose end was put off is not closed by those who do not know that
        assertThat(code("wait_maintenance(wait_timeout => '0s')")).isEqualTo("MAINTENANCE_NOT_CLOSED");

        report("c1", new Acknowledgement(Instant.now(), Optional.of(Instant.now()), Optional.of(Instant.parse("2100-01-02T00:00:00Z"))));
        call.get();
        call("wait_maintenance(wait_timeout => '1m')");
    }

    private void report(String coordinatorId, Acknowledgement acknowledgement)
    {
        Instant now = Instant.now();
        MaintenanceWindow window = getOnlyElement(store.content().windows());
        store.put(new CoordinatorState(new CoordinatorReport(coordinatorId, now, now, false, ImmutableMap.of(window.id(), acknowledgement), ImmutableList.of(), 0), true));
    }

    @Test
    public void testWindowEndsWhileWaitedFor()
            throws Exception
    {
        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c1", Instant.now()), true));
        Future<QueryFailedException> call = executor.submit(() -> failure("operator", "enter_maintenance(reason => 'r')"));
        assertEventually(() -> assertThat(store.content().windows()).hasSize(1));
        call("bob", "exit_maintenance()");
        assertThat(call.get().getMessage()).isEqualTo("the window on cluster ended by a call of bob while this call waited for it to close");
    }

    @Test
    public void testKilledCallStopsWaiting()
            throws Exception
    {
        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c1", Instant.now()), true));
        Future<QueryFailedException> call = executor.submit(() -> failure("operator", "enter_maintenance(reason => 'to be killed', wait_timeout => '1d')"));
        assertEventually(() -> assertThat(store.content().windows()).hasSize(1));
        String queryId = (String) queryRunner.execute("SELECT query_id FROM system.runtime.queries WHERE query LIKE '%to be killed%' AND state = 'RUNNING' AND query LIKE 'CALL%'").getOnlyValue();

        queryRunner.execute("CALL system.runtime.kill_query(query_id => '%s', message => 'changed my mind')".formatted(queryId));
        assertThat(call.get().getMessage()).contains("changed my mind");
        // the thread that waited is gone, not only its statement
        assertEventually(() -> assertThat(waitingThreads(".ClosingWait")).isEmpty());
        assertThat(scopes()).containsExactly("cluster");
    }

    private static List<Thread> waitingThreads(String className)
    {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> Stream.of(entry.getValue()).anyMatch(frame -> frame.getClassName().endsWith(className)))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    public void testStoreUnavailable()
    {
        call("enter_maintenance(reason => 'r', wait => false)");
        WindowSnapshot before = store.content();
        store.failWith("etcd does not answer");
        Stream.of("enter_maintenance(reason => 'r', scope => 'tpch')", "extend_maintenance(retry_after => '1m')", "exit_maintenance()", "wait_maintenance()", "forget_coordinator('c1')")
                .forEach(call -> {
                    assertThat(failure("operator", call).getMessage()).as(call).isEqualTo("etcd does not answer");
                    assertThat(code(call)).isEqualTo("WINDOW_STORE_UNAVAILABLE");
                });
        assertThatThrownBy(() -> queryRunner.execute("SELECT * FROM maintenance.system.maintenance_windows")).hasMessage("etcd does not answer");
        assertThat(store.content()).isEqualTo(before);
    }

    private static MaintenanceWindow window(String id, String scope, Instant openedAt, Optional<Instant> until)
    {
        return new MaintenanceWindow(id, WindowScope.parse(scope), "index", "ann", openedAt, until, Duration.ofSeconds(30), false, Optional.empty(), Optional.empty());
    }

    private List<String> scopes()
    {
        return store.content().windows().stream().map(window -> window.scope().toString()).toList();
    }

    private void call(String call)
    {
        call("operator", call);
    }

    private void call(String user, String call)
    {
        queryRunner.execute(ControlQueryRunner.session(user), "CALL maintenance.system." + call);
    }

    private QueryFailedException failure(String user, String call)
    {
        Session session = ControlQueryRunner.session(user);
        return catchThrowableOfType(QueryFailedException.class, () -> queryRunner.execute(session, "CALL maintenance.system." + call));
    }

    /** The name of the error code with which a call fails. */
    private String code(String call)
    {
        String queryId = failure("operator", call).getQueryId().toString();
        return (String) queryRunner.execute("SELECT error_code FROM system.runtime.queries WHERE query_id = '%s'".formatted(queryId)).getOnlyValue();
    }
}
