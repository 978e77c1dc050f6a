package org.lakesteward.planner.demand;

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.health.TableName;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;

/**
 * What holds of every fold. Each property is checked on {@link #RUNS} random streams of events; the seed of a failing one is part of the failure's text.
 */
public class TestDemandFold
{
    private static final long FIRST_SEED = 20_260_201;
    private static final int RUNS = 3_000;
    private static final String UUID = "6cd4a4a1-7b4a-4a8d-9d3c-0d5a1f4c0001";
    private static final String OTHER_UUID = "6cd4a4a1-7b4a-4a8d-9d3c-0d5a1f4c0002";
    private static final TableName ORDERS = new TableName("lake", "sales", "orders");
    private static final Instant START = RandomEvents.START;

    @Test
    public void testRebuildEqualsFold()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Random random = new Random(seed);
            List<TableEvent> events = new RandomEvents(random, UUID).events(1 + random.nextInt(40));
            TableRecord folded = fold(events);

            List<TableEvent> disturbed = new ArrayList<>(events);
            for (int index = random.nextInt(20); index > 0; index--) {
                disturbed.add(events.get(random.nextInt(events.size())));
            }
            Collections.shuffle(disturbed, random);
            assertThat(fold(disturbed)).as("other order and duplicates, seed %s", seed).isEqualTo(folded);

            TableEvent again = events.get(random.nextInt(events.size()));
            assertThat(DemandFold.fold(Optional.of(folded), again)).as("an event again, seed %s", seed).isSameAs(folded);
        }
    }

    @Test
    public void testTwoPartiesKnowTogetherWhatOneWould()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Random random = new Random(seed);
            List<TableEvent> events = new RandomEvents(random, UUID).events(2 + random.nextInt(40));
            List<TableEvent> one = new ArrayList<>();
            List<TableEvent> other = new ArrayList<>();
            one.add(events.getFirst());
            other.add(events.getLast());
            for (TableEvent event : events) {
                if (random.nextInt(3) > 0) {
                    one.add(event);
                }
                if (random.nextInt(3) > 0 || one.getLast() != event) {
                    other.add(event);
                }
            }
            TableRecord joined = DemandFold.join(fold(one), fold(other));
            assertThat(joined).as("seed %s", seed).isEqualTo(fold(events));
            assertThat(DemandFold.join(fold(other), fold(one))).as("swapped, seed %s", seed).isEqualTo(joined);
        }
    }

    /**
     * Of a lost event nothing is left but itself: once the newest one is there, the debt is right.
     */
    @Test
    public void testLossHealsWithTheNextObservation()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Random random = new Random(seed);
            RandomEvents source = new RandomEvents(random, UUID);
            List<TableEvent> events = source.events(1 + random.nextInt(40));
            List<TableEvent> delivered = new ArrayList<>(events);
            delivered.removeIf(_ -> random.nextInt(3) == 0);
            TableEvent.Observed last = source.observed(ORDERS, START.plus(Duration.ofDays(400)), new TableVersion(1_000, START.plus(Duration.ofDays(400)).toEpochMilli(), 1));
            events.add(last);
            delivered.add(last);

            TableRecord complete = fold(events);
            TableRecord withLosses = fold(delivered);
            assertThat(withLosses.state()).as("seed %s", seed).isEqualTo(complete.state());
            assertThat(withLosses.sighting()).as("seed %s", seed).isEqualTo(complete.sighting());
            for (MaintenanceKind kind : last.debts().measured()) {
                assertThat(withLosses.kind(kind).orElseThrow().debt()).as("%s, seed %s", kind, seed).isEqualTo(last.debts().debt(kind));
            }
        }
    }

    @Test
    public void testOnlyANewerObservationLowersADebt()
    {
        int lowered = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Random random = new Random(seed);
            List<TableEvent> events = new RandomEvents(random, UUID).events(20);
            Collections.shuffle(events, random);
            Optional<TableRecord> record = Optional.empty();
            for (TableEvent event : events) {
                TableRecord next = DemandFold.fold(record, event);
                for (KindRecord before : record.map(TableRecord::kinds).orElse(ImmutableList.of())) {
                    KindRecord after = next.kind(before.kind()).orElseThrow();
                    if (units(after) < units(before)) {
                        lowered++;
                        TableEvent.Observed observed = (TableEvent.Observed) event;
                        boolean newer = observed.version().isNewerThan(before.knownVersion());
                        boolean later = observed.version().equals(before.knownVersion()) && observed.at().toEpochMilli() > before.knownMillis();
                        assertThat(newer || later).as("seed %s", seed).isTrue();
                        assertThat(observed.debts().measured()).as("seed %s", seed).contains(before.kind());
                    }
                }
                record = Optional.of(next);
            }
        }
        assertThat(lowered).as("debts that were lowered").isGreaterThan(RUNS);
    }

    /**
     * The wait by which a demand is promoted is never longer than what the delivered events prove.
     */
    @Test
    public void testAgeIsAFloorOfTheWait()
    {
        int exact = 0;
        int owed = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Random random = new Random(seed);
            List<TableEvent> events = new RandomEvents(random, UUID).events(1 + random.nextInt(40));
            TableRecord record = fold(events);
            for (KindRecord kind : record.kinds()) {
                if (kind.debt().isEmpty() || kind.debt().get().dueMillis().isPresent() || !kind.debt().get().isWhole()) {
                    continue;
                }
                long clean = events.stream()
                        .filter(event -> event instanceof TableEvent.Observed observed && observed.debts().measured().contains(kind.kind()))
                        .map(TableEvent.Observed.class::cast)
                        .filter(observed -> !observed.debts().debt(kind.kind()).map(Debt::isWhole).orElse(false))
                        .mapToLong(observed -> observed.version().lastUpdatedMillis())
                        .max()
                        .orElse(KindRecord.NEVER);
                OptionalLong since = events.stream()
                        .filter(event -> event instanceof TableEvent.Observed)
                        .map(TableEvent.Observed.class::cast)
                        .filter(observed -> observed.debts().debt(kind.kind()).map(Debt::isWhole).orElse(false))
                        .mapToLong(observed -> observed.version().lastUpdatedMillis())
                        .filter(time -> time > clean)
                        .min();
                long trueSince = since.orElse(kind.knownVersion().lastUpdatedMillis());
                assertThat(kind.sinceMillis()).as("%s, seed %s", kind.kind(), seed).isGreaterThanOrEqualTo(trueSince);
                assertThat(kind.sinceMillis()).as("%s, seed %s", kind.kind(), seed).isLessThanOrEqualTo(kind.knownVersion().lastUpdatedMillis());
                owed++;
                exact += kind.sinceMillis() == trueSince ? 1 : 0;
            }
        }
        assertThat(exact).as("exact ages of %s", owed).isGreaterThan(owed * 9 / 10);
    }

    @Test
    public void testAgeIsKeptWhileTheDebtPersists()
    {
        Optional<TableRecord> record = Optional.empty();
        for (int hour = 0; hour < 48; hour++) {
            record = Optional.of(DemandFold.fold(record, observed(hour, hour, 2)));
        }
        DebtAge age = record.get().kind(REWRITE_DATA_FILES).orElseThrow().age();
        assertThat(age.since()).isEqualTo(START);
        assertThat(age.bound()).isEqualTo(DebtAge.Bound.AT_THE_LATEST);
        assertThat(age.notBefore()).isEmpty();
        assertThat(age.floor(START.plus(Duration.ofHours(50)))).isEqualTo(Duration.ofHours(50));
        assertThat(age.floor(START.minusSeconds(1))).isEqualTo(Duration.ZERO);

        // gone, and back again
        record = Optional.of(DemandFold.fold(record, observed(48, 48, 0)));
        assertThat(record.get().kind(REWRITE_DATA_FILES).orElseThrow().debt()).isEmpty();
        record = Optional.of(DemandFold.fold(record, observed(49, 49, 3)));
        age = record.get().kind(REWRITE_DATA_FILES).orElseThrow().age();
        assertThat(age.since()).isEqualTo(START.plus(Duration.ofHours(49)));
        assertThat(age.notBefore()).contains(START.plus(Duration.ofHours(48)));
    }

    @Test
    public void testLateNewsThatTheDebtWasGone()
    {
        TableRecord inOrder = fold(List.of(observed(1, 1, 2), observed(5, 5, 0), observed(8, 8, 2), observed(9, 9, 2)));
        TableRecord late = fold(List.of(observed(1, 1, 2), observed(8, 8, 2), observed(9, 9, 2), observed(5, 5, 0)));
        assertThat(late).isEqualTo(inOrder);
        assertThat(late.kind(REWRITE_DATA_FILES).orElseThrow().age().since()).isEqualTo(START.plus(Duration.ofHours(8)));
    }

    @Test
    public void testUnknownLowersNothing()
    {
        TableRecord record = fold(List.of(observed(1, 1, 2)));
        assertThat(record.isMeasured(REWRITE_DATA_FILES)).isTrue();
        TableRecord next = DemandFold.fold(Optional.of(record), observed(2, 2, TableDebts.UNKNOWN));
        assertThat(next.kind(REWRITE_DATA_FILES).orElseThrow()).isEqualTo(record.kind(REWRITE_DATA_FILES).orElseThrow());
        assertThat(next.isMeasured(REWRITE_DATA_FILES)).isFalse();
        assertThat(next.state().orElseThrow().version().sequenceNumber()).isEqualTo(2);
    }

    @Test
    public void testFirstFormatIsOrderedByTime()
    {
        TableRecord record = fold(List.of(observed(0, 4, 0), observed(0, 3, 2), observed(0, 1, 4)));
        assertThat(record.kind(REWRITE_DATA_FILES).orElseThrow().debt()).isEmpty();
    }

    @Test
    public void testRenameAndDrop()
    {
        TableName renamed = new TableName("lake", "sales", "orders_2025");
        TableRecord record = fold(List.of(
                observed(1, 1, 2),
                new TableEvent.Renamed(UUID, renamed, START.plus(Duration.ofHours(2)), EventSource.TRINO_COMMIT)));
        assertThat(record.name()).isEqualTo(renamed);
        assertThat(record.kind(REWRITE_DATA_FILES).orElseThrow().debt()).isPresent();

        // read before the rename, told after it
        TableRecord stale = DemandFold.fold(Optional.of(record), observed(1, 1, 2));
        assertThat(stale).isSameAs(record);

        TableRecord dropped = DemandFold.fold(Optional.of(record), new TableEvent.Dropped(UUID, renamed, START.plus(Duration.ofHours(3)), EventSource.TRINO_COMMIT));
        assertThat(CurrentTables.of(List.of(dropped)).tables()).isEmpty();
        assertThat(CurrentTables.of(List.of(dropped)).gone()).containsExactly(dropped);
        assertThat(CurrentTables.of(List.of(record)).tables()).containsExactly(record);

        // a scan that sees it afterwards knows better
        assertThat(DemandFold.fold(Optional.of(dropped), observed(4, 4, 2)).sighting().dropped()).isFalse();
    }

    @Test
    public void testNewUuidReplacesTheOldTable()
    {
        TableRecord old = fold(List.of(observed(900, 1, 40)));
        TableRecord replacement = DemandFold.fold(Optional.empty(), observed(OTHER_UUID, 1, 2, debts(0)));
        CurrentTables tables = CurrentTables.of(List.of(old, replacement));
        assertThat(tables.tables()).containsExactly(replacement);
        assertThat(tables.gone()).containsExactly(old);
        assertThat(CurrentTables.of(List.of(replacement, old))).isEqualTo(tables);

        // late news of the old one
        TableRecord lateOld = DemandFold.fold(Optional.of(old), observed(UUID, 901, 1, debts(41)));
        assertThat(CurrentTables.of(List.of(lateOld, replacement)).tables()).containsExactly(replacement);
    }

    @Test
    public void testRecordsOfDifferentTablesAreNotMixed()
    {
        TableRecord record = fold(List.of(observed(1, 1, 2)));
        assertThatThrownBy(() -> DemandFold.fold(Optional.of(record), observed(OTHER_UUID, 1, 1, debts(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(UUID)
                .hasMessageContaining(OTHER_UUID);
    }

    private static double units(KindRecord kind)
    {
        return kind.debt().map(Debt::units).orElse(0.0);
    }

    private static TableRecord fold(List<TableEvent> events)
    {
        Optional<TableRecord> record = Optional.empty();
        for (TableEvent event : events) {
            record = Optional.of(DemandFold.fold(record, event));
        }
        return record.orElseThrow();
    }

    private static TableEvent.Observed observed(long sequence, int hour, double units)
    {
        return observed(UUID, sequence, hour, debts(units));
    }

    private static TableEvent.Observed observed(long sequence, int hour, TableDebts debts)
    {
        return observed(UUID, sequence, hour, debts);
    }

    private static TableEvent.Observed observed(String uuid, long sequence, int hour, TableDebts debts)
    {
        Instant committed = START.plus(Duration.ofHours(hour));
        return new TableEvent.Observed(
                uuid,
                ORDERS,
                committed,
                EventSource.SCAN,
                new TableVersion(sequence, committed.toEpochMilli(), -1),
                "s3://lake/orders/metadata/" + hour + ".metadata.json",
                committed,
                Duration.ZERO,
                Set.of(),
                debts);
    }

    private static TableDebts debts(double units)
    {
        List<Debt> owed = units == 0 ? List.of() : List.of(new Debt(REWRITE_DATA_FILES, units, 10, OptionalLong.of(1_000), Certainty.EXACT, OptionalLong.empty()));
        return new TableDebts(owed, Set.of(REWRITE_DATA_FILES));
    }
}
