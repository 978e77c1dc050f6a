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

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import org.lakesteward.testing.server.ProjectLayout;
import org.lakesteward.testing.server.TrinoCluster;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * Rewrites tables with our procedure and with {@code optimize} by turns, on a real coordinator and workers.
 *
 * @param scenarios what is measured, one after the other in the same servers; the argument is how large the inputs are
 */
record RewriteMeasurement(Function<InputSize, List<Scenario>> scenarios)
        implements Measurement
{
    private static final int WARM_UPS = 3;
    private static final int QUICK_REPETITIONS = 5;
    private static final int REPETITIONS = 9;

    RewriteMeasurement
    {
        requireNonNull(scenarios, "scenarios is null");
    }

    @Override
    public ResultLine measure(boolean quick, PrintStream out)
    {
        ProjectLayout layout = ProjectLayout.current();
        Path folder = layout.root().resolve("var/bench");
        List<Scenario> measured = scenarios.apply(quick ? InputSize.MEDIUM : InputSize.LARGE);
        Stopwatch stopwatch = Stopwatch.createStarted();

        out.printf("Starting Trino: a coordinator and %s workers ...%n", BenchmarkCluster.WORKERS);
        ImmutableList.Builder<ScenarioResult> results = ImmutableList.builder();
        Path warehouse;
        try (TrinoCluster cluster = BenchmarkCluster.builder(layout, folder, measured).start()) {
            out.printf("Ready after %s s; logs are in %s.%n", stopwatch.elapsed(TimeUnit.SECONDS), folder);
            warehouse = cluster.warehouse();
            Comparison comparison = new Comparison(new BenchmarkLake(cluster), WARM_UPS, quick ? QUICK_REPETITIONS : REPETITIONS, out);
            measured.forEach(scenario -> results.add(comparison.run(scenario)));
        }
        BenchmarkCluster.deleteInputs(warehouse);

        BenchmarkReport report = new BenchmarkReport(results.build());
        out.print(report.tables());
        out.printf("%nEvery run was checked: row count and checksum equal before and after. Done after %s s.%n", stopwatch.elapsed(TimeUnit.SECONDS));
        return report.line();
    }
}
