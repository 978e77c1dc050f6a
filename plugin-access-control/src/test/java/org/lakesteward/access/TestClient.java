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
package org.lakesteward.access;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.trino.client.ClientSession;
import io.trino.client.QueryError;
import io.trino.client.StatementClient;
import io.trino.client.StatementClientFactory;
import okhttp3.OkHttpClient;

import java.net.URI;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A user's session over HTTP, as the CLI and the JDBC driver hold it.
 */
public class TestClient
        implements AutoCloseable
{
    private final OkHttpClient http = new OkHttpClient.Builder().readTimeout(2, TimeUnit.MINUTES).build();
    private final URI server;
    private final String user;
    private final Map<String, String> preparedStatements;

    private Optional<String> transaction = Optional.empty();

    /** @param error empty when the statement worked */
    public record Outcome(String queryId, List<List<Object>> rows, Optional<QueryError> error)
    {
        public boolean isRefused()
        {
            return error.map(QueryError::getErrorName).equals(Optional.of("CLUSTER_IN_MAINTENANCE"));
        }

        public String message()
        {
            return error.map(failure -> failure.getErrorName() + ": " + failure.getMessage()).orElse("works");
        }
    }

    public TestClient(URI server, String user)
    {
        this(server, user, ImmutableMap.of());
    }

    public TestClient(URI server, String user, Map<String, String> preparedStatements)
    {
        this.server = server;
        this.user = user;
        this.preparedStatements = ImmutableMap.copyOf(preparedStatements);
    }

    public Outcome execute(String sql)
    {
        try (StatementClient client = start(sql)) {
            ImmutableList.Builder<List<Object>> rows = ImmutableList.builder();
            while (client.isRunning()) {
                client.currentRows().forEach(rows::add);
                client.advance();
            }
            if (client.getStartedTransactionId() != null) {
                transaction = Optional.of(client.getStartedTransactionId());
            }
            if (client.isClearTransactionId()) {
                transaction = Optional.empty();
            }
            return new Outcome(client.finalStatusInfo().getId(), rows.build(), Optional.ofNullable(client.finalStatusInfo().getError()));
        }
    }

    public List<List<Object>> rows(String sql)
    {
        Outcome outcome = execute(sql);
        if (outcome.error().isPresent()) {
            throw new AssertionError(sql + ": " + outcome.message());
        }
        return outcome.rows();
    }

    public boolean inTransaction()
    {
        return transaction.isPresent();
    }

    private StatementClient start(String sql)
    {
        return StatementClientFactory.newStatementClient(
                http,
                ClientSession.builder()
                        .server(server)
                        .user(Optional.of(user))
                        .source("test")
                        .catalog("lake")
                        .schema("s")
                        .timeZone(ZoneId.of("UTC"))
                        .clientRequestTimeout(new Duration(2, TimeUnit.MINUTES))
                        .preparedStatements(preparedStatements)
                        .transactionId(transaction.orElse(null))
                        .build(),
                sql,
                Optional.empty());
    }

    @Override
    public void close()
    {
        http.dispatcher().executorService().shutdown();
        http.connectionPool().evictAll();
    }
}
