package org.lakesteward.planner.demand;

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.health.TableName;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * Events about one table, as observers with skewed clocks may report them: some versions twice, some with ties in everything that orders them.
 */
final class RandomEvents
{
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private static final List<MaintenanceKind> KINDS = ImmutableList.copyOf(MaintenanceKind.values());

    private final Random random;
    private final String uuid;

    RandomEvents(Random random, String uuid)
    {
        this.random = random;
        this.uuid = uuid;
    }

    List<TableEvent> events(int count)
    {
        List<TableEvent> events = new ArrayList<>();
        long sequence = random.nextInt(3);
        boolean firstFormat = random.nextInt(4) == 0;
        Instant committed = START;
        TableName name = name();
        for (int index = 0; index < count; index++) {
            if (random.nextBoolean()) {
                sequence += firstFormat ? 0 : random.nextInt(3);
                committed = committed.plusMillis(random.nextInt(4) == 0 ? 0 : random.nextLong(Duration.ofHours(1L << random.nextInt(8)).toMillis()));
            }
            Instant at = committed.plusSeconds(random.nextInt(600) - 60);
            switch (random.nextInt(12)) {
                case 0 -> {
                    name = name();
                    events.add(new TableEvent.Renamed(uuid, name, at, source()));
                }
                case 1 -> events.add(new TableEvent.Dropped(uuid, name, at, source()));
                default -> events.add(observed(name, at, new TableVersion(firstFormat ? 0 : sequence, committed.toEpochMilli(), random.nextInt(3) - 1)));
            }
        }
        return events;
    }

    TableEvent.Observed observed(TableName name, Instant at, TableVersion version)
    {
        return new TableEvent.Observed(
                uuid,
                name,
                at,
                source(),
                version,
                "s3://lake/orders/metadata/" + random.nextInt(3) + ".metadata.json",
                Instant.ofEpochMilli(version.lastUpdatedMillis() - random.nextInt(2)),
                Duration.ofMinutes(random.nextInt(3)),
                random.nextInt(5) == 0 ? Set.of(TableLimit.ENCRYPTED) : Set.of(),
                debts());
    }

    TableDebts debts()
    {
        EnumSet<MaintenanceKind> measured = EnumSet.noneOf(MaintenanceKind.class);
        List<Debt> owed = new ArrayList<>();
        for (MaintenanceKind kind : KINDS.subList(0, 4)) {
            if (random.nextInt(5) == 0) {
                continue;
            }
            measured.add(kind);
            if (random.nextInt(3) > 0) {
                owed.add(new Debt(
                        kind,
                        (1 + random.nextInt(6)) / 3.0,
                        random.nextInt(3),
                        random.nextInt(4) == 0 ? OptionalLong.empty() : OptionalLong.of(random.nextInt(3)),
                        Certainty.values()[random.nextInt(2)],
                        kind == MaintenanceKind.EXPIRE_SNAPSHOTS ? OptionalLong.of(START.toEpochMilli() + random.nextInt(3)) : OptionalLong.empty()));
            }
        }
        return new TableDebts(owed, measured);
    }

    private TableName name()
    {
        return new TableName("lake", "sales", "orders" + random.nextInt(3));
    }

    private EventSource source()
    {
        return EventSource.values()[random.nextInt(EventSource.values().length)];
    }
}
