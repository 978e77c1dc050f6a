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
package org.lakesteward.access.service;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.TrinoException;
import io.trino.spi.resourcegroups.QueryType;
import org.lakesteward.access.MemoryWindowStore;
import org.lakesteward.access.audit.AuditLog;
import org.lakesteward.access.check.CurrentWindows;
import org.lakesteward.access.check.WriteGate;
import org.lakesteward.access.kill.QueryKiller;
import org.lakesteward.access.statement.StatementTracker;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StoreCondition;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WriteInFlight;
import org.lakesteward.planner.window.WriteInFlight.State;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.planner.window.WindowCheck.WRITE_DATA;

/**
 * The service without its thread: each cycle is a call, and time stands still unless the test moves it.
 */
public class TestWindowService
{
    private static final WindowScope ORDERS = WindowScope.table("lake", "sales", "orders");
    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final List<String> audit = new ArrayList<>();
    private final List<String> kills = new ArrayList<>();
    private MemoryWindowStore store;
    private StatementTracker tracker;
    private CurrentWindows windows;
    private WriteGate gate;
    private Instant now;
    private long nanos;
    private CompletableFuture<QueryKiller.Outcome> killed;

    @BeforeMethod
    public void setUp()
    {
        audit.clear();
        kills.clear();
        store = new MemoryWindowStore();
        tracker = new StatementTracker();
        now = START;
        nanos = 1_000_000;
        killed = CompletableFuture.completedFuture(QueryKiller.Outcome.REQUESTED);
        windows = new CurrentWindows(ticker(), Duration.ofHours(1));
        gate = new WriteGate(tracker, windows, () -> now, (_, _, _, _, _) -> {});
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        store = null;
    }

    @Test
    public void testReportsBeforeItReads()
    {
        MaintenanceWindow window = store.open(ORDERS);
        WindowService service = service(false);
        List<CoordinatorReport> reports = new ArrayList<>();
        store.onReport(report -> {
            reports.add(report);
            if (reports.size() == 1) {
                assertThat(windows.condition()).isEqualTo(StoreCondition.NEVER_READ);
            }
        });
        assertThatThrownBy(() -> insert("q0", ORDERS)).hasMessageContaining("could not be read since this coordinator started");

        service.cycle();
        assertThat(reports.getFirst().acknowledgements()).isEmpty();
        assertThat(windows.windows()).containsExactly(window);
        service.cycle();
        assertThat(report().acknowledgements()).containsOnlyKeys(window.id());
        assertThat(report().startedAt()).isEqualTo(START);
        assertThat(report().storeIgnored()).isFalse();
        assertThatThrownBy(() -> insert("q1", ORDERS)).hasMessageContaining("(restore of a backup)");
    }

    @Test
    public void testWriteFromBeforeDrains()
    {
        WindowService service = started();
        insert("q1", ORDERS);
        insert("q2", WindowScope.table("lake", "sales", "customers"));
        MaintenanceWindow window = store.open(ORDERS);
        now = START.plusSeconds(1);
        service.cycle();
        assertThat(report().acknowledgements()).containsEntry(window.id(), new Acknowledgement(START, Optional.empty()));
        assertThat(report().writes()).extracting(WriteInFlight::queryId).containsExactly("q1");
        assertThat(report().writes().getFirst().targets()).isEqualTo(ImmutableSet.of(ORDERS));
        assertThat(report().writes().getFirst().state()).isEqualTo(State.RUNNING);

        // a write of another table, and a refused one, do not hold it up
        assertThatThrownBy(() -> insert("q3", ORDERS)).isInstanceOf(TrinoException.class);
        now = START.plusSeconds(2);
        tracker.completed("q1", false);
        service.cycle();
        assertThat(report().acknowledgements()).containsEntry(window.id(), new Acknowledgement(START, Optional.of(START.plusSeconds(2))));
        assertThat(report().writes()).isEmpty();
        assertThat(audit).anyMatch(line -> line.contains("\"event\":\"window_drained\"") && line.contains(window.id()));

        // once drained stays drained
        now = START.plusSeconds(3);
        service.cycle();
        assertThat(report().acknowledgements()).containsEntry(window.id(), new Acknowledgement(START, Optional.of(START.plusSeconds(2))));
        store.endAll();
        service.cycle();
        assertThat(report().acknowledgements()).isEmpty();
        insert("q4", ORDERS);
    }

    @Test
    public void testReportsOnlyWhenDueOrChanged()
    {
        WindowService service = started();
        service.cycle();
        Instant last = report().reportedAt();
        now = now.plusSeconds(1);
        service.cycle();
        assertThat(report().reportedAt()).isEqualTo(last);
        insert("q1", ORDERS);
        service.cycle();
        assertThat(report().reportedAt()).describedAs("without a window, writes are nobody's business").isEqualTo(last);
        nanos += INTERVAL.toNanos();
        service.cycle();
        assertThat(report().reportedAt()).isEqualTo(now);

        store.open(ORDERS);
        insert("q2", WindowScope.table("lake", "sales", "customers"));
        now = now.plusSeconds(1);
        service.cycle();
        assertThat(report().reportedAt()).isEqualTo(now);
        now = now.plusSeconds(1);
        service.cycle();
        assertThat(report().reportedAt()).isNotEqualTo(now);
        tracker.completed("q1", false);
        service.cycle();
        assertThat(report().reportedAt()).isEqualTo(now);
    }

    @Test
    public void testStoreLost()
    {
        WindowService service = started();
        store.open(ORDERS);
        service.cycle();
        store.setReachable(false);
        nanos += Duration.ofMinutes(59).toNanos();
        service.cycle();
        // the last known state holds, its age shows
        assertThatThrownBy(() -> insert("q1", ORDERS)).hasMessageContaining("(restore of a backup)");
        insert("q2", WindowScope.table("lake", "sales", "customers"));
        assertThat(windows.stalenessNanos()).hasValue(Duration.ofMinutes(59).toNanos());

        nanos += Duration.ofMinutes(2).toNanos();
        assertThatThrownBy(() -> insert("q3", WindowScope.table("lake", "sales", "customers"))).hasMessageContaining("window.max-staleness");

        store.setReachable(true);
        service.cycle();
        insert("q4", WindowScope.table("lake", "sales", "customers"));
        assertThat(windows.stalenessNanos()).hasValue(0);
    }

    @Test
    public void testStoreUnreachableAtStart()
            throws InterruptedException
    {
        store.setReachable(false);
        WindowService service = service(false);
        service.cycle();
        assertThat(service.awaitFirstRead(Duration.ofMillis(1))).isFalse();
        assertThatThrownBy(() -> insert("q1", ORDERS)).hasMessageContaining("could not be read since this coordinator started");
        store.setReachable(true);
        nanos += Duration.ofSeconds(1).toNanos();
        service.cycle();
        assertThat(service.awaitFirstRead(Duration.ofMillis(1))).isTrue();
        insert("q2", ORDERS);
    }

    @Test
    public void testWindowWhoseEndPassedIsAcknowledgedAnewWhenItIsProlonged()
    {
        WindowService service = started();
        MaintenanceWindow window = store.put(window("w1", ORDERS, Optional.of(START.plusSeconds(60)), false));
        service.cycle();
        assertThat(report().acknowledgements().get("w1").drainedAt()).isPresent();

        now = START.plusSeconds(61);
        insert("q1", ORDERS);
        store.put(window("w1", ORDERS, Optional.of(START.plusSeconds(600)), false));
        service.cycle();
        assertThat(window.isOver(now)).isTrue();
        assertThat(report().acknowledgements()).containsEntry("w1", new Acknowledgement(START.plusSeconds(61), Optional.empty(), Optional.of(START.plusSeconds(600))));
        assertThat(report().writes()).extracting(WriteInFlight::queryId).containsExactly("q1");

        // one that is over is not acknowledged, because it is not enforced
        now = START.plusSeconds(601);
        nanos += INTERVAL.toNanos();
        service.cycle();
        assertThat(report().acknowledgements()).isEmpty();
    }

    @Test
    public void testKillsWritesFromBefore()
    {
        WindowService service = started();
        insert("q1", ORDERS);
        insert("q2", WindowScope.table("lake", "sales", "customers"));
        store.put(window("w1", ORDERS, Optional.empty(), true));
        service.cycle();
        assertThat(kills).containsExactly("q1: The maintenance window on lake.sales.orders, opened by operator (restore), ends running writes");
        service.cycle();
        assertThat(report().writes().getFirst().state()).isEqualTo(State.KILL_REQUESTED);
        assertThat(audit).anyMatch(line -> line.contains("\"event\":\"kill_write\"") && line.contains("\"query_id\":\"q1\"") && line.contains("\"outcome\":\"accepted\""));
        now = now.plusSeconds(60);
        service.cycle();
        assertThat(kills).hasSize(1);
    }

    @Test
    public void testKillThatFailsIsRepeatedAndReported()
    {
        WindowService service = started();
        killed = CompletableFuture.failedFuture(new IOException("set window.coordinator-uri"));
        insert("q1", ORDERS);
        store.put(window("w1", ORDERS, Optional.empty(), true));
        service.cycle();
        service.cycle();
        assertThat(kills).hasSize(1);
        assertThat(report().writes().getFirst().state()).isEqualTo(State.KILL_FAILED);
        assertThat(report().writes().getFirst().kill().orElseThrow().error()).hasValue("set window.coordinator-uri");

        now = now.plus(INTERVAL);
        killed = new CompletableFuture<>();
        service.cycle();
        now = now.plus(INTERVAL);
        service.cycle();
        assertThat(kills).describedAs("one request at a time").hasSize(2);
        killed.complete(QueryKiller.Outcome.UNKNOWN);
        service.cycle();
        assertThat(report().writes()).describedAs("what the coordinator does not know is not running").isEmpty();
        assertThat(report().acknowledgements().get("w1").drainedAt()).isPresent();
    }

    @Test
    public void testManyWritesAreCounted()
    {
        WindowService service = started();
        for (int index = 0; index < CoordinatorReport.MAX_WRITES + 3; index++) {
            insert("q" + index, ORDERS);
        }
        store.open(WindowScope.cluster());
        store.open(ORDERS);
        service.cycle();
        assertThat(report().writes()).hasSize(CoordinatorReport.MAX_WRITES);
        assertThat(report().writesLeftOut()).isEqualTo(3);
    }

    @Test
    public void testBreakGlass()
            throws InterruptedException
    {
        store.open(WindowScope.cluster());
        WindowService service = service(true);
        windows.ignore();
        assertThat(service.awaitFirstRead(Duration.ZERO)).isTrue();
        service.cycle();
        insert("q1", ORDERS);
        assertThat(report().storeIgnored()).isTrue();
        assertThat(report().acknowledgements()).isEmpty();
    }

    @Test
    public void testStop()
            throws InterruptedException
    {
        WindowService service = service(false);
        service.start();
        assertThat(service.awaitFirstRead(Duration.ofSeconds(30))).isTrue();
        insert("q1", ORDERS);
        tracker.completed("q1", false);
        service.stop();
        assertThat(store.coordinators()).isEmpty();
        assertThat(store.closeCount()).isEqualTo(1);
        // a server that is going down lets no write through that nobody would know of
        assertThatThrownBy(() -> insert("q2", ORDERS)).isInstanceOf(TrinoException.class);
        service.stop();
        assertThat(store.closeCount()).isEqualTo(1);
    }

    @Test
    public void testStopWaitsForTheEndOfAWriteThatIsToldLate()
            throws InterruptedException
    {
        WindowService service = service(false);
        service.start();
        assertThat(service.awaitFirstRead(Duration.ofSeconds(30))).isTrue();
        insert("q1", ORDERS);
        Thread stop = Thread.startVirtualThread(service::stop);
        // stopping has begun: writes are refused
        WindowStats stats = new WindowStats(windows, tracker, () -> now);
        while (stats.getStoreInDoubt() == 0) {
            Thread.onSpinWait();
        }
        tracker.completed("q1", false);
        stop.join();
        assertThat(store.coordinators()).isEmpty();
    }

    @Test
    public void testStopWithWriteInFlightLeavesTheReport()
            throws InterruptedException
    {
        WindowService service = service(false);
        service.start();
        assertThat(service.awaitFirstRead(Duration.ofSeconds(30))).isTrue();
        insert("q1", ORDERS);
        service.stop();
        assertThat(store.coordinators()).isEqualTo(ImmutableList.of("c1"));
        assertThat(store.closeCount()).isEqualTo(1);
    }

    private WindowService started()
    {
        WindowService service = service(false);
        service.cycle();
        service.cycle();
        return service;
    }

    private WindowService service(boolean ignoreStore)
    {
        QueryKiller killer = (queryId, message) -> {
            kills.add(queryId + ": " + message);
            return killed;
        };
        return new WindowService(
                store,
                tracker,
                windows,
                killer,
                new AuditLog(audit::add, () -> now, ticker()),
                new WindowService.Settings("c1", ignoreStore, INTERVAL),
                () -> now,
                ticker());
    }

    private Ticker ticker()
    {
        return new Ticker()
        {
            @Override
            public long read()
            {
                return nanos;
            }
        };
    }

    private CoordinatorReport report()
    {
        return store.report("c1").orElseThrow();
    }

    private void insert(String queryId, WindowScope target)
    {
        tracker.created(queryId, "alice", Optional.of(QueryType.INSERT), START);
        gate.check(queryId, "alice", START, WRITE_DATA, target);
    }

    private static MaintenanceWindow window(String id, WindowScope scope, Optional<Instant> until, boolean kill)
    {
        return new MaintenanceWindow(id, scope, "restore", "operator", START, until, Duration.ofSeconds(30), kill, Optional.empty(), Optional.empty());
    }
}
