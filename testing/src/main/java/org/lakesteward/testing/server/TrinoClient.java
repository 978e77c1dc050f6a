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
package org.lakesteward.testing.server;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.trino.client.ClientSession;
import io.trino.client.Column;
import io.trino.client.QueryStatusInfo;
import io.trino.client.StatementClient;
import okhttp3.OkHttpClient;

import java.net.URI;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.client.StatementClientFactory.newStatementClient;
import static java.util.Objects.requireNonNull;

/**
 * Runs statements over Trino's HTTP protocol, which also carries the rows that {@code ALTER TABLE ... EXECUTE} returns
 * (JDBC drops them). Immutable and thread-safe; every statement has a session of its own.
 */
public final class TrinoClient
{
    private static final OkHttpClient HTTP_CLIENT = new OkHttpClient.Builder()
            .connectTimeout(10, TimeUnit.SECONDS)
            .readTimeout(60, TimeUnit.SECONDS)
            .build();

    private final URI coordinator;
    private final String user;
    private final Optional<String> catalog;
    private final Optional<String> schema;
    private final Map<String, String> sessionProperties;

    TrinoClient(URI coordinator, String user)
    {
        this(coordinator, user, Optional.empty(), Optional.empty(), ImmutableMap.of());
    }

    private TrinoClient(URI coordinator, String user, Optional<String> catalog, Optional<String> schema, Map<String, String> sessionProperties)
    {
        this.coordinator = requireNonNull(coordinator, "coordinator is null");
        this.user = requireNonNull(user, "user is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.sessionProperties = ImmutableMap.copyOf(sessionProperties);
    }

    public TrinoClient withUser(String user)
    {
        return new TrinoClient(coordinator, user, catalog, schema, sessionProperties);
    }

    /**
     * The same client with these as the default catalog and schema.
     */
    public TrinoClient withSchema(String catalog, String schema)
    {
        return new TrinoClient(coordinator, user, Optional.of(catalog), Optional.of(schema), sessionProperties);
    }

    /**
     * The same client with one more session property, whose name may be qualified with a catalog's.
     */
    public TrinoClient withSessionProperty(String name, String value)
    {
        return new TrinoClient(
                coordinator,
                user,
                catalog,
                schema,
                ImmutableMap.<String, String>builder().putAll(sessionProperties).put(name, value).buildKeepingLast());
    }

    /**
     * Runs a statement to its end.
     *
     * @throws StatementFailedException if Trino refuses it or fails to run it
     */
    public StatementResult query(String sql)
    {
        List<List<Object>> rows = new ArrayList<>();
        try (StatementClient client = newStatementClient(HTTP_CLIENT, session(), sql, Optional.empty())) {
            while (client.isRunning()) {
                for (List<Object> row : client.currentRows()) {
                    rows.add(row);
                }
                client.advance();
            }
            QueryStatusInfo status = client.finalStatusInfo();
            if (status.getError() != null) {
                throw new StatementFailedException(status.getId(), status.getError(), sql);
            }
            List<Column> columns = status.getColumns() == null ? List.of() : status.getColumns();
            return new StatementResult(
                    status.getId(),
                    columns.stream().map(Column::getName).collect(toImmutableList()),
                    columns.stream().map(Column::getType).collect(toImmutableList()),
                    rows,
                    Optional.ofNullable(status.getUpdateType()),
                    status.getUpdateCount(),
                    status.getStats());
        }
    }

    private ClientSession session()
    {
        ClientSession.Builder builder = ClientSession.builder()
                .server(coordinator)
                .user(Optional.of(user))
                .source("lakesteward")
                .timeZone(ZoneId.of("UTC"))
                // how long a request is tried again when the connection breaks; the client needs a value
                .clientRequestTimeout(new Duration(2, TimeUnit.MINUTES))
                .properties(sessionProperties);
        catalog.ifPresent(builder::catalog);
        schema.ifPresent(builder::schema);
        return builder.build();
    }
}
