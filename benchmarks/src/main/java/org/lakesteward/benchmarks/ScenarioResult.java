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
import com.google.common.collect.ImmutableListMultimap;

import java.util.List;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * The measured runs of a scenario, warm-up left out.
 *
 * @param firstWallSeconds wall time of our very first rewrite, in servers that have just started
 * @param cpWallSeconds one for each repetition; empty if cp was not compared
 */
record ScenarioResult(
        Scenario scenario,
        InputTable input,
        double firstWallSeconds,
        ImmutableListMultimap<Contender, Run> runs,
        List<Double> cpWallSeconds)
{
    ScenarioResult
    {
        requireNonNull(scenario, "scenario is null");
        requireNonNull(input, "input is null");
        requireNonNull(runs, "runs is null");
        cpWallSeconds = ImmutableList.copyOf(cpWallSeconds);
    }

    double median(Contender contender, Function<Run, Number> value)
    {
        return Median.of(runs.get(contender).stream().map(value).toList());
    }
}
