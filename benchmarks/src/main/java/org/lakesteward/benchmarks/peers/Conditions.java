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
import com.google.common.collect.ImmutableMap;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * Under which conditions figures came about.
 *
 * @param start when the benchmark began
 * @param loads average number of threads that wanted to run in the minute before each moment named, as far as the system tells
 * @param versions of everything that takes part
 * @param settings what the engines were told, in sentences
 */
record Conditions(Instant start, Machine machine, Map<String, String> loads, Map<String, String> versions, List<String> settings)
{
    Conditions
    {
        requireNonNull(start, "start is null");
        requireNonNull(machine, "machine is null");
        loads = ImmutableMap.copyOf(loads);
        versions = ImmutableMap.copyOf(versions);
        settings = ImmutableList.copyOf(settings);
    }

    static List<String> settings(Repetitions repetitions)
    {
        return ImmutableList.of(
                "All engines run on the same machine and use its same cores, one statement at a time, on the same PostgreSQL JDBC catalog and the same local files. Nothing is pinned or limited; processes that wait for their turn stay up.",
                "Every run rewrites a table of its own that is registered from one metadata file, so all begin with the same bytes. %s round%s of all engines warm up and are not counted, %s are measured; who goes first changes from round to round.".formatted(
                        repetitions.warmUps(), repetitions.warmUps() == 1 ? "" : "s", repetitions.measured()),
                "Trino: a coordinator (1 GB heap) and two workers (1.5 GB each), with their defaults.",
                "Lakesteward: `EXECUTE rewrite_data_files` with its defaults (target 512 MB). Trino: `EXECUTE optimize` with its defaults (files below 100 MB; the number of files it writes depends on its writers).",
                "Spark: `CALL system.rewrite_data_files` in %s with a heap of %s, defaults (target 512 MB), `remove-dangling-deletes` where the input has deletes because the two others remove them too. Hadoop's local file system writes a checksum file beside each of its files.".formatted(
                        SparkEngine.master(), SparkEngine.HEAP),
                "All write Parquet with ZSTD. Inputs are smaller than the target size, so that the goal of each engine is one file; only tables with an order have a small target size, as a table property: Lakesteward and Spark obey it, and so does Trino where it writes one after the other, though it never ends a file before its sort buffer is full.",
                "Sort: `strategy => 'sort'` for Lakesteward and Spark, which take the table's order; `optimize` sorts what it writes by it anyway. Overlapping pairs are pairs of data files whose bounds of the sort column have a value in common.",
                "Processes' CPU is that of all Trino servers, or of Spark's process, from sending the statement to its end, in steps of 10 ms. Statement's CPU is Trino's own account.",
                "After every run the row count and a checksum over whole rows, read through Trino, were those of the input, and no data file of the input was live any more.",
                "Reads run in Trino, once uncounted and then measured (%s of each), in turns on the input and on one result of each engine; their results were equal. Files are those that the scan was planned for, bytes those read from storage.".formatted(repetitions.reads()));
    }
}
