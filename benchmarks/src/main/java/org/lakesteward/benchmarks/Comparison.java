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

import java.io.PrintStream;
import java.util.List;
import java.util.OptionalDouble;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.benchmarks.Contender.OPTIMIZE;
import static org.lakesteward.benchmarks.Contender.OURS;

/**
 * Runs both contenders on copies of one input, in turns. Which of them goes first alternates, so that neither always finds
 * the other's caches, compiled code or garbage.
 *
 * @param warmUps pairs of runs that are not measured
 * @param repetitions pairs of runs that are
 */
record Comparison(BenchmarkLake lake, int warmUps, int repetitions, PrintStream out)
{
    private static final List<Contender> ODD = ImmutableList.of(OURS, OPTIMIZE);
    private static final List<Contender> EVEN = ImmutableList.of(OPTIMIZE, OURS);

    Comparison
    {
        requireNonNull(lake, "lake is null");
        checkArgument(warmUps >= 1, "warmUps is %s, it must be at least 1", warmUps);
        checkArgument(repetitions >= 5, "repetitions is %s, it must be at least 5", repetitions);
        requireNonNull(out, "out is null");
    }

    ScenarioResult run(Scenario scenario)
    {
        out.printf("%n%s: writing the input ...%n", scenario.name());
        InputTable input = lake.write(scenario);
        out.printf("%s: %,d rows in %s data files of %,d bytes%s%n", scenario.name(), input.rows(), input.dataFiles(), input.dataBytes(),
                input.deleteFiles() == 0 ? "" : ", %s delete files of %,d bytes".formatted(input.deleteFiles(), input.deleteBytes()));

        ImmutableListMultimap.Builder<Contender, Run> runs = ImmutableListMultimap.builder();
        ImmutableList.Builder<Double> copies = ImmutableList.builder();
        OptionalDouble first = OptionalDouble.empty();
        for (int round = 1; round <= warmUps + repetitions; round++) {
            boolean measured = round > warmUps;
            for (Contender contender : round % 2 == 1 ? ODD : EVEN) {
                Run run = lake.rewrite(scenario, input, contender, "%s_%s_%s".formatted(scenario.name(), contender.procedure(), round));
                out.printf("%s %s: %-18s  cpu %7.3f s  wall %7.3f s  all processes' cpu %7.3f s%n",
                        measured ? "run    " : "warm-up",
                        measured ? round - warmUps : round,
                        contender.procedure(),
                        run.cpuSeconds(),
                        run.wallSeconds(),
                        run.processCpuSeconds());
                if (first.isEmpty() && contender == OURS) {
                    first = OptionalDouble.of(run.wallSeconds());
                }
                if (measured) {
                    runs.put(contender, run);
                }
            }
            if (scenario.compareWithCp()) {
                double seconds = lake.cp(input);
                if (measured) {
                    copies.add(seconds);
                }
            }
        }
        return new ScenarioResult(scenario, input, first.orElseThrow(), runs.build(), copies.build());
    }
}
