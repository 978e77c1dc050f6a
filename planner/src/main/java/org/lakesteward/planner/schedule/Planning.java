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

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.demand.CurrentTables;
import org.lakesteward.planner.demand.KindRecord;
import org.lakesteward.planner.demand.TableNames;
import org.lakesteward.planner.demand.TableRecord;
import org.lakesteward.planner.demand.TableState;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.health.TableName;
import org.lakesteward.planner.ledger.BackOff;
import org.lakesteward.planner.ledger.KindLedger;
import org.lakesteward.planner.ledger.PolicyFingerprint;
import org.lakesteward.planner.ledger.RunRecord;
import org.lakesteward.planner.ledger.Standing;
import org.lakesteward.planner.ledger.TableLedger;
import org.lakesteward.planner.policy.TablePolicy;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static org.lakesteward.planner.schedule.DeferralReason.BACK_OFF;
import static org.lakesteward.planner.schedule.DeferralReason.CATALOG_UNAVAILABLE;
import static org.lakesteward.planner.schedule.DeferralReason.CONSECUTIVE_TURNS;
import static org.lakesteward.planner.schedule.DeferralReason.HOT;
import static org.lakesteward.planner.schedule.DeferralReason.INVALID_POLICY;
import static org.lakesteward.planner.schedule.DeferralReason.KIND_NOT_WANTED;
import static org.lakesteward.planner.schedule.DeferralReason.MAINTENANCE_WINDOW;
import static org.lakesteward.planner.schedule.DeferralReason.NOT_GRANTED;
import static org.lakesteward.planner.schedule.DeferralReason.NOT_OBSERVED_SINCE_RUN;
import static org.lakesteward.planner.schedule.DeferralReason.NOT_OPTED_IN;
import static org.lakesteward.planner.schedule.DeferralReason.NO_EXECUTOR;
import static org.lakesteward.planner.schedule.DeferralReason.SUSPENDED_BY_FAILURES;
import static org.lakesteward.planner.schedule.DeferralReason.SUSPENDED_BY_OPERATOR;
import static org.lakesteward.planner.schedule.DeferralReason.TABLE_LIMIT;
import static org.lakesteward.planner.schedule.DeferralReason.UNKNOWN_DEBT;
import static org.lakesteward.planner.schedule.DeferralReason.WRITE_TURN_TAKEN;

/**
 * One plan in the making.
 */
final class Planning
{
    // Kinds that a concurrent commit makes fail, or that make one fail
    private static final Set<MaintenanceKind> CONTENDING = EnumSet.of(MaintenanceKind.REWRITE_DATA_FILES, MaintenanceKind.REWRITE_MANIFESTS, MaintenanceKind.RETENTION);

    // A table with a commit a day is no longer hot a quarter of the longest wait after it
    private static final int HOT_SHARE_OF_WAIT = 4;

    private static final Comparator<Demand> FIRST_IN_LINE = Comparator.comparing(Demand::promoted).reversed()
            .thenComparingLong(demand -> demand.promoted() ? demand.waitingSinceMillis() : 0)
            .thenComparing(Demand::turnClass)
            .thenComparing(Comparator.comparingDouble(Demand::score).reversed())
            .thenComparing(demand -> demand.table().name(), TableNames.ALPHABETICAL)
            .thenComparing(demand -> demand.table().tableUuid())
            .thenComparing(Demand::kind);

    private final PlannerInput input;
    private final long now;
    private final BackOff backOff;
    private final DueDemands dueDemands;
    private final Capacity capacity;
    private final Map<String, String> turnHolders = new HashMap<>();
    private final List<MaintenanceWindow> pausing;
    private final ImmutableList.Builder<Deferral> deferrals = ImmutableList.builder();
    private final List<Demand> candidates = new ArrayList<>();
    private int unobserved;

    Planning(PlannerInput input)
    {
        this.input = input;
        now = input.now().toEpochMilli();
        backOff = input.settings().backOff();
        dueDemands = new DueDemands(input.now(), input.settings());
        capacity = new Capacity(input);
        input.lockedTables().forEach(uuid -> turnHolders.put(uuid, "somebody else"));
        input.assignments().stream()
                // of several, which there should not be, always the same is named
                .sorted(Comparator.comparing(Assignment::operationId))
                .forEach(assignment -> turnHolders.put(assignment.tableUuid(), "%s on %s".formatted(assignment.kind(), assignment.executorId())));
        pausing = input.settings().pauseInWindows() ? input.windows().stream().filter(window -> !window.isOver(input.now())).collect(toImmutableList()) : ImmutableList.of();
    }

    MaintenancePlan plan()
    {
        List<Demand> due = new ArrayList<>();
        for (TableRecord table : CurrentTables.of(input.tables()).tables()) {
            if (table.state().isEmpty()) {
                unobserved++;
                continue;
            }
            due.clear();
            consider(table, table.state().get(), due);
        }
        candidates.sort(FIRST_IN_LINE);
        ImmutableList.Builder<Placement> placements = ImmutableList.builder();
        for (Demand demand : candidates) {
            place(demand).ifPresent(placements::add);
        }
        return new MaintenancePlan(input.now(), placements.build(), deferrals.build(), abandoned(), unobserved);
    }

    private void consider(TableRecord table, TableState state, List<Demand> due)
    {
        EffectivePolicy effective = input.policies().apply(table);
        TablePolicy policy = switch (effective) {
            case EffectivePolicy.Valid(TablePolicy valid) -> valid;
            case EffectivePolicy.Invalid _ -> TablePolicy.DEFAULT;
        };
        Optional<TableLedger> ledger = Optional.ofNullable(input.ledgers().get(table.tableUuid()));
        dueDemands.of(table, state, policy, ledger, due);
        if (due.isEmpty()) {
            return;
        }

        int first = candidates.size();
        for (Demand demand : due) {
            Optional<Deferral> deferral = bar(demand, state, effective, ledger);
            deferral.ifPresentOrElse(deferrals::add, () -> candidates.add(demand));
        }
        if (ledger.isPresent() && candidates.size() - first > 1) {
            yieldTurns(candidates.subList(first, candidates.size()), ledger.get());
        }
    }

    /**
     * Why a demand is no candidate, whatever else is to run.
     */
    private Optional<Deferral> bar(Demand demand, TableState state, EffectivePolicy effective, Optional<TableLedger> ledger)
    {
        if (demand.debt().isEmpty()) {
            return Optional.of(Deferral.of(demand, UNKNOWN_DEBT));
        }
        TablePolicy policy;
        switch (effective) {
            case EffectivePolicy.Valid(TablePolicy valid) -> policy = valid;
            case EffectivePolicy.Invalid(String reason) -> {
                return Optional.of(new Deferral(demand, INVALID_POLICY, ImmutableList.of(), reason));
            }
        }
        TableName name = demand.table().name();
        if (!policy.enabled()) {
            return Optional.of(Deferral.of(demand, NOT_OPTED_IN));
        }
        if (!policy.kinds().contains(demand.kind())) {
            return Optional.of(Deferral.of(demand, KIND_NOT_WANTED));
        }
        if (!input.grants().allow(name, demand.kind())) {
            return Optional.of(Deferral.of(demand, NOT_GRANTED));
        }
        for (TableLimit limit : state.limits()) {
            if (limit.bars(demand.kind())) {
                return Optional.of(new Deferral(demand, TABLE_LIMIT, ImmutableList.of(), limit.description()));
            }
        }
        Standing standing = ledger.map(known -> standing(demand, state, policy, known)).orElse(Standing.CLEAR);
        if (standing.suspension().isPresent()) {
            return Optional.of(suspended(demand, standing.suspension().get()));
        }
        for (MaintenanceWindow window : pausing) {
            if (window.scope().intersects(WindowScope.table(name.catalog(), name.schema(), name.table()))) {
                return Optional.of(new Deferral(demand, MAINTENANCE_WINDOW, ImmutableList.of(NamedNumber.moment("since", window.openedAt())), window.scope().toString()));
            }
        }
        CatalogOutage outage = input.outages().get(name.catalog());
        if (outage != null) {
            return Optional.of(new Deferral(
                    demand,
                    CATALOG_UNAVAILABLE,
                    ImmutableList.of(NamedNumber.moment("since", outage.since()), NamedNumber.moment("retry_at", outage.retryAt())),
                    ""));
        }
        String holder = turnHolders.get(demand.table().tableUuid());
        if (holder != null) {
            return Optional.of(new Deferral(demand, WRITE_TURN_TAKEN, ImmutableList.of(), holder));
        }
        Optional<Deferral> seen = ledger.flatMap(known -> seenByRun(demand, known));
        if (seen.isPresent()) {
            return seen;
        }
        if (standing.notBefore().isPresent() && input.now().isBefore(standing.notBefore().get())) {
            return Optional.of(new Deferral(
                    demand,
                    BACK_OFF,
                    ImmutableList.of(NamedNumber.moment("until", standing.notBefore().get()), NamedNumber.count("failures", standing.failures())),
                    standing.lastFailure().orElseThrow().name()));
        }
        if (!demand.promoted() && CONTENDING.contains(demand.kind())) {
            Optional<Deferral> hot = hot(demand, state);
            if (hot.isPresent()) {
                return hot;
            }
        }
        if (!capacity.isServed(name.catalog(), demand.kind())) {
            return Optional.of(Deferral.of(demand, NO_EXECUTOR));
        }
        return Optional.empty();
    }

    private Standing standing(Demand demand, TableState state, TablePolicy policy, TableLedger ledger)
    {
        if (ledger.order().isEmpty() && ledger.kind(demand.kind()).map(kind -> kind.failures().isEmpty()).orElse(true)) {
            return Standing.CLEAR;
        }
        return Standing.of(ledger, demand.kind(), backOff, state.version(), PolicyFingerprint.of(policy));
    }

    private static Deferral suspended(Demand demand, Standing.Suspension suspension)
    {
        NamedNumber since = NamedNumber.moment("since", suspension.since());
        return switch (suspension) {
            case Standing.Suspension.ByOperator byOperator ->
                    new Deferral(demand, SUSPENDED_BY_OPERATOR, ImmutableList.of(since), byOperator.reason().isEmpty() ? byOperator.by() : byOperator.by() + ": " + byOperator.reason());
            case Standing.Suspension.ByFailures byFailures -> new Deferral(
                    demand,
                    SUSPENDED_BY_FAILURES,
                    ImmutableList.of(since, NamedNumber.count("failures", byFailures.failures())),
                    byFailures.message().isEmpty() ? byFailures.code().name() : byFailures.code() + ": " + byFailures.message());
        };
    }

    private static Optional<Deferral> seenByRun(Demand demand, TableLedger ledger)
    {
        Optional<KindRecord> known = demand.table().kind(demand.kind());
        Optional<RunRecord> success = ledger.kind(demand.kind()).flatMap(KindLedger::lastSuccess);
        if (known.isEmpty() || success.isEmpty() || known.get().knownVersion().isNewerThan(success.get().tableVersion())) {
            return Optional.empty();
        }
        return Optional.of(new Deferral(demand, NOT_OBSERVED_SINCE_RUN, ImmutableList.of(NamedNumber.moment("ended_at", success.get().endedAt())), ""));
    }

    private Optional<Deferral> hot(Demand demand, TableState state)
    {
        long longest = input.settings().maxTurnWait().toMillis() / HOT_SHARE_OF_WAIT;
        long until = state.lastCommitMillis() + min(state.commitIntervalMillis(), longest);
        if (until <= now) {
            return Optional.empty();
        }
        return Optional.of(new Deferral(
                demand,
                HOT,
                ImmutableList.of(
                        NamedNumber.moment("last_commit", Instant.ofEpochMilli(state.lastCommitMillis())),
                        NamedNumber.duration("commit_interval", max(1_000, state.commitIntervalMillis())),
                        NamedNumber.moment("until", Instant.ofEpochMilli(until))),
                ""));
    }

    /**
     * Takes out a kind that had too many turns of this table in a row.
     */
    private void yieldTurns(List<Demand> demands, TableLedger ledger)
    {
        for (Demand demand : demands) {
            int turns = ledger.consecutiveTurns(demand.kind());
            if (turns >= input.settings().maxConsecutiveTurns()) {
                String others = demands.stream()
                        .map(Demand::kind)
                        .filter(kind -> kind != demand.kind())
                        .map(MaintenanceKind::name)
                        .sorted()
                        .reduce((one, other) -> one + " or " + other)
                        .orElseThrow();
                deferrals.add(new Deferral(demand, CONSECUTIVE_TURNS, ImmutableList.of(NamedNumber.count("turns", turns)), others));
                // the last turns were of one kind: no other can have had too many
                demands.remove(demand);
                return;
            }
        }
    }

    private Optional<Placement> place(Demand demand)
    {
        String uuid = demand.table().tableUuid();
        String holder = turnHolders.get(uuid);
        if (holder != null) {
            deferrals.add(new Deferral(demand, WRITE_TURN_TAKEN, ImmutableList.of(), holder));
            return Optional.empty();
        }
        return switch (capacity.take(demand)) {
            case Capacity.Answer.Yes(String executorId, long reservedBytes) -> {
                turnHolders.put(uuid, "%s on %s".formatted(demand.kind(), executorId));
                yield Optional.of(new Placement(demand, executorId, reservedBytes));
            }
            case Capacity.Answer.No(DeferralReason reason, List<NamedNumber> numbers, String detail) -> {
                deferrals.add(new Deferral(demand, reason, numbers, detail));
                yield Optional.empty();
            }
        };
    }

    private List<Assignment> abandoned()
    {
        Set<String> live = new HashSet<>();
        for (ExecutorState executor : input.executors()) {
            if (executor.isLive(input.now())) {
                live.add(executor.id());
            }
        }
        return input.assignments().stream()
                .filter(assignment -> !live.contains(assignment.executorId()))
                .sorted(Comparator.comparing(Assignment::operationId))
                .collect(toImmutableList());
    }
}
