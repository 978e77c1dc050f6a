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

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import org.lakesteward.benchmarks.BenchmarkCluster;
import org.lakesteward.benchmarks.BenchmarkFailedException;
import org.lakesteward.benchmarks.BenchmarkLake;
import org.lakesteward.benchmarks.Scenario;
import org.lakesteward.testing.server.PostgreSqlServer;
import org.lakesteward.testing.server.ProjectLayout;
import org.lakesteward.testing.server.ServerStartException;
import org.lakesteward.testing.server.StatementFailedException;
import org.lakesteward.testing.server.TrinoCluster;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * {@code ./lakesteward bench peers [--quick]}: exit code 0 if all went well, 1 if a run failed or changed rows, 2 if it was called
 * wrongly. Writes its results to {@code benchmarks/results}; the last line of the output is a JSON object of numbers.
 */
public final class Peers
{
    /** Held, because the log manager forgets a logger and its level otherwise. */
    private static final Logger ICEBERG_LOGGER = Logger.getLogger("org.apache.iceberg");

    private Peers() {}

    static void main(String[] arguments)
    {
        // its commit reports would stand between the lines of a run
        ICEBERG_LOGGER.setLevel(Level.WARNING);
        System.exit(run(ImmutableList.copyOf(arguments), System.out, System.err));
    }

    private static int run(List<String> arguments, PrintStream out, PrintStream err)
    {
        PeersOptions options;
        try {
            options = PeersOptions.parse(arguments);
        }
        catch (IllegalArgumentException e) {
            err.printf("lakesteward: %s%n", e.getMessage());
            return 2;
        }
        try {
            measure(options, out);
            return 0;
        }
        catch (BenchmarkFailedException | ServerStartException | StatementFailedException | UncheckedIOException e) {
            out.flush();
            err.printf("%nlakesteward: the benchmark failed: %s%n", e.getMessage());
            return 1;
        }
    }

    private static void measure(PeersOptions options, PrintStream out)
    {
        ProjectLayout layout = ProjectLayout.current();
        Path folder = layout.root().resolve("var/bench");
        Repetitions repetitions = options.repetitions();
        Stopwatch stopwatch = Stopwatch.createStarted();
        Instant start = Instant.now();
        ImmutableMap.Builder<String, String> loads = ImmutableMap.builder();
        Machine.load().ifPresent(load -> loads.put("before", load));
        // what is missing is said before anything starts
        SparkJava java = SparkJava.find();
        SparkEngine.classPath(layout);

        out.printf("Starting PostgreSQL, Trino (a coordinator and %s workers) and Spark ...%n", BenchmarkCluster.WORKERS);
        ImmutableList.Builder<PeerResult> results = ImmutableList.builder();
        ImmutableMap.Builder<String, String> versions = ImmutableMap.builder();
        Path warehouse = folder.resolve("lake/warehouse");
        String location = "file://" + warehouse;
        try (PostgreSqlServer catalog = PostgreSqlServer.start(layout.root().resolve("var/bench-postgresql.log"));
                TrinoCluster cluster = cluster(layout, folder, options.scenarios(layout.root()), catalog, location);
                SparkEngine spark = SparkEngine.start(layout, java, folder.resolve("spark"), catalog, location)) {
            out.printf("Ready after %s s; logs are in %s.%n", stopwatch.elapsed(TimeUnit.SECONDS), folder);
            versions.put("Lakesteward", commit(layout));
            versions.put("Trino", "%s on Java %s".formatted(cluster.query("SELECT node_version FROM system.runtime.nodes WHERE coordinator").onlyValue(), Runtime.version()));
            versions.put("Spark", spark.version());
            versions.put("Iceberg in Spark", icebergVersion(layout));
            versions.put("PostgreSQL", catalog.version());
            PeerComparison comparison = new PeerComparison(cluster, new BenchmarkLake(cluster), spark, repetitions, out);
            options.scenarios(layout.root()).forEach(scenario -> results.add(comparison.run(scenario)));
        }
        BenchmarkCluster.deleteInputs(warehouse);
        Machine.load().ifPresent(load -> loads.put("at the end", load));

        Conditions conditions = new Conditions(start, Machine.current(), loads.buildOrThrow(), versions.buildOrThrow(), Conditions.settings(repetitions));
        PeersReport report = new PeersReport(options, conditions, results.build());
        Path target = layout.root().resolve("benchmarks/results").resolve(options.fileName() + ".md");
        write(target, report.markdown());
        write(target.resolveSibling(options.fileName() + ".json"), report.json());
        out.printf("%n%s%nEvery run was checked: row count and checksum equal before and after. Done after %s s.%n", report.markdown(), stopwatch.elapsed(TimeUnit.SECONDS));
        out.printf("Written to %s and .json beside it. The same again: %s%n", layout.root().relativize(target), options.command());
        out.println(PeersLine.of(report.results()).toJson());
    }

    private static TrinoCluster cluster(ProjectLayout layout, Path folder, List<Scenario> scenarios, PostgreSqlServer catalog, String warehouse)
    {
        TrinoCluster.Builder builder = BenchmarkCluster.builder(layout, folder, scenarios);
        for (String name : Iterables.concat(ImmutableList.of("lake", "stock"), BenchmarkCluster.catalogs(scenarios).keySet())) {
            catalog.trinoCatalogProperties().forEach((property, value) -> builder.catalogProperty(name, property, value));
            builder.catalogProperty(name, "iceberg.jdbc-catalog.default-warehouse-dir", warehouse);
            // Spark knows local files by their full path only
            builder.catalogProperty(name, "local.location", "/");
        }
        return builder.start();
    }

    private static String commit(ProjectLayout layout)
    {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
                    .directory(layout.root().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String commit = new String(git.getInputStream().readAllBytes(), UTF_8).trim();
            return git.waitFor() == 0 ? commit : "of an unknown commit";
        }
        catch (IOException e) {
            // no git, no commit
            return "of an unknown commit";
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkFailedException("Interrupted while reading the commit", e);
        }
    }

    /** From the name of the jar that Spark runs with */
    private static String icebergVersion(ProjectLayout layout)
    {
        String name = "iceberg-spark-runtime-4.0_2.13-";
        List<String> versions = ImmutableList.copyOf(SparkEngine.classPath(layout).split("[:;]")).stream()
                .map(jar -> Path.of(jar).getFileName().toString())
                .filter(jar -> jar.startsWith(name))
                .map(jar -> jar.substring(name.length(), jar.length() - ".jar".length()))
                .collect(toImmutableList());
        return String.join(", ", versions);
    }

    private static void write(Path file, String text)
    {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }
}
