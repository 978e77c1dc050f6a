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

import com.google.common.collect.ImmutableList;
import org.lakesteward.benchmarks.QueryStatistics;
import org.lakesteward.benchmarks.ResultLine;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import static org.lakesteward.benchmarks.peers.Engine.OPTIMIZE;
import static org.lakesteward.benchmarks.peers.Engine.OURS;
import static org.lakesteward.benchmarks.peers.Engine.SPARK;

/**
 * The results as numbers with names. Each figure is the median of the measured runs. With several scenarios, the plain fields are
 * totals over them, and each scenario has its own with its name in front.
 */
final class PeersLine
{
    private PeersLine() {}

    static ResultLine of(List<PeerResult> results)
    {
        ResultLine line = new ResultLine();
        put(line, "", results);
        if (results.size() > 1) {
            results.forEach(result -> put(line, result.scenario().name() + "_", ImmutableList.of(result)));
        }
        return line;
    }

    private static void put(ResultLine line, String prefix, List<PeerResult> results)
    {
        for (Engine engine : Engine.values()) {
            line.put(prefix + engine.id() + "_wall_s", total(results, engine, RewriteRun::wallSeconds));
        }
        line.put(prefix + "wall_ratio_optimize", ratio(results, RewriteRun::wallSeconds, OPTIMIZE));
        line.put(prefix + "wall_ratio_spark", ratio(results, RewriteRun::wallSeconds, SPARK));
        for (Engine engine : Engine.values()) {
            line.put(prefix + engine.id() + "_process_cpu_s", total(results, engine, RewriteRun::processCpuSeconds));
        }
        line.put(prefix + "process_cpu_ratio_optimize", ratio(results, RewriteRun::processCpuSeconds, OPTIMIZE));
        line.put(prefix + "process_cpu_ratio_spark", ratio(results, RewriteRun::processCpuSeconds, SPARK));
        line.put(prefix + "ours_cpu_s", total(results, OURS, statistic(QueryStatistics::cpuSeconds)));
        line.put(prefix + "optimize_cpu_s", total(results, OPTIMIZE, statistic(QueryStatistics::cpuSeconds)));
        line.put(prefix + "cpu_ratio_optimize", ratio(results, statistic(QueryStatistics::cpuSeconds), OPTIMIZE));

        List<PeerResult> sorts = results.stream().filter(result -> result.scenario().sortedBy().isPresent()).toList();
        if (!sorts.isEmpty()) {
            for (Engine engine : Engine.values()) {
                line.put(prefix + "overlapping_pairs_" + engine.id(), total(sorts, engine, run -> run.overlappingPairs().orElseThrow()));
            }
        }

        double bytesIn = sum(results, result -> result.input().dataBytes());
        line.put(prefix + "rows", sum(results, result -> result.input().rows()));
        line.put(prefix + "bytes_in", bytesIn);
        line.put(prefix + "files_in", sum(results, result -> result.input().dataFiles()));
        line.put(prefix + "delete_files_in", sum(results, result -> result.input().deleteFiles()));
        for (Engine engine : Engine.values()) {
            line.put(prefix + "bytes_out_" + engine.id(), total(results, engine, run -> run.after().dataBytes()));
            line.put(prefix + "files_out_" + engine.id(), total(results, engine, run -> run.after().dataFiles()));
            line.put(prefix + "delete_files_out_" + engine.id(), total(results, engine, run -> run.after().deleteFiles()));
        }
        line.put(prefix + "network_bytes_ratio_ours", total(results, OURS, statistic(QueryStatistics::networkBytes)) / bytesIn);
        line.put(prefix + "network_bytes_ratio_optimize", total(results, OPTIMIZE, statistic(QueryStatistics::networkBytes)) / bytesIn);
        for (TableVersion version : TableVersion.values()) {
            line.put(prefix + "wall_s_selective_" + version.id(), sum(results, result -> result.selective(version, ReadRun::wallSeconds)));
            line.put(prefix + "files_read_selective_" + version.id(), sum(results, result -> result.selective(version, run -> run.statistics().dataFiles())));
            line.put(prefix + "bytes_read_selective_" + version.id(), sum(results, result -> result.selective(version, run -> run.statistics().physicalReadBytes())));
            line.put(prefix + "wall_s_full_scan_" + version.id(), sum(results, result -> result.fullScan(version, ReadRun::wallSeconds)));
            line.put(prefix + "files_read_full_scan_" + version.id(), sum(results, result -> result.fullScan(version, run -> run.statistics().dataFiles())));
            line.put(prefix + "bytes_read_full_scan_" + version.id(), sum(results, result -> result.fullScan(version, run -> run.statistics().physicalReadBytes())));
        }
        line.put(prefix + "repetitions", results.getFirst().runs().get(OURS).size());
    }

    private static Function<RewriteRun, Number> statistic(Function<QueryStatistics, Number> value)
    {
        return run -> value.apply(run.statistics().orElseThrow());
    }

    private static double ratio(List<PeerResult> results, Function<RewriteRun, Number> value, Engine peer)
    {
        return total(results, OURS, value) / total(results, peer, value);
    }

    private static double total(List<PeerResult> results, Engine engine, Function<RewriteRun, Number> value)
    {
        return sum(results, result -> result.median(engine, value));
    }

    private static double sum(List<PeerResult> results, ToDoubleFunction<PeerResult> value)
    {
        return results.stream().mapToDouble(value).sum();
    }
}
