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

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableTable;
import org.lakesteward.benchmarks.InputTable;
import org.lakesteward.benchmarks.Median;
import org.lakesteward.benchmarks.Scenario;

import java.util.List;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * The measured runs of a scenario, warm-up left out.
 *
 * @param reads runs of each query on the input and on what each engine made of it, in the queries' order
 */
record PeerResult(
        Scenario scenario,
        InputTable input,
        ImmutableListMultimap<Engine, RewriteRun> runs,
        ImmutableTable<ReadQuery, TableVersion, List<ReadRun>> reads)
{
    PeerResult
    {
        requireNonNull(scenario, "scenario is null");
        requireNonNull(input, "input is null");
        requireNonNull(runs, "runs is null");
        requireNonNull(reads, "reads is null");
    }

    double median(Engine engine, Function<RewriteRun, Number> value)
    {
        return Median.of(runs.get(engine).stream().map(value).toList());
    }

    double median(ReadQuery query, TableVersion version, Function<ReadRun, Number> value)
    {
        return Median.of(reads.get(query, version).stream().map(value).toList());
    }

    /** The sum over the selective queries of their medians */
    double selective(TableVersion version, Function<ReadRun, Number> value)
    {
        return reads.rowKeySet().stream()
                .filter(ReadQuery::selective)
                .mapToDouble(query -> median(query, version, value))
                .sum();
    }

    /** The sum over the full scans of their medians */
    double fullScan(TableVersion version, Function<ReadRun, Number> value)
    {
        return reads.rowKeySet().stream()
                .filter(query -> !query.selective())
                .mapToDouble(query -> median(query, version, value))
                .sum();
    }
}
