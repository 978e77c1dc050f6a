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
import com.google.inject.Inject;
import io.airlift.log.Logger;
import jakarta.annotation.PreDestroy;
import org.lakesteward.access.audit.AuditLog;
import org.lakesteward.access.check.CurrentWindows;
import org.lakesteward.access.kill.QueryKiller;
import org.lakesteward.access.statement.StatementTracker;
import org.lakesteward.access.statement.TrackedStatement;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.OneLine;
import org.lakesteward.planner.window.WriteInFlight;
import org.lakesteward.planner.window.WriteInFlight.KillAttempt;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Keeps {@link CurrentWindows} up to date with the store, and tells the store which windows this coordinator enforces and which
 * writes it still runs.
 * <p>
 * It reports for the first time before it reads for the first time, and until then writes are refused. Thus whoever closes a
 * window afterwards knows that this coordinator is there and waits for it, and a window that was opened before is in what is read.
 * <p>
 * One daemon thread, and the thread of the store's watch. Thread-safe.
 */
public class WindowService
{
    private static final Logger log = Logger.get(WindowService.class);

    /** While writes are awaited, so often it is looked whether one has ended. */
    private static final Duration DRAIN_INTERVAL = Duration.ofMillis(200);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    private static final Duration WRITES_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private final WindowStore store;
    private final StatementTracker tracker;
    private final CurrentWindows windows;
    private final QueryKiller killer;
    private final AuditLog audit;
    private final Settings settings;
    private final InstantSource clock;
    private final Ticker ticker;

    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final CountDownLatch firstRead = new CountDownLatch(1);
    private final Semaphore wakeUps = new Semaphore(0);
    private final AtomicBoolean reportWanted = new AtomicBoolean(true);
    private final Thread thread;
    private final Instant startedAt;

    private volatile boolean stopped;

    // of the service's thread
    private Optional<WindowStore.Watch> watch = Optional.empty();
    private OptionalLong lastAttempt = OptionalLong.empty();
    private boolean lastFailed;
    private List<WriteInFlight> lastWrites = ImmutableList.of();

    private volatile long nextWarning;

    /**
     * @param coordinatorId unique among the coordinators of the lake
     * @param ignoreStore whether no window holds here; the coordinator reports that
     * @param reportInterval how often it reports when nothing happens
     */
    public record Settings(String coordinatorId, boolean ignoreStore, Duration reportInterval)
    {
        public Settings
        {
            requireNonNull(coordinatorId, "coordinatorId is null");
            requireNonNull(reportInterval, "reportInterval is null");
        }
    }

    @Inject
    public WindowService(
            WindowStore store,
            StatementTracker tracker,
            CurrentWindows windows,
            QueryKiller killer,
            AuditLog audit,
            Settings settings,
            InstantSource clock,
            Ticker ticker)
    {
        this.store = requireNonNull(store, "store is null");
        this.tracker = requireNonNull(tracker, "tracker is null");
        this.windows = requireNonNull(windows, "windows is null");
        this.killer = requireNonNull(killer, "killer is null");
        this.audit = requireNonNull(audit, "audit is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.startedAt = clock.instant();
        this.nextWarning = ticker.read();
        this.thread = Thread.ofPlatform().daemon().name("maintenance-windows").unstarted(this::run);
    }

    public void start()
    {
        if (settings.ignoreStore()) {
            windows.ignore();
            log.warn("window.ignore-store=true: THIS COORDINATOR IGNORES EVERY MAINTENANCE WINDOW. Writes go through even while operators believe that the lake is closed. Take the property away as soon as the store of windows is back");
            audit.ignoringStore(settings.coordinatorId());
        }
        thread.start();
    }

    /**
     * Waits until the windows have been read, so that a coordinator does not refuse its first writes for nothing.
     *
     * @return whether they have been read in time, or are not needed
     */
    public boolean awaitFirstRead(Duration timeout)
            throws InterruptedException
    {
        return settings.ignoreStore() || firstRead.await(timeout.toNanos(), NANOSECONDS);
    }

    private void run()
    {
        while (!stopped) {
            try {
                cycle();
            }
            catch (RuntimeException e) {
                // windows already published hold; without reports the knowledge grows old and writes are refused
                log.error(e, "Maintenance windows: a cycle failed");
            }
            try {
                if (wakeUps.tryAcquire(waitMillis(), MILLISECONDS)) {
                    wakeUps.drainPermits();
                }
            }
            catch (InterruptedException e) {
                break;
            }
        }
        watch.ifPresent(WindowStore.Watch::close);
    }

    private long waitMillis()
    {
        Duration wait = settings.reportInterval();
        if (lastFailed && RETRY_INTERVAL.compareTo(wait) < 0) {
            wait = RETRY_INTERVAL;
        }
        if (!acknowledgements.draining().isEmpty() && DRAIN_INTERVAL.compareTo(wait) < 0) {
            wait = DRAIN_INTERVAL;
        }
        return wait.toMillis();
    }

    /** One turn of the service's thread. */
    void cycle()
    {
        Instant now = clock.instant();
        List<Acknowledgements.Entry> drained = acknowledgements.drain(tracker, now);
        drained.forEach(entry -> audit.drained(settings.coordinatorId(), entry.window(), now));
        killWrites(now);

        List<WriteInFlight> writes = acknowledgements.awaited(tracker).stream()
                .map(TrackedStatement::toWriteInFlight)
                // one whose only check is being refused at this moment
                .filter(write -> !write.targets().isEmpty())
                .sorted(Comparator.comparing(WriteInFlight::createdAt).thenComparing(WriteInFlight::queryId))
                .collect(toImmutableList());
        long nanos = ticker.read();
        Duration interval = lastFailed && RETRY_INTERVAL.compareTo(settings.reportInterval()) < 0 ? RETRY_INTERVAL : settings.reportInterval();
        boolean due = lastAttempt.isEmpty() || nanos - lastAttempt.getAsLong() >= interval.toNanos();
        boolean changed = reportWanted.getAndSet(false) || !drained.isEmpty() || !writes.equals(lastWrites);
        if (due || changed) {
            report(writes);
        }
    }

    private void report(List<WriteInFlight> writes)
    {
        List<WriteInFlight> first = writes.subList(0, Math.min(writes.size(), CoordinatorReport.MAX_WRITES));
        CoordinatorReport report = new CoordinatorReport(
                settings.coordinatorId(),
                startedAt,
                clock.instant(),
                settings.ignoreStore(),
                acknowledgements.toReport(),
                first,
                writes.size() - first.size());
        long before = ticker.read();
        lastAttempt = OptionalLong.of(before);
        try {
            store.report(report);
        }
        catch (WindowStoreException e) {
            lastFailed = true;
            warn("The store of maintenance windows did not take this coordinator's report; what is known of windows holds: %s".formatted(e.getMessage()));
            return;
        }
        lastFailed = false;
        lastWrites = writes;
        windows.reported(before);
        if (watch.isEmpty() && !settings.ignoreStore()) {
            watch = Optional.of(store.watch(new Follower()));
        }
    }

    private void killWrites(Instant now)
    {
        for (MaintenanceWindow window : acknowledgements.draining()) {
            if (!window.killRunningWrites()) {
                continue;
            }
            for (TrackedStatement statement : tracker.writes(window.scope())) {
                boolean again = statement.kill()
                        .map(attempt -> attempt.error().isPresent() && !attempt.at().plus(settings.reportInterval()).isAfter(now))
                        .orElse(true);
                if (again && statement.beginKill()) {
                    kill(window, statement);
                }
            }
        }
    }

    private void kill(MaintenanceWindow window, TrackedStatement statement)
    {
        String message = "The maintenance window on %s, opened by %s (%s), ends running writes".formatted(window.scope(), window.openedBy(), OneLine.of(window.reason()));
        killer.kill(statement.queryId(), message).whenComplete((outcome, failure) -> {
            Optional<String> error = Optional.ofNullable(failure).map(WindowService::describe);
            statement.endKill(new KillAttempt(clock.instant(), error));
            audit.killRequested(settings.coordinatorId(), window, statement.queryId(), statement.user(), error);
            if (outcome == QueryKiller.Outcome.UNKNOWN) {
                // Trino has dropped it and will not say again that it has ended
                tracker.completed(statement.queryId(), true);
            }
            wake();
        });
    }

    private static String describe(Throwable failure)
    {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private void wake()
    {
        wakeUps.release();
    }

    private void warn(String message)
    {
        long now = ticker.read();
        if (now - nextWarning >= 0) {
            nextWarning = now + BETWEEN_WARNINGS.toNanos();
            log.warn(message);
        }
    }

    /**
     * Stops to follow the store, refuses writes from then on, and takes this coordinator out of the store, unless a write is in flight:
     * then nobody knows yet whether it lands, and the last report stays until a restart or an operator replaces it.
     */
    @PreDestroy
    public void stop()
    {
        if (stopped) {
            return;
        }
        stopped = true;
        windows.forget();
        wake();
        Thread last = Thread.ofPlatform().daemon().name("maintenance-windows-stop").start(() -> {
            try {
                thread.join();
                // clients hear of the end of a statement before access controls do
                long start = System.nanoTime();
                while (tracker.writesInFlight() > 0 && System.nanoTime() - start < WRITES_TIMEOUT.toNanos()) {
                    MILLISECONDS.sleep(20);
                }
                if (tracker.writesInFlight() == 0) {
                    store.remove(settings.coordinatorId());
                }
                else {
                    log.warn("Writes are in flight while this coordinator stops, so it stays in the list of coordinators until it is back or is taken out");
                }
            }
            catch (WindowStoreException e) {
                log.warn("This coordinator could not be taken out of the store of maintenance windows: %s", e.getMessage());
            }
            catch (InterruptedException _) {
                // out of time
            }
            finally {
                store.close();
            }
        });
        try {
            if (!last.join(STOP_TIMEOUT)) {
                thread.interrupt();
                last.interrupt();
            }
        }
        catch (InterruptedException e) {
            thread.interrupt();
            last.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private class Follower
            implements WindowStore.Listener
    {
        private List<MaintenanceWindow> last;

        @Override
        public void onWindows(List<MaintenanceWindow> current)
        {
            if (stopped) {
                return;
            }
            windows.told(ticker.read());
            if (current == last) {
                // a sign of life, no change
                return;
            }
            last = current;
            // first to the checks, then to the acknowledgements: see WriteGate
            windows.publish(current);
            Instant now = clock.instant();
            acknowledgements.update(current, now)
                    .forEach(entry -> audit.acknowledged(settings.coordinatorId(), entry.window(), now));
            firstRead.countDown();
            reportWanted.set(true);
            wake();
        }

        @Override
        public void onFailure(WindowStoreException failure)
        {
            warn("The store of maintenance windows cannot be read; what is known of windows holds: %s".formatted(failure.getMessage()));
        }
    }
}
