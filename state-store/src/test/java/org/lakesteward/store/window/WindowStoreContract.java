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
package org.lakesteward.store.window;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.InvalidWindowException;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowProgress;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WindowSnapshot;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What every store of windows does.
 */
public abstract class WindowStoreContract
{
    protected static final Duration PRESENCE_TIMEOUT = Duration.ofSeconds(2);
    protected static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456789Z");
    protected static final WindowScope CLUSTER = WindowScope.cluster();
    protected static final WindowScope SALES = WindowScope.schema("lake", "sales");
    protected static final WindowScope STOCK = WindowScope.schema("lake", "stock");

    private final List<WindowStore> stores = new ArrayList<>();
    protected WindowStore store;
    protected WindowStore other;

    /** Empties what the stores share. */
    protected abstract void prepare();

    /** Another user of what {@link #prepare} made. */
    protected abstract WindowStore create();

    /** Lets time pass until reports of before do not count as presence any more. */
    protected abstract void passPresenceTimeout();

    /** Puts a document where a window on the cluster, or all windows, are kept. */
    protected abstract void writeRaw(byte[] document);

    protected abstract byte[] readRaw();

    /** The same for the report of coordinator {@code one}. */
    protected abstract void writeRawReport(byte[] document);

    protected abstract byte[] readRawReport();

    /** What the coordinator of that report is called when it cannot be read. */
    protected abstract String idOfUnreadableReport();

    @BeforeMethod
    public void open()
    {
        prepare();
        store = open(create());
        other = open(create());
    }

    @AfterMethod(alwaysRun = true)
    public void close()
    {
        stores.forEach(WindowStore::close);
        stores.clear();
    }

    protected final WindowStore open(WindowStore opened)
    {
        stores.add(opened);
        return opened;
    }

    @Test
    public void testEmpty()
    {
        assertThat(store.read()).isEqualTo(new WindowSnapshot(ImmutableList.of(), ImmutableList.of(), ImmutableList.of()));
    }

    @Test
    public void testOpenExtendEnd()
    {
        MaintenanceWindow window = window("first", SALES);
        WindowChange opened = store.change(current -> WindowChange.open(current, window, NOW));
        assertThat(opened.put()).contains(window);
        assertThat(other.read().windows()).containsExactly(window);

        WindowChange extended = other.change(current -> WindowChange.extend(current, SALES, Optional.of(NOW.plusSeconds(60)), false, Optional.empty(), Optional.of(true), "bob", NOW));
        assertThat(store.read().windows()).containsExactly(extended.put().orElseThrow());
        assertThat(extended.put().orElseThrow().until()).contains(NOW.plusSeconds(60));

        store.change(current -> WindowChange.open(current, window("second", STOCK), NOW));
        assertThat(other.read().windows()).extracting(MaintenanceWindow::scope).containsExactly(SALES, STOCK);

        store.change(current -> WindowChange.end(current, SALES, "carl", NOW.plusSeconds(5)));
        assertThat(other.read().windows()).extracting(MaintenanceWindow::scope).containsExactly(STOCK);
        assertThat(other.read().ended()).containsExactly(new EndedWindow(extended.put().orElseThrow(), Optional.of("carl"), NOW.plusSeconds(5)));

        store.change(current -> WindowChange.end(current, STOCK, "carl", NOW.plusSeconds(6)));
        assertThat(other.read().windows()).isEmpty();
        assertThat(other.read().ended()).extracting(ended -> ended.window().id()).containsExactly("second", "first");
    }

    @Test
    public void testWindowWhoseTimeIsOverIsReplaced()
    {
        MaintenanceWindow over = new MaintenanceWindow("over", SALES, "r", "ann", NOW, Optional.of(NOW.plusSeconds(1)), Duration.ofSeconds(1), false, Optional.empty(), Optional.empty());
        store.change(current -> WindowChange.open(current, over, NOW));
        store.change(current -> WindowChange.open(current, window("next", SALES), NOW.plusSeconds(2)));
        assertThat(other.read().windows()).extracting(MaintenanceWindow::id).containsExactly("next");
        assertThat(other.read().ended()).containsExactly(new EndedWindow(over, Optional.empty(), NOW.plusSeconds(1)));
    }

    @Test
    public void testPastIsBounded()
    {
        for (int i = 0; i < WindowStore.MAX_ENDED + 5; i++) {
            MaintenanceWindow window = window("window " + i, SALES);
            store.change(current -> WindowChange.open(current, window, NOW));
            Instant end = NOW.plusSeconds(i);
            store.change(current -> WindowChange.end(current, SALES, "ann", end));
        }
        List<EndedWindow> ended = store.read().ended();
        assertThat(ended).hasSize(WindowStore.MAX_ENDED);
        assertThat(ended).first().satisfies(window -> assertThat(window.window().id()).isEqualTo("window 104"));
        assertThat(ended).last().satisfies(window -> assertThat(window.window().id()).isEqualTo("window 5"));
    }

    @Test
    public void testRefusedChangeChangesNothing()
    {
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        WindowSnapshot before = store.read();
        assertThatThrownBy(() -> other.change(current -> WindowChange.open(current, window("second", SALES), NOW)))
                .isInstanceOf(InvalidWindowException.class);
        assertThatThrownBy(() -> other.change(current -> WindowChange.end(current, STOCK, "ann", NOW)))
                .isInstanceOf(InvalidWindowException.class);
        MaintenanceWindow large = new MaintenanceWindow("large", STOCK, "r", "ann", NOW, Optional.empty(), Duration.ofSeconds(1), false, Optional.empty(), Optional.of("w".repeat(40_000)));
        assertThatThrownBy(() -> other.change(current -> WindowChange.open(current, large, NOW)))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("the store takes at most 32768");
        assertThat(store.read()).isEqualTo(before);
    }

    /** The largest window that can be opened can be ended, though it takes more room then. */
    @Test
    public void testLargestWindowCanBeEnded()
    {
        int rest = WindowCodec.encode(window("large", "", STOCK)).length;
        MaintenanceWindow large = window("large", "w".repeat(WindowCodec.MAX_WINDOW_BYTES - rest), STOCK);
        store.change(current -> WindowChange.open(current, large, NOW));
        assertThatThrownBy(() -> other.change(current -> WindowChange.end(current, STOCK, "u".repeat(2000), NOW)))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("a user whose name takes at most 1000 bytes can end it");
        assertThat(store.read().windows()).containsExactly(large);
        other.change(current -> WindowChange.end(current, STOCK, "u".repeat(1000), NOW));
        assertThat(store.read().windows()).isEmpty();
        assertThat(store.read().ended()).extracting(EndedWindow::window).containsExactly(large);
    }

    @Test
    public void testOneOfManyWritersOfOneScopeWins()
            throws Exception
    {
        int writers = 6;
        for (int round = 0; round < 10; round++) {
            int turn = round;
            List<String> winners = together(writers, writer -> {
                MaintenanceWindow window = window("%s of round %s".formatted(writer, turn), SALES);
                try {
                    (writer % 2 == 0 ? store : other).change(current -> WindowChange.open(current, window, NOW));
                    return Optional.of(window.id());
                }
                catch (InvalidWindowException e) {
                    assertThat(e.reason()).isEqualTo(InvalidWindowException.Reason.WINDOW_EXISTS);
                    return Optional.empty();
                }
            });
            assertThat(winners).hasSize(1);
            assertThat(store.read().windows()).extracting(MaintenanceWindow::id).isEqualTo(winners);
            store.change(current -> WindowChange.end(current, SALES, "ann", NOW));
        }
    }

    @Test
    public void testWritersOfDifferentScopesAllWin()
            throws Exception
    {
        int writers = 6;
        int changes = 10;
        together(writers, writer -> {
            for (int i = 0; i < changes; i++) {
                WindowScope scope = WindowScope.table("lake", "writer" + writer, "table" + i);
                (writer % 2 == 0 ? store : other).change(current -> WindowChange.open(current, window(scope.toString(), scope), NOW));
            }
            return Optional.empty();
        });
        assertThat(store.read().windows()).hasSize(writers * changes);
    }

    @Test
    public void testStrangeNames()
    {
        long seed = 3;
        System.out.println("seed " + seed);
        RandomRecords records = new RandomRecords(seed);
        Set<WindowScope> scopes = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            WindowScope scope = records.scope();
            if (scopes.add(scope)) {
                // not WindowChange.open, which refuses some of them: a store keeps what it is given
                MaintenanceWindow window = window("window of " + scope, scope);
                store.change(_ -> new WindowChange(scope, Optional.of(window), Optional.empty()));
            }
        }
        Set<String> ids = new HashSet<>(ImmutableSet.of("", ".", "..", "../../x", "a", "A", "/", "x".repeat(1000), "one", "one/two"));
        for (int i = 0; i < 40; i++) {
            ids.add(records.text());
        }
        ids.forEach(id -> store.report(report(id, NOW)));

        WindowSnapshot snapshot = other.read();
        assertThat(snapshot.windows()).extracting(MaintenanceWindow::scope).containsExactlyInAnyOrderElementsOf(scopes);
        assertThat(snapshot.coordinators()).extracting(state -> state.report().coordinatorId()).containsExactlyElementsOf(ids.stream().sorted().toList());
        assertThat(snapshot.coordinators()).extracting(CoordinatorState::live).containsOnly(true);

        scopes.forEach(scope -> store.change(current -> WindowChange.end(current, scope, "ann", NOW)));
        ids.forEach(other::remove);
        assertThat(store.read().windows()).isEmpty();
        assertThat(store.read().coordinators()).isEmpty();
        assertThat(store.read().ended()).hasSize(scopes.size());
    }

    @Test
    public void testReports()
    {
        store.report(report("one", NOW));
        assertThat(other.read().coordinators()).containsExactly(new CoordinatorState(report("one", NOW), true));

        CoordinatorReport next = new CoordinatorReport("one", NOW, NOW, true, ImmutableMap.of("id", new Acknowledgement(NOW, Optional.of(NOW))), ImmutableList.of(), 7);
        store.report(next);
        other.report(report("two", NOW));
        assertThat(store.read().coordinators()).containsExactly(new CoordinatorState(next, true), new CoordinatorState(report("two", NOW), true));

        // by one who did not report it
        other.remove("one");
        other.remove("three");
        assertThat(store.read().coordinators()).containsExactly(new CoordinatorState(report("two", NOW), true));

        // it was not gone after all
        store.report(next);
        assertThat(other.read().coordinators()).extracting(state -> state.report().coordinatorId()).containsExactly("one", "two");
    }

    @Test
    public void testSilentCoordinatorIsNotLive()
    {
        store.report(report("one", NOW));
        passPresenceTimeout();
        awaitTrue(() -> !store.read().coordinators().getFirst().live(), "the coordinator is not live");
        assertThat(store.read().coordinators()).containsExactly(new CoordinatorState(report("one", NOW), false));

        CoordinatorReport later = report("one", NOW.plus(PRESENCE_TIMEOUT));
        store.report(later);
        assertThat(other.read().coordinators()).containsExactly(new CoordinatorState(later, true));
    }

    @Test
    public void testTooLargeReport()
    {
        store.report(report("one", NOW));
        CoordinatorReport large = new CoordinatorReport("one", NOW, NOW, false, ImmutableMap.of("x".repeat(2_000_000), new Acknowledgement(NOW, Optional.empty())), ImmutableList.of(), 0);
        assertThatThrownBy(() -> store.report(large))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("the report of coordinator one takes")
                .hasMessageContaining("the store takes at most 1048576");
        assertThat(store.read().coordinators()).containsExactly(new CoordinatorState(report("one", NOW), true));
    }

    /** Pages of reports stay below what the client of a store takes as one answer. */
    @Test
    public void testManyLargeRecords()
    {
        for (int i = 0; i < 12; i++) {
            store.report(new CoordinatorReport("coordinator " + i, NOW, NOW, false, ImmutableMap.of("x".repeat(1_000_000), new Acknowledgement(NOW, Optional.empty())), ImmutableList.of(), 0));
        }
        for (int i = 0; i < 70; i++) {
            WindowScope scope = WindowScope.catalog("catalog" + i);
            MaintenanceWindow large = new MaintenanceWindow("window" + i, scope, "r", "ann", NOW, Optional.empty(), Duration.ofSeconds(1), false, Optional.empty(), Optional.of("w".repeat(32_000)));
            store.change(current -> WindowChange.open(current, large, NOW));
        }
        assertThat(other.read().coordinators()).hasSize(12);
        assertThat(other.read().windows()).hasSize(70);
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitContacts(1);
            assertThat(listener.scopes()).hasSize(70);
        }
    }

    @Test
    public void testWatch()
    {
        store.change(current -> WindowChange.open(current, window("before", SALES), NOW));
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes(SALES);
            store.change(current -> WindowChange.open(current, window("second", STOCK), NOW));
            listener.awaitScopes(SALES, STOCK);
            store.change(current -> WindowChange.end(current, SALES, "ann", NOW));
            listener.awaitScopes(STOCK);
            for (int i = 0; i < 50; i++) {
                MaintenanceWindow window = window("window " + i, SALES);
                store.change(current -> WindowChange.open(current, window, NOW));
                store.change(current -> WindowChange.end(current, SALES, "ann", NOW));
            }
            store.change(current -> WindowChange.open(current, window("last", CLUSTER), NOW));
            listener.awaitScopes(CLUSTER, STOCK);
            // goes on telling that the store answers, though nothing changes
            listener.awaitContacts(3);
        }
        assertThat(listener.threads()).hasSize(1);
    }

    @Test
    public void testClosedWatchTellsNothing()
    {
        RecordingListener closed = new RecordingListener();
        RecordingListener open = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(open)) {
            WindowStore.Watch watch = other.watch(closed);
            closed.awaitScopes();
            watch.close();
            awaitTrue(() -> closed.threads().stream().noneMatch(Thread::isAlive), "the thread of the watch ends");
            int contacts = closed.contacts();
            store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
            open.awaitScopes(SALES);
            assertThat(closed.contacts()).isEqualTo(contacts);
        }
    }

    @Test
    public void testListenerThatFailsIsToldAgain()
    {
        RecordingListener listener = new RecordingListener();
        WindowStore.Listener failing = new WindowStore.Listener()
        {
            @Override
            public void onWindows(List<MaintenanceWindow> windows)
            {
                listener.onWindows(windows);
                throw new IllegalStateException("thrown by the test");
            }

            @Override
            public void onFailure(WindowStoreException failure)
            {
                listener.onFailure(failure);
            }
        };
        try (WindowStore.Watch _ = other.watch(failing)) {
            listener.awaitScopes();
            store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
            listener.awaitScopes(SALES);
        }
    }

    @Test
    public void testCloseEndsWatches()
    {
        RecordingListener listener = new RecordingListener();
        other.watch(listener);
        listener.awaitContacts(1);
        other.close();
        awaitTrue(() -> listener.threads().stream().noneMatch(Thread::isAlive), "the thread of the watch ends");
        assertThatThrownBy(other::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> other.watch(listener))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("closed");
        other.close();
    }

    @Test
    public void testNewerFormIsRefusedAndKept()
    {
        byte[] newer = "{\"version\": 2, \"everything\": \"different\"}".getBytes(UTF_8);
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes();
            writeRaw(newer);
            assertThat(listener.awaitFailure()).hasMessageContaining("newer version of Lakesteward");
            assertThatThrownBy(store::read)
                    .isInstanceOf(WindowStoreException.class)
                    .hasMessageContaining("newer version of Lakesteward");
            assertThatThrownBy(() -> store.change(current -> WindowChange.open(current, window("first", CLUSTER), NOW)))
                    .isInstanceOf(WindowStoreException.class)
                    .hasMessageContaining("newer version of Lakesteward");
            assertThat(readRaw()).isEqualTo(newer);
        }

        writeRawReport(newer);
        assertThatThrownBy(() -> store.report(report("one", NOW)))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("newer version of Lakesteward");
        assertThat(readRawReport()).isEqualTo(newer);
        // when the coordinator stops
        assertThatThrownBy(() -> store.remove("one"))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("newer version of Lakesteward");
        assertThat(readRawReport()).isEqualTo(newer);
    }

    @DataProvider
    public static Object[][] unreadableReports()
    {
        return new Object[][] {
                {"{"},
                {""},
                {"{\"version\": 1, \"coordinator_id\": \"one\"}"},
                {"{\"version\": 2, \"everything\": \"different\"}"},
        };
    }

    /** One report that cannot be read keeps nobody from opening and ending windows. */
    @Test(dataProvider = "unreadableReports")
    public void testUnreadableReportCountsAsLostCoordinator(String document)
    {
        writeRawReport(document.getBytes(UTF_8));
        store.report(report("two", NOW));
        Instant before = Instant.now();
        List<CoordinatorState> coordinators = other.read().coordinators();
        assertThat(coordinators).hasSize(2);
        assertThat(coordinators).last().isEqualTo(new CoordinatorState(report("two", NOW), true));
        CoordinatorState lost = coordinators.getFirst();
        assertThat(lost.live()).isFalse();
        assertThat(lost.report().coordinatorId()).isEqualTo(idOfUnreadableReport());
        assertThat(lost.report().reportedAt()).isBetween(before.minus(Duration.ofMinutes(10)), Instant.now());
        assertThat(lost.report().acknowledgements()).isEmpty();
        assertThat(lost.report().storeIgnored()).isFalse();

        MaintenanceWindow window = window("first", SALES);
        other.change(current -> WindowChange.open(current, window, NOW));
        assertThat(WindowProgress.of(window, other.read().coordinators(), Duration.ofHours(1), Instant.now()).lost()).containsExactly(lost.report().coordinatorId());
        other.change(current -> WindowChange.end(current, SALES, "ann", NOW));
        assertThat(readRawReport()).isEqualTo(document.getBytes(UTF_8));

        other.remove(lost.report().coordinatorId());
        assertThat(other.read().coordinators()).containsExactly(new CoordinatorState(report("two", NOW), true));
    }

    @Test
    public void testBrokenWindowsAreFailureNotAbsence()
    {
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes();
            writeRaw("{\"version\": 1, ".getBytes(UTF_8));
            assertThat(listener.awaitFailure()).hasMessageContaining("is no valid JSON");
            assertThatThrownBy(store::read)
                    .isInstanceOf(WindowStoreException.class)
                    .hasMessageContaining("is no valid JSON");
            assertThatThrownBy(() -> store.change(current -> WindowChange.open(current, window("first", SALES), NOW)))
                    .isInstanceOf(WindowStoreException.class)
                    .hasMessageContaining("is no valid JSON");
        }
        // reports are made anew all the time, so that a broken one heals
        writeRawReport("{".getBytes(UTF_8));
        store.report(report("one", NOW));
        assertThat(readRawReport()).isEqualTo(WindowCodec.encode(report("one", NOW)));
    }

    protected static MaintenanceWindow window(String id, WindowScope scope)
    {
        return new MaintenanceWindow(id, scope, "restore", "ann", NOW, Optional.empty(), Duration.ofSeconds(30), false, Optional.empty(), Optional.empty());
    }

    private static MaintenanceWindow window(String id, String warning, WindowScope scope)
    {
        return new MaintenanceWindow(id, scope, "restore", "ann", NOW, Optional.empty(), Duration.ofSeconds(30), false, Optional.empty(), Optional.of(warning));
    }

    protected static CoordinatorReport report(String id, Instant reportedAt)
    {
        return new CoordinatorReport(id, NOW, reportedAt, false, ImmutableMap.of(), ImmutableList.of(), 0);
    }

    /** Polls, with a deadline. */
    protected static void awaitTrue(BooleanSupplier condition, String what)
    {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).as("time until %s", what).isLessThan(Duration.ofSeconds(30));
            LockSupport.parkNanos(10_000_000);
        }
    }

    protected interface Work
    {
        Optional<String> run(int writer)
                throws Exception;
    }

    /** Runs all at the same moment and gives the results that are there. */
    protected static List<String> together(int threads, Work work)
            throws Exception
    {
        CyclicBarrier barrier = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Callable<Optional<String>>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                tasks.add(() -> {
                    barrier.await(30, TimeUnit.SECONDS);
                    return work.run(thread);
                });
            }
            List<String> results = new ArrayList<>();
            for (Future<Optional<String>> result : executor.invokeAll(tasks, 2, TimeUnit.MINUTES)) {
                result.get().ifPresent(results::add);
            }
            return results;
        }
    }
}
