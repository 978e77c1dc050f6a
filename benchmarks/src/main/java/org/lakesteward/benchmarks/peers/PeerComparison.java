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

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableTable;
import org.lakesteward.benchmarks.BenchmarkFailedException;
import org.lakesteward.benchmarks.BenchmarkLake;
import org.lakesteward.benchmarks.FlightsInput;
import org.lakesteward.benchmarks.InputTable;
import org.lakesteward.benchmarks.OrderedLineItemInput;
import org.lakesteward.benchmarks.QueryStatistics;
import org.lakesteward.benchmarks.Scenario;
import org.lakesteward.benchmarks.TableFiles;
import org.lakesteward.testing.server.StatementResult;
import org.lakesteward.testing.server.TrinoCluster;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * Has each engine rewrite copies of one input, in turns, then queries the input and one result of each engine. Who goes first
 * changes from round to round, so that none always finds another's garbage or caches.
 */
record PeerComparison(TrinoCluster cluster, BenchmarkLake lake, SparkEngine spark, Repetitions repetitions, PrintStream out)
{
    PeerComparison
    {
        requireNonNull(cluster, "cluster is null");
        requireNonNull(lake, "lake is null");
        requireNonNull(spark, "spark is null");
        requireNonNull(repetitions, "repetitions is null");
        requireNonNull(out, "out is null");
    }

    /**
     * @throws BenchmarkFailedException if an engine changed rows or did nothing, or a query's result differs between the tables
     */
    PeerResult run(Scenario scenario)
    {
        out.printf("%n%s: writing the input ...%n", scenario.name());
        InputTable input = lake.write(scenario);
        out.printf("%s: %,d rows in %s data files of %,d bytes%s%n", scenario.name(), input.rows(), input.dataFiles(), input.dataBytes(),
                input.deleteFiles() == 0 ? "" : ", %s delete files of %,d bytes".formatted(input.deleteFiles(), input.deleteBytes()));

        ImmutableListMultimap.Builder<Engine, RewriteRun> runs = ImmutableListMultimap.builder();
        Map<TableVersion, String> tables = new EnumMap<>(TableVersion.class);
        List<Engine> engines = new ArrayList<>(ImmutableList.copyOf(Engine.values()));
        int rounds = repetitions.warmUps() + repetitions.measured();
        for (int round = 1; round <= rounds; round++) {
            boolean measured = round > repetitions.warmUps();
            for (Engine engine : engines) {
                String copy = "%s_%s_%s".formatted(scenario.name(), engine.id(), round);
                RewriteRun run = rewrite(scenario, input, engine, copy);
                out.printf("%s %s: %-14s  wall %7.3f s  processes' cpu %7.3f s%s%n",
                        measured ? "run    " : "warm-up",
                        measured ? round - repetitions.warmUps() : round,
                        engine.title(),
                        run.wallSeconds(),
                        run.processCpuSeconds(),
                        run.statistics().map(statistics -> "  statement's cpu %7.3f s".formatted(statistics.cpuSeconds())).orElse(""));
                if (measured) {
                    runs.put(engine, run);
                }
                if (round == rounds) {
                    tables.put(TableVersion.after(engine), copy);
                }
                else {
                    lake.remove(input, copy);
                }
            }
            Collections.rotate(engines, 1);
        }

        String untouched = scenario.name() + "_untouched";
        lake.register(input.metadataLocation(), untouched);
        tables.put(TableVersion.INPUT, untouched);
        ImmutableTable<ReadQuery, TableVersion, List<ReadRun>> reads = read(scenario, tables);
        tables.values().forEach(table -> lake.remove(input, table));
        return new PeerResult(scenario, input, runs.build(), reads);
    }

    private RewriteRun rewrite(Scenario scenario, InputTable input, Engine engine, String copy)
    {
        lake.register(input.metadataLocation(), copy);
        String statement = engine.statement(BenchmarkLake.SCHEMA, copy, scenario);
        return switch (engine) {
            case OURS, OPTIMIZE -> {
                Duration cpuBefore = lake.processCpu();
                Stopwatch stopwatch = Stopwatch.createStarted();
                StatementResult result = cluster.query(statement);
                Duration wall = stopwatch.elapsed();
                Duration cpu = lake.processCpu().minus(cpuBefore);
                if (engine == Engine.OURS) {
                    BenchmarkLake.checkPath(scenario.path(), result);
                }
                QueryStatistics statistics = QueryStatistics.fetch(cluster.coordinatorUri(), result.queryId());
                yield new RewriteRun(seconds(wall), seconds(cpu), Optional.of(statistics), lake.checkRewritten(scenario, input, engine.title(), copy), overlappingPairs(scenario, copy));
            }
            case SPARK -> {
                Duration cpuBefore = spark.processCpu();
                Stopwatch stopwatch = Stopwatch.createStarted();
                JsonNode result = spark.query(statement);
                Duration wall = stopwatch.elapsed();
                Duration cpu = spark.processCpu().minus(cpuBefore);
                if (result.path(0).path("failed_data_files_count").asLong(-1) != 0) {
                    throw new BenchmarkFailedException("Spark did not rewrite all files of %s: %s".formatted(scenario.name(), result));
                }
                TableFiles after = lake.checkDataRewritten(scenario, input, engine.title(), copy);
                yield new RewriteRun(seconds(wall), seconds(cpu), Optional.empty(), after, overlappingPairs(scenario, copy));
            }
        };
    }

    private OptionalLong overlappingPairs(Scenario scenario, String table)
    {
        return scenario.sortedBy()
                .map(column -> OptionalLong.of(lake.overlappingPairs(table, column)))
                .orElse(OptionalLong.empty());
    }

    private ImmutableTable<ReadQuery, TableVersion, List<ReadRun>> read(Scenario scenario, Map<TableVersion, String> tables)
    {
        ImmutableTable.Builder<ReadQuery, TableVersion, List<ReadRun>> reads = ImmutableTable.builder();
        for (ReadQuery query : queries(scenario, tables.get(TableVersion.INPUT))) {
            ImmutableListMultimap.Builder<TableVersion, ReadRun> runs = ImmutableListMultimap.builder();
            Optional<List<List<Object>>> expected = Optional.empty();
            for (int round = 0; round <= repetitions.reads(); round++) {
                for (TableVersion version : TableVersion.values()) {
                    Stopwatch stopwatch = Stopwatch.createStarted();
                    StatementResult result = cluster.query(query.sql(qualified(tables.get(version))));
                    Duration wall = stopwatch.elapsed();
                    if (expected.isPresent() && !expected.get().equals(result.rows())) {
                        throw new BenchmarkFailedException("%s of %s gave %s, not %s".formatted(query.name(), version.title(), result.rows(), expected.get()));
                    }
                    expected = Optional.of(result.rows());
                    QueryStatistics statistics = QueryStatistics.fetch(cluster.coordinatorUri(), result.queryId());
                    // the first round warms up
                    if (round > 0) {
                        runs.put(version, new ReadRun(seconds(wall), statistics));
                    }
                }
            }
            ImmutableListMultimap<TableVersion, ReadRun> measured = runs.build();
            measured.keySet().forEach(version -> reads.put(query, version, measured.get(version)));
        }
        return reads.build();
    }

    private List<ReadQuery> queries(Scenario scenario, String input)
    {
        if (scenario.input() instanceof FlightsInput) {
            return ReadQuery.forFlights();
        }
        if (scenario.input() instanceof OrderedLineItemInput) {
            return ReadQuery.forShipDates();
        }
        List<Object> bounds = cluster.query("SELECT min(orderkey), max(orderkey) FROM " + qualified(input)).rows().getFirst();
        long first = ((Number) bounds.getFirst()).longValue();
        long last = ((Number) bounds.getLast()).longValue();
        Object middle = cluster.query("SELECT min(orderkey) FROM %s WHERE orderkey >= %s".formatted(qualified(input), first + (last - first) / 2)).onlyValue();
        return ReadQuery.forKeys(first, ((Number) middle).longValue(), last);
    }

    private static String qualified(String table)
    {
        return "stock.%s.%s".formatted(BenchmarkLake.SCHEMA, table);
    }

    private static double seconds(Duration duration)
    {
        return duration.toNanos() / 1e9;
    }
}
