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
package org.lakesteward.benchmarks.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableTable;
import org.lakesteward.benchmarks.InputSize;
import org.lakesteward.benchmarks.InputTable;
import org.lakesteward.benchmarks.QueryStatistics;
import org.lakesteward.benchmarks.RewriteScenarios;
import org.lakesteward.benchmarks.Scenario;
import org.lakesteward.benchmarks.TableFiles;
import org.testng.annotations.Test;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

public class TestPeersReport
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Scenario TINY = RewriteScenarios.tinyTable().getFirst();
    private static final Scenario SORTED = RewriteScenarios.sortedTables(InputSize.SMALL, Path.of("no/such/file")).getFirst();

    @Test
    public void testLineOfOneJob()
            throws Exception
    {
        JsonNode line = MAPPER.readTree(PeersLine.of(ImmutableList.of(result(SORTED))).toJson());

        assertThat(line).allMatch(JsonNode::isNumber);
        // medians of 1, 2, 9; optimize takes twice, Spark four times as long
        assertThat(line.path("ours_wall_s").asDouble()).isEqualTo(2);
        assertThat(line.path("optimize_wall_s").asDouble()).isEqualTo(4);
        assertThat(line.path("spark_wall_s").asDouble()).isEqualTo(8);
        assertThat(line.path("wall_ratio_optimize").asDouble()).isEqualTo(0.5);
        assertThat(line.path("wall_ratio_spark").asDouble()).isEqualTo(0.25);
        assertThat(line.path("ours_cpu_s").asDouble()).isEqualTo(2);
        assertThat(line.path("optimize_cpu_s").asDouble()).isEqualTo(4);
        assertThat(line.path("cpu_ratio_optimize").asDouble()).isEqualTo(0.5);
        assertThat(line.path("spark_process_cpu_s").asDouble()).isEqualTo(24);
        assertThat(line.path("overlapping_pairs_ours").asLong()).isZero();
        assertThat(line.path("overlapping_pairs_optimize").asLong()).isEqualTo(1);
        assertThat(line.path("overlapping_pairs_spark").asLong()).isEqualTo(3);
        // three selective queries and one full scan
        assertThat(line.path("bytes_read_selective_input").asLong()).isEqualTo(3_000);
        assertThat(line.path("bytes_read_selective_ours").asLong()).isEqualTo(6_000);
        assertThat(line.path("bytes_read_selective_optimize").asLong()).isEqualTo(9_000);
        assertThat(line.path("files_read_full_scan_spark").asLong()).isEqualTo(4);
        assertThat(line.path("repetitions").asInt()).isEqualTo(3);
    }

    @Test
    public void testLineOfSeveralJobs()
            throws Exception
    {
        JsonNode line = MAPPER.readTree(PeersLine.of(ImmutableList.of(result(TINY), result(SORTED))).toJson());

        assertThat(line).allMatch(JsonNode::isNumber);
        assertThat(line.path("ours_wall_s").asDouble()).isEqualTo(4);
        assertThat(line.path("tiny_table_wall_ratio_spark").asDouble()).isEqualTo(0.25);
        assertThat(line.path("sorted_lineitem_spark_wall_s").asDouble()).isEqualTo(8);
        assertThat(line.path("overlapping_pairs_optimize").asLong()).isEqualTo(1);
        assertThat(line.has("tiny_table_overlapping_pairs_ours")).isFalse();
        assertThat(line.path("sorted_lineitem_overlapping_pairs_spark").asLong()).isEqualTo(3);
    }

    @Test
    public void testMarkdown()
    {
        String markdown = report(result(TINY), result(SORTED)).markdown();

        assertThat(markdown).contains(
                "Written by `./lakesteward bench peers --quick`, which gives these figures again. Medians of 3 runs; `--quick`",
                "| [tiny_table](#tiny_table) | 10, 0.0 MB | 2.00 / 4.00 / 8.00 s | 0.50 | 0.25 | 6.00 / 12.00 / 24.00 s | 0.50 | 0.25 |",
                "- Machine: A Processor, 2 cores, Linux",
                "- Load of the machine over one minute: before 0.10",
                "- Versions: Trino 483",
                "## sorted_lineitem\n\n`./lakesteward bench peers-sort --quick`",
                "Input: 100 rows in 10 data files of 1,000 bytes.",
                "| wall, s | 2.000 | 4.000 | 8.000 |",
                "| statement's CPU, s | 2.000 | 4.000 |  |",
                "| pairs of data files that overlap | 0 | 1 | 3 |",
                "| wall of each run, s | 9.00, 1.00, 2.00 | 18.00, 2.00, 4.00 | 36.00, 4.00, 8.00 |",
                "| `ship_day` | input | 1.000 | 0.500 | 1 | 1,000 |",
                "|  | after Lakesteward | 1.000 | 0.500 | 2 | 2,000 |",
                "- `ship_day`: `SELECT count(*), sum(quantity), max(comment) FROM t WHERE shipdate = DATE '1995-03-01'`");
        assertThat(markdown.lines().filter(row -> row.startsWith("| pairs of data files"))).hasSize(1);
    }

    @Test
    public void testJson()
            throws Exception
    {
        JsonNode document = MAPPER.readTree(report(result(SORTED)).json());

        assertThat(document.path("command").asText()).isEqualTo("./lakesteward bench peers --quick");
        assertThat(document.path("begun").asText()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(document.path("machine").path("cores").asInt()).isEqualTo(2);
        assertThat(document.path("figures").path("ours_wall_s").asDouble()).isEqualTo(2);
        JsonNode scenario = document.path("scenarios").path(0);
        assertThat(scenario.path("command").asText()).isEqualTo("./lakesteward bench peers-sort --quick");
        assertThat(scenario.path("rewrites").path("spark")).hasSize(3);
        assertThat(scenario.path("rewrites").path("spark").path(0).path("wall_s").asDouble()).isEqualTo(36);
        assertThat(scenario.path("rewrites").path("spark").path(0).has("statement_cpu_s")).isFalse();
        assertThat(scenario.path("rewrites").path("optimize").path(1).path("overlapping_pairs").asLong()).isEqualTo(1);
        assertThat(scenario.path("reads")).hasSize(4);
        assertThat(scenario.path("reads").path(0).path("ours").path(0).path("files").asLong()).isEqualTo(2);
    }

    private static PeersReport report(PeerResult... results)
    {
        return new PeersReport(
                PeersOptions.parse(ImmutableList.of("peers", "--quick")),
                new Conditions(
                        Instant.parse("2026-01-01T00:00:00Z"),
                        new Machine("A Processor", 2, OptionalLong.empty(), "Linux"),
                        ImmutableMap.of("before", "0.10"),
                        ImmutableMap.of("Trino", "483"),
                        ImmutableList.of("One at a time.")),
                ImmutableList.copyOf(results));
    }

    private static PeerResult result(Scenario scenario)
    {
        boolean sorted = scenario.sortedBy().isPresent();
        ImmutableListMultimap.Builder<Engine, RewriteRun> runs = ImmutableListMultimap.builder();
        for (double seconds : new double[] {9, 1, 2}) {
            runs.put(Engine.OURS, run(seconds, Optional.of(seconds), sorted, 0));
            runs.put(Engine.OPTIMIZE, run(2 * seconds, Optional.of(2 * seconds), sorted, 1));
            runs.put(Engine.SPARK, run(4 * seconds, Optional.empty(), sorted, 3));
        }
        ImmutableTable.Builder<ReadQuery, TableVersion, List<ReadRun>> reads = ImmutableTable.builder();
        for (ReadQuery query : sorted ? ReadQuery.forShipDates() : ReadQuery.forKeys(1, 50, 100)) {
            for (TableVersion version : TableVersion.values()) {
                int files = version.ordinal() + 1;
                reads.put(query, version, ImmutableList.of(new ReadRun(1, new QueryStatistics(0.5, 0, 0, 1_000L * files, files))));
            }
        }
        return new PeerResult(
                scenario,
                new InputTable("file:///lake/t/metadata/1.metadata.json", ImmutableSet.of(), 10, 1_000, 0, 0, 100, "00"),
                runs.build(),
                reads.build());
    }

    private static RewriteRun run(double wallSeconds, Optional<Double> cpuSeconds, boolean sorted, long overlappingPairs)
    {
        return new RewriteRun(
                wallSeconds,
                3 * wallSeconds,
                cpuSeconds.map(seconds -> new QueryStatistics(seconds, 10, 1_000, 1_000, 1)),
                new TableFiles(ImmutableSet.of("file:///lake/t/data/1.parquet"), 900, ImmutableSet.of(), 0, 0),
                sorted ? OptionalLong.of(overlappingPairs) : OptionalLong.empty());
    }
}
