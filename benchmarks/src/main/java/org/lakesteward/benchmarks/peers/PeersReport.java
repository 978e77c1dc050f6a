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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import org.lakesteward.benchmarks.InputTable;
import org.lakesteward.benchmarks.QueryStatistics;

import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.lakesteward.benchmarks.peers.Engine.OPTIMIZE;
import static org.lakesteward.benchmarks.peers.Engine.OURS;
import static org.lakesteward.benchmarks.peers.Engine.SPARK;

/**
 * The results as a page for people (Markdown) and as a document for programs (JSON), both with what is needed to judge the figures
 * and to get them again.
 */
record PeersReport(PeersOptions options, Conditions conditions, List<PeerResult> results)
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    PeersReport
    {
        requireNonNull(options, "options is null");
        requireNonNull(conditions, "conditions is null");
        results = ImmutableList.copyOf(results);
    }

    String markdown()
    {
        StringBuilder out = new StringBuilder();
        out.append("# The same rewrites by Lakesteward, Trino's optimize and Spark\n\n");
        out.append("Written by `%s`, which gives these figures again. Medians of %s runs%s.\n\n".formatted(
                options.command(),
                results.getFirst().runs().get(OURS).size(),
                options.quick() ? "; `--quick`: small inputs and few runs, so expect them to vary" : ""));
        appendSummary(out);
        appendConditions(out);
        results.forEach(result -> appendScenario(out, result));
        return out.toString();
    }

    private void appendSummary(StringBuilder out)
    {
        out.append("| input | files, bytes | wall: Lakesteward / optimize / Spark | of optimize's | of Spark's | processes' CPU: Lakesteward / optimize / Spark | of optimize's | of Spark's |\n");
        out.append("|---|---|---|---|---|---|---|---|\n");
        for (PeerResult result : results) {
            out.append(row(Stream.of(
                    "[%s](#%s)".formatted(result.scenario().name(), result.scenario().name()),
                    "%s, %s".formatted(result.input().dataFiles(), megabytes(result.input().dataBytes())),
                    seconds(result, RewriteRun::wallSeconds),
                    ratio(result, RewriteRun::wallSeconds, OPTIMIZE),
                    ratio(result, RewriteRun::wallSeconds, SPARK),
                    seconds(result, RewriteRun::processCpuSeconds),
                    ratio(result, RewriteRun::processCpuSeconds, OPTIMIZE),
                    ratio(result, RewriteRun::processCpuSeconds, SPARK))));
        }
    }

    private static String seconds(PeerResult result, Function<RewriteRun, Number> value)
    {
        return Joiner.on(" / ").join(Arrays.stream(Engine.values()).map(engine -> "%.2f".formatted(result.median(engine, value))).iterator()) + " s";
    }

    private static String ratio(PeerResult result, Function<RewriteRun, Number> value, Engine peer)
    {
        double divisor = result.median(peer, value);
        return divisor == 0 ? "–" : "%.2f".formatted(result.median(OURS, value) / divisor);
    }

    private void appendConditions(StringBuilder out)
    {
        out.append("\n## Set-up\n\n");
        out.append("- Machine: %s\n".formatted(conditions.machine().description()));
        out.append("- Begun: %s\n".formatted(conditions.start().truncatedTo(ChronoUnit.SECONDS)));
        if (!conditions.loads().isEmpty()) {
            out.append("- Load of the machine over one minute: %s\n".formatted(Joiner.on(", ").withKeyValueSeparator(" ").join(conditions.loads())));
        }
        out.append("- Versions: %s\n".formatted(Joiner.on("; ").withKeyValueSeparator(" ").join(conditions.versions())));
        conditions.settings().forEach(setting -> out.append("- %s\n".formatted(setting)));
    }

    private void appendScenario(StringBuilder out, PeerResult result)
    {
        InputTable input = result.input();
        out.append("\n## %s\n\n".formatted(result.scenario().name()));
        out.append("`%s`\n\n".formatted(options.command(result.scenario())));
        out.append("Input: %,d rows in %s data files of %,d bytes%s.\n\n".formatted(
                input.rows(),
                input.dataFiles(),
                input.dataBytes(),
                input.deleteFiles() == 0 ? "" : ", %s delete files of %,d bytes".formatted(input.deleteFiles(), input.deleteBytes())));

        out.append(row(Stream.concat(Stream.of(""), Arrays.stream(Engine.values()).map(Engine::title))));
        out.append("|---|---:|---:|---:|\n");
        appendRow(out, result, "wall, s", "%.3f", RewriteRun::wallSeconds);
        appendRow(out, result, "processes' CPU, s", "%.2f", RewriteRun::processCpuSeconds);
        appendStatistic(out, result, "statement's CPU, s", "%.3f", QueryStatistics::cpuSeconds);
        appendStatistic(out, result, "bytes between stages", "%,.0f", QueryStatistics::networkBytes);
        appendStatistic(out, result, "peak memory of the statement, bytes", "%,.0f", QueryStatistics::peakMemoryBytes);
        appendRow(out, result, "data files after", "%,.0f", run -> run.after().dataFiles());
        appendRow(out, result, "data bytes after", "%,.0f", run -> run.after().dataBytes());
        if (input.deleteFiles() > 0) {
            appendRow(out, result, "delete files after", "%,.0f", run -> run.after().deleteFiles());
        }
        if (result.scenario().sortedBy().isPresent()) {
            appendRow(out, result, "pairs of data files that overlap", "%,.0f", run -> run.overlappingPairs().orElseThrow());
        }
        out.append(row(Stream.concat(
                Stream.of("wall of each run, s"),
                Arrays.stream(Engine.values()).map(engine -> Joiner.on(", ").join(result.runs().get(engine).stream().map(run -> "%.2f".formatted(run.wallSeconds())).iterator())))));

        out.append("\n| query | of | wall, s | CPU, s | files | bytes |\n|---|---|---:|---:|---:|---:|\n");
        for (ReadQuery query : result.reads().rowKeySet()) {
            for (TableVersion version : TableVersion.values()) {
                out.append(row(Stream.of(
                        version == TableVersion.INPUT ? "`%s`".formatted(query.name()) : "",
                        version.title(),
                        "%.3f".formatted(result.median(query, version, ReadRun::wallSeconds)),
                        "%.3f".formatted(result.median(query, version, run -> run.statistics().cpuSeconds())),
                        "%,.0f".formatted(result.median(query, version, run -> run.statistics().dataFiles())),
                        "%,.0f".formatted(result.median(query, version, run -> run.statistics().physicalReadBytes())))));
            }
        }
        out.append("\n");
        result.reads().rowKeySet().forEach(query -> out.append("- `%s`: `%s`\n".formatted(query.name(), query.sql("t"))));
    }

    private static void appendRow(StringBuilder out, PeerResult result, String name, String format, Function<RewriteRun, Number> value)
    {
        out.append(row(Stream.concat(
                Stream.of(name),
                Arrays.stream(Engine.values()).map(engine -> format.formatted(result.median(engine, value))))));
    }

    private static void appendStatistic(StringBuilder out, PeerResult result, String name, String format, Function<QueryStatistics, Number> value)
    {
        out.append(row(Stream.concat(
                Stream.of(name),
                Arrays.stream(Engine.values()).map(engine -> result.runs().get(engine).getFirst().statistics().isEmpty() ?
                        "" :
                        format.formatted(result.median(engine, run -> value.apply(run.statistics().orElseThrow())))))));
    }

    private static String row(Stream<String> cells)
    {
        return cells.collect(joining(" | ", "| ", " |\n"));
    }

    private static String megabytes(long bytes)
    {
        return "%.1f MB".formatted(bytes / 1e6);
    }

    String json()
    {
        ObjectNode document = MAPPER.createObjectNode();
        document.put("command", options.command());
        document.put("begun", conditions.start().truncatedTo(ChronoUnit.SECONDS).toString());
        ObjectNode machine = document.putObject("machine");
        machine.put("processor", conditions.machine().processor());
        machine.put("cores", conditions.machine().cores());
        conditions.machine().memoryBytes().ifPresent(bytes -> machine.put("memory_bytes", bytes));
        machine.put("operating_system", conditions.machine().operatingSystem());
        ObjectNode loads = document.putObject("load");
        conditions.loads().forEach(loads::put);
        ObjectNode versions = document.putObject("versions");
        conditions.versions().forEach(versions::put);
        ArrayNode settings = document.putArray("settings");
        conditions.settings().forEach(settings::add);
        ArrayNode scenarios = document.putArray("scenarios");
        results.forEach(result -> putScenario(scenarios.addObject(), result));
        try {
            document.set("figures", MAPPER.readTree(PeersLine.of(results).toJson()));
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
        }
        catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void putScenario(ObjectNode scenario, PeerResult result)
    {
        InputTable input = result.input();
        scenario.put("name", result.scenario().name());
        scenario.put("command", options.command(result.scenario()));
        scenario.putObject("input")
                .put("rows", input.rows())
                .put("checksum", input.checksum())
                .put("data_files", input.dataFiles())
                .put("data_bytes", input.dataBytes())
                .put("delete_files", input.deleteFiles())
                .put("delete_bytes", input.deleteBytes());
        ObjectNode rewrites = scenario.putObject("rewrites");
        for (Engine engine : Engine.values()) {
            ArrayNode runs = rewrites.putArray(engine.id());
            for (RewriteRun run : result.runs().get(engine)) {
                ObjectNode node = runs.addObject()
                        .put("wall_s", run.wallSeconds())
                        .put("process_cpu_s", run.processCpuSeconds())
                        .put("data_files", run.after().dataFiles())
                        .put("data_bytes", run.after().dataBytes())
                        .put("delete_files", run.after().deleteFiles());
                run.overlappingPairs().ifPresent(pairs -> node.put("overlapping_pairs", pairs));
                run.statistics().ifPresent(statistics -> node
                        .put("statement_cpu_s", statistics.cpuSeconds())
                        .put("network_bytes", statistics.networkBytes())
                        .put("peak_memory_bytes", statistics.peakMemoryBytes()));
            }
        }
        ArrayNode reads = scenario.putArray("reads");
        for (ReadQuery query : result.reads().rowKeySet()) {
            ObjectNode read = reads.addObject();
            read.put("name", query.name());
            read.put("sql", query.sql("t"));
            for (TableVersion version : TableVersion.values()) {
                ArrayNode runs = read.putArray(version.id());
                result.reads().get(query, version).forEach(run -> runs.addObject()
                        .put("wall_s", run.wallSeconds())
                        .put("cpu_s", run.statistics().cpuSeconds())
                        .put("files", run.statistics().dataFiles())
                        .put("bytes", run.statistics().physicalReadBytes()));
            }
        }
    }
}
