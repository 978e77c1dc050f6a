package org.lakesteward.planner.ledger;

import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.demand.TableVersion;

import java.time.Instant;
import java.util.Optional;

/**
 * Runs on one table.
 */
final class Runs
{
    static final String UUID = "6cd4a4a1-7b4a-4a8d-9d3c-0d5a1f4c0001";
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
    static final TableVersion VERSION = new TableVersion(10, START.toEpochMilli(), 3);
    static final long POLICY = 17;

    private Runs() {}

    static LedgerEvent.RunEnded succeeded(MaintenanceKind kind, int second)
    {
        return run(kind, second, Optional.empty());
    }

    static LedgerEvent.RunEnded failed(MaintenanceKind kind, int second, FailureCode code)
    {
        return run(kind, second, Optional.of(code));
    }

    static LedgerEvent.OperatorOrder order(boolean suspended, int second)
    {
        return new LedgerEvent.OperatorOrder(UUID, suspended, "alice", "looks odd", START.plusSeconds(second));
    }

    private static LedgerEvent.RunEnded run(MaintenanceKind kind, int second, Optional<FailureCode> failure)
    {
        Instant ended = START.plusSeconds(second);
        return new LedgerEvent.RunEnded(new RunRecord(
                "%s-%s-%s".formatted(kind, second, failure.map(FailureCode::name).orElse("OK")),
                UUID,
                kind,
                "e1",
                ended.minusSeconds(1),
                ended,
                VERSION,
                POLICY,
                1_000,
                failure,
                failure.map(code -> "it was " + code).orElse("")));
    }
}
