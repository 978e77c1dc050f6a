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
import org.lakesteward.planner.demand.KindRecord;
import org.lakesteward.planner.demand.TableRecord;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.planner.schedule.DeferralReason.SLOTS;

/**
 * What holds of every plan. Each property is checked on {@link #RUNS} random inputs; the seed of a failing one is part of the failure's text.
 */
public class TestPlannerProperties
{
    private static final long SEED = 20260301;
    private static final int RUNS = 3_000;
    private static final List<String> FAILURES = ImmutableList.of("ok", "CONFLICT", "EXECUTOR_LOST", "VERIFICATION_FAILED", "AUTHORIZATION", "CATALOG_UNAVAILABLE");

    @Test
    public void testProperties()
    {
        int placements = 0;
        int promoted = 0;
        Map<DeferralReason, Integer> reasons = new EnumMap<>(DeferralReason.class);
        for (int run = 0; run < RUNS; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            List<String> lines = randomLines(random);
            String description = "seed %s:\n%s".formatted(seed, String.join("\n", lines));
            PlannerInput input = PlannerCase.plannerInput(lines);
            MaintenancePlan plan = MaintenancePlanner.plan(input);

            checkComplete(input, plan, description);
            checkTurns(input, plan, description);
            checkAllowed(input, plan, description);
            checkCapacity(input, plan, description);
            checkOrder(plan, description);
            checkShuffled(input, plan, random, description);

            placements += plan.placements().size();
            promoted += (int) plan.placements().stream().filter(placement -> placement.demand().promoted()).count();
            plan.deferrals().forEach(deferral -> reasons.merge(deferral.reason(), 1, Integer::sum));
        }
        System.out.printf("Seeds from %s, %s inputs: %s placements, of which %s after too long a wait; deferrals: %s%n", SEED, RUNS, placements, promoted, reasons);
        assertThat(reasons.keySet()).containsExactlyInAnyOrder(DeferralReason.values());
        assertThat(placements).isGreaterThan(RUNS);
        assertThat(promoted).isBetween(1, placements - 1);
    }

    @Test
    public void testNameThatSortsLast()
    {
        // all the others are tied, and win every round by their names, until the last one has waited longest
        List<String> lines = new ArrayList<>(ImmutableList.of("executor e1 slots=rewrite:1"));
        for (int table = 0; table < 9_999; table++) {
            lines.add("table a%04d rewrite=20/100/200MB/59m".formatted(table));
        }
        lines.add("table zzz rewrite=1/5/200MB/%s");
        assertThat(firstPlaced(lines, "59m")).isEqualTo("a0000");
        assertThat(firstPlaced(lines, "60m")).isEqualTo("zzz");
    }

    @Test
    public void testNobodyStarves()
    {
        // forty tables and one slot; whoever had a turn has a new debt at once, and each run takes a minute
        List<String> tables = new ArrayList<>();
        for (int table = 0; table < 39; table++) {
            tables.add("big%02d".formatted(table));
        }
        tables.add("zzz");
        Map<String, Integer> waited = new HashMap<>();
        Map<String, Integer> longest = new HashMap<>();
        for (int minute = 0; minute < 600; minute++) {
            List<String> lines = new ArrayList<>(ImmutableList.of("executor e1 slots=rewrite:1"));
            for (String table : tables) {
                lines.add("table %s rewrite=%s/100/200MB/%sm".formatted(table, table.equals("zzz") ? "1" : "30", waited.merge(table, 1, Integer::sum)));
            }
            String placed = MaintenancePlanner.plan(PlannerCase.plannerInput(lines)).placements().getFirst().demand().table().name().table();
            longest.merge(placed, waited.put(placed, 0), Math::max);
        }
        assertThat(longest.keySet()).containsAll(tables);
        // a full round of all that have waited too long, after the hour
        assertThat(longest.values()).allMatch(minutes -> minutes <= 60 + tables.size());
    }

    private static String firstPlaced(List<String> lines, String wait)
    {
        MaintenancePlan plan = MaintenancePlanner.plan(PlannerCase.plannerInput(lines.stream().map(line -> line.replace("%s", wait)).toList()));
        assertThat(plan.placements()).hasSize(1);
        assertThat(plan.deferrals()).hasSize(9_999).allMatch(deferral -> deferral.reason() == SLOTS);
        return plan.placements().getFirst().demand().table().name().table();
    }

    private static void checkComplete(PlannerInput input, MaintenancePlan plan, String description)
    {
        List<Demand> demands = demands(plan);
        Set<String> keys = demands.stream().map(TestPlannerProperties::key).collect(toSet());
        assertThat(keys).as(description).hasSize(demands.size());
        long now = input.now().toEpochMilli();
        for (TableRecord table : input.tables()) {
            for (KindRecord known : table.kinds()) {
                boolean due = known.debt().isPresent() && (known.debt().get().isWhole()
                        ? known.sinceMillis() <= now
                        : table.state().orElseThrow().lastCommitMillis() + input.settings().tailWait().toMillis() <= now);
                assertThat(keys.contains(table.tableUuid() + " " + known.kind())).as("%s of %s, %s", known.kind(), table.name(), description).isEqualTo(due);
            }
        }
    }

    private static void checkTurns(PlannerInput input, MaintenancePlan plan, String description)
    {
        Set<String> taken = new HashSet<>(input.lockedTables());
        input.assignments().forEach(assignment -> taken.add(assignment.tableUuid()));
        for (Placement placement : plan.placements()) {
            assertThat(taken.add(placement.demand().table().tableUuid())).as(description).isTrue();
        }
    }

    private static void checkAllowed(PlannerInput input, MaintenancePlan plan, String description)
    {
        for (Placement placement : plan.placements()) {
            TableRecord table = placement.demand().table();
            MaintenanceKind kind = placement.demand().kind();
            assertThat(input.policies().apply(table)).as(description).isInstanceOfSatisfying(EffectivePolicy.Valid.class, valid -> {
                assertThat(valid.policy().enabled()).as(description).isTrue();
                assertThat(valid.policy().kinds()).as(description).contains(kind);
            });
            assertThat(input.grants().allow(table.name(), kind)).as(description).isTrue();
            assertThat(input.outages()).as(description).doesNotContainKey(table.name().catalog());
            assertThat(input.settings().pauseInWindows() && !input.windows().isEmpty() && table.name().catalog().equals("lake")).as(description).isFalse();
            if (input.ledgers().containsKey(table.tableUuid())) {
                assertThat(input.ledgers().get(table.tableUuid()).order()).as(description).isEmpty();
            }
        }
    }

    private static void checkCapacity(PlannerInput input, MaintenancePlan plan, String description)
    {
        Map<String, List<Placement>> byExecutor = plan.placements().stream().collect(groupingBy(Placement::executorId));
        Map<String, ExecutorState> executors = new HashMap<>();
        input.executors().forEach(executor -> executors.put(executor.id(), executor));
        assertThat(executors.keySet()).as(description).containsAll(byExecutor.keySet());
        byExecutor.forEach((id, placements) -> {
            ExecutorState executor = executors.get(id);
            assertThat(executor.isLive(input.now()) && executor.accepting()).as(description).isTrue();
            assertThat(executor.placementsWithinMinute() + placements.size()).as(description).isLessThanOrEqualTo(input.settings().placementsPerMinute());
            assertThat(executor.catalogs()).as(description).containsAll(placements.stream().map(placement -> placement.demand().table().name().catalog()).toList());
            long placed = placements.stream().mapToLong(Placement::reservedBytes).sum();
            if (placed > 0) {
                assertThat(placed + reserved(input.assignments(), id)).as(description).isLessThanOrEqualTo(executor.bytes());
            }
            for (Placement placement : placements) {
                MaintenanceKind kind = placement.demand().kind();
                assertThat(busy(input, plan, id, kind)).as(description).isLessThanOrEqualTo(executor.slots().getOrDefault(kind, 0));
            }
        });
        long placed = plan.placements().stream().mapToLong(Placement::reservedBytes).sum();
        if (placed > 0 && input.settings().bytesPerHour().isPresent()) {
            assertThat(placed + input.bytesPlacedWithinHour()).as(description).isLessThanOrEqualTo(input.settings().bytesPerHour().getAsLong());
        }
        for (Deferral deferral : plan.deferrals()) {
            if (deferral.reason() == SLOTS) {
                MaintenanceKind kind = deferral.demand().kind();
                assertThat(input.executors())
                        .as(description)
                        .filteredOn(executor -> executor.isLive(input.now()) && executor.accepting() && executor.catalogs().contains(deferral.demand().table().name().catalog()))
                        .allMatch(executor -> busy(input, plan, executor.id(), kind) >= executor.slots().getOrDefault(kind, 0));
            }
        }
    }

    private static void checkOrder(MaintenancePlan plan, String description)
    {
        List<Demand> placed = plan.placements().stream().map(Placement::demand).toList();
        for (int index = 1; index < placed.size(); index++) {
            Demand before = placed.get(index - 1);
            Demand after = placed.get(index);
            if (after.promoted()) {
                assertThat(before.promoted()).as(description).isTrue();
                assertThat(before.waitingSinceMillis()).as(description).isLessThanOrEqualTo(after.waitingSinceMillis());
            }
            else if (!before.promoted()) {
                assertThat(before.turnClass()).as(description).isLessThanOrEqualTo(after.turnClass());
                if (before.turnClass() == after.turnClass()) {
                    assertThat(before.score()).as(description).isGreaterThanOrEqualTo(after.score());
                }
            }
        }
    }

    private static void checkShuffled(PlannerInput input, MaintenancePlan plan, Random random, String description)
    {
        MaintenancePlan shuffled = MaintenancePlanner.plan(new PlannerInput(
                input.now(),
                shuffled(input.tables(), random),
                input.ledgers(),
                input.policies(),
                input.grants(),
                shuffled(input.executors(), random),
                shuffled(input.assignments(), random),
                input.lockedTables(),
                input.outages(),
                shuffled(input.windows(), random),
                input.bytesPlacedWithinHour(),
                input.settings()));
        assertThat(shuffled.placements()).as(description).isEqualTo(plan.placements());
        assertThat(shuffled.deferrals()).as(description).containsExactlyInAnyOrderElementsOf(plan.deferrals());
        assertThat(shuffled.abandoned()).as(description).isEqualTo(plan.abandoned());
    }

    private static <T> List<T> shuffled(Collection<T> values, Random random)
    {
        List<T> shuffled = new ArrayList<>(values);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private static long busy(PlannerInput input, MaintenancePlan plan, String executorId, MaintenanceKind kind)
    {
        return input.assignments().stream().filter(assignment -> assignment.executorId().equals(executorId) && assignment.kind() == kind).count() +
                plan.placements().stream().filter(placement -> placement.executorId().equals(executorId) && placement.demand().kind() == kind).count();
    }

    private static long reserved(List<Assignment> assignments, String executorId)
    {
        return assignments.stream().collect(groupingBy(Assignment::executorId, summingLong(Assignment::reservedBytes))).getOrDefault(executorId, 0L);
    }

    private static List<Demand> demands(MaintenancePlan plan)
    {
        List<Demand> demands = new ArrayList<>();
        plan.placements().forEach(placement -> demands.add(placement.demand()));
        plan.deferrals().forEach(deferral -> demands.add(deferral.demand()));
        return demands;
    }

    private static String key(Demand demand)
    {
        return demand.table().tableUuid() + " " + demand.kind();
    }

    /**
     * Lines as in {@link PlannerCase}.
     */
    private static List<String> randomLines(Random random)
    {
        List<String> lines = new ArrayList<>();
        lines.add("settings per_minute=%s max_consecutive_turns=%s%s%s".formatted(
                1 + random.nextInt(8),
                1 + random.nextInt(4),
                random.nextInt(3) == 0 ? " per_hour=%sGB".formatted(1 + random.nextInt(20)) : "",
                random.nextInt(4) == 0 ? " pause_in_windows" : ""));
        int executors = random.nextInt(4);
        for (int executor = 0; executor < executors; executor++) {
            lines.add("executor e%s slots=rewrite:%s,analyze:%s,snapshots:1,orphans:1,retention:1 bytes=%sGB lease=%s catalogs=%s placed=%s%s".formatted(
                    executor,
                    random.nextInt(4),
                    random.nextInt(3),
                    1 + random.nextInt(40),
                    random.nextInt(6) == 0 ? "0s" : "1m",
                    random.nextBoolean() ? "lake" : "lake,other",
                    random.nextInt(3),
                    random.nextInt(8) == 0 ? " closing" : ""));
        }
        int tables = 1 + random.nextInt(12);
        List<String> names = new ArrayList<>();
        for (int table = 0; table < tables; table++) {
            String name = (random.nextInt(5) == 0 ? "other.s.t" : "t") + table;
            names.add(name);
            lines.add("table %s rewrite=%s manifests=%s snapshots=%s analyze=%s commit=%s every=%sm seen=%sd%s".formatted(
                    name,
                    debt(random),
                    debt(random),
                    random.nextBoolean() ? "none" : "%s/100/0/%s%sh".formatted(1 + random.nextInt(4), random.nextBoolean() ? "-" : "", random.nextInt(48)),
                    debt(random),
                    random.nextInt(4) == 0 ? random.nextInt(60) + "m" : 1 + random.nextInt(10) + "d",
                    random.nextInt(60),
                    random.nextInt(10),
                    policy(random)));
        }
        for (String name : names) {
            if (random.nextInt(3) == 0) {
                lines.add("run %s %s %s ended=%sm times=%s%s".formatted(
                        name,
                        random.nextBoolean() ? "rewrite" : "analyze",
                        FAILURES.get(random.nextInt(FAILURES.size())),
                        random.nextInt(120),
                        1 + random.nextInt(16),
                        random.nextBoolean() ? " unseen" : ""));
            }
            if (random.nextInt(20) == 0) {
                lines.add("suspend %s 5m".formatted(name));
            }
            if (random.nextInt(12) == 0) {
                lines.add("assign %s rewrite e%s %sGB".formatted(name, random.nextInt(4), random.nextInt(6)));
            }
        }
        if (random.nextInt(4) == 0) {
            lines.add("window lake 10m");
        }
        if (random.nextInt(8) == 0) {
            lines.add("outage other 10m");
        }
        lines.add("placed %sMB".formatted(random.nextInt(4_000)));
        return lines;
    }

    private static String debt(Random random)
    {
        return switch (random.nextInt(6)) {
            case 0, 1 -> "none";
            case 2 -> random.nextInt(4) == 0 ? "unknown" : "0.%s/2/1MB/1m".formatted(1 + random.nextInt(9));
            // few values, so that there are ties
            default -> "%s/10/%s/%s".formatted(
                    random.nextInt(8) == 0 ? 40 : 1 + random.nextInt(3),
                    random.nextInt(8) == 0 ? "?" : (1 << random.nextInt(14)) + "MB",
                    random.nextInt(3) == 0 ? 1 + random.nextInt(40) + "h" : 1 + random.nextInt(3) + "m");
        };
    }

    private static String policy(Random random)
    {
        String granted = random.nextInt(10) == 0 ? " granted=no" : "";
        return granted + switch (random.nextInt(14)) {
            case 0 -> " enabled=no";
            case 1 -> " invalid=wrong";
            case 2 -> " kinds=analyze";
            case 3 -> " limits=ENCRYPTED";
            case 4 -> " locked";
            case 5 -> " retention priority=9";
            default -> " priority=%s".formatted(4 + random.nextInt(2));
        };
    }
}
