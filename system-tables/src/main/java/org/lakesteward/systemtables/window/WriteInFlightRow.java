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
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowProgress;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WriteInFlight;
import org.lakesteward.planner.window.WriteInFlight.KillAttempt;
import org.lakesteward.systemtables.ColumnTypes;
import org.lakesteward.systemtables.RowsTable;
import org.lakesteward.systemtables.window.WindowSource.Reading;

import java.time.Duration;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;

/**
 * A row of {@code writes_in_flight}: a write that an open window waits for. A write that several windows cover has a row for each.
 */
record WriteInFlightRow(MaintenanceWindow window, String coordinator, WriteInFlight write, Duration age)
{
    static SystemTable table(ColumnTypes types, WindowSource source)
    {
        return new RowsTable<>(
                new SchemaTableName(WindowTables.SCHEMA, "writes_in_flight"),
                "Writes that were let through before a window and have not finished, oldest first; one row for each window that waits for the write",
                ImmutableList.of(
                        types.text("window_scope", "Scope of the window that waits for the write", row -> row.window().scope().toString()),
                        types.text("query_id", "As in system.runtime.queries of that coordinator", row -> row.write().queryId()),
                        types.text("user", "User who runs it", row -> row.write().user()),
                        types.text("statement_kind", "INSERT, UPDATE, DELETE, MERGE, DATA_DEFINITION, …", row -> row.write().kind().name()),
                        types.time("created_at", "When the coordinator took the statement", row -> row.write().createdAt()),
                        types.interval("age", "Time since created_at", WriteInFlightRow::age),
                        types.text("state", "RUNNING: queued, running or committing; KILL_REQUESTED: was asked to end; KILL_FAILED: could not be asked to", row -> row.write().state().name()),
                        types.optionalText("kill_error", "Why it could not be killed; null unless the state is KILL_FAILED", row -> row.write().kill().flatMap(KillAttempt::error)),
                        types.texts("targets", "What it may change", row -> row.write().targets().stream().map(WindowScope::toString).sorted().toList()),
                        types.text("coordinator", "The coordinator that runs it", WriteInFlightRow::coordinator)),
                () -> rows(source.read()));
    }

    static List<WriteInFlightRow> rows(Reading reading)
    {
        return reading.snapshot().windows().stream()
                .filter(window -> !window.isOver(reading.now()))
                .flatMap(window -> WindowProgress.of(window, reading.snapshot().coordinators(), reading.maxStaleness(), reading.now()).writes().stream()
                        .map(write -> new WriteInFlightRow(window, write.coordinatorId(), write.write(), age(write.write(), reading))))
                .sorted(comparing(row -> row.write().createdAt()))
                .collect(toImmutableList());
    }

    private static Duration age(WriteInFlight write, Reading reading)
    {
        Duration age = Duration.between(write.createdAt(), reading.now());
        // the clock of its coordinator may be ahead of ours
        return age.isNegative() ? Duration.ZERO : age;
    }
}
