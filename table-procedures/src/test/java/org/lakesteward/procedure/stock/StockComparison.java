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
package org.lakesteward.procedure.stock;

import com.google.common.collect.ImmutableList;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryFailedException;
import io.trino.testing.QueryRunner;
import org.assertj.core.api.SoftAssertions;
import org.lakesteward.procedure.stock.Script.Statement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a script through the lake connector and through the stock one, each in a schema of its own of one metastore, and compares all that a client sees.
 * Afterwards each connector reads what the other one made.
 * <p>
 * Placeholders of statements:
 * <ul>
 * <li>{@code {catalog}}, {@code {other}} and {@code {schema}}: the catalog that runs the script, the other one, and the schema;
 * <li>{@code {snapshot t n}}: id of the n-th snapshot of table t, from 1;
 * <li>{@code {time t n}}: when that snapshot was committed, as a timestamp literal;
 * <li>{@code {location t}}: folder of table t.
 * </ul>
 */
final class StockComparison
{
    static final String LAKE = "lake";
    static final String STOCK = "stock";

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(snapshot|time|location) (\\w+) ?(\\d*)}");

    private final QueryRunner queryRunner;
    private final Instant start = Instant.now();

    StockComparison(QueryRunner queryRunner)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
    }

    /** What a client sees of one statement, without what must differ between runs. */
    private record Outcome(
            String sql,
            Optional<String> errorCode,
            Optional<String> errorMessage,
            Optional<String> updateType,
            OptionalLong updateCount,
            List<String> columns,
            List<String> rows,
            List<String> warnings)
    {
        /** Whether the script means what it says: two equal failures must not pass for equal behaviour. */
        private void assertExpected(Statement statement)
        {
            assertThat(errorCode).as("error of %s: %s", sql, errorMessage.orElse("none")).isEqualTo(statement.errorCode());
            if (statement.isQuery() && errorCode.isEmpty()) {
                assertThat(rows.isEmpty()).as("no rows of %s: %s", sql, rows).isEqualTo(statement.empty());
            }
        }

        @Override
        public String toString()
        {
            return "%s\n  error: %s\n  update: %s %s\n  columns: %s\n  warnings: %s\n  rows:\n    %s".formatted(
                    sql, errorCode.map(code -> code + ": " + errorMessage.orElse("")).orElse("none"), updateType.orElse("none"), updateCount, columns, warnings, String.join("\n    ", rows));
        }
    }

    void assertSame(Script script)
    {
        // schema names of one length, so that metadata files have one size
        Run lake = new Run(LAKE, STOCK, script.name() + "_l");
        Run stock = new Run(STOCK, LAKE, script.name() + "_s");
        lake.createSchema();
        stock.createSchema();
        SoftAssertions softly = new SoftAssertions();
        List<Outcome> lakeOutcomes = new ArrayList<>();
        List<Outcome> stockOutcomes = new ArrayList<>();
        inParallel(
                () -> lakeOutcomes.addAll(lake.execute(script.statements())),
                () -> stockOutcomes.addAll(stock.execute(script.statements())));
        for (int i = 0; i < script.statements().size(); i++) {
            Statement statement = script.statements().get(i);
            Outcome lakeOutcome = lakeOutcomes.get(i);
            Outcome stockOutcome = stockOutcomes.get(i);
            softly.check(() -> stockOutcome.assertExpected(statement));
            softly.assertThat(lakeOutcome.toString()).isEqualTo(stockOutcome.toString());
        }
        softly.check(() -> assertCrossReading(lake));
        softly.check(() -> assertCrossReading(stock));
        softly.assertAll();
    }

    /** Both connectors see the same in what one of them made. */
    private void assertCrossReading(Run run)
    {
        MaterializedResult tables = queryRunner.execute(run.session(Map.of()), "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = '" + run.schema + "'");
        assertThat(tables.getRowCount()).isPositive();
        ImmutableList.Builder<Statement> statements = ImmutableList.builder();
        for (MaterializedRow row : tables.getMaterializedRows()) {
            statements.add(Statement.of("SELECT * FROM \"%s\"".formatted(row.getField(0))));
            statements.add(Statement.of("SHOW STATS FOR \"%s\"".formatted(row.getField(0))));
            if (!row.getField(1).equals("VIEW")) {
                statements.add(Statement.of("SHOW CREATE TABLE \"%s\"".formatted(row.getField(0))));
            }
        }
        List<Outcome> lakeOutcomes = new ArrayList<>();
        List<Outcome> stockOutcomes = new ArrayList<>();
        inParallel(
                () -> lakeOutcomes.addAll(new Run(LAKE, STOCK, run.schema).execute(statements.build())),
                () -> stockOutcomes.addAll(new Run(STOCK, LAKE, run.schema).execute(statements.build())));
        // SHOW CREATE TABLE refuses materialized views, which information_schema lists as tables
        assertThat(stockOutcomes).filteredOn(outcome -> !outcome.sql().startsWith("SHOW CREATE")).allSatisfy(outcome -> assertThat(outcome.errorCode()).isEmpty());
        assertThat(lakeOutcomes).map(Outcome::toString).isEqualTo(stockOutcomes.stream().map(Outcome::toString).toList());
    }

    private static void inParallel(Runnable first, Runnable second)
    {
        CompletableFuture<Void> other = CompletableFuture.runAsync(second);
        try {
            first.run();
        }
        finally {
            other.join();
        }
    }

    private final class Run
    {
        private final String catalog;
        private final String otherCatalog;
        private final String schema;
        private final Normalizer normalizer;

        private Run(String catalog, String otherCatalog, String schema)
        {
            this.catalog = requireNonNull(catalog, "catalog is null");
            this.otherCatalog = requireNonNull(otherCatalog, "otherCatalog is null");
            this.schema = requireNonNull(schema, "schema is null");
            normalizer = new Normalizer(catalog, otherCatalog, schema, start);
        }

        private void createSchema()
        {
            queryRunner.execute("CREATE SCHEMA %s.%s".formatted(catalog, schema));
        }

        private Session session(Map<String, String> properties)
        {
            // one writer, so that the number of files does not hang on scheduling
            Session.SessionBuilder session = testSessionBuilder()
                    .setCatalog(catalog)
                    .setSchema(schema)
                    .setSystemProperty("task_min_writer_count", "1")
                    .setSystemProperty("task_max_writer_count", "1")
                    .setSystemProperty("scale_writers", "false")
                    .setSystemProperty("task_scale_writers_enabled", "false")
                    .setSystemProperty("redistribute_writes", "false");
            properties.forEach((name, value) -> session.setCatalogSessionProperty(catalog, name, value));
            return session.build();
        }

        private List<Outcome> execute(List<Statement> statements)
        {
            return statements.stream().map(this::execute).toList();
        }

        private Outcome execute(Statement statement)
        {
            String sql = fill(statement.sql());
            try {
                MaterializedResult result = queryRunner.execute(session(statement.sessionProperties()), sql);
                ImmutableList.Builder<String> columns = ImmutableList.builder();
                for (int i = 0; i < result.getTypes().size(); i++) {
                    String type = result.getTypes().get(i).toString();
                    columns.add(normalizer.text(result.getColumnNames().get(i)) + " " + (statement.isText() ? type.replaceAll("\\d+", "n") : type));
                }
                return new Outcome(
                        statement.sql(),
                        Optional.empty(),
                        Optional.empty(),
                        result.getUpdateType(),
                        result.getUpdateCount(),
                        columns.build(),
                        normalizer.rows(result.getMaterializedRows(), statement.isOrdered()),
                        result.getWarnings().stream().map(warning -> normalizer.text(warning.getMessage())).toList());
            }
            catch (QueryFailedException e) {
                String code = errorCode(e.getQueryId());
                return new Outcome(statement.sql(), Optional.of(code), Optional.of(normalizer.text(e.getMessage())), Optional.empty(), OptionalLong.empty(), List.of(), List.of(), List.of());
            }
        }

        private String fill(String sql)
        {
            sql = sql.replace("{catalog}", catalog).replace("{other}", otherCatalog).replace("{schema}", schema);
            Matcher matcher = PLACEHOLDER.matcher(sql);
            return matcher.replaceAll(match -> Matcher.quoteReplacement(switch (match.group(1)) {
                case "snapshot" -> nth(match.group(2), match.group(3), "CAST(snapshot_id AS varchar)");
                case "time" -> nth(match.group(2), match.group(3), "'TIMESTAMP ''' || CAST(committed_at AS varchar) || ''''");
                case "location" -> (String) queryRunner.execute(session(Map.of()), "SELECT DISTINCT regexp_replace(\"$path\", '/data/.*') FROM " + match.group(2)).getOnlyValue();
                default -> throw new IllegalStateException(match.group());
            }));
        }

        private String nth(String table, String number, String expression)
        {
            List<Object> values = queryRunner.execute(session(Map.of()), "SELECT " + expression + " FROM \"" + table + "$snapshots\" ORDER BY committed_at").getOnlyColumn().toList();
            int index = Integer.parseInt(number);
            checkArgument(index >= 1 && index <= values.size(), "Table %s has %s snapshots, not %s", table, values.size(), index);
            return (String) values.get(index - 1);
        }
    }

    private String errorCode(QueryId queryId)
    {
        return queryRunner.getCoordinator().getDispatchManager().getQueryInfo(queryId).getErrorCode().getName();
    }
}
