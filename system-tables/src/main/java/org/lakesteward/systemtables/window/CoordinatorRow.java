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
package org.lakesteward.systemtables.window;

import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.systemtables.ColumnTypes;
import org.lakesteward.systemtables.RowsTable;
import org.lakesteward.systemtables.window.WindowSource.Reading;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * A row of {@code coordinators}.
 *
 * @param windowsAcknowledged how many of the open windows it obeys
 */
record CoordinatorRow(CoordinatorState coordinator, long windowsAcknowledged)
{
    static SystemTable table(ColumnTypes types, WindowSource source)
    {
        return new RowsTable<>(
                new SchemaTableName(WindowTables.SCHEMA, "coordinators"),
                "Coordinators whose access control reports to the store of windows",
                ImmutableList.of(
                        types.text("coordinator_id", "Unique among the coordinators of the lake, the same after a restart", row -> row.coordinator().report().coordinatorId()),
                        types.flag("live", "Whether the coordinator renewed its presence in time; one that did not may be gone, or may run on without the store", row -> row.coordinator().live()),
                        types.time("started_at", "When its access control started", row -> row.coordinator().report().startedAt()),
                        types.time("last_report_at", "When it was last heard from, by its own clock", row -> row.coordinator().report().reportedAt()),
                        types.flag("store_ignored", "Whether an operator made it ignore every window", row -> row.coordinator().report().storeIgnored()),
                        types.count("windows_acknowledged", "Open windows that it obeys", CoordinatorRow::windowsAcknowledged),
                        types.count("writes_in_flight", "Writes on it that windows wait for, with those that writes_in_flight has no room for", CoordinatorRow::writesInFlight)),
                () -> rows(source.read()));
    }

    static List<CoordinatorRow> rows(Reading reading)
    {
        List<MaintenanceWindow> open = reading.snapshot().windows().stream()
                .filter(window -> !window.isOver(reading.now()))
                .collect(toImmutableList());
        return reading.snapshot().coordinators().stream()
                .map(coordinator -> new CoordinatorRow(coordinator, open.stream().filter(window -> coordinator.report().acknowledgement(window).isPresent()).count()))
                .collect(toImmutableList());
    }

    private long writesInFlight()
    {
        return coordinator.report().writes().size() + (long) coordinator.report().writesLeftOut();
    }
}
