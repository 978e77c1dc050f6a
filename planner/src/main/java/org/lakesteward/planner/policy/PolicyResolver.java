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
package org.lakesteward.planner.policy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.health.TableName;
import org.lakesteward.planner.policy.OperatorPolicies.PatternEntries;
import org.lakesteward.planner.policy.ResolvedPolicy.Setting;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static org.lakesteward.planner.policy.PolicyEntry.RETENTION_COLUMN;
import static org.lakesteward.planner.policy.PolicyEntry.RETENTION_MAX_AGE;

/**
 * Puts together what the owner and the operator want for a table. Each entry comes from the table's properties, or else from the most
 * specific pattern of the operator's file that sets it, or else from the file's defaults, or else from the built-in default.
 * <p>
 * Nothing falls back silently: an entry that is unknown or out of its range, wherever it stands, leaves the tables that it is about
 * without a policy, also when a better place has a good value for it.
 */
public final class PolicyResolver
{
    private PolicyResolver() {}

    /**
     * @param properties the Iceberg properties of the table; those that are no entries are not looked at
     */
    public static ResolvedPolicy resolve(OperatorPolicies operator, TableName table, Map<String, String> properties)
    {
        Map<String, String> own = ImmutableSortedMap.copyOf(Maps.filterKeys(properties, PolicyEntry::isReserved));
        List<PatternEntries> patterns = operator.patternsFor(table);

        ImmutableList.Builder<PolicyProblem> problems = ImmutableList.builder();
        problems.addAll(check(own, new PolicySource.Table()));
        patterns.forEach(pattern -> problems.addAll(check(pattern.entries(), new PolicySource.Pattern(pattern.pattern()))));
        problems.addAll(check(operator.defaults(), new PolicySource.Defaults()));
        operator.failure().map(PolicyProblem::ofFile).ifPresent(problems::add);

        Map<PolicyEntry<?>, Setting> settings = settings(own, patterns, operator.defaults());
        checkPair(settings, RETENTION_COLUMN, RETENTION_MAX_AGE).ifPresent(problems::add);
        checkPair(settings, RETENTION_MAX_AGE, RETENTION_COLUMN).ifPresent(problems::add);

        List<PolicyProblem> found = problems.build();
        if (!found.isEmpty()) {
            boolean enabled = Optional.ofNullable(own.get(PolicyEntry.ENABLED.name()))
                    .flatMap(PolicyEntry.ENABLED.type()::parse)
                    .orElse(false);
            return new ResolvedPolicy.Invalid(found, enabled);
        }
        return new ResolvedPolicy.Effective(policy(settings), settings);
    }

    /** What is wrong with entries that stand in one place, in their order. */
    static List<PolicyProblem> check(Map<String, String> entries, PolicySource source)
    {
        ImmutableList.Builder<PolicyProblem> problems = ImmutableList.builder();
        entries.forEach((name, value) -> check(name, value, source).ifPresent(problems::add));
        return problems.build();
    }

    private static Optional<PolicyProblem> check(String name, String value, PolicySource source)
    {
        Optional<PolicyEntry<?>> entry = PolicyEntry.find(name);
        if (entry.isEmpty()) {
            return Optional.of(PolicyProblem.ofUnknown(name, value, source));
        }
        if (entry.get().isOwnersAlone() && !(source instanceof PolicySource.Table)) {
            return Optional.of(PolicyProblem.ofOwnersAlone(entry.get(), value, source));
        }
        if (entry.get().type().parse(value).isEmpty()) {
            return Optional.of(PolicyProblem.ofValue(entry.get(), value, source));
        }
        return Optional.empty();
    }

    private static Optional<PolicyProblem> checkPair(Map<PolicyEntry<?>, Setting> settings, PolicyEntry<?> set, PolicyEntry<?> other)
    {
        if (settings.get(set).value().isEmpty() || settings.get(other).value().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(PolicyProblem.ofMissing(other, set, settings.get(set).source()));
    }

    private static Map<PolicyEntry<?>, Setting> settings(Map<String, String> own, List<PatternEntries> patterns, Map<String, String> defaults)
    {
        ImmutableMap.Builder<PolicyEntry<?>, Setting> settings = ImmutableMap.builder();
        for (PolicyEntry<?> entry : PolicyEntry.all()) {
            settings.put(entry, setting(entry, own, patterns, defaults));
        }
        return settings.buildOrThrow();
    }

    private static Setting setting(PolicyEntry<?> entry, Map<String, String> own, List<PatternEntries> patterns, Map<String, String> defaults)
    {
        String name = entry.name();
        if (own.containsKey(name)) {
            return new Setting(Optional.of(own.get(name)), new PolicySource.Table());
        }
        for (PatternEntries pattern : patterns) {
            if (pattern.entries().containsKey(name)) {
                return new Setting(Optional.of(pattern.entries().get(name)), new PolicySource.Pattern(pattern.pattern()));
            }
        }
        if (defaults.containsKey(name)) {
            return new Setting(Optional.of(defaults.get(name)), new PolicySource.Defaults());
        }
        return new Setting(entry.defaultText(), new PolicySource.BuiltIn());
    }

    private static TablePolicy policy(Map<PolicyEntry<?>, Setting> settings)
    {
        Values values = new Values(settings);
        Optional<RetentionPolicy> retention = values.find(RETENTION_COLUMN)
                .map(column -> new RetentionPolicy(column, values.get(RETENTION_MAX_AGE), values.get(PolicyEntry.RETENTION_ALLOW_ROW_DELETES)));
        Optional<RefreshPolicy> refresh = values.find(PolicyEntry.REFRESH_SCHEDULE);

        ImmutableSet.Builder<MaintenanceKind> kinds = ImmutableSet.builder();
        values.kind(PolicyEntry.REWRITE_ENABLED).ifPresent(kinds::add);
        values.kind(PolicyEntry.MANIFESTS_ENABLED).ifPresent(kinds::add);
        values.kind(PolicyEntry.SNAPSHOTS_ENABLED).ifPresent(kinds::add);
        values.kind(PolicyEntry.ORPHANS_ENABLED).ifPresent(kinds::add);
        values.kind(PolicyEntry.ANALYZE_ENABLED).ifPresent(kinds::add);
        retention.map(_ -> MaintenanceKind.RETENTION).ifPresent(kinds::add);
        refresh.map(_ -> MaintenanceKind.REFRESH_MATERIALIZED_VIEW).ifPresent(kinds::add);

        return new TablePolicy(
                values.get(PolicyEntry.ENABLED),
                values.get(PolicyEntry.PRIORITY),
                kinds.build(),
                new RewritePolicy(
                        values.get(PolicyEntry.REWRITE_STRATEGY),
                        values.find(PolicyEntry.REWRITE_TARGET_FILE_SIZE).map(OptionalLong::of).orElseGet(OptionalLong::empty),
                        values.get(PolicyEntry.REWRITE_MIN_INPUT_FILES)),
                new ManifestPolicy(values.get(PolicyEntry.MANIFESTS_MIN_COUNT)),
                new SnapshotPolicy(values.get(PolicyEntry.SNAPSHOTS_MAX_AGE), values.get(PolicyEntry.SNAPSHOTS_MIN_COUNT)),
                new OrphanPolicy(values.get(PolicyEntry.ORPHANS_MIN_AGE), values.get(PolicyEntry.ORPHANS_INTERVAL)),
                new AnalyzePolicy(values.get(PolicyEntry.ANALYZE_CHANGED_ROWS_RATIO)),
                retention,
                refresh);
    }

    /** Settings that were checked. */
    private record Values(Map<PolicyEntry<?>, Setting> settings)
    {
        <T> Optional<T> find(PolicyEntry<T> entry)
        {
            return settings.get(entry).value().map(text -> entry.type().parse(text).orElseThrow());
        }

        <T> T get(PolicyEntry<T> entry)
        {
            return find(entry).orElseThrow();
        }

        Optional<MaintenanceKind> kind(PolicyEntry<Boolean> enabled)
        {
            return get(enabled) ? enabled.kind() : Optional.empty();
        }
    }
}
