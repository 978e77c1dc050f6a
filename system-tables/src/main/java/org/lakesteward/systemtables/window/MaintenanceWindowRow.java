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
import io.trino.spi.connector.SystemTable;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowProgress;
import org.lakesteward.systemtables.ColumnTypes;
import org.lakesteward.systemtables.RowsTable;
import org.lakesteward.systemtables.window.WindowSource.Reading;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;

/**
 * A row of {@code maintenance_windows}: an open window, or one of the past.
 */
record MaintenanceWindowRow(MaintenanceWindow window, State state, Optional<Instant> closedAt, Optional<String> endedBy, Optional<Instant> endedAt)
{
    enum State
    {
        /** New writes are refused; a coordinator has not acknowledged, or a write in flight has not finished. */
        CLOSING,
        /** No write that goes through a coordinator of the lake can land. */
        CLOSED,
        /** Somebody ended it. */
        ENDED,
        /** Its time passed. */
        EXPIRED,
    }

    static SystemTable table(ColumnTypes types, WindowSource source)
    {
        return new RowsTable<>(
                WindowTables.WINDOWS,
                "Maintenance windows: the open ones, oldest first, then the most recent ones of the past, newest first",
                ImmutableList.of(
                        types.text("scope", "What is closed to writes: cluster, a catalog, a schema or a table", row -> row.window().scope().toString()),
                        types.text("state", "CLOSING: writes are refused, and some that were let through before are in flight or may be; CLOSED: none is; ENDED: somebody ended the window; EXPIRED: its time passed", row -> row.state().name()),
                        types.text("reason", "Why, as refused users read it", row -> row.window().reason()),
                        types.text("opened_by", "User who opened the window", row -> row.window().openedBy()),
                        types.time("opened_at", "When the window was opened", row -> row.window().openedAt()),
                        types.optionalTime("closed_at", "When the last write that the window covers had finished; null unless the state is CLOSED", MaintenanceWindowRow::closedAt),
                        types.optionalTime("until", "When the window ends by itself; null if somebody has to end it", row -> row.window().until()),
                        types.interval("retry_after", "What refused users are told to wait", row -> row.window().retryAfter()),
                        types.flag("kill_running_writes", "Whether coordinators kill the writes that were let through before the window", row -> row.window().killRunningWrites()),
                        types.optionalText("extended_by", "User who changed the window last; null if nobody did", row -> row.window().extendedBy()),
                        types.optionalText("ended_by", "User who ended the window; null if it is open or its time passed", MaintenanceWindowRow::endedBy),
                        types.optionalTime("ended_at", "When the window ended; null if it is open", MaintenanceWindowRow::endedAt),
                        types.optionalText("warning", "What whoever opened the window should know; null if there is nothing", row -> row.window().warning())),
                () -> rows(source.read()));
    }

    static List<MaintenanceWindowRow> rows(Reading reading)
    {
        Stream<MaintenanceWindowRow> open = reading.snapshot().windows().stream()
                .filter(window -> !window.isOver(reading.now()))
                .sorted(comparing(MaintenanceWindow::openedAt))
                .map(window -> open(window, reading));
        // nobody takes a window out of the store when its time passes: that is seen by the clock
        Stream<MaintenanceWindowRow> over = reading.snapshot().windows().stream()
                .filter(window -> window.isOver(reading.now()))
                .map(window -> ended(new EndedWindow(window, Optional.empty(), window.until().orElseThrow())));
        Stream<MaintenanceWindowRow> ended = reading.snapshot().ended().stream()
                .map(MaintenanceWindowRow::ended);
        return Stream.concat(open, Stream.concat(over, ended).sorted(comparing((MaintenanceWindowRow row) -> row.endedAt().orElseThrow(), Comparator.reverseOrder())))
                .collect(toImmutableList());
    }

    private static MaintenanceWindowRow open(MaintenanceWindow window, Reading reading)
    {
        WindowProgress progress = WindowProgress.of(window, reading.snapshot().coordinators(), reading.maxStaleness(), reading.now());
        return new MaintenanceWindowRow(window, progress.isClosed() ? State.CLOSED : State.CLOSING, progress.closedAt(), Optional.empty(), Optional.empty());
    }

    private static MaintenanceWindowRow ended(EndedWindow ended)
    {
        return new MaintenanceWindowRow(
                ended.window(),
                ended.endedBy().isPresent() ? State.ENDED : State.EXPIRED,
                Optional.empty(),
                ended.endedBy(),
                Optional.of(ended.endedAt()));
    }
}
