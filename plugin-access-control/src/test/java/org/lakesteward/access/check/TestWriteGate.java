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
package org.lakesteward.access.check;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import io.trino.spi.TrinoException;
import io.trino.spi.resourcegroups.QueryType;
import org.lakesteward.access.statement.StatementTracker;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.access.AccessErrorCode.CLUSTER_IN_MAINTENANCE;
import static org.lakesteward.planner.window.WindowCheck.WRITE_DATA;

public class TestWriteGate
{
    private static final WindowScope ORDERS = WindowScope.table("lake", "sales", "orders");
    private static final Instant OPENED = Instant.parse("2026-03-01T10:00:00Z");

    private final List<String> refusals = new ArrayList<>();
    private StatementTracker tracker;
    private CurrentWindows windows;
    private WriteGate gate;
    private Instant now;
    private long nanos;

    @BeforeMethod
    public void setUp()
    {
        refusals.clear();
        now = OPENED;
        nanos = 0;
        tracker = new StatementTracker();
        windows = new CurrentWindows(new Ticker()
        {
            @Override
            public long read()
            {
                return nanos;
            }
        }, Duration.ofMinutes(10));
        gate = new WriteGate(tracker, windows, () -> now, (queryId, user, kind, target, _) -> refusals.add(queryId + " " + user + " " + kind + " " + target));
        tracker.created("insert", "alice", Optional.of(QueryType.INSERT), OPENED);
        tracker.created("explain", "alice", Optional.of(QueryType.EXPLAIN), OPENED);
        windows.reported(0);
        windows.told(0);
        windows.publish(ImmutableList.of());
    }

    @Test
    public void testScopesRefuseWhatTheyIntersect()
    {
        for (WindowScope scope : ImmutableList.of(WindowScope.cluster(), WindowScope.catalog("lake"), WindowScope.schema("lake", "sales"), ORDERS)) {
            windows.publish(ImmutableList.of(window(scope)));
            assertRefused("insert", ORDERS);
        }
        // a schema is judged by a window on one of its tables
        windows.publish(ImmutableList.of(window(ORDERS)));
        assertRefused("insert", WindowScope.schema("lake", "sales"));
        assertRefused("insert", WindowScope.catalog("lake"));

        for (WindowScope scope : ImmutableList.of(WindowScope.catalog("other"), WindowScope.schema("lake", "other"), WindowScope.table("lake", "sales", "other"), WindowScope.table("other", "sales", "orders"))) {
            windows.publish(ImmutableList.of(window(scope)));
            check("insert", ORDERS);
        }
    }

    @Test
    public void testSeveralWindows()
    {
        windows.publish(ImmutableList.of(window(WindowScope.catalog("other")), window(ORDERS)));
        assertRefused("insert", ORDERS);
        assertRefused("insert", WindowScope.table("other", "x", "y"));
        check("insert", WindowScope.table("lake", "sales", "customers"));
        windows.publish(ImmutableList.of(window(WindowScope.catalog("other"))));
        check("insert", ORDERS);
    }

    @Test
    public void testEndThatPassesReopens()
    {
        windows.publish(ImmutableList.of(window(ORDERS, Optional.of(OPENED.plusSeconds(60)))));
        assertRefused("insert", ORDERS);
        now = OPENED.plusSeconds(60).minusNanos(1);
        assertRefused("insert", ORDERS);
        now = OPENED.plusSeconds(60);
        check("insert", ORDERS);
    }

    @Test
    public void testMessageTellsReasonScopeAndWhenToRetry()
    {
        windows.publish(ImmutableList.of(window(WindowScope.schema("lake", "sales"), Optional.of(OPENED.plusSeconds(60)))));
        assertThatThrownBy(() -> check("insert", ORDERS))
                .hasMessage("CLUSTER_IN_MAINTENANCE: writes to lake.sales are closed for maintenance since 2026-03-01T10:00:00Z (restore), so lake.sales.orders cannot be changed now; " +
                        "reads work; retry after 30 seconds, the window ends at 2026-03-01T10:01:00Z at the latest");
        assertThat(refusals).containsExactly("insert alice INSERT lake.sales.orders");
    }

    @Test
    public void testExplainIsOpenAndNoWrite()
    {
        windows.publish(ImmutableList.of(window(WindowScope.cluster())));
        check("explain", ORDERS);
        assertThat(tracker.writesInFlight()).isZero();
    }

    @Test
    public void testStatementThatTrinoDidNotTellOfIsAWrite()
    {
        windows.publish(ImmutableList.of(window(WindowScope.cluster())));
        assertRefused("unheard", ORDERS);
        assertThat(refusals).containsExactly("unheard somebody UNKNOWN lake.sales.orders");
    }

    @Test
    public void testRefusedTargetIsNotInFlight()
    {
        windows.publish(ImmutableList.of(window(ORDERS)));
        assertRefused("insert", ORDERS);
        assertThat(tracker.writesInFlight()).isZero();

        // what passed before the window stays in flight, whatever is refused later
        windows.publish(ImmutableList.of());
        check("insert", ORDERS);
        windows.publish(ImmutableList.of(window(ORDERS)));
        assertRefused("insert", ORDERS);
        assertThat(tracker.writes(ORDERS)).hasSize(1);
    }

    @Test
    public void testDoubt()
    {
        CurrentWindows unread = new CurrentWindows(Ticker.systemTicker(), Duration.ofMinutes(10));
        WriteGate closed = new WriteGate(tracker, unread, () -> now, (_, _, _, _, _) -> {});
        assertThatThrownBy(() -> closed.check("insert", "alice", OPENED, WRITE_DATA, ORDERS))
                .hasMessageStartingWith("CLUSTER_IN_MAINTENANCE: the store of maintenance windows could not be read since this coordinator started");
        closed.check("explain", "alice", OPENED, WRITE_DATA, ORDERS);
        assertThat(unread.stalenessNanos()).isEmpty();
        unread.ignore();
        closed.check("insert", "alice", OPENED, WRITE_DATA, ORDERS);
        unread.publish(ImmutableList.of());
        unread.forget();
        assertThatThrownBy(() -> closed.check("insert", "alice", OPENED, WRITE_DATA, ORDERS)).hasMessageStartingWith("CLUSTER_IN_MAINTENANCE");
    }

    @Test
    public void testKnowledgeThatIsTooOldRefuses()
    {
        nanos = Duration.ofMinutes(10).toNanos();
        check("insert", ORDERS);
        assertThat(windows.stalenessNanos()).hasValue(nanos);
        nanos++;
        assertThatThrownBy(() -> check("insert", ORDERS))
                .hasMessageStartingWith("CLUSTER_IN_MAINTENANCE: the store of maintenance windows has not answered this coordinator for longer than window.max-staleness");
        check("explain", ORDERS);
        // both ways to the store must work
        windows.reported(nanos);
        assertRefused("insert", ORDERS);
        windows.told(nanos);
        check("insert", ORDERS);
        assertThat(windows.stalenessNanos()).hasValue(0);
        // an ignored store does not grow old
        windows.ignore();
        nanos += Duration.ofDays(1).toNanos();
        check("insert", ORDERS);
    }

    /**
     * The race that a closed window is about: a check that passes while a window is being acknowledged must be seen by
     * the acknowledgement.
     */
    @Test
    public void testNoWriteFallsBetweenCheckAndAcknowledgement()
            throws Exception
    {
        int rounds = 20_000;
        CurrentWindows contended = new CurrentWindows(Ticker.systemTicker(), Duration.ofHours(1));
        contended.told(System.nanoTime());
        WriteGate contendedGate = new WriteGate(tracker, contended, () -> now, (_, _, _, _, _) -> {});
        CyclicBarrier barrier = new CyclicBarrier(2);
        boolean[] passed = new boolean[rounds];
        boolean[] seen = new boolean[rounds];
        List<MaintenanceWindow> closed = ImmutableList.of(window(ORDERS));
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            Future<?> checks = executor.submit(() -> {
                for (int round = 0; round < rounds; round++) {
                    String queryId = "race" + round;
                    barrier.await();
                    tracker.created(queryId, "alice", Optional.of(QueryType.INSERT), OPENED);
                    try {
                        contendedGate.check(queryId, "alice", OPENED, WRITE_DATA, ORDERS);
                        passed[round] = true;
                    }
                    catch (TrinoException e) {
                        passed[round] = false;
                    }
                    barrier.await();
                    tracker.completed(queryId, false);
                    barrier.await();
                }
                return null;
            });
            Future<?> acknowledgements = executor.submit(() -> {
                for (int round = 0; round < rounds; round++) {
                    contended.publish(ImmutableList.of());
                    barrier.await();
                    for (int spin = round % 64; spin > 0; spin--) {
                        Thread.onSpinWait();
                    }
                    contended.publish(closed);
                    seen[round] = !tracker.writes(ORDERS).isEmpty();
                    barrier.await();
                    barrier.await();
                }
                return null;
            });
            checks.get();
            acknowledgements.get();
        }
        int passes = 0;
        for (int round = 0; round < rounds; round++) {
            if (passed[round]) {
                passes++;
                assertThat(seen[round]).describedAs("round %s", round).isTrue();
            }
        }
        // without rounds of both kinds there was no race
        assertThat(passes).isBetween(1, rounds - 1);
    }

    private void check(String queryId, WindowScope target)
    {
        gate.check(queryId, "somebody", OPENED, WRITE_DATA, target);
    }

    private void assertRefused(String queryId, WindowScope target)
    {
        assertThatThrownBy(() -> check(queryId, target))
                .isInstanceOfSatisfying(TrinoException.class, refusal -> assertThat(refusal.getErrorCode()).isEqualTo(CLUSTER_IN_MAINTENANCE.toErrorCode()));
    }

    private static MaintenanceWindow window(WindowScope scope)
    {
        return window(scope, Optional.empty());
    }

    private static MaintenanceWindow window(WindowScope scope, Optional<Instant> until)
    {
        return new MaintenanceWindow("id", scope, "restore", "operator", OPENED, until, Duration.ofSeconds(30), false, Optional.empty(), Optional.empty());
    }
}
