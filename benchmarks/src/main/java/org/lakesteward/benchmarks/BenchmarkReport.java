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

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.benchmarks.Contender.OPTIMIZE;
import static org.lakesteward.benchmarks.Contender.OURS;

/**
 * The results of a benchmark as tables for people and as one line for programs. Each figure is the median of the measured runs.
 * With several scenarios, the plain fields of the line are totals over them, and each has its own with its name in front.
 */
record BenchmarkReport(List<ScenarioResult> results)
{
    BenchmarkReport
    {
        results = ImmutableList.copyOf(requireNonNull(results, "results is null"));
    }

    String tables()
    {
        StringBuilder out = new StringBuilder();
        for (ScenarioResult result : results) {
            InputTable input = result.input();
            out.append("%n%s: %s data files, %s bytes; medians of %s runs%n".formatted(
                    result.scenario().name(),
                    input.dataFiles(),
                    bytes(input.dataBytes()),
                    result.runs().get(OURS).size()));
            out.append(line("", "rewrite_data_files", "optimize", "ratio"));
            out.append(row(result, "CPU, s", Run::cpuSeconds, "%.3f"));
            out.append(row(result, "CPU of all processes, s", Run::processCpuSeconds, "%.3f"));
            out.append(row(result, "wall, s", Run::wallSeconds, "%.3f"));
            out.append(row(result, "network bytes", Run::networkBytes, "%,.0f"));
            out.append(row(result, "peak memory, bytes", Run::peakMemoryBytes, "%,.0f"));
            out.append(row(result, "bytes read", Run::physicalReadBytes, "%,.0f"));
            out.append(row(result, "data files after", Run::filesOut, "%,.0f"));
            out.append(row(result, "data bytes after", Run::bytesOut, "%,.0f"));
            if (input.deleteFiles() > 0) {
                out.append(row(result, "delete files after", Run::deleteFilesOut, "%,.0f"));
            }
            if (!result.cpWallSeconds().isEmpty()) {
                out.append(line("cp of the same files, s", "%.3f".formatted(Median.of(result.cpWallSeconds())), "", ""));
            }
        }
        return out.toString();
    }

    private static String row(ScenarioResult result, String name, Function<Run, Number> value, String format)
    {
        double ours = result.median(OURS, value);
        double optimize = result.median(OPTIMIZE, value);
        return line(
                name,
                format.formatted(ours),
                format.formatted(optimize),
                optimize == 0 ? "" : "%.3f".formatted(ours / optimize));
    }

    private static String line(String name, String ours, String optimize, String ratio)
    {
        return "  %s  %s  %s  %s".formatted(
                Strings.padEnd(name, 24, ' '),
                Strings.padStart(ours, 18, ' '),
                Strings.padStart(optimize, 18, ' '),
                Strings.padStart(ratio, 7, ' ')).stripTrailing() + System.lineSeparator();
    }

    private static String bytes(long bytes)
    {
        return String.format(Locale.ROOT, "%,d", bytes);
    }

    ResultLine line()
    {
        ResultLine line = new ResultLine();
        putComparison(line, "", results);
        if (results.size() > 1) {
            results.forEach(result -> putComparison(line, result.scenario().name() + "_", ImmutableList.of(result)));
        }
        return line;
    }

    private static void putComparison(ResultLine line, String prefix, List<ScenarioResult> results)
    {
        long bytesIn = results.stream().mapToLong(result -> result.input().dataBytes()).sum();
        line.put(prefix + "ours_cpu_s", total(results, OURS, Run::cpuSeconds));
        line.put(prefix + "optimize_cpu_s", total(results, OPTIMIZE, Run::cpuSeconds));
        line.put(prefix + "cpu_ratio", total(results, OURS, Run::cpuSeconds) / total(results, OPTIMIZE, Run::cpuSeconds));
        line.put(prefix + "ours_process_cpu_s", total(results, OURS, Run::processCpuSeconds));
        line.put(prefix + "optimize_process_cpu_s", total(results, OPTIMIZE, Run::processCpuSeconds));
        line.put(prefix + "ours_wall_s", total(results, OURS, Run::wallSeconds));
        line.put(prefix + "optimize_wall_s", total(results, OPTIMIZE, Run::wallSeconds));
        line.put(prefix + "ours_first_wall_s", sum(results, ScenarioResult::firstWallSeconds));
        line.put(prefix + "network_bytes_ratio", total(results, OURS, Run::networkBytes) / bytesIn);
        line.put(prefix + "optimize_network_bytes_ratio", total(results, OPTIMIZE, Run::networkBytes) / bytesIn);
        line.put(prefix + "ours_peak_memory_bytes", highest(results, OURS));
        line.put(prefix + "optimize_peak_memory_bytes", highest(results, OPTIMIZE));
        line.put(prefix + "rows", results.stream().mapToLong(result -> result.input().rows()).sum());
        line.put(prefix + "bytes_in", bytesIn);
        line.put(prefix + "bytes_out", total(results, OURS, Run::bytesOut));
        line.put(prefix + "optimize_bytes_out", total(results, OPTIMIZE, Run::bytesOut));
        line.put(prefix + "files_in", results.stream().mapToLong(result -> result.input().dataFiles()).sum());
        line.put(prefix + "files_out", total(results, OURS, Run::filesOut));
        line.put(prefix + "optimize_files_out", total(results, OPTIMIZE, Run::filesOut));
        line.put(prefix + "delete_files_in", results.stream().mapToLong(result -> result.input().deleteFiles()).sum());
        line.put(prefix + "delete_files_out", total(results, OURS, Run::deleteFilesOut));
        line.put(prefix + "optimize_delete_files_out", total(results, OPTIMIZE, Run::deleteFilesOut));
        if (results.stream().noneMatch(result -> result.cpWallSeconds().isEmpty())) {
            line.put(prefix + "cp_wall_s", sum(results, result -> Median.of(result.cpWallSeconds())));
        }
        line.put(prefix + "repetitions", results.getFirst().runs().get(OURS).size());
    }

    private static double total(List<ScenarioResult> results, Contender contender, Function<Run, Number> value)
    {
        return sum(results, result -> result.median(contender, value));
    }

    private static double sum(List<ScenarioResult> results, ToDoubleFunction<ScenarioResult> value)
    {
        return results.stream().mapToDouble(value).sum();
    }

    private static double highest(List<ScenarioResult> results, Contender contender)
    {
        return results.stream().mapToDouble(result -> result.median(contender, Run::peakMemoryBytes)).max().orElseThrow();
    }
}
