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
import io.airlift.log.Logger;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorState;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What stands for a coordinator whose report cannot be read, because it is damaged or of a newer version: one that is not live and
 * has acknowledged nothing. So it stops nobody from opening or ending a window, and no window counts as closed because of what
 * nobody could read. Logs each such report once. Thread-safe.
 */
final class UnreadableReports
{
    private static final Logger log = Logger.get(UnreadableReports.class);

    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /**
     * @param id by which {@link WindowStore#remove} takes the report out
     * @param reportedAt when it was written, as far as that is known
     */
    CoordinatorState state(String id, Instant reportedAt, WindowStoreException failure)
    {
        if (logged.add(id)) {
            log.warn("A coordinator's report cannot be read, so that '%s' counts as a lost coordinator, which forget_coordinator takes out: %s", id, failure.getMessage());
        }
        return new CoordinatorState(new CoordinatorReport(id, reportedAt, reportedAt, false, ImmutableMap.of(), ImmutableList.of(), 0), false);
    }

    /** Forgets those that have been repaired or taken out since. */
    void retain(Set<String> ids)
    {
        logged.retainAll(ids);
    }
}
