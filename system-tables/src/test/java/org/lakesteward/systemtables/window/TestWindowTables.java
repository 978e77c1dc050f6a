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
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;
import io.trino.testing.TestingConnectorSession;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorReport.Acknowledgement;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WindowSnapshot;
import org.lakesteward.planner.window.WriteInFlight;
import org.lakesteward.planner.window.WriteInFlight.KillAttempt;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestWindowTables
{
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Duration MAX_STALENESS = ofHours(1);

    private static final MaintenanceWindow SALES = window("lake.sales", NOW.minus(ofMinutes(10)), Optional.empty());
    private static final MaintenanceWindow CLUSTER = window("cluster", NOW.minus(ofMinutes(30)), Optional.of(NOW.plusMillis(1)));
    private static final MaintenanceWindow PASSED = window("lake.old", NOW.minus(ofHours(2)), Optional.of(NOW));
    private static final MaintenanceWindow ENDED = window("lake.done", NOW.minus(ofHours(3)), Optional.of(NOW.plus(ofHours(1))));

    @Test
    public void testWithoutAnything()
    {
        WindowSnapshot nothing = new WindowSnapshot(ImmutableList.of(), ImmutableList.of(), ImmutableList.of());
        assertThat(read(WindowTables::maintenanceWindows, nothing)).isEmpty();
        assertThat(read(WindowTables::writesInFlight, nothing)).isEmpty();
        assertThat(read(WindowTables::windowAcknowledgements, nothing)).isEmpty();
        assertThat(read(WindowTables::coordinators, nothing)).isEmpty();
    }

    @Test
    public void testWindowsOpenOnesFirst()
    {
        WindowSnapshot snapshot = new WindowSnapshot(
                // one whose time passed at this very moment is over, though the store still holds it
                ImmutableList.of(SALES, PASSED, CLUSTER),
                ImmutableList.of(new EndedWindow(ENDED, Optional.of("bob"), NOW.minus(ofMinutes(1)))),
                ImmutableList.of(coordinator("a", true, ImmutableMap.of(
                        SALES.id(), new Acknowledgement(NOW.minus(ofMinutes(9)), Optional.of(NOW.minus(ofMinutes(8)))),
                        CLUSTER.id(), new Acknowledgement(NOW.minus(ofMinutes(29)), Optional.empty())))));

        assertThat(read(WindowTables::maintenanceWindows, snapshot)).containsExactly(
                row("cluster", "CLOSING", "restore", "alice", CLUSTER.openedAt(), null, NOW.plusMillis(1), 90_000L, true, "carol", null, null, "no such table"),
                row("lake.sales", "CLOSED", "restore", "alice", SALES.openedAt(), NOW.minus(ofMinutes(8)), null, 90_000L, true, "carol", null, null, "no such table"),
                row("lake.old", "EXPIRED", "restore", "alice", PASSED.openedAt(), null, NOW, 90_000L, true, "carol", null, NOW, "no such table"),
                row("lake.done", "ENDED", "restore", "alice", ENDED.openedAt(), null, NOW.plus(ofHours(1)), 90_000L, true, "carol", "bob", NOW.minus(ofMinutes(1)), "no such table"));
    }

    @Test
    public void testClosedNeedsEveryCoordinator()
    {
        Acknowledgement drained = new Acknowledgement(NOW, Optional.of(NOW));
        CoordinatorState obeys = coordinator("a", true, ImmutableMap.of(SALES.id(), drained));

        assertThat(stateOfSales()).isEqualTo("CLOSING");
        assertThat(stateOfSales(obeys)).isEqualTo("CLOSED");
        assertThat(stateOfSales(obeys, coordinator("b", true, ImmutableMap.of()))).isEqualTo("CLOSING");
        assertThat(stateOfSales(obeys, coordinator("b", false, ImmutableMap.of()))).isEqualTo("CLOSING");
        // silent for so long that it refuses writes by itself
        assertThat(stateOfSales(obeys, reporting("b", false, NOW.minus(MAX_STALENESS).minus(ofMinutes(2)), ImmutableMap.of()))).isEqualTo("CLOSED");
    }

    @Test
    public void testWritesOfEachWindowThatWaits()
    {
        WriteInFlight insert = new WriteInFlight("q2", "dave", StatementKind.INSERT, NOW.minus(ofSeconds(5)), ImmutableSet.of(WindowScope.parse("lake.sales.orders")), Optional.empty());
        WriteInFlight elsewhere = new WriteInFlight("q1", "erin", StatementKind.DELETE, NOW.minus(ofSeconds(90)), ImmutableSet.of(WindowScope.parse("lake.hr.people")), Optional.of(new KillAttempt(NOW, Optional.of("not found"))));
        // its coordinator's clock is ahead
        WriteInFlight ahead = new WriteInFlight("q3", "erin", StatementKind.MERGE, NOW.plusSeconds(3), ImmutableSet.of(WindowScope.parse("lake.hr.b"), WindowScope.parse("lake.hr.a")), Optional.of(new KillAttempt(NOW, Optional.empty())));
        Acknowledgement waits = new Acknowledgement(NOW, Optional.empty());
        CoordinatorState coordinator = new CoordinatorState(
                new CoordinatorReport("a", NOW.minus(ofHours(1)), NOW, false, ImmutableMap.of(SALES.id(), waits, CLUSTER.id(), waits, PASSED.id(), waits), ImmutableList.of(insert, elsewhere, ahead), 7),
                true);
        WindowSnapshot snapshot = new WindowSnapshot(ImmutableList.of(SALES, CLUSTER, PASSED), ImmutableList.of(), ImmutableList.of(coordinator));

        assertThat(read(WindowTables::writesInFlight, snapshot)).containsExactly(
                row("cluster", "q1", "erin", "DELETE", elsewhere.createdAt(), 90_000L, "KILL_FAILED", "not found", List.of("lake.hr.people"), "a"),
                row("lake.sales", "q2", "dave", "INSERT", insert.createdAt(), 5_000L, "RUNNING", null, List.of("lake.sales.orders"), "a"),
                row("cluster", "q2", "dave", "INSERT", insert.createdAt(), 5_000L, "RUNNING", null, List.of("lake.sales.orders"), "a"),
                row("cluster", "q3", "erin", "MERGE", ahead.createdAt(), 0L, "KILL_REQUESTED", null, List.of("lake.hr.a", "lake.hr.b"), "a"));
        assertThat(read(WindowTables::coordinators, snapshot)).containsExactly(
                // the window whose time passed is not counted, the writes left out are
                row("a", true, NOW.minus(ofHours(1)), NOW, false, 2L, 10L));
    }

    @Test
    public void testAcknowledgements()
    {
        WindowSnapshot snapshot = new WindowSnapshot(
                ImmutableList.of(SALES, PASSED, CLUSTER),
                ImmutableList.of(),
                ImmutableList.of(
                        coordinator("a", true, ImmutableMap.of(SALES.id(), new Acknowledgement(NOW.minusSeconds(2), Optional.of(NOW.minusSeconds(1))))),
                        new CoordinatorState(new CoordinatorReport("b", NOW, NOW, true, ImmutableMap.of(), ImmutableList.of(), 0), false)));

        assertThat(read(WindowTables::windowAcknowledgements, snapshot)).containsExactly(
                row("cluster", "a", true, false, null, null, false, NOW),
                row("cluster", "b", false, false, null, null, true, NOW),
                row("lake.sales", "a", true, true, NOW.minusSeconds(2), NOW.minusSeconds(1), false, NOW),
                row("lake.sales", "b", false, false, null, null, true, NOW));
    }

    @Test
    public void testStoreThatCannotBeRead()
    {
        WindowSource source = new WindowSource(
                () -> {
                    throw new IllegalStateException("the store is away");
                },
                MAX_STALENESS,
                () -> NOW);
        SystemTable table = WindowTables.maintenanceWindows(TESTING_TYPE_MANAGER, source);
        assertThatThrownBy(() -> cursor(table)).hasMessage("the store is away");
    }

    @Test
    public void testMetadata()
    {
        SystemTable table = WindowTables.maintenanceWindows(TESTING_TYPE_MANAGER, source(new WindowSnapshot(ImmutableList.of(), ImmutableList.of(), ImmutableList.of())));
        assertThat(table.getDistribution()).isEqualTo(SINGLE_COORDINATOR);
        assertThat(table.getTableMetadata().getTable()).isEqualTo(WindowTables.WINDOWS);
        assertThat(table.getTableMetadata().getComment()).isPresent();
        assertThat(table.getTableMetadata().getColumns())
                .isNotEmpty()
                .allMatch(column -> column.getComment().isPresent());
    }

    private static Object stateOfSales(CoordinatorState... coordinators)
    {
        List<List<Object>> rows = read(WindowTables::maintenanceWindows, new WindowSnapshot(ImmutableList.of(SALES), ImmutableList.of(), ImmutableList.copyOf(coordinators)));
        assertThat(rows).hasSize(1);
        return rows.getFirst().get(1);
    }

    private static MaintenanceWindow window(String scope, Instant openedAt, Optional<Instant> until)
    {
        return new MaintenanceWindow("id of " + scope, WindowScope.parse(scope), "restore", "alice", openedAt, until, ofSeconds(90), true, Optional.of("carol"), Optional.of("no such table"));
    }

    private static CoordinatorState coordinator(String id, boolean live, ImmutableMap<String, Acknowledgement> acknowledgements)
    {
        return reporting(id, live, NOW, acknowledgements);
    }

    private static CoordinatorState reporting(String id, boolean live, Instant reportedAt, ImmutableMap<String, Acknowledgement> acknowledgements)
    {
        return new CoordinatorState(new CoordinatorReport(id, NOW.minus(ofHours(1)), reportedAt, false, acknowledgements, ImmutableList.of(), 0), live);
    }

    private static WindowSource source(WindowSnapshot snapshot)
    {
        return new WindowSource(() -> snapshot, MAX_STALENESS, () -> NOW);
    }

    private static List<Object> row(Object... values)
    {
        List<Object> row = new ArrayList<>();
        for (Object value : values) {
            row.add(value);
        }
        return row;
    }

    private static RecordCursor cursor(SystemTable table)
    {
        return table.cursor(null, TestingConnectorSession.SESSION, TupleDomain.all());
    }

    /** Reads a table as the engine does, by the declared types. */
    private static List<List<Object>> read(BiFunction<TypeManager, WindowSource, SystemTable> tables, WindowSnapshot snapshot)
    {
        SystemTable table = tables.apply(TESTING_TYPE_MANAGER, source(snapshot));
        List<Type> types = table.getTableMetadata().getColumns().stream()
                .map(ColumnMetadata::getType)
                .toList();
        List<List<Object>> rows = new ArrayList<>();
        try (RecordCursor cursor = cursor(table)) {
            while (cursor.advanceNextPosition()) {
                List<Object> row = new ArrayList<>();
                for (int field = 0; field < types.size(); field++) {
                    row.add(cursor.isNull(field) ? null : value(cursor, field, types.get(field)));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static Object value(RecordCursor cursor, int field, Type type)
    {
        if (type.equals(VARCHAR)) {
            return cursor.getSlice(field).toStringUtf8();
        }
        if (type.equals(BOOLEAN)) {
            return cursor.getBoolean(field);
        }
        if (type.equals(TIMESTAMP_TZ_MILLIS)) {
            return Instant.ofEpochMilli(unpackMillisUtc(cursor.getLong(field)));
        }
        if (type.equals(BIGINT) || type.getDisplayName().equals("interval day to second")) {
            return cursor.getLong(field);
        }
        if (type.equals(new ArrayType(VARCHAR))) {
            Block block = (Block) cursor.getObject(field);
            List<String> texts = new ArrayList<>();
            for (int position = 0; position < block.getPositionCount(); position++) {
                texts.add(VARCHAR.getSlice(block, position).toStringUtf8());
            }
            return texts;
        }
        throw new AssertionError("unexpected type " + type);
    }
}
