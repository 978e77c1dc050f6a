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
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WindowSnapshot;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * A store of windows in memory that can be cut off. Tells its listeners on the thread that changes a window.
 */
public class MemoryWindowStore
        implements WindowStore
{
    private final List<MaintenanceWindow> windows = new ArrayList<>();
    private final Map<String, CoordinatorReport> reports = new TreeMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private boolean reachable = true;
    private int closed;
    private Consumer<CoordinatorReport> reportHook = _ -> {};

    public MaintenanceWindow open(WindowScope scope)
    {
        return open(scope, false);
    }

    public MaintenanceWindow open(WindowScope scope, boolean kill)
    {
        return put(new MaintenanceWindow(
                UUID.randomUUID().toString(),
                scope,
                "restore of a backup",
                "operator",
                Instant.now(),
                Optional.empty(),
                Duration.ofSeconds(30),
                kill,
                Optional.empty(),
                Optional.empty()));
    }

    public synchronized MaintenanceWindow put(MaintenanceWindow window)
    {
        windows.removeIf(known -> known.scope().equals(window.scope()));
        windows.add(window);
        tell();
        return window;
    }

    public synchronized void end(WindowScope scope)
    {
        windows.removeIf(window -> window.scope().equals(scope));
        tell();
    }

    public synchronized void endAll()
    {
        windows.clear();
        tell();
    }

    private void tell()
    {
        if (reachable) {
            List.copyOf(listeners).forEach(listener -> listener.onWindows(ImmutableList.copyOf(windows)));
        }
    }

    public synchronized void setReachable(boolean reachable)
    {
        this.reachable = reachable;
        tell();
    }

    public synchronized void onReport(Consumer<CoordinatorReport> reportHook)
    {
        this.reportHook = reportHook;
    }

    public synchronized Optional<CoordinatorReport> report(String coordinatorId)
    {
        return Optional.ofNullable(reports.get(coordinatorId));
    }

    public synchronized List<String> coordinators()
    {
        return ImmutableList.copyOf(reports.keySet());
    }

    public synchronized int closeCount()
    {
        return closed;
    }

    /** Waits until the coordinator's report is so; fails after 30 seconds. */
    public synchronized CoordinatorReport awaitReport(String coordinatorId, Predicate<CoordinatorReport> condition)
            throws InterruptedException
    {
        long deadline = System.nanoTime() + SECONDS.toNanos(30);
        while (true) {
            CoordinatorReport report = reports.get(coordinatorId);
            if (report != null && condition.test(report)) {
                return report;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("no such report within 30 seconds, the last one is " + report);
            }
            NANOSECONDS.timedWait(this, left);
        }
    }

    /** Waits until somebody watches the store, and has been told the windows if the store can be reached. */
    public synchronized void awaitWatch()
            throws InterruptedException
    {
        while (listeners.isEmpty()) {
            wait();
        }
    }

    @Override
    public synchronized WindowSnapshot read()
    {
        checkReachable();
        return new WindowSnapshot(windows, ImmutableList.of(), reports.values().stream().map(report -> new CoordinatorState(report, true)).collect(toImmutableList()));
    }

    @Override
    public synchronized WindowChange change(Function<WindowSnapshot, WindowChange> change)
    {
        WindowChange result = change.apply(read());
        windows.removeIf(window -> window.scope().equals(result.scope()));
        result.put().ifPresent(windows::add);
        tell();
        return result;
    }

    @Override
    public synchronized void report(CoordinatorReport report)
    {
        reportHook.accept(report);
        checkReachable();
        reports.put(report.coordinatorId(), report);
        notifyAll();
    }

    @Override
    public synchronized void remove(String coordinatorId)
    {
        checkReachable();
        reports.remove(coordinatorId);
    }

    @Override
    public synchronized Watch watch(Listener listener)
    {
        listeners.add(listener);
        if (reachable) {
            listener.onWindows(ImmutableList.copyOf(windows));
        }
        else {
            listener.onFailure(new WindowStoreException("the store is cut off"));
        }
        notifyAll();
        return () -> {
            synchronized (this) {
                listeners.remove(listener);
            }
        };
    }

    private void checkReachable()
    {
        if (!reachable) {
            throw new WindowStoreException("the store is cut off");
        }
    }

    @Override
    public synchronized void close()
    {
        closed++;
    }
}
