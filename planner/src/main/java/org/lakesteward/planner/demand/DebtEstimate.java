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
package org.lakesteward.planner.demand;

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.health.FileDetails;
import org.lakesteward.planner.health.FileTotals;
import org.lakesteward.planner.health.HealthThresholds;
import org.lakesteward.planner.health.ManifestTotals;
import org.lakesteward.planner.health.SmallFilesEstimate;
import org.lakesteward.planner.health.StatisticsState;
import org.lakesteward.planner.health.TableObservation;
import org.lakesteward.planner.policy.RewritePolicy.Strategy;
import org.lakesteward.planner.policy.TablePolicy;
import org.lakesteward.planner.sort.SortOverlap;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static org.lakesteward.planner.MaintenanceKind.ANALYZE;
import static org.lakesteward.planner.MaintenanceKind.EXPIRE_SNAPSHOTS;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_MANIFESTS;

/**
 * What a table needs, from what its metadata says, without opening a data file. A debt is measured in units of the least that is worth a run:
 * <ul>
 * <li>{@code REWRITE_DATA_FILES}: the greatest of
 * small files that a rewrite would merge ÷ {@code minInputFiles};
 * equality delete files ÷ the health level (1);
 * position delete files ÷ the health level (5), or, when that is less, their number for each data file ÷ its level (0.1);
 * rows deleted by position, as a share of all, ÷ the health level (0.1);
 * and for a table to be sorted, the share of unsorted bytes ÷ 0.1 and the depth of overlap ÷ 2, where a sort pays.
 * A few small files that are too few for a run make a debt below 1.
 * <li>{@code REWRITE_MANIFESTS}: data manifests ÷ {@code minCount}, when they are less than half full on average.
 * <li>{@code EXPIRE_SNAPSHOTS}: due when the oldest snapshot that may go reaches {@code maxAge}; snapshots ÷ 100, and at least 1.
 * <li>{@code ANALYZE}: rows changed since the statistics, as a share of all, ÷ {@code changedRowsRatio}; all rows when there are no statistics.
 * </ul>
 * Other kinds cannot be told from metadata; the planner derives them from the policy and from past runs.
 * <p>
 * Each part that the metadata does not tell is unknown, never zero: if the known parts make a debt worth a run, it is {@link Certainty#AT_LEAST} that,
 * and if they do not, the kind stays unmeasured.
 */
public final class DebtEstimate
{
    /** Snapshots that make one unit of debt. */
    public static final int SNAPSHOTS_PER_UNIT = 100;

    // a tail is never taken for a debt worth a run
    private static final double MOST_OF_A_TAIL = 0.9;

    private final TableObservation observation;
    private final TablePolicy policy;
    private final HealthThresholds thresholds;
    private final ImmutableList.Builder<Debt> owed = ImmutableList.builder();
    private final EnumSet<MaintenanceKind> measured = EnumSet.noneOf(MaintenanceKind.class);

    private DebtEstimate(TableObservation observation, TablePolicy policy, HealthThresholds thresholds)
    {
        this.observation = policy.rewrite().targetFileBytes().isPresent() ? observation.withTargetFileBytes(policy.rewrite().targetFileBytes().getAsLong()) : observation;
        this.policy = policy;
        this.thresholds = thresholds.withMinInputFiles(policy.rewrite().minInputFiles());
    }

    /**
     * @param policy where a debt begins; when the table's policy is invalid, pass {@link TablePolicy#DEFAULT}
     */
    public static TableDebts estimate(TableObservation observation, TablePolicy policy, HealthThresholds thresholds)
    {
        DebtEstimate estimate = new DebtEstimate(observation, policy, thresholds);
        estimate.rewriteDataFiles();
        estimate.rewriteManifests();
        estimate.expireSnapshots();
        estimate.analyze();
        return new TableDebts(estimate.owed.build(), estimate.measured);
    }

    private void rewriteDataFiles()
    {
        FileTotals totals = observation.knownTotals();
        Optional<FileDetails> details = observation.details();
        Sum sum = new Sum();
        smallFiles(totals, details, sum);
        if (observation.formatVersion() > 1) {
            deletes(totals, details, sum);
        }
        if (policy.rewrite().strategy() == Strategy.SORT) {
            sort(totals, details, sum);
        }
        // without the manifests, nobody knows which files a rewrite would take: at most all
        OptionalLong bytes = details.isPresent() && sum.bytesKnown ? OptionalLong.of(min(sum.bytes, details.get().dataBytes())) : totals.bytes();
        add(REWRITE_DATA_FILES, sum, bytes);
    }

    private void smallFiles(FileTotals totals, Optional<FileDetails> details, Sum sum)
    {
        OptionalLong mergeable = SmallFilesEstimate.mergeable(observation, thresholds);
        if (mergeable.isEmpty()) {
            sum.unknown();
            return;
        }
        long files = mergeable.getAsLong();
        if (files >= thresholds.minInputFiles()) {
            sum.add(files, (double) files / thresholds.minInputFiles());
            sum.bytes(details.map(FileDetails::rewriteBytes).orElse(0L));
            return;
        }
        long left = tail(totals, details);
        if (left > 0) {
            sum.add(left, min(MOST_OF_A_TAIL, (double) left / thresholds.minInputFiles()));
            sum.bytesUnknown();
        }
    }

    /**
     * Small files that are too few for a run, yet more than one in some partition.
     */
    private long tail(FileTotals totals, Optional<FileDetails> details)
    {
        if (details.isPresent()) {
            long small = details.get().smallFiles();
            return small > max(1, details.get().partitions()) ? small : 0;
        }
        if (observation.partitioned() || totals.dataFiles().isEmpty() || totals.bytes().isEmpty()) {
            return 0;
        }
        long files = totals.dataFiles().getAsLong();
        double minFileBytes = observation.targetFileBytes() * thresholds.minFileSizeRatio();
        return files > 1 && files < thresholds.minInputFiles() && totals.bytes().getAsLong() < files * minFileBytes ? files : 0;
    }

    private void deletes(FileTotals totals, Optional<FileDetails> details, Sum sum)
    {
        OptionalLong equality = details.isPresent() ? OptionalLong.of(details.get().equalityDeleteFiles()) : totals.equalityDeleteFiles();
        if (equality.isEmpty()) {
            sum.unknown();
            // where rows of equality deletes are, there is a file of them
            equality = isPositive(totals.equalityDeleteRows()) ? OptionalLong.of(1) : OptionalLong.of(0);
        }
        addDeletes(equality.getAsLong(), equality.getAsLong() / thresholds.equalityDeleteFiles().warning(), sum);

        OptionalLong position = details.isPresent() ? OptionalLong.of(details.get().positionDeleteFiles() + details.get().deletionVectors()) : totals.positionDeleteFiles();
        if (position.isEmpty() || (position.getAsLong() > 0 && totals.dataFiles().isEmpty())) {
            sum.unknown();
        }
        else if (position.getAsLong() > 0) {
            double each = (double) position.getAsLong() / max(1, totals.dataFiles().getAsLong());
            addDeletes(
                    position.getAsLong(),
                    min(position.getAsLong() / thresholds.positionDeleteFiles().warning(), each / thresholds.positionDeletesPerDataFile().warning()),
                    sum);
        }

        if (isZero(totals.positionDeleteRows())) {
            return;
        }
        if (totals.positionDeleteRows().isEmpty() || totals.records().isEmpty()) {
            sum.unknown();
            return;
        }
        double share = totals.records().getAsLong() == 0 ? 0 : min(1, (double) totals.positionDeleteRows().getAsLong() / totals.records().getAsLong());
        addDeletes(0, share / thresholds.deletedRowsShare().warning(), sum);
    }

    private static void addDeletes(long files, double units, Sum sum)
    {
        if (units > 0) {
            sum.add(files, units);
            // which data files have deletes is not summed up anywhere
            sum.bytesUnknown();
        }
    }

    private void sort(FileTotals totals, Optional<FileDetails> details, Sum sum)
    {
        if (!observation.sortOrder() || isZero(totals.dataFiles())) {
            return;
        }
        if (details.isEmpty()) {
            sum.unknown();
            return;
        }
        double share = details.get().dataBytes() == 0 ? 0 : (double) details.get().unsortedBytes() / details.get().dataBytes();
        if (share >= thresholds.unsortedBytesShare().warning()) {
            sum.add(details.get().unsortedFiles(), share / thresholds.unsortedBytesShare().warning());
            sum.bytes(details.get().unsortedBytes());
        }
        Optional<SortOverlap> overlap = details.get().overlap();
        if (overlap.isPresent() && pays(overlap.get()) && overlap.get().depth() >= thresholds.overlapDepth().warning()) {
            sum.add(overlap.get().files(), overlap.get().depth() / thresholds.overlapDepth().warning());
            sum.bytes(overlap.get().bytes());
        }
    }

    private boolean pays(SortOverlap overlap)
    {
        return overlap.files() >= thresholds.minInputFiles() || (overlap.files() > 0 && overlap.bytes() >= observation.targetFileBytes());
    }

    private void rewriteManifests()
    {
        Sum sum = new Sum();
        if (observation.currentSnapshot().isPresent()) {
            if (observation.manifests().isEmpty()) {
                return;
            }
            ManifestTotals manifests = observation.manifests().get();
            double sparseBelow = manifests.targetBytes() * thresholds.manifestFillRatio();
            if (manifests.dataManifests() >= policy.manifests().minCount() && manifests.dataManifestBytes() < sparseBelow * manifests.dataManifests()) {
                sum.add(manifests.dataManifests(), (double) manifests.dataManifests() / policy.manifests().minCount());
                sum.bytes(manifests.dataManifestBytes());
            }
        }
        add(REWRITE_MANIFESTS, sum, OptionalLong.of(sum.bytes));
    }

    private void expireSnapshots()
    {
        measured.add(EXPIRE_SNAPSHOTS);
        Optional<Instant> oldest = observation.history().oldestRemovable();
        long snapshots = observation.history().snapshots();
        if (oldest.isPresent() && snapshots > policy.snapshots().minCount()) {
            owed.add(new Debt(
                    EXPIRE_SNAPSHOTS,
                    max(1, (double) snapshots / SNAPSHOTS_PER_UNIT),
                    snapshots,
                    OptionalLong.of(0),
                    Certainty.EXACT,
                    OptionalLong.of(oldest.get().plus(policy.snapshots().maxAge()).toEpochMilli())));
        }
    }

    private void analyze()
    {
        Sum sum = new Sum();
        FileTotals totals = observation.knownTotals();
        if (observation.currentSnapshot().isPresent()) {
            if (totals.records().isEmpty()) {
                return;
            }
            long records = totals.records().getAsLong();
            StatisticsState statistics = observation.statistics();
            if (records >= thresholds.statisticsMinRecords()) {
                boolean current = statistics.present() && isZero(statistics.snapshotsBehind());
                if (statistics.present() && !current && statistics.rowsChanged().isEmpty()) {
                    return;
                }
                long changed = statistics.present() ? (current ? 0 : statistics.rowsChanged().getAsLong()) : records;
                double units = min(1, (double) changed / records) / policy.analyze().changedRowsRatio();
                if (units >= 1) {
                    sum.add(changed, units);
                }
            }
        }
        add(ANALYZE, sum, totals.bytes());
    }

    private void add(MaintenanceKind kind, Sum sum, OptionalLong bytes)
    {
        if (sum.unknown && sum.units < 1) {
            return;
        }
        measured.add(kind);
        if (sum.units > 0) {
            owed.add(new Debt(kind, sum.units, sum.items, bytes, sum.unknown ? Certainty.AT_LEAST : Certainty.EXACT, OptionalLong.empty()));
        }
    }

    private static boolean isZero(OptionalLong value)
    {
        return value.isPresent() && value.getAsLong() == 0;
    }

    private static boolean isPositive(OptionalLong value)
    {
        return value.isPresent() && value.getAsLong() > 0;
    }

    /**
     * The parts of one debt: units are those of the greatest part, items add up.
     */
    private static final class Sum
    {
        private double units;
        private long items;
        private long bytes;
        private boolean bytesKnown = true;
        private boolean unknown;

        void add(long items, double units)
        {
            this.items += items;
            this.units = max(this.units, units);
        }

        void bytes(long bytes)
        {
            this.bytes += bytes;
        }

        void bytesUnknown()
        {
            bytesKnown = false;
        }

        void unknown()
        {
            unknown = true;
        }
    }
}
