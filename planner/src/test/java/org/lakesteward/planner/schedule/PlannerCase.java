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

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.demand.Certainty;
import org.lakesteward.planner.demand.Debt;
import org.lakesteward.planner.demand.EventSource;
import org.lakesteward.planner.demand.KindRecord;
import org.lakesteward.planner.demand.Sighting;
import org.lakesteward.planner.demand.TableRecord;
import org.lakesteward.planner.demand.TableState;
import org.lakesteward.planner.demand.TableVersion;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.health.TableName;
import org.lakesteward.planner.ledger.FailureCode;
import org.lakesteward.planner.ledger.LedgerEvent;
import org.lakesteward.planner.ledger.LedgerFold;
import org.lakesteward.planner.ledger.PolicyFingerprint;
import org.lakesteward.planner.ledger.RunRecord;
import org.lakesteward.planner.ledger.TableLedger;
import org.lakesteward.planner.policy.RefreshPolicy;
import org.lakesteward.planner.policy.RetentionPolicy;
import org.lakesteward.planner.policy.TablePolicy;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One case of a text file. It reads
 * <pre>
 * == title
 * # remarks
 * settings max_turn_wait=1h per_minute=10 per_hour=10GB      (those that differ)
 * executor e1 slots=rewrite:2,analyze:1 bytes=100GB lease=1m catalogs=lake,other placed=3 closing
 * table orders rewrite=4/20/200MB/10m analyze=unknown        (units/items/bytes/age of each debt, or unknown; other kinds owe nothing)
 *       enabled=no priority=5 kinds=rewrite,analyze invalid=why granted=no commit=2d every=30s limits=ENCRYPTED seen=3d retention refresh=1h locked
 * tables 200 tail rewrite=0.5/2/1MB/1d                       (tail001, tail002, …)
 * run orders rewrite CONFLICT ended=10m times=3 unseen       (ok when it succeeded; unseen when it was planned for an older version)
 * suspend orders 10m looks odd
 * assign orders rewrite e1 1GB
 * window lake.s 10m
 * outage lake 10m
 * placed 10GB                                                (within the hour)
 * show totals                                                (instead of each deferral)
 * --
 * expected plan
 * </pre>
 * Ages count back from the moment of the plan. A name without dots is a table of {@code lake.s}. The plan lists placements in their order, and deferrals by name and kind.
 */
record PlannerCase(String title, List<String> input, List<String> expected)
{
    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Map<String, MaintenanceKind> KINDS = ImmutableMap.<String, MaintenanceKind>builder()
            .put("rewrite", MaintenanceKind.REWRITE_DATA_FILES)
            .put("manifests", MaintenanceKind.REWRITE_MANIFESTS)
            .put("snapshots", MaintenanceKind.EXPIRE_SNAPSHOTS)
            .put("orphans", MaintenanceKind.REMOVE_ORPHAN_FILES)
            .put("analyze", MaintenanceKind.ANALYZE)
            .put("retention", MaintenanceKind.RETENTION)
            .put("refresh", MaintenanceKind.REFRESH_MATERIALIZED_VIEW)
            .buildOrThrow();
    private static final List<String> OBSERVED = ImmutableList.of("rewrite", "manifests", "snapshots", "analyze");

    PlannerCase
    {
        input = ImmutableList.copyOf(input);
        expected = ImmutableList.copyOf(expected);
    }

    static List<PlannerCase> read(List<String> lines)
    {
        List<PlannerCase> cases = new ArrayList<>();
        String title = null;
        List<String> input = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        List<String> current = input;
        for (String line : lines) {
            if (line.startsWith("== ")) {
                if (title != null) {
                    cases.add(new PlannerCase(title, input, expected));
                }
                title = line.substring(3);
                input.clear();
                expected.clear();
                current = input;
            }
            else if (line.equals("--")) {
                current = expected;
            }
            else if (!line.isBlank()) {
                current.add(line);
            }
        }
        if (title != null) {
            cases.add(new PlannerCase(title, input, expected));
        }
        return cases;
    }

    List<String> write(List<String> plan)
    {
        return ImmutableList.<String>builder().add("== " + title).addAll(input).add("--").addAll(plan).build();
    }

    /** What the lines of an input come to. */
    static PlannerInput plannerInput(List<String> lines)
    {
        return new Reader().read(lines);
    }

    List<String> run()
    {
        MaintenancePlan plan = MaintenancePlanner.plan(plannerInput(input));
        List<String> lines = new ArrayList<>();
        for (Placement placement : plan.placements()) {
            Demand demand = placement.demand();
            lines.add("place %s %s on %s, %d bytes, %s: %s".formatted(
                    name(demand), demand.kind(), placement.executorId(), placement.reservedBytes(), demand.turnClass(), placement.why(NOW)));
        }
        List<String> deferrals = new ArrayList<>();
        Map<String, Integer> totals = new TreeMap<>();
        for (Deferral deferral : plan.deferrals()) {
            deferrals.add("defer %s %s %s: %s".formatted(name(deferral.demand()), deferral.demand().kind(), deferral.reason(), deferral.text()));
            totals.merge("%s %s: %s".formatted(deferral.demand().kind(), deferral.reason(), deferral.text()), 1, Integer::sum);
        }
        if (input.contains("show totals")) {
            totals.forEach((what, count) -> lines.add("defer %s times %s".formatted(count, what)));
        }
        else {
            deferrals.stream().sorted().forEach(lines::add);
        }
        plan.abandoned().forEach(assignment -> lines.add("abandoned %s on %s".formatted(assignment.operationId(), assignment.executorId())));
        return lines;
    }

    private static String name(Demand demand)
    {
        TableName name = demand.table().name();
        return name.catalog().equals("lake") && name.schema().equals("s") ? name.table() : name.toString();
    }

    /** Reads the lines of the input. */
    private static final class Reader
    {
        private final List<TableRecord> tables = new ArrayList<>();
        private final Map<String, TableRecord> byName = new HashMap<>();
        private final Map<String, EffectivePolicy> policies = new HashMap<>();
        private final Map<String, TableLedger> ledgers = new HashMap<>();
        private final Set<TableName> notGranted = new HashSet<>();
        private final List<ExecutorState> executors = new ArrayList<>();
        private final List<Assignment> assignments = new ArrayList<>();
        private final Set<String> locked = new HashSet<>();
        private final Map<String, CatalogOutage> outages = new HashMap<>();
        private final List<MaintenanceWindow> windows = new ArrayList<>();
        private PlannerSettings settings = PlannerSettings.DEFAULT;
        private long placedBytes;
        private int runs;

        PlannerInput read(List<String> lines)
        {
            for (String line : lines) {
                List<String> words = Splitter.on(' ').omitEmptyStrings().splitToList(line);
                List<String> rest = words.subList(1, words.size());
                switch (words.getFirst()) {
                    case "#", "show" -> {}
                    case "settings" -> settings(options(rest));
                    case "executor" -> executor(rest.getFirst(), options(rest.subList(1, rest.size())));
                    case "table" -> table(rest.getFirst(), options(rest.subList(1, rest.size())));
                    case "tables" -> IntStream.rangeClosed(1, Integer.parseInt(rest.get(0)))
                            .forEach(number -> table("%s%03d".formatted(rest.get(1), number), options(rest.subList(2, rest.size()))));
                    case "run" -> run(rest.get(0), rest.get(1), rest.get(2), options(rest.subList(3, rest.size())));
                    case "suspend" -> enter(new LedgerEvent.OperatorOrder(uuid(rest.get(0)), true, "alice", String.join(" ", rest.subList(2, rest.size())), ago(rest.get(1))));
                    case "resume" -> enter(new LedgerEvent.OperatorOrder(uuid(rest.get(0)), false, "alice", "", ago(rest.get(1))));
                    case "assign" -> assignments.add(new Assignment("run of " + rest.get(0), uuid(rest.get(0)), kind(rest.get(1)), rest.get(2), bytes(rest.get(3)), NOW.minusSeconds(60)));
                    case "window" -> windows.add(new MaintenanceWindow(
                            rest.get(0), WindowScope.parse(rest.get(0)), "restore", "alice", ago(rest.get(1)), Optional.empty(), Duration.ofSeconds(30), false, Optional.empty(), Optional.empty()));
                    case "outage" -> outages.put(rest.get(0), new CatalogOutage(ago(rest.get(1)), NOW.plusSeconds(60)));
                    case "placed" -> placedBytes = bytes(rest.get(0));
                    default -> throw new IllegalArgumentException("unknown line: " + line);
                }
            }
            return new PlannerInput(
                    NOW,
                    tables,
                    ledgers,
                    table -> policies.get(table.tableUuid()),
                    (name, _) -> !notGranted.contains(name),
                    executors,
                    assignments,
                    locked,
                    outages,
                    windows,
                    placedBytes,
                    settings);
        }

        private void settings(Map<String, String> options)
        {
            PlannerSettings known = PlannerSettings.DEFAULT;
            settings = new PlannerSettings(
                    known.costBytes(),
                    known.criticalFactor(),
                    duration(take(options, "max_turn_wait", "1h")),
                    duration(take(options, "housekeeping_turn_wait", "1d")),
                    Integer.parseInt(take(options, "max_consecutive_turns", "4")),
                    known.tailWait(),
                    bytes(take(options, "max_run", "32GB")),
                    Integer.parseInt(take(options, "per_minute", "10")),
                    Optional.ofNullable(options.remove("per_hour")).map(value -> OptionalLong.of(bytes(value))).orElse(OptionalLong.empty()),
                    known.backOffSteps(),
                    known.attentionAfter(),
                    options.remove("pause_in_windows") != null);
            checkEmpty(options);
        }

        private void executor(String id, Map<String, String> options)
        {
            Map<MaintenanceKind, Integer> slots = new EnumMap<>(MaintenanceKind.class);
            String given = options.remove("slots");
            if (given == null) {
                KINDS.values().forEach(kind -> slots.put(kind, 2));
            }
            else {
                Splitter.on(',').withKeyValueSeparator(':').split(given).forEach((kind, count) -> slots.put(kind(kind), Integer.parseInt(count)));
            }
            executors.add(new ExecutorState(
                    id,
                    NOW.plus(duration(take(options, "lease", "1m"))),
                    options.remove("closing") == null,
                    ImmutableSet.copyOf(Splitter.on(',').split(take(options, "catalogs", "lake"))),
                    slots,
                    bytes(take(options, "bytes", "100GB")),
                    Integer.parseInt(take(options, "placed", "0"))));
            checkEmpty(options);
        }

        private void table(String text, Map<String, String> options)
        {
            TableName name = tableName(text);
            String uuid = uuid(text);
            Instant commit = ago(take(options, "commit", "2d"));
            TableVersion version = new TableVersion(10, commit.toEpochMilli(), 3);
            List<KindRecord> kinds = new ArrayList<>();
            for (String observed : OBSERVED) {
                String debt = take(options, observed, "none");
                if (!debt.equals("unknown")) {
                    kinds.add(kindRecord(kind(observed), debt, version));
                }
            }
            Set<TableLimit> limits = EnumSet.noneOf(TableLimit.class);
            Optional.ofNullable(options.remove("limits")).ifPresent(given -> limits.add(TableLimit.valueOf(given)));
            TableRecord table = new TableRecord(
                    uuid,
                    new Sighting(name, NOW.toEpochMilli(), false),
                    ago(take(options, "seen", "0s")).toEpochMilli(),
                    Optional.of(new TableState(version, NOW.toEpochMilli(), "m", EventSource.SCAN, commit.toEpochMilli(), duration(take(options, "every", "0s")).toMillis(), limits)),
                    kinds);
            tables.add(table);
            byName.put(text, table);
            if (take(options, "granted", "yes").equals("no")) {
                notGranted.add(name);
            }
            if (options.remove("locked") != null) {
                locked.add(uuid);
            }
            String invalid = options.remove("invalid");
            policies.put(uuid, invalid == null ? new EffectivePolicy.Valid(policy(options)) : new EffectivePolicy.Invalid(invalid));
            checkEmpty(options);
        }

        private static KindRecord kindRecord(MaintenanceKind kind, String text, TableVersion version)
        {
            long time = version.lastUpdatedMillis();
            if (text.equals("none")) {
                return new KindRecord(kind, version, NOW.toEpochMilli(), Optional.empty(), time, ImmutableLongArray.of());
            }
            List<String> parts = Splitter.on('/').splitToList(text);
            long since = ago(parts.get(3)).toEpochMilli();
            boolean byClock = kind == MaintenanceKind.EXPIRE_SNAPSHOTS;
            Debt debt = new Debt(
                    kind,
                    Double.parseDouble(parts.get(0)),
                    Long.parseLong(parts.get(1)),
                    parts.get(2).equals("?") ? OptionalLong.empty() : OptionalLong.of(bytes(parts.get(2))),
                    Certainty.EXACT,
                    byClock ? OptionalLong.of(since) : OptionalLong.empty());
            return new KindRecord(
                    kind,
                    version,
                    NOW.toEpochMilli(),
                    Optional.of(debt),
                    debt.isWhole() || byClock ? KindRecord.NEVER : time,
                    debt.isWhole() && !byClock ? ImmutableLongArray.of(since) : ImmutableLongArray.of());
        }

        private static TablePolicy policy(Map<String, String> options)
        {
            TablePolicy known = TablePolicy.DEFAULT;
            Set<MaintenanceKind> kinds = EnumSet.copyOf(known.kinds());
            String given = options.remove("kinds");
            if (given != null) {
                kinds.clear();
                Splitter.on(',').split(given).forEach(kind -> kinds.add(kind(kind)));
            }
            Optional<RetentionPolicy> retention = Optional.ofNullable(options.remove("retention")).map(_ -> new RetentionPolicy("day", Duration.ofDays(90), false));
            Optional<RefreshPolicy> refresh = Optional.ofNullable(options.remove("refresh")).map(every -> new RefreshPolicy.Every(duration(every)));
            retention.ifPresent(_ -> kinds.add(MaintenanceKind.RETENTION));
            refresh.ifPresent(_ -> kinds.add(MaintenanceKind.REFRESH_MATERIALIZED_VIEW));
            return new TablePolicy(
                    take(options, "enabled", "yes").equals("yes"),
                    Integer.parseInt(take(options, "priority", "5")),
                    kinds,
                    known.rewrite(),
                    known.manifests(),
                    known.snapshots(),
                    known.orphans(),
                    known.analyze(),
                    retention,
                    refresh);
        }

        private void run(String name, String kind, String outcome, Map<String, String> options)
        {
            TableVersion version = byName.get(name).state().orElseThrow().version();
            boolean unseen = options.remove("unseen") != null;
            Instant last = ago(take(options, "ended", "1m"));
            int times = Integer.parseInt(take(options, "times", "1"));
            long fingerprint = policies.get(uuid(name)) instanceof EffectivePolicy.Valid(TablePolicy policy) ? PolicyFingerprint.of(policy) : 0;
            checkEmpty(options);
            for (int back = times - 1; back >= 0; back--) {
                Instant ended = last.minusSeconds(60L * back);
                enter(new LedgerEvent.RunEnded(new RunRecord(
                        "run " + runs++,
                        uuid(name),
                        kind(kind),
                        "e1",
                        ended.minusSeconds(30),
                        ended,
                        unseen ? new TableVersion(version.sequenceNumber() - 1, version.lastUpdatedMillis() - 1, 2) : version,
                        fingerprint,
                        0,
                        outcome.equals("ok") ? Optional.empty() : Optional.of(FailureCode.valueOf(outcome)),
                        "")));
            }
        }

        private void enter(LedgerEvent event)
        {
            ledgers.put(event.tableUuid(), LedgerFold.fold(Optional.ofNullable(ledgers.get(event.tableUuid())), event));
        }

        private static Map<String, String> options(List<String> words)
        {
            Map<String, String> options = new LinkedHashMap<>();
            for (String word : words) {
                int split = word.indexOf('=');
                checkArgument(options.put(split < 0 ? word : word.substring(0, split), split < 0 ? "" : word.substring(split + 1)) == null, "twice: %s", word);
            }
            return options;
        }

        private static String take(Map<String, String> options, String name, String other)
        {
            String value = options.remove(name);
            return value == null ? other : value;
        }

        private static void checkEmpty(Map<String, String> options)
        {
            checkArgument(options.isEmpty(), "unknown options: %s", options);
        }

        private static TableName tableName(String text)
        {
            List<String> parts = Splitter.on('.').splitToList(text);
            return parts.size() == 1 ? new TableName("lake", "s", text) : new TableName(parts.get(0), parts.get(1), parts.get(2));
        }

        private static String uuid(String text)
        {
            return "uuid of " + text;
        }

        private static MaintenanceKind kind(String text)
        {
            checkArgument(KINDS.containsKey(text), "unknown kind: %s", text);
            return KINDS.get(text);
        }

        private static Instant ago(String text)
        {
            return NOW.minus(duration(text));
        }

        private static Duration duration(String text)
        {
            if (text.startsWith("-")) {
                return duration(text.substring(1)).negated();
            }
            return Duration.parse((text.endsWith("d") ? "P" : "PT") + text);
        }

        private static long bytes(String text)
        {
            for (String unit : Arrays.asList("kB", "MB", "GB", "TB")) {
                if (text.endsWith(unit)) {
                    return Long.parseLong(text.substring(0, text.length() - 2)) << (10 * (1 + "kMGT".indexOf(unit.charAt(0))));
                }
            }
            return Long.parseLong(text);
        }
    }
}
