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

import com.google.common.collect.FluentIterable;
import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.TypeManager;
import org.lakesteward.systemtables.ColumnTypes;
import org.lakesteward.systemtables.RowsTable;
import org.lakesteward.systemtables.TableFilter;

/**
 * The table about policies.
 */
public final class PolicyTables
{
    public static final SchemaTableName POLICIES = new SchemaTableName("system", "policies");

    private PolicyTables() {}

    /**
     * Rows come as they are read, table by table; conditions on catalog, schema and table decide which policies are asked for.
     */
    public static SystemTable policies(TypeManager typeManager, PolicyList policies)
    {
        ColumnTypes types = new ColumnTypes(typeManager);
        return new RowsTable<PolicyRow>(
                POLICIES,
                "How tables are to be maintained: a row for each entry of the policy of each table, or for each mistake that leaves a table without a policy",
                ImmutableList.of(
                        types.text("table_catalog", "Catalog of the table", row -> row.table().catalog()),
                        types.text("table_schema", "Schema of the table", row -> row.table().schema()),
                        types.text("table_name", "Name of the table", row -> row.table().table()),
                        types.optionalText("entry", "Name of the entry; null when the policy file as a whole is to blame", PolicyRow::entry),
                        types.optionalText("value", "Its value as it was written; null when nobody sets it and it has no default", PolicyRow::value),
                        types.text("source", "Where the value stands: table (its properties), pattern (of the policy file, with the pattern), defaults (of the policy file), built-in, or policy file (as a whole)", PolicyRow::source),
                        types.flag("valid", "Whether the entry can be followed; a table with one that cannot is not maintained, and only such entries are shown of it", PolicyRow::valid),
                        types.optionalText("reason", "What is wrong, and what would be right; null for a valid entry", PolicyRow::reason)),
                constraint -> rows(policies, TableFilter.of(constraint)));
    }

    private static Iterable<PolicyRow> rows(PolicyList policies, TableFilter filter)
    {
        return FluentIterable.from(policies.read(filter))
                .filter(policy -> filter.matches(policy.table()))
                .transformAndConcat(policy -> PolicyRow.of(policy.table(), policy.policy()));
    }
}
