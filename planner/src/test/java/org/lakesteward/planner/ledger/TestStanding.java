package org.lakesteward.planner.ledger;

import org.lakesteward.planner.demand.TableVersion;
import org.lakesteward.planner.policy.TablePolicy;
import org.testng.annotations.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.planner.MaintenanceKind.EXPIRE_SNAPSHOTS;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;
import static org.lakesteward.planner.ledger.FailureCode.AUTHORIZATION;
import static org.lakesteward.planner.ledger.FailureCode.CATALOG_UNAVAILABLE;
import static org.lakesteward.planner.ledger.FailureCode.CONFLICT;
import static org.lakesteward.planner.ledger.FailureCode.OUT_OF_MEMORY;
import static org.lakesteward.planner.ledger.FailureCode.VERIFICATION_FAILED;
import static org.lakesteward.planner.ledger.Runs.POLICY;
import static org.lakesteward.planner.ledger.Runs.START;
import static org.lakesteward.planner.ledger.Runs.VERSION;

public class TestStanding
{
    private static final TableVersion NEWER = new TableVersion(11, START.toEpochMilli(), 4);

    @Test
    public void testBackOffGrowsToItsLastStep()
    {
        long[] seconds = IntStream.rangeClosed(1, 10)
                .mapToLong(failures -> BackOff.DEFAULT.wait(failures, CONFLICT).toSeconds())
                .toArray();
        assertThat(seconds).containsExactly(2, 2, 30, 60, 120, 240, 480, 900, 900, 900);
        assertThat(BackOff.DEFAULT.wait(1, OUT_OF_MEMORY)).isEqualTo(Duration.ofSeconds(120));
        assertThat(BackOff.DEFAULT.wait(1, AUTHORIZATION)).isEqualTo(Duration.ofSeconds(900));
        assertThat(Arrays.stream(FailureCode.values()).map(FailureCode::firstStep)).allSatisfy(step -> assertThat(step).isBetween(0, 7));
    }

    @Test
    public void testBadBackOffIsRefused()
    {
        assertThatThrownBy(() -> new BackOff(List.of(), 15)).hasMessage("steps is empty");
        assertThatThrownBy(() -> new BackOff(List.of(Duration.ofSeconds(5), Duration.ofSeconds(4)), 15)).hasMessageContaining("PT4S after PT5S");
        assertThatThrownBy(() -> new BackOff(List.of(Duration.ofSeconds(5)), 17)).hasMessageContaining("attentionAfter is 17: it must be from 1 to 16");
    }

    @Test
    public void testFailuresDelayTheirKindAlone()
    {
        TableLedger ledger = ledger(failures(3, CONFLICT));
        Standing standing = standing(ledger, VERSION, POLICY);
        assertThat(standing.failures()).isEqualTo(3);
        assertThat(standing.lastFailure()).contains(CONFLICT);
        assertThat(standing.notBefore()).contains(START.plusSeconds(3 + 30));
        assertThat(standing.suspension()).isEmpty();
        assertThat(Standing.of(ledger, EXPIRE_SNAPSHOTS, BackOff.DEFAULT, VERSION, POLICY)).isEqualTo(Standing.CLEAR);
    }

    @Test
    public void testSuccessClears()
    {
        List<LedgerEvent> events = failures(14, CONFLICT);
        events.add(Runs.succeeded(REWRITE_DATA_FILES, 100));
        assertThat(standing(ledger(events), VERSION, POLICY)).isEqualTo(Standing.CLEAR);
    }

    @Test
    public void testManyFailuresSuspendUntilTheTableOrItsPolicyChanges()
    {
        assertThat(standing(ledger(failures(14, CONFLICT)), VERSION, POLICY).suspension()).isEmpty();
        TableLedger ledger = ledger(failures(15, CONFLICT));
        assertThat(standing(ledger, VERSION, POLICY).suspension())
                .contains(new Standing.Suspension.ByFailures(START.plusSeconds(15), CONFLICT, 15, "it was CONFLICT"));

        assertThat(standing(ledger, VERSION, POLICY + 1).suspension()).isEmpty();
        Standing lifted = standing(ledger, NEWER, POLICY);
        assertThat(lifted.suspension()).isEmpty();
        // one more attempt is made, but not at once
        assertThat(lifted.notBefore()).contains(START.plusSeconds(15 + 900));
    }

    @Test
    public void testRefusalSuspendsAtOnce()
    {
        TableLedger ledger = ledger(failures(1, AUTHORIZATION));
        assertThat(standing(ledger, VERSION, POLICY).suspension()).isPresent();
        assertThat(standing(ledger, NEWER, POLICY).suspension()).isEmpty();
    }

    @Test
    public void testWhatIsWrongWaitsForAPerson()
    {
        List<LedgerEvent> events = failures(1, VERIFICATION_FAILED);
        TableLedger ledger = ledger(events);
        assertThat(standing(ledger, NEWER, POLICY).suspension()).isPresent();
        assertThat(standing(ledger, NEWER, POLICY + 1).suspension()).isEmpty();

        events.add(Runs.order(false, 2));
        assertThat(standing(ledger(events), VERSION, POLICY)).isEqualTo(Standing.CLEAR);
    }

    @Test
    public void testOutageNeverSuspends()
    {
        Standing standing = standing(ledger(failures(16, CATALOG_UNAVAILABLE)), VERSION, POLICY);
        assertThat(standing.suspension()).isEmpty();
        assertThat(standing.notBefore()).contains(START.plusSeconds(16 + 900));

        List<LedgerEvent> events = failures(10, CONFLICT);
        for (int second = 11; second <= 16; second++) {
            events.add(Runs.failed(REWRITE_DATA_FILES, second, CATALOG_UNAVAILABLE));
        }
        assertThat(standing(ledger(events), VERSION, POLICY).suspension()).isEmpty();
    }

    @Test
    public void testOrderOfAnOperatorHoldsForAllKinds()
    {
        TableLedger ledger = ledger(List.of(Runs.order(true, 1)));
        assertThat(Standing.of(ledger, EXPIRE_SNAPSHOTS, BackOff.DEFAULT, NEWER, POLICY + 1).suspension())
                .contains(new Standing.Suspension.ByOperator(START.plusSeconds(1), "alice", "looks odd"));
        assertThat(standing(ledger(List.of(Runs.order(true, 1), Runs.order(false, 2))), VERSION, POLICY)).isEqualTo(Standing.CLEAR);
        assertThat(standing(ledger(List.of(Runs.order(false, 2), Runs.order(true, 1))), VERSION, POLICY)).isEqualTo(Standing.CLEAR);
    }

    @Test
    public void testFingerprintIsTheSameEverywhereAndChangesWithThePolicy()
    {
        // a number that was computed by another process
        assertThat(PolicyFingerprint.of(TablePolicy.DEFAULT)).isEqualTo(PolicyFingerprint.of(TablePolicy.DEFAULT));
        TablePolicy normal = TablePolicy.DEFAULT;
        TablePolicy enabled = new TablePolicy(
                true, 5, normal.kinds(), normal.rewrite(), normal.manifests(), normal.snapshots(), normal.orphans(), normal.analyze(), Optional.empty(), Optional.empty());
        assertThat(PolicyFingerprint.of(enabled)).isNotEqualTo(PolicyFingerprint.of(normal));
    }

    private static Standing standing(TableLedger ledger, TableVersion version, long policy)
    {
        return Standing.of(ledger, REWRITE_DATA_FILES, BackOff.DEFAULT, version, policy);
    }

    private static List<LedgerEvent> failures(int count, FailureCode code)
    {
        List<LedgerEvent> events = new ArrayList<>();
        for (int second = 1; second <= count; second++) {
            events.add(Runs.failed(REWRITE_DATA_FILES, second, code));
        }
        return events;
    }

    private static TableLedger ledger(List<LedgerEvent> events)
    {
        TableLedger ledger = TableLedger.empty(Runs.UUID);
        for (LedgerEvent event : events) {
            ledger = LedgerFold.fold(Optional.of(ledger), event);
        }
        return ledger;
    }
}
