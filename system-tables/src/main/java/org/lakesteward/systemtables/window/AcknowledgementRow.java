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
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.systemtables.ColumnTypes;
import org.lakesteward.systemtables.RowsTable;
import org.lakesteward.systemtables.window.WindowSource.Reading;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;

/**
 * A row of {@code window_acknowledgements}: how one coordinator stands to one open window.
 */
record AcknowledgementRow(MaintenanceWindow window, CoordinatorState coordinator, Optional<Acknowledgement> acknowledgement)
{
    static SystemTable table(ColumnTypes types, WindowSource source)
    {
        return new RowsTable<>(
                new SchemaTableName(WindowTables.SCHEMA, "window_acknowledgements"),
                "How each coordinator that reports to the store stands to each open window",
                ImmutableList.of(
                        types.text("window_scope", "Scope of the window", row -> row.window().scope().toString()),
                        types.text("coordinator", "The coordinator's id", row -> row.coordinator().report().coordinatorId()),
                        types.flag("live", "Whether the coordinator renewed its presence in time", row -> row.coordinator().live()),
                        types.flag("acknowledged", "Whether the coordinator refuses what the window covers", row -> row.acknowledgement().isPresent()),
                        types.optionalTime("acknowledged_at", "Since when it does; null if it does not", row -> row.acknowledgement().map(Acknowledgement::acknowledgedAt)),
                        types.optionalTime("drained_at", "When the last write that the window covers had finished on this coordinator; null while one is in flight", row -> row.acknowledgement().flatMap(Acknowledgement::drainedAt)),
                        types.flag("store_ignored", "Whether an operator made the coordinator ignore every window", row -> row.coordinator().report().storeIgnored()),
                        types.time("last_report_at", "When the coordinator was last heard from, by its own clock", row -> row.coordinator().report().reportedAt())),
                () -> rows(source.read()));
    }

    static List<AcknowledgementRow> rows(Reading reading)
    {
        return reading.snapshot().windows().stream()
                .filter(window -> !window.isOver(reading.now()))
                .sorted(comparing(MaintenanceWindow::openedAt))
                .flatMap(window -> reading.snapshot().coordinators().stream()
                        .map(coordinator -> new AcknowledgementRow(window, coordinator, coordinator.report().acknowledgement(window))))
                .collect(toImmutableList());
    }
}
