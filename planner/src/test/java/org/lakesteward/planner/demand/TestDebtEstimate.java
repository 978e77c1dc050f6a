package org.lakesteward.planner.demand;

import com.google.common.collect.ImmutableMap;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.health.CurrentSnapshot;
import org.lakesteward.planner.health.FileDetails;
import org.lakesteward.planner.health.FileTotals;
import org.lakesteward.planner.health.HealthThresholds;
import org.lakesteward.planner.health.ManifestTotals;
import org.lakesteward.planner.health.MetadataFile;
import org.lakesteward.planner.health.SnapshotHistory;
import org.lakesteward.planner.health.StatisticsState;
import org.lakesteward.planner.health.TableObservation;
import org.lakesteward.planner.policy.ManifestPolicy;
import org.lakesteward.planner.policy.RewritePolicy;
import org.lakesteward.planner.policy.SnapshotPolicy;
import org.lakesteward.planner.policy.TablePolicy;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lakesteward.planner.MaintenanceKind.ANALYZE;
import static org.lakesteward.planner.MaintenanceKind.EXPIRE_SNAPSHOTS;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_MANIFESTS;

public class TestDebtEstimate
{
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final long MEBIBYTE = 1L << 20;

    @Test
    public void testTableWithoutSnapshotOwesNothingAndAllOfItIsKnown()
    {
        TableDebts debts = estimate(new Table().withoutSnapshot());
        assertThat(debts.owed()).isEmpty();
        assertThat(debts.measured()).containsExactlyInAnyOrder(REWRITE_DATA_FILES, REWRITE_MANIFESTS, EXPIRE_SNAPSHOTS, ANALYZE);
    }

    @Test
    public void testSmallFilesOfUnpartitionedTable()
    {
        // 1,000 files of 1 MiB: at most 2 of them can be as large as 384 MiB
        Debt debt = owed(new Table().totals(1_000, 1_000 * MEBIBYTE), REWRITE_DATA_FILES);
        assertThat(debt).isEqualTo(new Debt(REWRITE_DATA_FILES, 998 / 5.0, 998, OptionalLong.of(1_000 * MEBIBYTE), Certainty.EXACT, OptionalLong.empty()));
    }

    @Test
    public void testMinimumAndTargetOfThePolicyCount()
    {
        Table table = new Table().totals(10, 10 * MEBIBYTE);
        assertThat(owed(table, REWRITE_DATA_FILES).units()).isEqualTo(2);
        assertThat(debts(table, policy(5, OptionalLong.of(MEBIBYTE))).debt(REWRITE_DATA_FILES)).isEmpty();
        // ten files are less than eleven: a tail
        assertThat(debts(table, policy(11, OptionalLong.empty())).debt(REWRITE_DATA_FILES).orElseThrow().isWhole()).isFalse();
    }

    @Test
    public void testFilesOfPartitionedTableAreUnknownWithoutManifests()
    {
        TableDebts debts = estimate(new Table().partitioned().totals(1_000, 1_000 * MEBIBYTE));
        assertThat(debts.measured()).doesNotContain(REWRITE_DATA_FILES);
        assertThat(debts.debt(REWRITE_DATA_FILES)).isEmpty();
    }

    @Test
    public void testMissingTotalsAreUnknown()
    {
        TableDebts debts = estimate(new Table().totals(FileTotals.UNKNOWN));
        assertThat(debts.measured()).containsExactlyInAnyOrder(REWRITE_MANIFESTS, EXPIRE_SNAPSHOTS);
        assertThat(debts.owed()).isEmpty();
    }

    @Test
    public void testManifestsTellTheFilesOfAPartitionedTable()
    {
        Debt debt = owed(new Table().partitioned().details(details(100, 80, 40, 4_000 * MEBIBYTE, 0)), REWRITE_DATA_FILES);
        assertThat(debt).isEqualTo(new Debt(REWRITE_DATA_FILES, 8, 40, OptionalLong.of(4_000 * MEBIBYTE), Certainty.EXACT, OptionalLong.empty()));
    }

    @Test
    public void testTooFewSmallFilesAreATail()
    {
        Debt debt = owed(new Table().totals(3, 30 * MEBIBYTE), REWRITE_DATA_FILES);
        assertThat(debt.units()).isEqualTo(0.6);
        assertThat(debt.items()).isEqualTo(3);

        // many of them, with too few in each partition
        debt = owed(new Table().partitioned().details(details(100, 80, 0, 0, 0)), REWRITE_DATA_FILES);
        assertThat(debt.units()).isEqualTo(0.9);

        // one in each partition has nothing to be merged with
        assertThat(estimate(new Table().partitioned().details(details(100, 10, 0, 0, 0))).debt(REWRITE_DATA_FILES)).isEmpty();
    }

    @Test
    public void testOneEqualityDeleteFileIsWorthARun()
    {
        Debt debt = owed(new Table().totals(totals(100, 100_000, 1_000_000, 32, 0, 500)), REWRITE_DATA_FILES);
        assertThat(debt.units()).isEqualTo(32);
        assertThat(debt.items()).isEqualTo(32);
        assertThat(debt.bytes()).isEqualTo(OptionalLong.of(100_000 * MEBIBYTE));
    }

    @Test
    public void testBothKindsOfDeletesLeaveTheirNumbersOpen()
    {
        // how many of the 50 are equality deletes does not show, but one at least
        Debt debt = owed(new Table().totals(totals(100, 100_000, 1_000_000, 50, 10, 500)), REWRITE_DATA_FILES);
        assertThat(debt.certainty()).isEqualTo(Certainty.AT_LEAST);
        assertThat(debt.units()).isEqualTo(1);
    }

    @Test
    public void testFewPositionDeletesOnManyFilesAreNoDebt()
    {
        TableDebts debts = estimate(new Table().totals(totals(10_000, 10_000_000, 1_000_000_000, 20, 10, 0)));
        assertThat(debts.measured()).contains(REWRITE_DATA_FILES);
        assertThat(debts.debt(REWRITE_DATA_FILES).map(Debt::isWhole)).isNotEqualTo(Optional.of(true));
    }

    @Test
    public void testDeletedRows()
    {
        Debt debt = owed(new Table().totals(totals(100, 100_000, 1_000_000, 1, 500_000, 0)), REWRITE_DATA_FILES);
        assertThat(debt.units()).isEqualTo(5, within(1e-9));
    }

    @Test
    public void testManifests()
    {
        assertThat(estimate(new Table().noManifestList()).measured()).doesNotContain(REWRITE_MANIFESTS);
        assertThat(estimate(new Table().manifests(99, MEBIBYTE)).debt(REWRITE_MANIFESTS)).isEmpty();
        assertThat(owed(new Table().manifests(400, MEBIBYTE), REWRITE_MANIFESTS).units()).isEqualTo(4);
        // full ones stay as they are
        assertThat(estimate(new Table().manifests(400, 400 * 8 * MEBIBYTE)).debt(REWRITE_MANIFESTS)).isEmpty();
    }

    @Test
    public void testSnapshotsAreDueByTheirAge()
    {
        Instant oldest = NOW.minus(Duration.ofDays(3));
        Debt debt = owed(new Table().snapshots(450, oldest), EXPIRE_SNAPSHOTS);
        assertThat(debt.units()).isEqualTo(4.5);
        assertThat(debt.due()).contains(oldest.plus(Duration.ofDays(7)));
        assertThat(debt.bytes()).isEqualTo(OptionalLong.of(0));

        // as many as must stay
        TablePolicy keepsMany = policy(TablePolicy.DEFAULT.rewrite(), new SnapshotPolicy(Duration.ofDays(7), 450));
        assertThat(debts(new Table().snapshots(450, oldest), keepsMany).owed()).isEmpty();
    }

    @Test
    public void testStatistics()
    {
        Table table = new Table().totals(totals(100, 100_000, 1_000_000, 0, 0, 0));
        assertThat(estimate(table.statistics(StatisticsState.CURRENT)).debt(ANALYZE)).isEmpty();
        assertThat(owed(table.statistics(StatisticsState.ABSENT), ANALYZE).units()).isEqualTo(10);
        assertThat(owed(table.statistics(new StatisticsState(true, OptionalLong.of(3), OptionalLong.of(200_000))), ANALYZE).units()).isEqualTo(2);
        assertThat(estimate(table.statistics(new StatisticsState(true, OptionalLong.of(3), OptionalLong.empty()))).measured()).doesNotContain(ANALYZE);
    }

    private static TableDebts estimate(Table table)
    {
        return debts(table, TablePolicy.DEFAULT);
    }

    private static TableDebts debts(Table table, TablePolicy policy)
    {
        return DebtEstimate.estimate(table.observation(), policy, HealthThresholds.defaults());
    }

    private static Debt owed(Table table, MaintenanceKind kind)
    {
        return estimate(table).debt(kind).orElseThrow();
    }

    private static TablePolicy policy(int minInputFiles, OptionalLong target)
    {
        return policy(new RewritePolicy(RewritePolicy.Strategy.BINPACK, target, minInputFiles), SnapshotPolicy.DEFAULT);
    }

    private static TablePolicy policy(RewritePolicy rewrite, SnapshotPolicy snapshots)
    {
        TablePolicy normal = TablePolicy.DEFAULT;
        return new TablePolicy(true, 5, normal.kinds(), rewrite, ManifestPolicy.DEFAULT, snapshots, normal.orphans(), normal.analyze(), Optional.empty(), Optional.empty());
    }

    private static FileTotals totals(long files, long mebibytes, long records, long deleteFiles, long positionRows, long equalityRows)
    {
        return new FileTotals(
                OptionalLong.of(files),
                OptionalLong.of(mebibytes * MEBIBYTE),
                OptionalLong.of(records),
                OptionalLong.of(deleteFiles),
                OptionalLong.of(positionRows),
                OptionalLong.of(equalityRows));
    }

    private static FileDetails details(long files, long small, long rewritten, long rewriteBytes, long equalityDeletes)
    {
        return new FileDetails(
                files, 10_000 * MEBIBYTE, 1_000, small, OptionalLong.of(MEBIBYTE), 10, ImmutableMap.of("PARQUET", files),
                0, 0, equalityDeletes, 0, equalityDeletes, 0, 0,
                rewritten == 0 ? 0 : 1, rewritten, rewriteBytes, rewritten, 0, 0, Optional.empty());
    }

    /**
     * A healthy table, but for what is said.
     */
    private static final class Table
    {
        private boolean snapshot = true;
        private boolean partitioned;
        private FileTotals totals = TestDebtEstimate.totals(0, 0, 0, 0, 0, 0);
        private Optional<ManifestTotals> manifests = Optional.of(new ManifestTotals(1, 1_000, 0, 0, 8 * MEBIBYTE));
        private SnapshotHistory history = new SnapshotHistory(1, Optional.of(NOW), Optional.empty());
        private StatisticsState statistics = StatisticsState.CURRENT;
        private Optional<FileDetails> details = Optional.empty();

        Table withoutSnapshot()
        {
            snapshot = false;
            manifests = Optional.empty();
            history = SnapshotHistory.EMPTY;
            return this;
        }

        Table partitioned()
        {
            partitioned = true;
            return this;
        }

        Table totals(long files, long bytes)
        {
            return totals(TestDebtEstimate.totals(files, bytes / MEBIBYTE, 1_000, 0, 0, 0));
        }

        Table totals(FileTotals totals)
        {
            this.totals = totals;
            return this;
        }

        Table noManifestList()
        {
            manifests = Optional.empty();
            return this;
        }

        Table manifests(long count, long bytes)
        {
            manifests = Optional.of(new ManifestTotals(count, bytes, 0, 0, 8 * MEBIBYTE));
            return this;
        }

        Table snapshots(long count, Instant oldest)
        {
            history = new SnapshotHistory(count, Optional.of(oldest), Optional.of(oldest));
            return this;
        }

        Table statistics(StatisticsState statistics)
        {
            this.statistics = statistics;
            return this;
        }

        Table details(FileDetails details)
        {
            this.details = Optional.of(details);
            return this;
        }

        TableObservation observation()
        {
            return new TableObservation(
                    "6cd4a4a1-7b4a-4a8d-9d3c-0d5a1f4c0001",
                    12,
                    2,
                    snapshot ? Optional.of(new CurrentSnapshot(7, NOW)) : Optional.empty(),
                    partitioned,
                    512 * MEBIBYTE,
                    false,
                    totals,
                    manifests,
                    history,
                    new MetadataFile(OptionalLong.of(10_000), 0, 0),
                    statistics,
                    Set.of(),
                    details);
        }
    }
}
