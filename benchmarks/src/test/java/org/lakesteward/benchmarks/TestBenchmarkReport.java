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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import io.airlift.units.DataSize;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.benchmarks.Contender.OPTIMIZE;
import static org.lakesteward.benchmarks.Contender.OURS;

public class TestBenchmarkReport
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    public void testOneScenario()
            throws Exception
    {
        JsonNode line = line(result("small_files", ImmutableList.of(0.5, 0.25, 3.0)));

        assertThat(line).allMatch(JsonNode::isNumber);
        // medians of 1, 2, 9 and of 2, 4, 18
        assertThat(line.path("ours_cpu_s").asDouble()).isEqualTo(2);
        assertThat(line.path("optimize_cpu_s").asDouble()).isEqualTo(4);
        assertThat(line.path("cpu_ratio").asDouble()).isEqualTo(0.5);
        assertThat(line.path("ours_wall_s").asDouble()).isEqualTo(4);
        assertThat(line.path("optimize_wall_s").asDouble()).isEqualTo(8);
        assertThat(line.path("ours_first_wall_s").asDouble()).isEqualTo(7);
        assertThat(line.path("network_bytes_ratio").asDouble()).isEqualTo(0.02);
        assertThat(line.path("ours_peak_memory_bytes").asLong()).isEqualTo(2_000);
        assertThat(line.path("bytes_in").asLong()).isEqualTo(1_000);
        assertThat(line.path("files_in").asLong()).isEqualTo(10);
        assertThat(line.path("files_out").asLong()).isEqualTo(1);
        assertThat(line.path("cp_wall_s").asDouble()).isEqualTo(0.5);
        assertThat(line.path("repetitions").asInt()).isEqualTo(3);
    }

    @Test
    public void testSeveralScenarios()
            throws Exception
    {
        JsonNode line = line(result("first", ImmutableList.of()), result("second", ImmutableList.of()));

        assertThat(line).allMatch(JsonNode::isNumber);
        assertThat(line.path("ours_cpu_s").asDouble()).isEqualTo(4);
        assertThat(line.path("cpu_ratio").asDouble()).isEqualTo(0.5);
        assertThat(line.path("network_bytes_ratio").asDouble()).isEqualTo(0.02);
        assertThat(line.path("bytes_in").asLong()).isEqualTo(2_000);
        assertThat(line.path("first_ours_cpu_s").asDouble()).isEqualTo(2);
        assertThat(line.path("second_files_in").asLong()).isEqualTo(10);
        assertThat(line.has("cp_wall_s")).isFalse();
    }

    @Test
    public void testTables()
    {
        String tables = new BenchmarkReport(ImmutableList.of(result("small_files", ImmutableList.of(0.5)))).tables();

        assertThat(tables.lines()).anySatisfy(row -> assertThat(row.trim().split(" {2,}")).containsExactly("CPU, s", "2.000", "4.000", "0.500"));
        assertThat(tables.lines()).anySatisfy(row -> assertThat(row.trim().split(" {2,}")).containsExactly("cp of the same files, s", "0.500"));
    }

    @Test
    public void testResultLine()
    {
        ResultLine line = new ResultLine().put("large", 12_345_678.9).put("small", 0.000123456789).put("whole", 7L).put("bytes", 12_345_678.0).put("zero", 0.0);

        assertThat(line.toJson()).isEqualTo("{\"large\":12345700,\"small\":0.000123457,\"whole\":7,\"bytes\":12345678,\"zero\":0}");
        assertThatThrownBy(() -> line.put("whole", 8L)).hasMessage("field whole is set twice");
        assertThatThrownBy(() -> line.put("ratio", Double.NaN)).hasMessage("ratio is NaN, it must be a finite number");
        assertThatThrownBy(() -> line.put("Not a name", 1L)).hasMessageContaining("lower-case");
    }

    @Test
    public void testQueryStatistics()
            throws Exception
    {
        JsonNode statistics = MAPPER.readTree(
                """
                {
                  "queryStats": {"totalCpuTime": "1.25m", "internalNetworkInputDataSize": "17000B", "peakTotalMemoryReservation": "2kB", "physicalInputDataSize": "5B"},
                  "stages": {"stages": [
                    {"stageStats": {"splitSourceMetrics": {}}},
                    {"stageStats": {"splitSourceMetrics": {"0": {"dataFiles": {"total": 3}, "dataManifests": {"total": 1}}, "4": {"dataFiles": {"total": 4}}}}}]}
                }
                """);

        assertThat(QueryStatistics.parse(statistics)).isEqualTo(new QueryStatistics(75, 17_000, 2_048, 5, 7));
        assertThatThrownBy(() -> QueryStatistics.parse(MAPPER.createObjectNode()))
                .isInstanceOf(BenchmarkFailedException.class)
                .hasMessage("The query's statistics have no field totalCpuTime");
    }

    private static JsonNode line(ScenarioResult... results)
            throws Exception
    {
        return MAPPER.readTree(new BenchmarkReport(ImmutableList.copyOf(results)).line().toJson());
    }

    private static ScenarioResult result(String name, List<Double> cpWallSeconds)
    {
        ImmutableListMultimap.Builder<Contender, Run> runs = ImmutableListMultimap.builder();
        for (double seconds : new double[] {9, 1, 2}) {
            runs.put(OURS, run(seconds));
            runs.put(OPTIMIZE, run(2 * seconds));
        }
        return new ScenarioResult(
                new Scenario(name, new GeneratedInput(1, DataSize.of(1, MEGABYTE)), DeleteKind.NONE, WritePath.ENCODE, !cpWallSeconds.isEmpty(), Optional.empty()),
                new InputTable("local:///bench/input/metadata/1.metadata.json", ImmutableSet.of(), 10, 1_000, 0, 0, 100, "00"),
                7,
                runs.build(),
                cpWallSeconds);
    }

    private static Run run(double seconds)
    {
        return new Run(seconds, 3 * seconds, 2 * seconds, (long) (10 * seconds), (long) (1_000 * seconds), 1_000, 1, 900, 0);
    }
}
