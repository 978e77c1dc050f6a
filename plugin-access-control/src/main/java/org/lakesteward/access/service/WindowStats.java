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

import com.google.inject.Inject;
import org.lakesteward.access.check.CurrentWindows;
import org.lakesteward.access.statement.StatementTracker;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.StoreCondition;
import org.weakref.jmx.Managed;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Gauges and counters of maintenance windows on this coordinator. Thread-safe.
 */
public class WindowStats
{
    private final CurrentWindows windows;
    private final StatementTracker tracker;
    private final InstantSource clock;
    private final Map<StatementKind, LongAdder> refused = new EnumMap<>(StatementKind.class);

    @Inject
    public WindowStats(CurrentWindows windows, StatementTracker tracker, InstantSource clock)
    {
        this.windows = requireNonNull(windows, "windows is null");
        this.tracker = requireNonNull(tracker, "tracker is null");
        this.clock = requireNonNull(clock, "clock is null");
        for (StatementKind kind : StatementKind.values()) {
            refused.put(kind, new LongAdder());
        }
    }

    public void refused(StatementKind kind)
    {
        refused.get(kind).increment();
    }

    @Managed(description = "Windows that hold on this coordinator")
    public int getOpenWindows()
    {
        return (int) open().count();
    }

    @Managed(description = "Seconds since the oldest of these windows was opened; 0 without one")
    public double getOldestWindowAgeSeconds()
    {
        Instant now = clock.instant();
        return open()
                .map(window -> Math.max(0, Duration.between(window.openedAt(), now).toMillis() / 1000.0))
                .max(Double::compare)
                .orElse(0.0);
    }

    private Stream<MaintenanceWindow> open()
    {
        Instant now = clock.instant();
        return windows.windows().stream().filter(window -> !window.isOver(now));
    }

    @Managed(description = "Statements that passed a check of a write and have not finished")
    public int getWritesInFlight()
    {
        return tracker.writesInFlight();
    }

    @Managed(description = "Seconds since the last successful contact with the store of windows; -1 before the first")
    public double getStoreStalenessSeconds()
    {
        OptionalLong staleness = windows.stalenessNanos();
        return staleness.isPresent() ? staleness.getAsLong() / 1e9 : -1;
    }

    @Managed(description = "1 when an operator made this coordinator ignore the store, so that no window holds here")
    public int getStoreIgnored()
    {
        return windows.condition() == StoreCondition.IGNORED ? 1 : 0;
    }

    @Managed(description = "1 when writes are refused because the store was never read or has been lost for too long")
    public int getStoreInDoubt()
    {
        StoreCondition condition = windows.condition();
        return condition == StoreCondition.NEVER_READ || condition == StoreCondition.TOO_STALE ? 1 : 0;
    }

    @Managed(description = "Checks of writes that were refused since the start")
    public long getRefused()
    {
        return refused.values().stream().mapToLong(LongAdder::sum).sum();
    }

    @Managed(description = "Refused for SELECT with a passthrough function")
    public long getRefusedSelect()
    {
        return count(StatementKind.SELECT);
    }

    @Managed(description = "Refused for INSERT, CREATE TABLE AS and REFRESH MATERIALIZED VIEW")
    public long getRefusedInsert()
    {
        return count(StatementKind.INSERT);
    }

    @Managed(description = "Refused for UPDATE")
    public long getRefusedUpdate()
    {
        return count(StatementKind.UPDATE);
    }

    @Managed(description = "Refused for DELETE")
    public long getRefusedDelete()
    {
        return count(StatementKind.DELETE);
    }

    @Managed(description = "Refused for MERGE")
    public long getRefusedMerge()
    {
        return count(StatementKind.MERGE);
    }

    @Managed(description = "Refused for ANALYZE")
    public long getRefusedAnalyze()
    {
        return count(StatementKind.ANALYZE);
    }

    @Managed(description = "Refused for DDL and CALL")
    public long getRefusedDataDefinition()
    {
        return count(StatementKind.DATA_DEFINITION);
    }

    @Managed(description = "Refused for ALTER TABLE EXECUTE")
    public long getRefusedAlterTableExecute()
    {
        return count(StatementKind.ALTER_TABLE_EXECUTE);
    }

    @Managed(description = "Refused for statements whose kind Trino did not tell")
    public long getRefusedUnknown()
    {
        return count(StatementKind.UNKNOWN);
    }

    private long count(StatementKind kind)
    {
        return refused.get(kind).sum();
    }
}
