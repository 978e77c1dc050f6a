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
package org.lakesteward.systemtables.policy;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.testing.TestingConnectorSession;
import org.lakesteward.planner.health.TableName;
import org.lakesteward.planner.policy.NamePattern;
import org.lakesteward.planner.policy.OperatorPolicies;
import org.lakesteward.planner.policy.OperatorPolicies.PatternEntries;
import org.lakesteward.planner.policy.PolicyEntry;
import org.lakesteward.planner.policy.PolicyResolver;
import org.lakesteward.systemtables.TableFilter;
import org.lakesteward.systemtables.policy.PolicyList.NamedPolicy;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.connector.SystemTable.Distribution.SINGLE_COORDINATOR;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;

public class TestPolicyTables
{
    private static final OperatorPolicies OPERATOR = new OperatorPolicies(
            ImmutableMap.of("maintenance.analyze.enabled", "false"),
            List.of(new PatternEntries(NamePattern.of("lake", "*", "*"), ImmutableMap.of("maintenance.priority", "7"))));

    private static final NamedPolicy ORDERS = policy("orders", ImmutableMap.of("maintenance.enabled", "true"));
    private static final NamedPolicy PARTS = policy("parts", ImmutableMap.of("maintenance.enabled", "yes", "maintenance.foo", "1"));

    @Test
    public void testColumns()
    {
        SystemTable table = PolicyTables.policies(TESTING_TYPE_MANAGER, _ -> List.of());
        assertThat(table.getDistribution()).isEqualTo(SINGLE_COORDINATOR);
        assertThat(table.getTableMetadata().getTable()).hasToString("system.policies");
        assertThat(table.getTableMetadata().getColumns()).extracting(ColumnMetadata::getName)
                .containsExactly("table_catalog", "table_schema", "table_name", "entry", "value", "source", "valid", "reason");
        assertThat(read(table, TupleDomain.all())).isEmpty();
    }

    @Test
    public void testValidPolicyHasARowForEachEntry()
    {
        List<List<Object>> rows = read(PolicyTables.policies(TESTING_TYPE_MANAGER, _ -> List.of(ORDERS)), TupleDomain.all());

        assertThat(rows).extracting(row -> row.get(3)).containsExactlyElementsOf(PolicyEntry.all().stream().map(PolicyEntry::name).toList());
        assertThat(rows).contains(
                row("orders", "maintenance.enabled", "true", "table", true, null),
                row("orders", "maintenance.priority", "7", "pattern lake.*.*", true, null),
                row("orders", "maintenance.analyze.enabled", "false", "defaults", true, null),
                row("orders", "maintenance.snapshots.max-age", "7d", "built-in", true, null),
                row("orders", "maintenance.refresh.schedule", null, "built-in", true, null));
    }

    @Test
    public void testInvalidPolicyHasARowForEachReason()
    {
        assertThat(read(PolicyTables.policies(TESTING_TYPE_MANAGER, _ -> List.of(PARTS)), TupleDomain.all())).containsExactly(
                row("parts", "maintenance.enabled", "yes", "table", false, "maintenance.enabled is 'yes' in the properties of the table: it must be true or false"),
                row("parts", "maintenance.foo", "1", "table", false, "'maintenance.foo' is set in the properties of the table: there is no entry of that name"));
    }

    @Test
    public void testFileThatCannotBeFollowed()
    {
        NamedPolicy policy = new NamedPolicy(ORDERS.table(), PolicyResolver.resolve(OperatorPolicies.unreadable("it is empty"), ORDERS.table(), ImmutableMap.of()));
        assertThat(read(PolicyTables.policies(TESTING_TYPE_MANAGER, _ -> List.of(policy)), TupleDomain.all())).containsExactly(
                row("orders", null, null, "policy file", false, "The policy file cannot be followed: it is empty"));
    }

    @Test
    public void testConditionsReachTheList()
    {
        List<TableFilter> filters = new ArrayList<>();
        SystemTable table = PolicyTables.policies(TESTING_TYPE_MANAGER, filter -> {
            filters.add(filter);
            return List.of(ORDERS, PARTS);
        });

        List<List<Object>> rows = read(table, TupleDomain.withColumnDomains(ImmutableMap.of(
                1, Domain.singleValue(VARCHAR, utf8Slice("sales")),
                2, Domain.singleValue(VARCHAR, utf8Slice("parts")))));

        assertThat(filters).containsExactly(new TableFilter(Optional.empty(), Optional.of(Set.of("sales")), Optional.of(Set.of("parts"))));
        assertThat(rows).hasSize(2).allSatisfy(row -> assertThat(row.get(2)).isEqualTo("parts"));
    }

    /** A listing of a large lake is not made in memory before its first row. */
    @Test
    public void testPoliciesAreMadeAsTheyAreRead()
    {
        AtomicInteger made = new AtomicInteger();
        SystemTable table = PolicyTables.policies(TESTING_TYPE_MANAGER, _ -> Iterables.transform(range(0, 100_000).boxed().toList(), i -> {
            made.incrementAndGet();
            return policy("t" + i, ImmutableMap.of());
        }));

        try (RecordCursor cursor = table.cursor(null, TestingConnectorSession.SESSION, TupleDomain.all())) {
            for (int i = 0; i < 5 * PolicyEntry.all().size(); i++) {
                assertThat(cursor.advanceNextPosition()).isTrue();
            }
            assertThat(cursor.getSlice(2).toStringUtf8()).isEqualTo("t4");
        }
        assertThat(made).hasValueLessThan(10);
    }

    private static NamedPolicy policy(String table, Map<String, String> properties)
    {
        TableName name = new TableName("lake", "sales", table);
        return new NamedPolicy(name, PolicyResolver.resolve(OPERATOR, name, properties));
    }

    private static List<Object> row(String table, String entry, String value, String source, boolean valid, String reason)
    {
        List<Object> row = new ArrayList<>(List.of("lake", "sales", table));
        row.add(entry);
        row.add(value);
        row.add(source);
        row.add(valid);
        row.add(reason);
        return row;
    }

    private static List<List<Object>> read(SystemTable table, TupleDomain<Integer> constraint)
    {
        List<List<Object>> rows = new ArrayList<>();
        try (RecordCursor cursor = table.cursor(null, TestingConnectorSession.SESSION, constraint)) {
            while (cursor.advanceNextPosition()) {
                List<Object> row = new ArrayList<>();
                for (int i = 0; i < table.getTableMetadata().getColumns().size(); i++) {
                    if (cursor.isNull(i)) {
                        row.add(null);
                    }
                    else if (cursor.getType(i) == VARCHAR) {
                        row.add(cursor.getSlice(i).toStringUtf8());
                    }
                    else {
                        row.add(cursor.getBoolean(i));
                    }
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
