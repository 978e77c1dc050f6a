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
package org.lakesteward.planner.schedule;

import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.demand.Certainty;
import org.lakesteward.planner.demand.Debt;
import org.lakesteward.planner.demand.KindRecord;
import org.lakesteward.planner.demand.TableRecord;
import org.lakesteward.planner.demand.TableState;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.ledger.FailureCode;
import org.lakesteward.planner.ledger.KindLedger;
import org.lakesteward.planner.ledger.RunRecord;
import org.lakesteward.planner.ledger.TableLedger;
import org.lakesteward.planner.policy.RefreshPolicy;
import org.lakesteward.planner.policy.TablePolicy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static java.lang.Math.max;
import static org.lakesteward.planner.MaintenanceKind.ANALYZE;
import static org.lakesteward.planner.MaintenanceKind.REFRESH_MATERIALIZED_VIEW;
import static org.lakesteward.planner.MaintenanceKind.REMOVE_ORPHAN_FILES;
import static org.lakesteward.planner.MaintenanceKind.RETENTION;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_MANIFESTS;

/**
 * Which debts of a table are due.
 * <ul>
 * <li>Debts that commits cause are due when they are worth a run; that of a table that was not committed to for {@code tailWait}, also when they are not.
 * <li>Snapshots are due by their age.
 * <li>What metadata does not show is due by the clock, on tables that were handed over: orphan files {@code interval} after the last search, the first time spread over
 * the interval by the table's uuid; retention a day after the last time; a materialized view by its schedule.
 * <li>A kind of which nothing is known gives a demand without a debt.
 * </ul>
 */
final class DueDemands
{
    private static final Set<MaintenanceKind> MEASURED = Set.of(REWRITE_DATA_FILES, REWRITE_MANIFESTS, ANALYZE);
    private static final Duration RETENTION_INTERVAL = Duration.ofDays(1);

    private final long now;
    private final PlannerSettings settings;
    private final long tailWait;
    private final long turnWait;
    private final long housekeepingTurnWait;

    DueDemands(Instant now, PlannerSettings settings)
    {
        this.now = now.toEpochMilli();
        this.settings = settings;
        tailWait = settings.tailWait().toMillis();
        turnWait = settings.maxTurnWait().toMillis();
        housekeepingTurnWait = settings.housekeepingTurnWait().toMillis();
    }

    /**
     * @param state the table's state
     * @param policy what the table wants; the default when its own is invalid
     * @param due the demands are added here
     */
    void of(TableRecord table, TableState state, TablePolicy policy, Optional<TableLedger> ledger, List<Demand> due)
    {
        List<KindRecord> kinds = table.kinds();
        for (int index = 0; index < kinds.size(); index++) {
            measured(table, state, kinds.get(index), policy, ledger, due);
        }
        for (MaintenanceKind kind : MEASURED) {
            if (table.kind(kind).isEmpty()) {
                addUnknown(table, state, kind, policy, due);
            }
        }
        if (policy.enabled()) {
            byClock(table, state, policy, ledger, due);
        }
    }

    private void measured(TableRecord table, TableState state, KindRecord known, TablePolicy policy, Optional<TableLedger> ledger, List<Demand> due)
    {
        boolean current = known.knownVersion().equals(state.version());
        if (known.debt().isEmpty()) {
            if (!current) {
                addUnknown(table, state, known.kind(), policy, due);
            }
            return;
        }
        Debt debt = known.debt().get();
        if (!debt.isWhole()) {
            long since = state.lastCommitMillis() + tailWait;
            if (since <= now) {
                add(table, debt, TurnClass.TAIL, since, policy, ledger, due);
            }
            return;
        }
        long since = known.sinceMillis();
        if (debt.dueMillis().isPresent() && since > now) {
            return;
        }
        add(table, debt, classOf(known.kind()), since, policy, ledger, due);
    }

    private static void addUnknown(TableRecord table, TableState state, MaintenanceKind kind, TablePolicy policy, List<Demand> due)
    {
        if (policy.kinds().contains(kind) && !barred(state, kind)) {
            due.add(new Demand(table, kind, Optional.empty(), classOf(kind), 0, state.observedMillis(), false));
        }
    }

    private void byClock(TableRecord table, TableState state, TablePolicy policy, Optional<TableLedger> ledger, List<Demand> due)
    {
        if (policy.kinds().contains(REMOVE_ORPHAN_FILES)) {
            long interval = policy.orphans().interval().toMillis();
            long first = table.firstSeenMillis() + Math.floorMod(table.tableUuid().hashCode() * 0x9E3779B97F4A7C15L, interval);
            addByClock(table, REMOVE_ORPHAN_FILES, lastSuccess(ledger, REMOVE_ORPHAN_FILES).map(last -> last + interval).orElse(first), OptionalLong.of(0), policy, ledger, due);
        }
        if (policy.retention().isPresent()) {
            addByClock(
                    table,
                    RETENTION,
                    lastSuccess(ledger, RETENTION).map(last -> last + RETENTION_INTERVAL.toMillis()).orElse(table.firstSeenMillis()),
                    policy.retention().get().rowDeletes() ? OptionalLong.empty() : OptionalLong.of(0),
                    policy,
                    ledger,
                    due);
        }
        // on anything but a materialized view, the policy itself is wrong, which shows where it is read
        if (policy.refresh().isPresent() && state.limits().contains(TableLimit.MATERIALIZED_VIEW)) {
            long last = max(state.lastCommitMillis(), lastSuccess(ledger, REFRESH_MATERIALIZED_VIEW).orElse(Long.MIN_VALUE));
            refresh(policy.refresh().get(), last).ifPresent(at -> addByClock(table, REFRESH_MATERIALIZED_VIEW, at, OptionalLong.empty(), policy, ledger, due));
        }
    }

    private static Optional<Long> refresh(RefreshPolicy policy, long lastMillis)
    {
        return switch (policy) {
            case RefreshPolicy.Every(Duration interval) -> Optional.of(lastMillis + interval.toMillis());
            case RefreshPolicy.Cron(String expression) -> CronSchedule.parse(expression).nextAfter(Instant.ofEpochMilli(lastMillis)).map(Instant::toEpochMilli);
        };
    }

    private void addByClock(TableRecord table, MaintenanceKind kind, long dueAt, OptionalLong bytes, TablePolicy policy, Optional<TableLedger> ledger, List<Demand> due)
    {
        if (dueAt <= now) {
            add(table, new Debt(kind, 1, 0, bytes, Certainty.EXACT, OptionalLong.of(dueAt)), classOf(kind), dueAt, policy, ledger, due);
        }
    }

    private void add(TableRecord table, Debt debt, TurnClass base, long since, TablePolicy policy, Optional<TableLedger> ledger, List<Demand> due)
    {
        Optional<RunRecord> lastRun = ledger.flatMap(known -> known.kind(debt.kind())).flatMap(KindLedger::lastRun);
        // whoever had a turn goes back to the end of the queue, also when it did not help
        long waitingSince = lastRun.isPresent() ? max(since, lastRun.get().endedAt().toEpochMilli()) : since;
        long longest = base == TurnClass.NORMAL ? turnWait : housekeepingTurnWait;
        long wait = max(0, now - waitingSince);

        TurnClass turnClass = base;
        if (lastRun.flatMap(RunRecord::failure).filter(DueDemands::leavesUnknown).isPresent()) {
            turnClass = TurnClass.RECOVERY;
        }
        else if (debt.units() >= settings.criticalFactor()) {
            turnClass = TurnClass.CRITICAL;
        }
        due.add(new Demand(
                table,
                debt.kind(),
                Optional.of(debt),
                turnClass,
                Score.of(debt, wait, longest, policy.priority(), settings),
                waitingSince,
                wait >= longest));
    }

    private static boolean leavesUnknown(FailureCode code)
    {
        return code == FailureCode.UNKNOWN_OUTCOME || code == FailureCode.EXECUTOR_LOST;
    }

    private static Optional<Long> lastSuccess(Optional<TableLedger> ledger, MaintenanceKind kind)
    {
        return ledger.flatMap(known -> known.kind(kind))
                .flatMap(KindLedger::lastSuccess)
                .map(run -> run.endedAt().toEpochMilli());
    }

    private static boolean barred(TableState state, MaintenanceKind kind)
    {
        for (TableLimit limit : state.limits()) {
            if (limit.bars(kind)) {
                return true;
            }
        }
        return false;
    }

    private static TurnClass classOf(MaintenanceKind kind)
    {
        return switch (kind) {
            case REWRITE_DATA_FILES, RETENTION, REFRESH_MATERIALIZED_VIEW -> TurnClass.NORMAL;
            case REWRITE_MANIFESTS, EXPIRE_SNAPSHOTS, REMOVE_ORPHAN_FILES, ANALYZE -> TurnClass.HOUSEKEEPING;
        };
    }
}
