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

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

/**
 * Runs {@link AccessCheckBenchmark} with JMH, each case in virtual machines of its own.
 */
final class AccessCheckMeasurement
        implements Measurement
{
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private static final List<Case> CASES = ImmutableList.of(
            new Case("allow_all", "allow-all", "allowAll", ImmutableMap.of()),
            new Case("per_check_open", "no window", "open", ImmutableMap.of()),
            new Case("per_check_open_1_window", "1 window elsewhere", "outside", ImmutableMap.of("windows", "1", "withEnd", "false")),
            new Case("per_check_open_100_windows", "100 windows elsewhere", "outside", ImmutableMap.of("windows", "100", "withEnd", "false")),
            new Case("per_check_open_1_window_with_end", "1 window elsewhere, with an end", "outside", ImmutableMap.of("windows", "1", "withEnd", "true")),
            new Case("per_check_open_100_windows_with_end", "100 windows elsewhere, with an end", "outside", ImmutableMap.of("windows", "100", "withEnd", "true")),
            new Case("per_read_closed", "function of a read, in a window", "functionOfRead", ImmutableMap.of("windows", "1")),
            new Case("per_read_closed_100_windows", "the same, 100 windows", "functionOfRead", ImmutableMap.of("windows", "100")),
            new Case("denied", "refused by another access control", "denied", ImmutableMap.of()),
            new Case("per_check_closed", "refused, 1 window", "refused", ImmutableMap.of("windows", "1")),
            new Case("per_check_closed_100_windows", "refused, 100 windows", "refused", ImmutableMap.of("windows", "100")),
            new Case("per_statement", "a whole statement, no window", "statement", ImmutableMap.of()));

    /**
     * @param field what its figures are called in the last line, after {@code ns_} and {@code bytes_}
     * @param parameters of the benchmark's state
     */
    private record Case(String field, String description, String method, Map<String, String> parameters)
    {
        boolean is(RunResult result)
        {
            return result.getParams().getBenchmark().endsWith("." + method) &&
                    parameters.entrySet().stream().allMatch(parameter -> parameter.getValue().equals(result.getParams().getParam(parameter.getKey())));
        }
    }

    static Set<String> methods()
    {
        return CASES.stream().map(Case::method).collect(toImmutableSet());
    }

    @Override
    public ResultLine measure(boolean quick, PrintStream out)
    {
        Options options = new OptionsBuilder()
                .include("^" + AccessCheckBenchmark.class.getName().replace(".", "\\.") + "\\.")
                .addProfiler(GCProfiler.class)
                .forks(quick ? 1 : 3)
                .warmupIterations(quick ? 3 : 5)
                .warmupTime(TimeValue.milliseconds(quick ? 500 : 1_000))
                .measurementIterations(5)
                .measurementTime(TimeValue.milliseconds(quick ? 500 : 1_000))
                .jvmArgs("-Xms512m", "-Xmx512m", "--sun-misc-unsafe-memory-access=allow")
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        out.printf("Measuring %s cases, each for %s ...%n", CASES.size(), quick ? "about 5 seconds" : "about half a minute");
        Collection<RunResult> results;
        try {
            results = new Runner(options).run();
        }
        catch (RunnerException e) {
            throw new BenchmarkFailedException("JMH could not run: " + e.getMessage(), e);
        }

        ResultLine line = new ResultLine();
        out.printf("%n%s%s%s%n", Strings.padEnd("", 38, ' '), Strings.padStart("ns", 10, ' '), Strings.padStart("bytes", 10, ' '));
        for (Case measured : CASES) {
            RunResult result = only(measured, results);
            double nanos = result.getPrimaryResult().getScore();
            // fractions of a byte are what the profiler itself allocated
            double bytes = Math.rint(allocation(result) * 10) / 10;
            out.printf("%s%10.1f%10.1f%n", Strings.padEnd(measured.description(), 38, ' '), nanos, bytes);
            line.put("ns_" + measured.field(), nanos);
            line.put("bytes_" + measured.field(), bytes);
        }
        out.println();
        return line;
    }

    private static RunResult only(Case measured, Collection<RunResult> results)
    {
        List<RunResult> matches = results.stream().filter(measured::is).collect(toImmutableList());
        if (matches.size() != 1) {
            throw new BenchmarkFailedException("JMH gave %s results for the case '%s'".formatted(matches.size(), measured.description()));
        }
        return matches.getFirst();
    }

    private static double allocation(RunResult result)
    {
        Result<?> allocation = result.getSecondaryResults().get(ALLOCATION);
        if (allocation == null) {
            throw new BenchmarkFailedException("JMH gave no figure for allocation, only " + Joiner.on(", ").join(result.getSecondaryResults().keySet()));
        }
        return allocation.getScore();
    }
}
