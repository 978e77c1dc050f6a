package org.lakesteward.planner.ledger;

import org.lakesteward.planner.MaintenanceKind;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.planner.MaintenanceKind.EXPIRE_SNAPSHOTS;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;
import static org.lakesteward.planner.ledger.FailureCode.CONFLICT;

public class TestLedgerFold
{
    private static final long FIRST_SEED = 20_260_401;
    private static final int RUNS = 3_000;

    @Test
    public void testOrderAndDuplicatesDoNotMatter()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            Random random = new Random(seed);
            List<LedgerEvent> events = new ArrayList<>();
            for (int index = 1 + random.nextInt(60); index > 0; index--) {
                events.add(event(random));
            }
            TableLedger ledger = fold(events);

            List<LedgerEvent> disturbed = new ArrayList<>(events);
            for (int index = random.nextInt(20); index > 0; index--) {
                disturbed.add(events.get(random.nextInt(events.size())));
            }
            Collections.shuffle(disturbed, random);
            assertThat(fold(disturbed)).as("seed %s", seed).isEqualTo(ledger);
        }
    }

    @Test
    public void testStaysSmall()
    {
        List<LedgerEvent> events = new ArrayList<>();
        for (int second = 0; second < 1_000; second++) {
            events.add(Runs.failed(REWRITE_DATA_FILES, second, CONFLICT));
        }
        TableLedger ledger = fold(events);
        assertThat(ledger.kind(REWRITE_DATA_FILES).orElseThrow().failures()).hasSize(TableLedger.KEPT_RUNS);
        assertThat(ledger.turns()).hasSize(TableLedger.KEPT_TURNS);

        ledger = LedgerFold.fold(Optional.of(ledger), Runs.succeeded(REWRITE_DATA_FILES, 1_000));
        assertThat(ledger.kind(REWRITE_DATA_FILES).orElseThrow().failures()).isEmpty();
    }

    @Test
    public void testConsecutiveTurns()
    {
        TableLedger ledger = fold(List.of(
                Runs.succeeded(REWRITE_DATA_FILES, 1),
                Runs.succeeded(EXPIRE_SNAPSHOTS, 2),
                Runs.succeeded(REWRITE_DATA_FILES, 3),
                Runs.failed(REWRITE_DATA_FILES, 4, CONFLICT),
                Runs.succeeded(REWRITE_DATA_FILES, 5)));
        assertThat(ledger.consecutiveTurns(REWRITE_DATA_FILES)).isEqualTo(3);
        assertThat(ledger.consecutiveTurns(EXPIRE_SNAPSHOTS)).isZero();
    }

    private static LedgerEvent event(Random random)
    {
        int second = random.nextInt(100);
        if (random.nextInt(8) == 0) {
            return Runs.order(random.nextBoolean(), second);
        }
        MaintenanceKind kind = MaintenanceKind.values()[random.nextInt(3)];
        FailureCode code = FailureCode.values()[random.nextInt(FailureCode.values().length)];
        return random.nextInt(4) == 0 ? Runs.succeeded(kind, second) : Runs.failed(kind, second, code);
    }

    private static TableLedger fold(List<LedgerEvent> events)
    {
        Optional<TableLedger> ledger = Optional.empty();
        for (LedgerEvent event : events) {
            ledger = Optional.of(LedgerFold.fold(ledger, event));
        }
        return ledger.orElseThrow();
    }
}
