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

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.health.TableName;
import org.lakesteward.planner.policy.OperatorPolicies.PatternEntries;
import org.lakesteward.planner.policy.ResolvedPolicy.Effective;
import org.lakesteward.planner.policy.ResolvedPolicy.Invalid;
import org.lakesteward.planner.policy.ResolvedPolicy.Setting;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.lakesteward.planner.MaintenanceKind.ANALYZE;
import static org.lakesteward.planner.MaintenanceKind.EXPIRE_SNAPSHOTS;
import static org.lakesteward.planner.MaintenanceKind.REFRESH_MATERIALIZED_VIEW;
import static org.lakesteward.planner.MaintenanceKind.REMOVE_ORPHAN_FILES;
import static org.lakesteward.planner.MaintenanceKind.RETENTION;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_DATA_FILES;
import static org.lakesteward.planner.MaintenanceKind.REWRITE_MANIFESTS;

public class TestPolicyResolver
{
    private static final TableName TABLE = new TableName("lake", "sales", "orders");
    private static final NamePattern SCHEMA = NamePattern.of("lake", "sales", "*");
    private static final NamePattern CATALOG = NamePattern.of("lake", "*", "*");

    /** Every place sets the priority, one after the other is taken away. */
    @Test
    public void testPrecedence()
    {
        PatternEntries schema = new PatternEntries(SCHEMA, ImmutableMap.of("maintenance.priority", "3"));
        PatternEntries catalog = new PatternEntries(CATALOG, ImmutableMap.of("maintenance.priority", "4"));
        PatternEntries other = new PatternEntries(NamePattern.of("lake", "hr", "orders"), ImmutableMap.of("maintenance.priority", "9"));
        Map<String, String> defaults = ImmutableMap.of("maintenance.priority", "6");

        assertPriority(new OperatorPolicies(defaults, List.of(catalog, other, schema)), ImmutableMap.of("maintenance.priority", "2"), 2, new PolicySource.Table());
        assertPriority(new OperatorPolicies(defaults, List.of(catalog, other, schema)), ImmutableMap.of(), 3, new PolicySource.Pattern(SCHEMA));
        assertPriority(new OperatorPolicies(defaults, List.of(catalog, other)), ImmutableMap.of(), 4, new PolicySource.Pattern(CATALOG));
        assertPriority(new OperatorPolicies(defaults, List.of(other)), ImmutableMap.of(), 6, new PolicySource.Defaults());
        assertPriority(new OperatorPolicies(ImmutableMap.of(), List.of(other)), ImmutableMap.of(), 5, new PolicySource.BuiltIn());
    }

    private static void assertPriority(OperatorPolicies operator, Map<String, String> properties, int priority, PolicySource source)
    {
        Effective policy = effective(operator, properties);
        assertThat(policy.policy().priority()).isEqualTo(priority);
        assertThat(policy.settings().get(PolicyEntry.PRIORITY)).isEqualTo(new Setting(Optional.of(Integer.toString(priority)), source));
    }

    /** A pattern decides only about the entries that it sets. */
    @Test
    public void testEachEntryHasItsOwnSource()
    {
        Effective policy = effective(
                new OperatorPolicies(
                        ImmutableMap.of("maintenance.analyze.enabled", "false", "maintenance.snapshots.max-age", "9d"),
                        List.of(
                                new PatternEntries(SCHEMA, ImmutableMap.of("maintenance.snapshots.min-count", "4")),
                                new PatternEntries(CATALOG, ImmutableMap.of("maintenance.snapshots.min-count", "3", "maintenance.snapshots.max-age", "3d")))),
                ImmutableMap.of("maintenance.enabled", "true", "write.format.default", "orc"));

        assertThat(policy.policy().enabled()).isTrue();
        assertThat(policy.policy().snapshots()).isEqualTo(new SnapshotPolicy(Duration.ofDays(3), 4));
        assertThat(policy.policy().kinds()).containsExactly(REWRITE_DATA_FILES, REWRITE_MANIFESTS, EXPIRE_SNAPSHOTS, REMOVE_ORPHAN_FILES);
        assertThat(policy.settings().keySet()).containsExactlyElementsOf(PolicyEntry.all());
        assertThat(policy.settings().get(PolicyEntry.ENABLED).source()).hasToString("table");
        assertThat(policy.settings().get(PolicyEntry.SNAPSHOTS_MIN_COUNT).source()).hasToString("pattern lake.sales.*");
        assertThat(policy.settings().get(PolicyEntry.SNAPSHOTS_MAX_AGE).source()).hasToString("pattern lake.*.*");
        assertThat(policy.settings().get(PolicyEntry.ANALYZE_ENABLED).source()).hasToString("defaults");
        assertThat(policy.settings().get(PolicyEntry.PRIORITY).source()).hasToString("built-in");
        assertThat(policy.settings().get(PolicyEntry.REFRESH_SCHEDULE)).isEqualTo(new Setting(Optional.empty(), new PolicySource.BuiltIn()));
    }

    @Test
    public void testEverythingSet()
    {
        Effective policy = effective(OperatorPolicies.NONE, ImmutableMap.<String, String>builder()
                .put("maintenance.enabled", "TRUE")
                .put("maintenance.priority", "9")
                .put("maintenance.rewrite.enabled", "true")
                .put("maintenance.rewrite.strategy", "sort")
                .put("maintenance.rewrite.target-file-size", "128MB")
                .put("maintenance.rewrite.min-input-files", "8")
                .put("maintenance.manifests.enabled", "false")
                .put("maintenance.manifests.min-count", "50")
                .put("maintenance.snapshots.enabled", "true")
                .put("maintenance.snapshots.max-age", "36h")
                .put("maintenance.snapshots.min-count", "10")
                .put("maintenance.orphans.enabled", "true")
                .put("maintenance.orphans.min-age", "14d")
                .put("maintenance.orphans.interval", "30d")
                .put("maintenance.analyze.enabled", "true")
                .put("maintenance.analyze.changed-rows-ratio", "0.25")
                .put("maintenance.retention.column", "order_date")
                .put("maintenance.retention.max-age", "365d")
                .put("maintenance.retention.allow-row-deletes", "true")
                .put("maintenance.refresh.schedule", "15m")
                .buildOrThrow());

        assertThat(policy.policy()).isEqualTo(new TablePolicy(
                true,
                9,
                Sets.immutableEnumSet(REWRITE_DATA_FILES, EXPIRE_SNAPSHOTS, REMOVE_ORPHAN_FILES, ANALYZE, RETENTION, REFRESH_MATERIALIZED_VIEW),
                new RewritePolicy(RewritePolicy.Strategy.SORT, OptionalLong.of(128L << 20), 8),
                new ManifestPolicy(50),
                new SnapshotPolicy(Duration.ofHours(36), 10),
                new OrphanPolicy(Duration.ofDays(14), Duration.ofDays(30)),
                new AnalyzePolicy(0.25),
                Optional.of(new RetentionPolicy("order_date", Duration.ofDays(365), true)),
                Optional.of(new RefreshPolicy.Every(Duration.ofMinutes(15)))));
    }

    @DataProvider
    public static Object[][] switches()
    {
        return new Object[][] {
                {"maintenance.rewrite.enabled", REWRITE_DATA_FILES},
                {"maintenance.manifests.enabled", REWRITE_MANIFESTS},
                {"maintenance.snapshots.enabled", EXPIRE_SNAPSHOTS},
                {"maintenance.orphans.enabled", REMOVE_ORPHAN_FILES},
                {"maintenance.analyze.enabled", ANALYZE},
        };
    }

    @Test(dataProvider = "switches")
    public void testSwitchTakesItsKindAway(String entry, MaintenanceKind kind)
    {
        assertThat(effective(OperatorPolicies.NONE, ImmutableMap.of(entry, "false")).policy().kinds())
                .isEqualTo(Sets.difference(TablePolicy.DEFAULT.kinds(), Sets.immutableEnumSet(kind)));
    }

    @Test
    public void testCronSchedule()
    {
        assertThat(effective(OperatorPolicies.NONE, ImmutableMap.of("maintenance.refresh.schedule", "0 3 * * mon")).policy().refresh())
                .hasValue(new RefreshPolicy.Cron("0 3 * * mon"));
    }

    @Test
    public void testRetentionMayComeFromTwoPlaces()
    {
        OperatorPolicies operator = new OperatorPolicies(ImmutableMap.of("maintenance.retention.max-age", "30d"), List.of());
        assertThat(effective(operator, ImmutableMap.of("maintenance.retention.column", "ts")).policy().retention())
                .hasValue(new RetentionPolicy("ts", Duration.ofDays(30), false));
    }

    @Test
    public void testHalfARetention()
    {
        assertInvalid(OperatorPolicies.NONE, ImmutableMap.of("maintenance.retention.column", "ts"),
                "maintenance.retention.column is set in the properties of the table and maintenance.retention.max-age is nowhere: it takes both");
        assertInvalid(new OperatorPolicies(ImmutableMap.of("maintenance.retention.max-age", "30d"), List.of()), ImmutableMap.of(),
                "maintenance.retention.max-age is set in the defaults of the policy file and maintenance.retention.column is nowhere: it takes both");
    }

    @Test
    public void testUnknownAndInvalidEntriesOfTheTable()
    {
        assertInvalid(OperatorPolicies.NONE,
                ImmutableMap.of("maintenance.priority", "high", "maintenance.foo", "1", "Maintenance.Enabled", "true", "maintenance.", ""),
                "'Maintenance.Enabled' is set in the properties of the table: there is no entry of that name",
                "'maintenance.' is set in the properties of the table: there is no entry of that name",
                "'maintenance.foo' is set in the properties of the table: there is no entry of that name",
                "maintenance.priority is 'high' in the properties of the table: it must be a whole number from 1 to 10");
    }

    /** A better value in a better place does not make a mistake good. */
    @Test
    public void testMistakesOfTheOperatorAreNotCoveredByTheTable()
    {
        OperatorPolicies operator = new OperatorPolicies(
                ImmutableMap.of("maintenance.orphans.min-age", "1h"),
                List.of(
                        new PatternEntries(SCHEMA, ImmutableMap.of("maintenance.priority", "0")),
                        new PatternEntries(NamePattern.of("lake", "hr", "*"), ImmutableMap.of("maintenance.priority", "-1"))));
        assertInvalid(operator, ImmutableMap.of("maintenance.priority", "2", "maintenance.orphans.min-age", "2d"),
                "maintenance.priority is '0' for lake.sales.* in the policy file: it must be a whole number from 1 to 10",
                "maintenance.orphans.min-age is '1h' in the defaults of the policy file: it must be a duration from 1d to 36500d, such as 7d");
    }

    /** A mistake is the business of the tables that it is about. */
    @Test
    public void testMistakeForOtherTables()
    {
        OperatorPolicies operator = new OperatorPolicies(ImmutableMap.of(), List.of(new PatternEntries(NamePattern.of("lake", "hr", "*"), ImmutableMap.of("maintenance.foo", "1"))));
        assertThat(effective(operator, ImmutableMap.of()).policy()).isEqualTo(TablePolicy.DEFAULT);
        assertThat(PolicyResolver.resolve(operator, new TableName("lake", "hr", "people"), ImmutableMap.of())).isInstanceOf(Invalid.class);
    }

    @Test
    public void testOperatorCannotTurnTheOwnersKey()
    {
        for (String value : List.of("true", "false")) {
            assertInvalid(new OperatorPolicies(ImmutableMap.of("maintenance.enabled", value), List.of()), ImmutableMap.of(),
                    "maintenance.enabled is set in the defaults of the policy file: it is the owner's, and can only be a property of the table");
            assertInvalid(new OperatorPolicies(ImmutableMap.of(), List.of(new PatternEntries(SCHEMA, ImmutableMap.of("maintenance.enabled", value)))), ImmutableMap.of(),
                    "maintenance.enabled is set for lake.sales.* in the policy file: it is the owner's, and can only be a property of the table");
        }
    }

    @Test
    public void testUnreadableFileLeavesNoTableAPolicy()
    {
        assertInvalid(OperatorPolicies.unreadable("line 3 is no JSON"), ImmutableMap.of("maintenance.enabled", "true"),
                "The policy file cannot be followed: line 3 is no JSON");
    }

    @Test
    public void testOwnersKeyIsKnownOfAnInvalidPolicy()
    {
        OperatorPolicies operator = OperatorPolicies.unreadable("gone");
        assertThat(PolicyResolver.resolve(operator, TABLE, ImmutableMap.of("maintenance.enabled", "true"))).asInstanceOf(type(Invalid.class)).returns(true, Invalid::enabled);
        assertThat(PolicyResolver.resolve(operator, TABLE, ImmutableMap.of("maintenance.enabled", "yes"))).asInstanceOf(type(Invalid.class)).returns(false, Invalid::enabled);
        assertThat(PolicyResolver.resolve(operator, TABLE, ImmutableMap.of())).asInstanceOf(type(Invalid.class)).returns(false, Invalid::enabled);
    }

    private static Effective effective(OperatorPolicies operator, Map<String, String> properties)
    {
        ResolvedPolicy policy = PolicyResolver.resolve(operator, TABLE, properties);
        assertThat(policy).isInstanceOf(Effective.class);
        return (Effective) policy;
    }

    private static void assertInvalid(OperatorPolicies operator, Map<String, String> properties, String... reasons)
    {
        ResolvedPolicy policy = PolicyResolver.resolve(operator, TABLE, properties);
        assertThat(policy).isInstanceOf(Invalid.class);
        assertThat(((Invalid) policy).problems()).extracting(PolicyProblem::reason).containsExactly(reasons);
    }
}
