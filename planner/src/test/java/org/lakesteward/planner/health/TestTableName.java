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
package org.lakesteward.planner.health;

import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestTableName
{
    @Test
    public void testPlainNamesStayBare()
    {
        assertThat(new TableName("lake", "sales_2026", "_orders").toSql()).isEqualTo("lake.sales_2026._orders");
        // keywords that Trino does not reserve
        assertThat(new TableName("system", "data", "snapshot").toSql()).isEqualTo("system.data.snapshot");
    }

    @Test
    public void testOddNamesAreQuoted()
    {
        assertThat(new TableName("Lake", "my schema", "a.b").toSql()).isEqualTo("\"Lake\".\"my schema\".\"a.b\"");
        assertThat(new TableName("lake", "2026", "order").toSql()).isEqualTo("lake.\"2026\".\"order\"");
        assertThat(new TableName("lake", "sales", "say \"hi\"").toSql()).isEqualTo("lake.sales.\"say \"\"hi\"\"\"");
        assertThat(new TableName("lake", "sales", "orders;drop").toSql()).isEqualTo("lake.sales.\"orders;drop\"");
        assertThat(new TableName("lake", "sales", "größe").toSql()).isEqualTo("lake.sales.\"größe\"");
        assertThat(new TableName("lake", "sales", "a\nb").toSql()).isEqualTo("lake.sales.\"a\nb\"");
        assertThat(new TableName("lake", "sales", "orders\n").toSql()).isEqualTo("lake.sales.\"orders\n\"");
    }

    @Test
    public void testEveryReservedWordIsQuoted()
    {
        assertThat(TableName.reservedWords()).hasSize(83);
        for (String word : TableName.reservedWords()) {
            assertThat(new TableName("lake", "sales", word).toSql()).isEqualTo("lake.sales.\"" + word + "\"");
        }
    }

    @Test
    public void testEmptyPartIsRefused()
    {
        assertThatThrownBy(() -> new TableName("lake", "", "orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schema is empty: a full table name has a catalog, a schema and a table");
        assertThatThrownBy(() -> new TableName("lake", null, "orders"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("schema is null");
    }
}
