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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorType;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryFailedException;
import org.lakesteward.procedure.LakeQueryRunner;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What tests of rewrite_data_files say to a cluster, and what they look at afterwards.
 */
final class RewriteTester
{
    private final DistributedQueryRunner queryRunner;

    RewriteTester(DistributedQueryRunner queryRunner)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
    }

    static RewriteTester create()
            throws Exception
    {
        return new RewriteTester(LakeQueryRunner.create());
    }

    DistributedQueryRunner queryRunner()
    {
        return queryRunner;
    }

    void close()
    {
        queryRunner.close();
    }

    Session session(String property, String value)
    {
        return Session.builder(queryRunner.getDefaultSession()).setSystemProperty(property, value).build();
    }

    MaterializedResult execute(String sql)
    {
        return queryRunner.execute(sql);
    }

    Object scalar(String sql)
    {
        return queryRunner.execute(sql).getOnlyValue();
    }

    /** The metric rows of a rewrite; {@code clauses} is what follows the procedure's name. */
    Map<String, Long> rewrite(String table, String clauses)
    {
        return rewrite(queryRunner.getDefaultSession(), table, clauses);
    }

    Map<String, Long> rewrite(Session session, String table, String clauses)
    {
        return metrics(queryRunner.execute(session, rewriteSql(table, clauses)));
    }

    static String rewriteSql(String table, String clauses)
    {
        return "ALTER TABLE %s EXECUTE rewrite_data_files%s".formatted(table, clauses);
    }

    static Map<String, Long> metrics(MaterializedResult result)
    {
        ImmutableMap.Builder<String, Long> metrics = ImmutableMap.builder();
        for (MaterializedRow row : result.getMaterializedRows()) {
            metrics.put((String) row.getField(0), (Long) row.getField(1));
        }
        return metrics.buildOrThrow();
    }

    Set<String> files(String table)
    {
        return execute("SELECT file_path FROM " + metadata(table, "files") + " WHERE content = 0").getOnlyColumnAsSet().stream()
                .map(String.class::cast)
                .collect(toImmutableSet());
    }

    long fileCount(String table)
    {
        return files(table).size();
    }

    /** Empty for a table without a snapshot. */
    Optional<Long> snapshot(String table)
    {
        return execute("SELECT snapshot_id FROM " + metadata(table, "refs") + " WHERE name = 'main'").getOnlyColumn()
                .map(Long.class::cast)
                .findFirst();
    }

    /** Does not depend on the order of rows, and covers all columns. */
    Object checksum(String table)
    {
        String columns = execute("SELECT * FROM %s LIMIT 0".formatted(table)).getColumnNames().stream()
                .map("\"%s\""::formatted)
                .collect(joining(", "));
        return execute("SELECT count(*), checksum(ROW(%s)) FROM %s".formatted(columns, table)).getMaterializedRows();
    }

    Map<String, String> summary(String table)
    {
        MaterializedRow row = execute("SELECT summary FROM " + metadata(table, "snapshots") + " ORDER BY committed_at DESC LIMIT 1").getMaterializedRows().getFirst();
        ImmutableMap.Builder<String, String> summary = ImmutableMap.builder();
        ((Map<?, ?>) row.getField(0)).forEach((key, value) -> summary.put((String) key, (String) value));
        return summary.buildOrThrow();
    }

    void rollBack(String table, long snapshotId)
    {
        execute("ALTER TABLE %s EXECUTE rollback_to_snapshot(%s)".formatted(table, snapshotId));
    }

    /** {@code "t$files"}, also of a quoted name. */
    static String metadata(String table, String kind)
    {
        String name = table.startsWith("\"") ? table.substring(1, table.length() - 1) : table;
        return "\"%s$%s\"".formatted(name, kind);
    }

    /**
     * Runs a statement that must fail, and checks that the table is as it was.
     */
    Refusal refused(String table, String sql)
    {
        return refused(queryRunner.getDefaultSession(), table, sql);
    }

    Refusal refused(Session session, String table, String sql)
    {
        Optional<Long> snapshot = snapshot(table);
        Set<String> files = files(table);
        Refusal refusal = failure(session, sql);
        assertThat(snapshot(table)).as("snapshot after %s", sql).isEqualTo(snapshot);
        assertThat(files(table)).as("files after %s", sql).isEqualTo(files);
        return refusal;
    }

    Refusal failure(Session session, String sql)
    {
        Throwable failure = catchThrowable(() -> queryRunner.execute(session, sql));
        assertThat(failure).as(sql).isInstanceOf(QueryFailedException.class);
        ErrorCode errorCode = queryRunner.getCoordinator().getDispatchManager().getQueryInfo(((QueryFailedException) failure).getQueryId()).getErrorCode();
        return new Refusal(errorCode.getName(), errorCode.getType(), failure.getMessage());
    }

    /** How a statement failed. */
    record Refusal(String errorCode, ErrorType errorType, String message) {}
}
