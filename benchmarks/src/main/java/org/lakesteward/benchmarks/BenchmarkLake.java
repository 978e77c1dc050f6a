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
import com.google.common.collect.Sets;
import org.lakesteward.testing.server.ServerNode;
import org.lakesteward.testing.server.StatementResult;
import org.lakesteward.testing.server.TrinoClient;
import org.lakesteward.testing.server.TrinoCluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * What benchmarks do with a running cluster: write inputs, register copies of them, rewrite and check these. Not thread-safe.
 */
public final class BenchmarkLake
{
    /** The catalog through which inputs are registered and, unless their files must be small, written */
    public static final String INPUT_CATALOG = "input";
    public static final String SCHEMA = "bench";
    private static final int EQUALITY_DELETE_FILES = 8;
    /** Of TPC-H's order keys: one row in 20 */
    private static final String DELETED = "orderkey % 20 = 3";

    private final TrinoCluster cluster;
    private final Warehouse warehouse;

    public BenchmarkLake(TrinoCluster cluster)
    {
        this.cluster = requireNonNull(cluster, "cluster is null");
        warehouse = new Warehouse(cluster.warehouse());
        cluster.query("CREATE SCHEMA stock." + SCHEMA);
    }

    public InputTable write(Scenario scenario)
    {
        String name = scenario.name() + "_input";
        // one writer, so that each INSERT gives one file, and a statement that gives many leaves one small rest
        TrinoClient client = cluster.client()
                .withSessionProperty("max_writer_task_count", "1")
                .withSessionProperty("task_max_writer_count", "1");
        scenario.input().statements(qualified(BenchmarkCluster.catalog(scenario.input()), name), scenario.deletes().formatVersion()).forEach(client::query);
        return switch (scenario.deletes()) {
            case NONE -> describe(scenario, name);
            case POSITION_DELETES, DELETION_VECTORS -> {
                cluster.query("DELETE FROM %s WHERE %s".formatted(qualified("stock", name), DELETED));
                yield describe(scenario, name);
            }
            case EQUALITY_DELETES -> {
                List<Long> keys = cluster.query("SELECT DISTINCT orderkey FROM %s WHERE %s ORDER BY orderkey".formatted(qualified("stock", name), DELETED)).rows().stream()
                        .map(row -> ((Number) row.getFirst()).longValue())
                        .toList();
                String metadataLocation;
                try {
                    metadataLocation = new EqualityDeletes(warehouse).delete(metadataLocation(name), "orderkey", keys, EQUALITY_DELETE_FILES);
                }
                catch (IOException e) {
                    throw new UncheckedIOException("Cannot write equality deletes", e);
                }
                String deleted = scenario.name() + "_deleted";
                register(metadataLocation, deleted);
                yield describe(scenario, deleted);
            }
        };
    }

    private InputTable describe(Scenario scenario, String table)
    {
        TableFiles files = files(table);
        Rows rows = rows(scenario, table);
        return new InputTable(
                metadataLocation(table),
                Sets.union(files.dataLocations(), files.deleteLocations()),
                files.dataFiles(),
                files.dataBytes(),
                files.deleteFiles(),
                files.deleteBytes(),
                rows.count(),
                rows.checksum());
    }

    private String metadataLocation(String table)
    {
        return (String) cluster.query("SELECT file FROM %s ORDER BY timestamp DESC, latest_sequence_number DESC LIMIT 1".formatted(metadataTable(table, "metadata_log_entries"))).onlyValue();
    }

    /**
     * Rewrites a fresh copy of the input, checks that it holds the same rows, and removes what the run has written.
     *
     * @param copy name of the copy, unused so far
     * @throws BenchmarkFailedException if the rewrite changed rows, did nothing, or wrote in another way than the scenario is about
     */
    Run rewrite(Scenario scenario, InputTable input, Contender contender, String copy)
    {
        register(input.metadataLocation(), copy);
        Duration cpuBefore = processCpu();
        Stopwatch stopwatch = Stopwatch.createStarted();
        StatementResult result = cluster.query(contender.statement(SCHEMA, copy));
        Duration wall = stopwatch.elapsed();
        QueryStatistics statistics = QueryStatistics.fetch(cluster.coordinatorUri(), result.queryId());
        Duration cpu = processCpu().minus(cpuBefore);

        if (contender == Contender.OURS) {
            checkPath(scenario.path(), result);
        }
        TableFiles after = checkRewritten(scenario, input, contender.procedure(), copy);
        remove(input, copy);
        return new Run(
                statistics.cpuSeconds(),
                seconds(cpu),
                seconds(wall),
                statistics.networkBytes(),
                statistics.peakMemoryBytes(),
                statistics.physicalReadBytes(),
                after.dataFiles(),
                after.dataBytes(),
                after.deleteFiles());
    }

    /**
     * @throws BenchmarkFailedException if {@code rewrite_data_files} wrote in another way than the scenario is about
     */
    public static void checkPath(WritePath path, StatementResult result)
    {
        long groups = metric(result, path.metric());
        if (groups == 0) {
            throw new BenchmarkFailedException("rewrite_data_files wrote no group as this benchmark is about: %s=0".formatted(path.metric()));
        }
        path.otherMetric().ifPresent(other -> {
            if (metric(result, other) != 0) {
                throw new BenchmarkFailedException("rewrite_data_files wrote %s=%s and %s=%s: this benchmark is about %s alone".formatted(
                        path.metric(), groups, other, metric(result, other), path.metric()));
            }
        });
    }

    private static long metric(StatementResult result, String name)
    {
        return result.rows().stream()
                .filter(row -> row.getFirst().equals(name))
                .map(row -> ((Number) row.getLast()).longValue())
                .findFirst()
                .orElseThrow(() -> new BenchmarkFailedException("rewrite_data_files did not report " + name));
    }

    /**
     * @param who for messages: what rewrote the table
     * @return the table's files
     * @throws BenchmarkFailedException if the rewrite changed rows, or left files of the input where they were
     */
    public TableFiles checkRewritten(Scenario scenario, InputTable input, String who, String table)
    {
        TableFiles after = checkDataRewritten(scenario, input, who, table);
        if (after.deleteLocations().stream().anyMatch(input.fileLocations()::contains)) {
            throw new BenchmarkFailedException("%s of %s left delete files: it had %s, it has %s".formatted(who, scenario.name(), input.deleteFiles(), after.deleteFiles()));
        }
        return after;
    }

    /**
     * The same, for engines that leave delete files which no data file needs any more.
     */
    public TableFiles checkDataRewritten(Scenario scenario, InputTable input, String who, String table)
    {
        TableFiles after = files(table);
        // a sort does not aim at fewer files
        if ((scenario.sortedBy().isEmpty() && after.dataFiles() >= input.dataFiles()) || after.dataLocations().stream().anyMatch(input.fileLocations()::contains)) {
            throw new BenchmarkFailedException("%s of %s left data files unwritten: it had %s, it has %s".formatted(who, scenario.name(), input.dataFiles(), after.dataFiles()));
        }
        Rows rows = rows(scenario, table);
        if (rows.count() != input.rows() || !rows.checksum().equals(input.checksum())) {
            throw new BenchmarkFailedException("%s changed the rows of %s: %s rows with checksum %s became %s rows with checksum %s".formatted(
                    who,
                    scenario.name(),
                    input.rows(),
                    input.checksum(),
                    rows.count(),
                    rows.checksum()));
        }
        return after;
    }

    /** Makes the catalog forget a copy and deletes the files of it that are not the input's. */
    public void remove(InputTable input, String copy)
    {
        TableFiles files = files(copy);
        cluster.query("CALL stock.system.unregister_table('%s', '%s')".formatted(SCHEMA, copy));
        // several deletion vectors share a file
        Sets.union(files.dataLocations(), files.deleteLocations()).stream()
                .filter(location -> !input.fileLocations().contains(location))
                .forEach(warehouse::delete);
    }

    /**
     * Copies the input's files with {@code cp} and removes the copy.
     *
     * @return wall seconds
     */
    double cp(InputTable input)
    {
        return new FileCopy(cluster.folder().resolve("cp")).seconds(input.fileLocations().stream().map(warehouse::file).toList());
    }

    /** Makes another table of a metadata file. */
    public void register(String metadataLocation, String table)
    {
        String location = metadataLocation.substring(0, metadataLocation.lastIndexOf("/metadata/"));
        String file = metadataLocation.substring(metadataLocation.lastIndexOf('/') + 1);
        cluster.query("CALL %s.system.register_table('%s', '%s', '%s', '%s')".formatted(INPUT_CATALOG, SCHEMA, table, location, file));
    }

    private TableFiles files(String table)
    {
        List<List<Object>> rows = cluster.query("SELECT content, file_path, file_size_in_bytes FROM " + metadataTable(table, "files")).rows();
        return new TableFiles(
                rows.stream().filter(row -> isData(row)).map(row -> (String) row.get(1)).collect(toImmutableSet()),
                rows.stream().filter(row -> isData(row)).mapToLong(row -> ((Number) row.get(2)).longValue()).sum(),
                rows.stream().filter(row -> !isData(row)).map(row -> (String) row.get(1)).collect(toImmutableSet()),
                rows.stream().filter(row -> !isData(row)).count(),
                rows.stream().filter(row -> !isData(row)).mapToLong(row -> ((Number) row.get(2)).longValue()).sum());
    }

    private static boolean isData(List<Object> row)
    {
        return ((Number) row.getFirst()).intValue() == 0;
    }

    /**
     * How many pairs of the table's data files have bounds of the column that overlap.
     */
    public long overlappingPairs(String table, String column)
    {
        return KeyRange.overlappingPairs(cluster.query("SELECT json_format(readable_metrics) FROM %s WHERE content = 0".formatted(metadataTable(table, "files"))).rows().stream()
                .map(row -> KeyRange.parse((String) row.getFirst(), column))
                .toList());
    }

    private Rows rows(Scenario scenario, String table)
    {
        List<Object> row = cluster.query("SELECT count(*), to_hex(checksum(ROW(%s))) FROM %s".formatted(
                        String.join(", ", scenario.input().columns()),
                        qualified("stock", table)))
                .rows().getFirst();
        return new Rows(((Number) row.getFirst()).longValue(), (String) row.getLast());
    }

    /** CPU time that all server processes have taken since their start */
    public Duration processCpu()
    {
        return Stream.concat(Stream.of(cluster.coordinator()), cluster.workers().stream())
                .map(BenchmarkLake::processCpu)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration processCpu(ServerNode node)
    {
        return ProcessHandle.of(node.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new BenchmarkFailedException("The system does not tell the CPU time of %s".formatted(node.id())));
    }

    private static String qualified(String catalog, String table)
    {
        return "%s.%s.%s".formatted(catalog, SCHEMA, table);
    }

    private static String metadataTable(String table, String suffix)
    {
        return "stock.%s.\"%s$%s\"".formatted(SCHEMA, table, suffix);
    }

    private static double seconds(Duration duration)
    {
        return duration.toNanos() / 1e9;
    }

    private record Rows(long count, String checksum) {}
}
