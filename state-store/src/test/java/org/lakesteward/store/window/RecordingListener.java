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

import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Keeps what a watch tells, and waits for it with a deadline.
 */
final class RecordingListener
        implements WindowStore.Listener
{
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Set<Thread> threads = new HashSet<>();
    private List<MaintenanceWindow> windows;
    private final List<WindowStoreException> failures = new ArrayList<>();
    private int contacts;

    @Override
    public synchronized void onWindows(List<MaintenanceWindow> windows)
    {
        this.windows = windows;
        contacts++;
        threads.add(Thread.currentThread());
        notifyAll();
    }

    @Override
    public synchronized void onFailure(WindowStoreException failure)
    {
        failures.add(failure);
        threads.add(Thread.currentThread());
        notifyAll();
    }

    synchronized void awaitScopes(WindowScope... scopes)
    {
        await(() -> windows != null && scopes().equals(ImmutableSet.copyOf(scopes)), "windows on " + ImmutableSet.copyOf(scopes));
    }

    synchronized void awaitContacts(int more)
    {
        int goal = contacts + more;
        await(() -> contacts >= goal, more + " more contacts");
    }

    synchronized WindowStoreException awaitFailure()
    {
        int goal = failures.size() + 1;
        await(() -> failures.size() >= goal, "a failure");
        return failures.getLast();
    }

    synchronized int contacts()
    {
        return contacts;
    }

    synchronized Set<WindowScope> scopes()
    {
        return windows.stream().map(MaintenanceWindow::scope).collect(ImmutableSet.toImmutableSet());
    }

    synchronized Set<Thread> threads()
    {
        return ImmutableSet.copyOf(threads);
    }

    private void await(BooleanSupplier condition, String what)
    {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("the watch did not tell %s within %s; it told %s windows last and these failures: %s".formatted(what, LIMIT, windows == null ? "no" : scopes(), failures));
            }
            try {
                wait(NANOSECONDS.toMillis(left) + 1);
            }
            catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
