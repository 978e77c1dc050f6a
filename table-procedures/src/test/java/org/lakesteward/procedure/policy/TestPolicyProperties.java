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
package org.lakesteward.procedure.policy;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.session.PropertyMetadata;
import org.lakesteward.planner.policy.PolicyEntry;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Map;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.policy.PolicyProperties.MATERIALIZED_VIEW;
import static org.lakesteward.procedure.policy.PolicyProperties.TABLE;

public class TestPolicyProperties
{
    private static final String ALLOWED = "iceberg.allowed-extra-properties";
    private static final String NAMES = PolicyEntry.all().stream().map(PolicyEntry::name).collect(joining(","));

    @Test
    public void testProperties()
    {
        assertThat(TABLE.with(List.of())).extracting(PropertyMetadata::getName)
                .startsWith("maintenance_enabled", "maintenance_priority", "maintenance_rewrite_enabled", "maintenance_rewrite_strategy", "maintenance_rewrite_target_file_size")
                .contains("maintenance_retention_allow_row_deletes")
                .doesNotContain("maintenance_refresh_schedule")
                .hasSize(PolicyEntry.all().size() - 1);
        assertThat(MATERIALIZED_VIEW.with(List.of())).extracting(PropertyMetadata::getName)
                .contains("maintenance_enabled", "maintenance_refresh_schedule")
                .doesNotContain("maintenance_retention_column", "maintenance_retention_max_age", "maintenance_retention_allow_row_deletes")
                .hasSize(PolicyEntry.all().size() - 3);
        // what is not set on the table is for the operator to say
        assertThat(TABLE.with(List.of())).allSatisfy(property -> assertThat(property.getDefaultValue()).isNull());
    }

    @Test
    public void testValues()
    {
        assertThat(TABLE.values(ImmutableMap.<String, String>builder()
                .put("maintenance.enabled", "TRUE")
                .put("maintenance.priority", "7")
                .put("maintenance.analyze.changed-rows-ratio", "0.25")
                .put("maintenance.snapshots.max-age", "7.0d")
                .put("maintenance.rewrite.target-file-size", "1024kB")
                .put("write.format.default", "orc")
                // what no statement could set
                .put("maintenance.rewrite.min-input-files", "1")
                .put("maintenance.orphans.enabled", "yes")
                .put("maintenance.foo", "1")
                .put("maintenance.refresh.schedule", "15m")
                .buildOrThrow())).isEqualTo(Map.of(
                "maintenance_enabled", true,
                "maintenance_priority", 7,
                "maintenance_analyze_changed_rows_ratio", 0.25,
                "maintenance_snapshots_max_age", "7.0d",
                "maintenance_rewrite_target_file_size", "1024kB"));
    }

    @DataProvider
    public static Object[][] allowed()
    {
        return new Object[][] {
                {Map.of(), NAMES},
                {Map.of(ALLOWED, ""), NAMES},
                {Map.of(ALLOWED, "owner.team, read.split.target-size"), "owner.team,read.split.target-size," + NAMES},
                {Map.of(ALLOWED, "*"), "*"},
                {Map.of(ALLOWED, " * "), " * "},
        };
    }

    @Test(dataProvider = "allowed")
    public void testAllow(Map<String, String> config, String allowed)
    {
        assertThat(PolicyProperties.allow(config)).isEqualTo(Map.of(ALLOWED, allowed));
    }
}
