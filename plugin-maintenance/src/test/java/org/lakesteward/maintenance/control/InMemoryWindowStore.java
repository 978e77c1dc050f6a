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
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowSnapshot;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreException;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;

/**
 * A store of windows for tests of what stands in front of it. Tests say who reports and who is live.
 */
public final class InMemoryWindowStore
        implements WindowStore
{
    private final AtomicReference<WindowSnapshot> content = new AtomicReference<>(new WindowSnapshot(ImmutableList.of(), ImmutableList.of(), ImmutableList.of()));
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger reads = new AtomicInteger();
    private volatile Optional<String> failure = Optional.empty();
    private volatile Optional<CountDownLatch> changesTogether = Optional.empty();

    /** Empty, and answering again. */
    public void reset()
    {
        listeners.clear();
        failure = Optional.empty();
        changesTogether = Optional.empty();
        content.set(new WindowSnapshot(ImmutableList.of(), ImmutableList.of(), ImmutableList.of()));
    }

    public void failWith(String message)
    {
        failure = Optional.of(message);
    }

    /** Lets the next changes be computed from the same content, once so many of them have begun. */
    public void changeTogether(int changes)
    {
        changesTogether = Optional.of(new CountDownLatch(changes));
    }

    public int reads()
    {
        return reads.get();
    }

    public WindowSnapshot content()
    {
        return content.get();
    }

    @Override
    public WindowSnapshot read()
    {
        reads.incrementAndGet();
        check();
        return content.get();
    }

    @Override
    public WindowChange change(Function<WindowSnapshot, WindowChange> change)
    {
        check();
        Optional<CountDownLatch> together = changesTogether;
        while (true) {
            WindowSnapshot before = content.get();
            together.ifPresent(latch -> {
                latch.countDown();
                try {
                    latch.await();
                }
                catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            WindowChange wanted = change.apply(before);
            if (content.compareAndSet(before, applied(before, wanted))) {
                listeners.forEach(listener -> listener.onWindows(content.get().windows()));
                return wanted;
            }
        }
    }

    private static WindowSnapshot applied(WindowSnapshot before, WindowChange change)
    {
        return new WindowSnapshot(
                Stream.concat(before.windows().stream().filter(window -> !window.scope().equals(change.scope())), change.put().stream()).toList(),
                Stream.concat(change.ended().stream(), before.ended().stream()).toList(),
                before.coordinators());
    }

    @Override
    public void report(CoordinatorReport report)
    {
        put(new CoordinatorState(report, true));
    }

    public void put(CoordinatorState coordinator)
    {
        updateCoordinators(coordinators -> Stream.concat(
                coordinators.stream().filter(other -> !other.report().coordinatorId().equals(coordinator.report().coordinatorId())),
                Stream.of(coordinator))
                .sorted(comparing(other -> other.report().coordinatorId()))
                .collect(toImmutableList()));
    }

    @Override
    public void remove(String coordinatorId)
    {
        check();
        updateCoordinators(coordinators -> coordinators.stream()
                .filter(coordinator -> !coordinator.report().coordinatorId().equals(coordinatorId))
                .collect(toImmutableList()));
    }

    private void updateCoordinators(UnaryOperator<List<CoordinatorState>> update)
    {
        content.updateAndGet(before -> new WindowSnapshot(before.windows(), before.ended(), update.apply(before.coordinators())));
    }

    public void put(MaintenanceWindow window)
    {
        content.updateAndGet(before -> applied(before, new WindowChange(window.scope(), Optional.of(window), Optional.empty())));
    }

    public void put(EndedWindow ended)
    {
        content.updateAndGet(before -> applied(before, new WindowChange(ended.window().scope(), Optional.empty(), Optional.of(ended))));
    }

    /** A coordinator that acknowledges each window at once, and has no writes. */
    public void addObedientCoordinator(String id)
    {
        Listener listener = new Listener()
        {
            @Override
            public void onWindows(List<MaintenanceWindow> windows)
            {
                Instant now = Instant.now();
                ImmutableMap.Builder<String, Acknowledgement> acknowledgements = ImmutableMap.builder();
                windows.forEach(window -> acknowledgements.put(window.id(), new Acknowledgement(now, Optional.of(now))));
                report(new CoordinatorReport(id, now, now, false, acknowledgements.buildOrThrow(), ImmutableList.of(), 0));
            }

            @Override
            public void onFailure(WindowStoreException failure) {}
        };
        listener.onWindows(content.get().windows());
        listeners.add(listener);
    }

    /** A coordinator that has acknowledged nothing. */
    public static CoordinatorReport silentReport(String id, Instant reportedAt)
    {
        return new CoordinatorReport(id, reportedAt, reportedAt, false, ImmutableMap.of(), ImmutableList.of(), 0);
    }

    @Override
    public Watch watch(Listener listener)
    {
        throw new UnsupportedOperationException("the control connector does not watch");
    }

    @Override
    public void close() {}

    private void check()
    {
        failure.ifPresent(message -> {
            throw new WindowStoreException(message);
        });
    }
}
