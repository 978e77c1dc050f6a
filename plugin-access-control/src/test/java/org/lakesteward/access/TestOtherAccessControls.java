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
package org.lakesteward.access;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.trino.plugin.base.security.FileBasedSystemAccessControl;
import io.trino.spi.security.SystemAccessControl;
import io.trino.spi.security.SystemAccessControlFactory.SystemAccessControlContext;
import org.lakesteward.planner.window.WindowScope;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Together with Trino's file-based rules, as {@code access-control.config-files} loads several.
 */
public class TestOtherAccessControls
{
    private static final String RULES =
            """
            {
              "tables": [
                {"user": "reader", "catalog": "lake", "table": "secret", "privileges": []},
                {"user": "reader", "catalog": "lake", "table": "t", "privileges": ["SELECT"],
                 "filter": "x > 1", "columns": [{"name": "y", "mask": "'***'"}]},
                {"user": "writer", "privileges": ["SELECT", "INSERT", "OWNERSHIP"]}
              ],
              "schemas": [{"user": "writer", "owner": true}],
              "queries": [{"user": "writer", "allow": ["execute", "kill", "view"]}, {"allow": ["execute", "view"]}]
            }
            """;

    @DataProvider
    public Object[][] orders()
    {
        return new Object[][] {{"rules first"}, {"windows first"}};
    }

    @Test(dataProvider = "orders")
    public void testDenialsStayTheirs(String order)
            throws Exception
    {
        Path rules = Files.createTempFile("rules", ".json");
        Files.writeString(rules, RULES);
        SystemAccessControl fileBased = new FileBasedSystemAccessControl.Factory().create(ImmutableMap.of("security.config-file", rules.toString()), new NoContext());
        UnaryOperator<ImmutableList<SystemAccessControl>> arrange = list -> order.equals("rules first") ? list.reverse() : list;
        try (MaintenanceCluster cluster = MaintenanceCluster.create(
                new MemoryWindowStore(),
                ImmutableMap.of(),
                ImmutableMap.of(),
                accessControl -> arrange.apply(ImmutableList.of(accessControl, fileBased)));
                TestClient reader = cluster.client("reader");
                TestClient writer = cluster.client("writer")) {
            writer.rows("CREATE SCHEMA lake.s");
            writer.rows("CREATE TABLE t AS SELECT * FROM (VALUES (1, 'a'), (2, 'b')) r(x, y)");
            writer.rows("CREATE TABLE secret AS SELECT 1 x");
            for (boolean open : new boolean[] {true, false}) {
                if (!open) {
                    cluster.store().open(WindowScope.cluster());
                }
                // filters and masks are those of the rules, in a window too
                assertThat(reader.rows("SELECT * FROM t")).isEqualTo(ImmutableList.of(ImmutableList.of(2, "***")));
                assertThat(reader.execute("SELECT * FROM secret").message()).startsWith("PERMISSION_DENIED: ");
                String expected = open || order.equals("rules first") ? "PERMISSION_DENIED: Access Denied: Cannot insert into table lake.s.t" : "CLUSTER_IN_MAINTENANCE: ";
                assertThat(reader.execute("INSERT INTO t VALUES (3, 'c')").message()).startsWith(expected);
                assertThat(writer.execute("INSERT INTO t VALUES (1, 'c')").message()).startsWith(open ? "works" : "CLUSTER_IN_MAINTENANCE: ");
            }
        }
        finally {
            Files.delete(rules);
        }
    }

    private static class NoContext
            implements SystemAccessControlContext
    {
        @Override
        public String getVersion()
        {
            return "test";
        }

        @Override
        public OpenTelemetry getOpenTelemetry()
        {
            return OpenTelemetry.noop();
        }

        @Override
        public Tracer getTracer()
        {
            return getOpenTelemetry().getTracer("test");
        }
    }
}
