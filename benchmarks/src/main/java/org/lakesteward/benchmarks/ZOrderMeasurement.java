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
import io.airlift.units.DataSize;
import org.lakesteward.testing.server.ProjectLayout;
import org.lakesteward.testing.server.StatementResult;
import org.lakesteward.testing.server.TrinoCluster;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.Objects.requireNonNull;

/**
 * What selective queries of two columns read from a table that was packed, sorted by one of the columns, and z-ordered by both.
 * The number of files and bytes that a query reads does not vary from run to run, so that each is read once.
 */
record ZOrderMeasurement()
        implements Measurement
{
    private static final String FIRST = "shipdate";
    private static final String SECOND = "partkey";

    /**
     * How the table's files are laid out.
     *
     * @param arguments of the rewrite
     */
    private enum Layout
    {
        PACKED("binpack, in the order of arrival", "rewrite_all => true", WritePath.ENCODE),
        SORTED("sort by shipdate", "strategy => 'sort', sort_order => ARRAY['shipdate'], rewrite_all => true", WritePath.SORT),
        Z_ORDERED("zorder by shipdate and partkey", "strategy => 'zorder', sort_order => ARRAY['shipdate', 'partkey'], rewrite_all => true", WritePath.SORT);

        private final String title;
        private final String arguments;
        private final WritePath path;

        Layout(String title, String arguments, WritePath path)
        {
            this.title = requireNonNull(title, "title is null");
            this.arguments = requireNonNull(arguments, "arguments is null");
            this.path = requireNonNull(path, "path is null");
        }

        String field()
        {
            return name().toLowerCase(Locale.ENGLISH);
        }
    }

    private record Query(String name, String condition) {}

    private record Read(String rows, long files, long bytes) {}

    @Override
    public ResultLine measure(boolean quick, PrintStream out)
    {
        BigDecimal scaleFactor = new BigDecimal(quick ? "0.25" : "1");
        DataSize targetFileSize = DataSize.of(quick ? 1 : 4, MEGABYTE);
        long parts = scaleFactor.multiply(BigDecimal.valueOf(200_000)).longValue();
        // each leaves about one row in a hundred
        List<Query> queries = ImmutableList.of(
                new Query(FIRST, "shipdate BETWEEN DATE '1995-03-01' AND DATE '1995-03-25'"),
                new Query(SECOND, "partkey BETWEEN %s AND %s".formatted(parts / 2, parts / 2 + parts / 100)),
                new Query("both", "shipdate BETWEEN DATE '1995-03-01' AND DATE '1995-11-01' AND partkey BETWEEN %s AND %s".formatted(parts / 2, parts / 2 + parts / 10)));
        // the order of the input is that of arrival: the table gets an order only by the rewrites
        Scenario scenario = new Scenario(
                "lineitem",
                new OrderedLineItemInput(scaleFactor, 20, "orderkey", targetFileSize),
                DeleteKind.NONE,
                WritePath.SORT,
                false,
                Optional.of(FIRST));

        ProjectLayout layout = ProjectLayout.current();
        Path folder = layout.root().resolve("var/bench");
        Stopwatch stopwatch = Stopwatch.createStarted();
        out.printf("Starting Trino: a coordinator and %s workers ...%n", BenchmarkCluster.WORKERS);
        ResultLine line = new ResultLine();
        Path warehouse;
        try (TrinoCluster cluster = BenchmarkCluster.builder(layout, folder, ImmutableList.of(scenario)).start()) {
            out.printf("Ready after %s s; logs are in %s.%n", stopwatch.elapsed(TimeUnit.SECONDS), folder);
            warehouse = cluster.warehouse();
            BenchmarkLake lake = new BenchmarkLake(cluster);
            InputTable input = lake.write(scenario);
            out.printf(Locale.ENGLISH, "%,d rows in %s data files of %,d bytes%n%n", input.rows(), input.dataFiles(), input.dataBytes());
            line.put("rows", input.rows()).put("files_in", input.dataFiles()).put("bytes_in", input.dataBytes());
            out.printf("%-34s %8s %8s %12s   %-10s %8s %12s%n", "", "wall, s", "files", "bytes", "query of", "files", "bytes read");

            List<String> expected = null;
            for (Layout files : Layout.values()) {
                String table = "lineitem_" + files.field();
                lake.register(input.metadataLocation(), table);
                Stopwatch rewrite = Stopwatch.createStarted();
                StatementResult result = cluster.query("ALTER TABLE lake.%s.%s EXECUTE rewrite_data_files(%s)".formatted(BenchmarkLake.SCHEMA, table, files.arguments));
                double wall = rewrite.elapsed().toNanos() / 1e9;
                BenchmarkLake.checkPath(files.path, result);
                TableFiles after = lake.checkRewritten(scenario, input, files.title, table);
                line.put("wall_s_" + files.field(), wall).put("files_out_" + files.field(), after.dataFiles()).put("bytes_out_" + files.field(), after.dataBytes());

                List<Read> reads = queries.stream().map(query -> read(cluster, table, query)).toList();
                List<String> rows = reads.stream().map(Read::rows).toList();
                if (expected != null && !expected.equals(rows)) {
                    throw new BenchmarkFailedException("The queries gave %s after %s, not %s".formatted(rows, files.title, expected));
                }
                expected = rows;
                for (int index = 0; index < queries.size(); index++) {
                    Query query = queries.get(index);
                    Read read = reads.get(index);
                    line.put("files_read_%s_%s".formatted(query.name(), files.field()), read.files()).put("bytes_read_%s_%s".formatted(query.name(), files.field()), read.bytes());
                    out.printf(
                            Locale.ENGLISH,
                            "%-34s %8s %8s %12s   %-10s %8d %,12d%n",
                            index == 0 ? files.title : "",
                            index == 0 ? "%.2f".formatted(wall) : "",
                            index == 0 ? after.dataFiles() : "",
                            index == 0 ? "%,d".formatted(after.dataBytes()) : "",
                            query.name(),
                            read.files(),
                            read.bytes());
                }
                lake.remove(input, table);
            }
        }
        BenchmarkCluster.deleteInputs(warehouse);
        out.printf("%nEvery table was checked: row count, checksum and the queries' results are equal. Wall times are of one run each. Done after %s s.%n", stopwatch.elapsed(TimeUnit.SECONDS));
        return line;
    }

    private static Read read(TrinoCluster cluster, String table, Query query)
    {
        StatementResult result = cluster.query("SELECT count(*), sum(quantity), max(comment) FROM stock.%s.%s WHERE %s".formatted(BenchmarkLake.SCHEMA, table, query.condition()));
        QueryStatistics statistics = QueryStatistics.fetch(cluster.coordinatorUri(), result.queryId());
        return new Read(result.rows().toString(), statistics.dataFiles(), statistics.physicalReadBytes());
    }
}
