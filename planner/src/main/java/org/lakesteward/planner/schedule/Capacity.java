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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static org.lakesteward.planner.schedule.DeferralReason.BUDGET;
import static org.lakesteward.planner.schedule.DeferralReason.BYTES;
import static org.lakesteward.planner.schedule.DeferralReason.NO_EXECUTOR;
import static org.lakesteward.planner.schedule.DeferralReason.OLDER_FIRST;
import static org.lakesteward.planner.schedule.DeferralReason.RATE_LIMIT;
import static org.lakesteward.planner.schedule.DeferralReason.SLOTS;

/**
 * What executors and the budget have left while a plan is made. A demand that has waited too long and does not fit yet keeps the roomiest executor, or the rest
 * of the budget, from smaller ones after it: as it drains, the demand will fit, because none reserves more than an empty executor has.
 * Mutable, for one plan.
 */
final class Capacity
{
    private final PlannerSettings settings;
    private final List<Executor> executors = new ArrayList<>();
    private long budgetLeft;
    private String budgetKeptFor;

    Capacity(PlannerInput input)
    {
        settings = input.settings();
        budgetLeft = settings.bytesPerHour().orElse(Long.MAX_VALUE) - input.bytesPlacedWithinHour();
        Map<String, Executor> byId = new HashMap<>();
        for (ExecutorState state : input.executors()) {
            if (state.isLive(input.now())) {
                Executor executor = new Executor(state, settings.placementsPerMinute());
                executors.add(executor);
                byId.put(state.id(), executor);
            }
        }
        executors.sort(Comparator.comparing(executor -> executor.state.id()));
        for (Assignment assignment : input.assignments()) {
            Executor executor = byId.get(assignment.executorId());
            if (executor != null) {
                executor.take(assignment.kind(), assignment.reservedBytes());
            }
        }
    }

    boolean isServed(String catalog, MaintenanceKind kind)
    {
        for (Executor executor : executors) {
            if (executor.serves(catalog, kind)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes what the demand needs.
     */
    Answer take(Demand demand)
    {
        long needed = Score.runBytes(demand.debt().orElseThrow().bytes(), settings);
        if (settings.bytesPerHour().isPresent() && needed > 0) {
            if (budgetKeptFor != null) {
                return new Answer.No(OLDER_FIRST, ImmutableList.of(), budgetKeptFor);
            }
            if (needed > budgetLeft) {
                if (demand.promoted()) {
                    budgetKeptFor = name(demand);
                }
                return new Answer.No(
                        BUDGET,
                        ImmutableList.of(NamedNumber.bytes("needed", needed), NamedNumber.bytes("left", max(0, budgetLeft)), NamedNumber.bytes("budget", settings.bytesPerHour().getAsLong())),
                        "");
            }
        }
        return takeExecutor(demand, needed);
    }

    private Answer takeExecutor(Demand demand, long needed)
    {
        Executor best = null;
        Executor roomiest = null;
        String keptFor = null;
        boolean anyRate = false;
        long slots = 0;
        boolean served = false;
        for (Executor executor : executors) {
            if (!executor.serves(demand.table().name().catalog(), demand.kind())) {
                continue;
            }
            served = true;
            slots += executor.slots(demand.kind());
            if (executor.freeSlots[demand.kind().ordinal()] <= 0) {
                continue;
            }
            long reservation = executor.reservation(needed);
            if (reservation > 0 && executor.keptFor != null) {
                keptFor = executor.keptFor;
                continue;
            }
            if (reservation > 0 && executor.freeBytes < reservation) {
                if (roomiest == null || executor.freeBytes > roomiest.freeBytes) {
                    roomiest = executor;
                }
                continue;
            }
            if (executor.placementsLeft <= 0) {
                anyRate = true;
                continue;
            }
            if (best == null || executor.freeBytes > best.freeBytes) {
                best = executor;
            }
        }
        if (best != null) {
            long reservation = best.reservation(needed);
            best.take(demand.kind(), reservation);
            best.placementsLeft--;
            budgetLeft -= reservation;
            return new Answer.Yes(best.state.id(), reservation);
        }
        if (!served) {
            return new Answer.No(NO_EXECUTOR, ImmutableList.of(), "");
        }
        if (anyRate) {
            return new Answer.No(RATE_LIMIT, ImmutableList.of(NamedNumber.count("limit", settings.placementsPerMinute())), "");
        }
        if (roomiest != null) {
            if (demand.promoted()) {
                roomiest.keptFor = name(demand);
            }
            return new Answer.No(BYTES, ImmutableList.of(NamedNumber.bytes("needed", roomiest.reservation(needed)), NamedNumber.bytes("free", max(0, roomiest.freeBytes))), "");
        }
        if (keptFor != null) {
            return new Answer.No(OLDER_FIRST, ImmutableList.of(), keptFor);
        }
        return new Answer.No(SLOTS, ImmutableList.of(NamedNumber.count("slots", slots)), "");
    }

    private static String name(Demand demand)
    {
        return demand.kind() + " of " + demand.table().name();
    }

    sealed interface Answer
    {
        record Yes(String executorId, long reservedBytes)
                implements Answer {}

        record No(DeferralReason reason, List<NamedNumber> numbers, String detail)
                implements Answer {}
    }

    private static final class Executor
    {
        private final ExecutorState state;
        private final int[] freeSlots = new int[MaintenanceKind.values().length];
        private long freeBytes;
        private int placementsLeft;
        private String keptFor;

        Executor(ExecutorState state, int placementsPerMinute)
        {
            this.state = state;
            state.slots().forEach((kind, count) -> freeSlots[kind.ordinal()] = count);
            freeBytes = state.bytes();
            placementsLeft = placementsPerMinute - state.placementsWithinMinute();
        }

        boolean serves(String catalog, MaintenanceKind kind)
        {
            return state.accepting() && slots(kind) > 0 && state.catalogs().contains(catalog);
        }

        int slots(MaintenanceKind kind)
        {
            return state.slots().getOrDefault(kind, 0);
        }

        /** A run that is larger than the executor is cut to it. */
        long reservation(long needed)
        {
            return min(needed, state.bytes());
        }

        void take(MaintenanceKind kind, long bytes)
        {
            freeSlots[kind.ordinal()]--;
            freeBytes -= bytes;
        }
    }
}
