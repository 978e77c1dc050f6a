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
package org.lakesteward.maintenance.window;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import org.lakesteward.maintenance.control.QueryEndings.Ending;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowProgress;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreException;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * Waits, for a short time, until every live coordinator has heard of a change, so that what the person who made it does next meets
 * it: the next write after a window has ended succeeds, and a window whose end was put off is closed again. The change has been
 * made already: that a coordinator is slow to hear of it, or that the store does not answer, makes no call fail. Thread-safe.
 */
public class PropagationWait
{
    private static final Logger log = Logger.get(PropagationWait.class);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final WindowStore store;

    @Inject
    public PropagationWait(WindowStore store)
    {
        this.store = requireNonNull(store, "store is null");
    }

    void awaitEnd(Ending ending, MaintenanceWindow window)
    {
        await(ending, "The window on %s has ended".formatted(window.scope()), coordinators -> WindowProgress.stillObeying(window.id(), coordinators));
    }

    void awaitChange(Ending ending, MaintenanceWindow window)
    {
        await(ending, "The window on %s was changed".formatted(window.scope()), coordinators -> WindowProgress.notKnowing(window, coordinators));
    }

    private void await(Ending ending, String change, Function<List<CoordinatorState>, List<String>> findBehind)
    {
        long start = System.nanoTime();
        while (true) {
            List<String> behind;
            try {
                behind = findBehind.apply(store.read().coordinators());
            }
            catch (WindowStoreException e) {
                log.warn(e, "%s; whether all coordinators have heard of it could not be read", change);
                return;
            }
            if (behind.isEmpty()) {
                return;
            }
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                log.warn("%s; these coordinators have not reported so after %s seconds: %s", change, PATIENCE.toSeconds(), behind);
                return;
            }
            try {
                if (ending.await(PAUSE)) {
                    return;
                }
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
