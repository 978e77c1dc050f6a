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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.lakesteward.access.statement.StatementTracker;
import org.lakesteward.access.statement.TrackedStatement;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.MaintenanceWindow;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Which windows this coordinator enforces, since when, and since when no write from before is left. Thread-safe.
 */
class Acknowledgements
{
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** @param drainedAt empty while a write from before is in flight; once drained, a window stays drained */
    record Entry(MaintenanceWindow window, Instant acknowledgedAt, Optional<Instant> drainedAt)
    {
        Entry
        {
            requireNonNull(window, "window is null");
            requireNonNull(acknowledgedAt, "acknowledgedAt is null");
            requireNonNull(drainedAt, "drainedAt is null");
        }
    }

    /**
     * To be called after the windows were published to the checks.
     *
     * @return those that are enforced from now on and were not before
     */
    synchronized List<Entry> update(List<MaintenanceWindow> windows, Instant now)
    {
        entries.keySet().retainAll(windows.stream().map(MaintenanceWindow::id).collect(toImmutableSet()));
        ImmutableList.Builder<Entry> added = ImmutableList.builder();
        for (MaintenanceWindow window : windows) {
            if (window.isOver(now)) {
                entries.remove(window.id());
                continue;
            }
            Entry known = entries.get(window.id());
            // a window whose end had passed here was not enforced any more: prolonging it later is like opening it
            if (known != null && !known.window().isOver(now)) {
                entries.put(window.id(), new Entry(window, known.acknowledgedAt(), known.drainedAt()));
                continue;
            }
            Entry entry = new Entry(window, now, Optional.empty());
            entries.put(window.id(), entry);
            added.add(entry);
        }
        return added.build();
    }

    /**
     * Looks which windows have no write left. A window whose end has passed is acknowledged no longer.
     *
     * @return those that have become drained
     */
    synchronized List<Entry> drain(StatementTracker tracker, Instant now)
    {
        entries.values().removeIf(entry -> entry.window().isOver(now));
        ImmutableList.Builder<Entry> drained = ImmutableList.builder();
        for (Entry entry : ImmutableList.copyOf(entries.values())) {
            if (entry.drainedAt().isEmpty() && tracker.writes(entry.window().scope()).isEmpty()) {
                Entry done = new Entry(entry.window(), entry.acknowledgedAt(), Optional.of(now));
                entries.put(entry.window().id(), done);
                drained.add(done);
            }
        }
        return drained.build();
    }

    /** The windows that wait for writes. */
    synchronized List<MaintenanceWindow> draining()
    {
        return entries.values().stream()
                .filter(entry -> entry.drainedAt().isEmpty())
                .map(Entry::window)
                .collect(toImmutableList());
    }

    /** The writes that some window waits for. */
    List<TrackedStatement> awaited(StatementTracker tracker)
    {
        return draining().stream()
                .flatMap(window -> tracker.writes(window.scope()).stream())
                .distinct()
                .collect(toImmutableList());
    }

    synchronized Map<String, Acknowledgement> toReport()
    {
        return entries.entrySet().stream()
                .collect(toImmutableMap(Map.Entry::getKey, entry -> new Acknowledgement(entry.getValue().acknowledgedAt(), entry.getValue().drainedAt(), entry.getValue().window().until())));
    }

    synchronized Map<String, Entry> entries()
    {
        return ImmutableMap.copyOf(entries);
    }
}
