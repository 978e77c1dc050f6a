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
import com.google.common.collect.ImmutableSet;
import io.trino.spi.TrinoException;
import org.testng.annotations.Test;

import java.util.Map;
import java.util.Optional;

import static io.trino.plugin.iceberg.IcebergTableProperties.EXTRA_PROPERTIES_PROPERTY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.procedure.policy.PolicyProperties.MATERIALIZED_VIEW;
import static org.lakesteward.procedure.policy.PolicyProperties.TABLE;

public class TestPolicyChange
{
    @Test
    public void testStockAlone()
    {
        Map<String, Optional<Object>> properties = ImmutableMap.of(
                "format", Optional.of("ORC"),
                "data_location", Optional.empty(),
                EXTRA_PROPERTIES_PROPERTY, Optional.of(ImmutableMap.of("owner", "me")));
        PolicyChange change = PolicyChange.of(TABLE, properties);
        assertThat(change.isEmpty()).isTrue();
        assertThat(change.stockWithSet()).isEqualTo(properties);

        // also what the stock connector refuses
        Map<String, Optional<Object>> noExtra = ImmutableMap.of(EXTRA_PROPERTIES_PROPERTY, Optional.empty());
        assertThat(PolicyChange.of(TABLE, noExtra).stockWithSet()).isEqualTo(noExtra);
        Map<String, Optional<Object>> emptyExtra = ImmutableMap.of(EXTRA_PROPERTIES_PROPERTY, Optional.of(ImmutableMap.of()));
        assertThat(PolicyChange.of(TABLE, emptyExtra).stockWithSet()).isEqualTo(emptyExtra);
    }

    @Test
    public void testAllSorts()
    {
        PolicyChange change = PolicyChange.of(TABLE, ImmutableMap.of(
                "maintenance_enabled", Optional.of(true),
                "maintenance_rewrite_min_input_files", Optional.of(8),
                "maintenance_priority", Optional.empty(),
                "format", Optional.of("ORC"),
                EXTRA_PROPERTIES_PROPERTY, Optional.of(ImmutableMap.of("owner", "me", "maintenance.orphans.min-age", "9d"))));

        assertThat(change.set()).isEqualTo(ImmutableMap.of(
                "maintenance.enabled", "true",
                "maintenance.rewrite.min-input-files", "8",
                "maintenance.orphans.min-age", "9d"));
        assertThat(change.removed()).isEqualTo(ImmutableSet.of("maintenance.priority"));
        assertThat(change.stock()).isEqualTo(ImmutableMap.of("format", Optional.of("ORC"), EXTRA_PROPERTIES_PROPERTY, Optional.of(ImmutableMap.of("owner", "me"))));
        assertThat(change.stockWithSet().get(EXTRA_PROPERTIES_PROPERTY).orElseThrow()).isEqualTo(ImmutableMap.of(
                "owner", "me",
                "maintenance.enabled", "true",
                "maintenance.rewrite.min-input-files", "8",
                "maintenance.orphans.min-age", "9d"));
    }

    /** Then a statement that removes entries needs nothing of the stock connector. */
    @Test
    public void testExtraPropertiesOfEntriesAlone()
    {
        assertThat(PolicyChange.of(TABLE, ImmutableMap.of(EXTRA_PROPERTIES_PROPERTY, Optional.of(ImmutableMap.of("maintenance.enabled", "true")))).stock()).isEmpty();
    }

    /** The stock connector has an error for it. */
    @Test
    public void testSetBesideExtraPropertiesWithoutValue()
    {
        assertThat(PolicyChange.of(TABLE, ImmutableMap.of("maintenance_enabled", Optional.of(true), EXTRA_PROPERTIES_PROPERTY, Optional.empty())).stockWithSet())
                .isEqualTo(ImmutableMap.of(EXTRA_PROPERTIES_PROPERTY, Optional.empty()));
    }

    @Test
    public void testWrongExtraProperties()
    {
        assertRefused(TABLE, ImmutableMap.of(), ImmutableMap.of("maintenance.foo", "1"), "'maintenance.foo' in extra_properties: there is no entry of that name in the maintenance policies of tables");
        assertRefused(TABLE, ImmutableMap.of(), ImmutableMap.of("maintenance.refresh.schedule", "1h"), "'maintenance.refresh.schedule' in extra_properties: there is no entry of that name in the maintenance policies of tables");
        assertRefused(MATERIALIZED_VIEW, ImmutableMap.of(), ImmutableMap.of("maintenance.retention.max-age", "9d"), "'maintenance.retention.max-age' in extra_properties: there is no entry of that name in the maintenance policies of materialized views");
        assertRefused(TABLE, ImmutableMap.of(), ImmutableMap.of("maintenance.priority", "0"), "maintenance.priority is '0': it must be a whole number from 1 to 10");
        assertRefused(TABLE, ImmutableMap.of("maintenance_priority", Optional.of(5)), ImmutableMap.of("maintenance.priority", "5"), "maintenance.priority is set twice: by a property and by extra_properties");
        assertRefused(TABLE, ImmutableMap.of("maintenance_priority", Optional.empty()), ImmutableMap.of("maintenance.priority", "5"), "maintenance.priority is set twice: by a property and by extra_properties");
    }

    private static void assertRefused(PolicyProperties kind, Map<String, Optional<Object>> properties, Map<String, String> extraProperties, String message)
    {
        Map<String, Optional<Object>> all = ImmutableMap.<String, Optional<Object>>builder()
                .putAll(properties)
                .put(EXTRA_PROPERTIES_PROPERTY, Optional.of(extraProperties))
                .buildOrThrow();
        assertThatThrownBy(() -> PolicyChange.of(kind, all))
                .isInstanceOf(TrinoException.class)
                .hasMessage(message);
    }
}
