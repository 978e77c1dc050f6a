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
import org.lakesteward.planner.health.TableName;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

public class TestPolicyEntry
{
    private static final TableName TABLE = new TableName("lake", "sales", "orders");

    /** Texts at both ends of each range, and some that are out of it. */
    private static final Map<String, Values> VALUES = ImmutableMap.<String, Values>builder()
            .put("maintenance.enabled", flag())
            .put("maintenance.priority", new Values(List.of("1", "5", "10"), List.of("0", "11", "-1", "5.0", "", " 5", "high", "99999999999999999999")))
            .put("maintenance.rewrite.enabled", flag())
            .put("maintenance.rewrite.strategy", new Values(List.of("binpack", "sort", "SORT"), List.of("zorder", "", "bin-pack", " sort")))
            .put("maintenance.rewrite.target-file-size", new Values(List.of("1MB", "1048576B", "512MB", "1.5GB"), List.of("1048575B", "512", "512mb", "-1MB", "")))
            .put("maintenance.rewrite.min-input-files", new Values(List.of("2", "2147483647"), List.of("1", "2147483648", "-2", "two")))
            .put("maintenance.manifests.enabled", flag())
            .put("maintenance.manifests.min-count", new Values(List.of("2", "2147483647"), List.of("1", "2147483648")))
            .put("maintenance.snapshots.enabled", flag())
            .put("maintenance.snapshots.max-age", new Values(List.of("1m", "60s", "36500d"), List.of("59s", "36501d", "7", "7 d", "-1d")))
            .put("maintenance.snapshots.min-count", new Values(List.of("1", "2147483647"), List.of("0", "2147483648")))
            .put("maintenance.orphans.enabled", flag())
            .put("maintenance.orphans.min-age", new Values(List.of("1d", "24h", "36500d"), List.of("23h", "0.99d", "36501d")))
            .put("maintenance.orphans.interval", new Values(List.of("1d", "36500d"), List.of("23h", "36501d")))
            .put("maintenance.analyze.enabled", flag())
            .put("maintenance.analyze.changed-rows-ratio", new Values(List.of("1", "1.0", "0.1", "1.0E-5", "0.0010000000000000002"), List.of("0", "0.0", "1.1", "-0.1", "NaN", "Infinity", "10%", ".5", "0.1f", "1e400")))
            .put("maintenance.retention.column", new Values(List.of("ts", "Order Date", "größe"), List.of("", " ", "a\nb", "a\u0000")))
            .put("maintenance.retention.max-age", new Values(List.of("1d", "36500d"), List.of("23h", "36501d")))
            .put("maintenance.retention.allow-row-deletes", flag())
            .put("maintenance.refresh.schedule", new Values(List.of("1m", "15m", "36500d", "0 3 * * *"), List.of("59s", "36501d", "daily", "0 3 * *", "0 25 * * *", "")))
            .buildOrThrow();

    private static Values flag()
    {
        return new Values(List.of("true", "false", "TRUE", "False"), List.of("", "yes", "1", "on", " true"));
    }

    private record Values(List<String> valid, List<String> invalid) {}

    @DataProvider
    public static Object[][] entries()
    {
        return PolicyEntry.all().stream().map(entry -> new Object[] {entry}).toArray(Object[][]::new);
    }

    @Test
    public void testTheListIsClosed()
    {
        assertThat(PolicyEntry.all()).extracting(PolicyEntry::name).containsExactlyElementsOf(VALUES.keySet());
    }

    @Test(dataProvider = "entries")
    public void testRange(PolicyEntry<?> entry)
    {
        for (String text : VALUES.get(entry.name()).valid()) {
            assertThat(entry.type().parse(text)).as("%s = %s", entry, text).isPresent();
            assertThat(entry.check(text)).as("%s = %s", entry, text).isEmpty();
            assertThat(PolicyResolver.resolve(OperatorPolicies.NONE, TABLE, together(entry, text))).as("%s = %s", entry, text).isInstanceOf(ResolvedPolicy.Effective.class);
        }
        for (String text : VALUES.get(entry.name()).invalid()) {
            assertThat(entry.type().parse(text)).as("%s = %s", entry, text).isEmpty();
            assertThat(entry.check(text).orElseThrow()).as("%s = %s", entry, text).startsWith(entry.name() + " is '").endsWith("': it must be " + entry.type().range());
        }
    }

    /** With what the entry needs beside it. */
    private static Map<String, String> together(PolicyEntry<?> entry, String text)
    {
        Map<String, String> properties = new HashMap<>();
        properties.put("maintenance.retention.column", "day");
        properties.put("maintenance.retention.max-age", "90d");
        properties.put(entry.name(), text);
        return properties;
    }

    @Test(dataProvider = "entries")
    public void testDefaultIsInRange(PolicyEntry<?> entry)
    {
        entry.defaultText().ifPresent(text -> assertThat(entry.type().parse(text)).as("%s = %s", entry, text).isPresent());
    }

    @Test
    public void testDefaultsAreThoseOfTheTablePolicy()
    {
        ResolvedPolicy policy = PolicyResolver.resolve(OperatorPolicies.NONE, TABLE, ImmutableMap.of());

        assertThat(((ResolvedPolicy.Effective) policy).policy()).isEqualTo(TablePolicy.DEFAULT);
    }

    /** No entry is read by nobody. */
    @Test(dataProvider = "entries")
    public void testEveryEntryChangesThePolicy(PolicyEntry<?> entry)
    {
        Set<TablePolicy> policies = new HashSet<>();
        for (String text : VALUES.get(entry.name()).valid()) {
            ResolvedPolicy policy = PolicyResolver.resolve(OperatorPolicies.NONE, TABLE, together(entry, text));
            policies.add(((ResolvedPolicy.Effective) policy).policy());
        }
        assertThat(policies).as("policies by %s", entry).hasSizeGreaterThan(1);
    }

    @Test(dataProvider = "entries")
    public void testFind(PolicyEntry<?> entry)
    {
        assertThat(PolicyEntry.find(entry.name())).hasValue(entry);
        assertThat(PolicyEntry.isReserved(entry.name())).isTrue();
        assertThat(entry.description()).isNotBlank().doesNotEndWith(".");
    }

    @Test
    public void testReserved()
    {
        assertThat(PolicyEntry.isReserved("Maintenance.Enabled")).isTrue();
        assertThat(PolicyEntry.isReserved("maintenance.")).isTrue();
        assertThat(PolicyEntry.isReserved("maintenance")).isFalse();
        assertThat(PolicyEntry.isReserved("maintenances.enabled")).isFalse();
        assertThat(PolicyEntry.isReserved("write.format.default")).isFalse();
        assertThat(PolicyEntry.find("Maintenance.Enabled")).isEmpty();
        assertThat(PolicyEntry.find("enabled")).isEmpty();
    }

    @Test
    public void testOnlyTheOwnersKeyIsTheOwnersAlone()
    {
        assertThat(PolicyEntry.all()).filteredOn(PolicyEntry::isOwnersAlone).isEqualTo(List.of(PolicyEntry.ENABLED));
    }

    @Test
    public void testMessagesShowLittleOfALongValue()
    {
        assertThat(PolicyEntry.PRIORITY.check("x\n".repeat(10_000)).orElseThrow())
                .startsWith("maintenance.priority is 'x x x")
                .endsWith("…': it must be a whole number from 1 to 10")
                .hasSizeLessThan(300);
        assertThat(PolicyEntry.PRIORITY.check("11")).isEqualTo(Optional.of("maintenance.priority is '11': it must be a whole number from 1 to 10"));
    }
}
