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
package org.lakesteward.benchmarks;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;
import org.testng.annotations.Test;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestRewriteScenarios
{
    @Test
    public void testFlights()
    {
        List<String> statements = new FlightsInput(Path.of("/data/it's.parquet"), 3, 2, "origin", DataSize.of(1, MEGABYTE)).statements("c.s.t", 2);

        assertThat(statements).containsExactly(
                "CREATE TABLE c.s.t_source (date timestamp(6), delay bigint, distance bigint, origin varchar, destination varchar)",
                "ALTER TABLE c.s.t_source EXECUTE add_files(location => 'file:///data/it''s.parquet', format => 'PARQUET')",
                "CREATE TABLE c.s.t WITH (format_version = 2, sorted_by = ARRAY['origin'], target_max_file_size = '1048576B') AS SELECT * FROM c.s.t_source WITH NO DATA",
                "INSERT INTO c.s.t SELECT * FROM c.s.t_source WHERE date >= TIMESTAMP '2001-01-01 00:00:00' AND date < TIMESTAMP '2001-01-02 12:00:00'",
                "INSERT INTO c.s.t SELECT * FROM c.s.t_source WHERE date >= TIMESTAMP '2001-01-02 12:00:00' AND date < TIMESTAMP '2001-01-04 00:00:00'");
        assertThatThrownBy(() -> new FlightsInput(Path.of("f"), 182, 2, "origin", DataSize.of(1, MEGABYTE)))
                .hasMessage("days is 182, it must be between 1 and 181");
    }

    @Test
    public void testOrderedLineItemsLoseNoKey()
    {
        List<String> statements = new OrderedLineItemInput(new BigDecimal("0.001"), 7, "shipdate", DataSize.of(1, MEGABYTE)).statements("c.s.t", 2);

        assertThat(statements).hasSize(9);
        assertThat(statements.getFirst()).endsWith("tpch.\"sf0.001\".lineitem");
        assertThat(statements.get(2)).endsWith("WHERE orderkey > 0 AND orderkey <= 857");
        assertThat(statements.get(3)).endsWith("WHERE orderkey > 857 AND orderkey <= 1714");
        assertThat(statements.getLast()).endsWith("orderkey <= 6000");
    }

    @Test
    public void testSortedTablesWithoutFlights()
    {
        for (InputSize size : InputSize.values()) {
            List<Scenario> scenarios = RewriteScenarios.sortedTables(size, Path.of("no/such/file"));

            assertThat(scenarios).hasSize(1);
            assertThat(scenarios.getFirst().name()).isEqualTo("sorted_lineitem");
            assertThat(scenarios.getFirst().sortedBy()).hasValue("shipdate");
            assertThat(scenarios.getFirst().input().columns()).contains("shipdate", "comment");
        }
    }

    @Test
    public void testCatalogs()
    {
        List<Scenario> scenarios = ImmutableList.<Scenario>builder()
                .addAll(RewriteScenarios.smallFiles(InputSize.SMALL))
                .addAll(RewriteScenarios.mediumFiles(InputSize.SMALL))
                .addAll(RewriteScenarios.filesWithDeletes(InputSize.SMALL))
                .build();

        assertThat(BenchmarkCluster.catalogs(scenarios)).isEqualTo(Map.of(
                "input", Optional.empty(),
                "input_1228800", Optional.of(DataSize.ofBytes(1_228_800)),
                "input_1048576", Optional.of(DataSize.of(1, MEGABYTE))));
    }
}
