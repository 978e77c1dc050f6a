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
package org.lakesteward.access.kill;

import jakarta.annotation.PreDestroy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Kills through the coordinator's own HTTP interface, {@code PUT /v1/query/ID/killed} (io.trino.server.QueryResource), because plugins
 * have no other way to reach running queries. Thread-safe.
 */
public class HttpQueryKiller
        implements QueryKiller, AutoCloseable
{
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final Optional<URI> coordinator;
    private final String user;
    private final Optional<String> password;

    /**
     * @param coordinator empty when nobody knows where the coordinator serves HTTP; each attempt then fails and says so
     */
    public HttpQueryKiller(Optional<URI> coordinator, String user, Optional<String> password)
    {
        this.coordinator = requireNonNull(coordinator, "coordinator is null");
        this.user = requireNonNull(user, "user is null");
        this.password = requireNonNull(password, "password is null");
        checkArgument(password.isEmpty() || coordinator.isPresent() && "https".equalsIgnoreCase(coordinator.get().getScheme()), "a password needs https");
    }

    @Override
    public CompletableFuture<Outcome> kill(String queryId, String message)
    {
        if (coordinator.isEmpty()) {
            return CompletableFuture.failedFuture(new IOException("the coordinator's address is unknown: set window.coordinator-uri"));
        }
        URI uri = coordinator.get().resolve("/v1/query/" + queryId + "/killed");
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(TIMEOUT)
                .header("X-Trino-User", user)
                .header("Content-Type", "text/plain; charset=utf-8")
                .PUT(HttpRequest.BodyPublishers.ofString(message, UTF_8));
        password.ifPresent(secret -> request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString((user + ":" + secret).getBytes(UTF_8))));
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding())
                .handle((response, failure) -> {
                    if (failure != null) {
                        throw new CompletionException(new IOException(describe(failure), failure));
                    }
                    return outcome(response.statusCode());
                });
    }

    private Outcome outcome(int status)
    {
        return switch (status) {
            case 202 -> Outcome.REQUESTED;
            case 409 -> Outcome.ENDED;
            case 410 -> Outcome.UNKNOWN;
            case 401 -> throw refusal("the coordinator wants a password: set window.kill.user and window.kill.password, and a window.coordinator-uri with https");
            case 403 -> throw refusal("the coordinator does not let user %s kill this query over %s".formatted(user, coordinator.orElseThrow()));
            default -> throw refusal("the coordinator answered HTTP status %s at %s".formatted(status, coordinator.orElseThrow()));
        };
    }

    private static CompletionException refusal(String message)
    {
        return new CompletionException(new IOException(message));
    }

    private String describe(Throwable failure)
    {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof HttpTimeoutException) {
            return "the coordinator did not answer within %s seconds at %s".formatted(TIMEOUT.toSeconds(), coordinator.orElseThrow());
        }
        return "the coordinator could not be asked at %s (%s)".formatted(coordinator.orElseThrow(), cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
    }

    @Override
    @PreDestroy
    public void close()
    {
        client.shutdownNow();
    }
}
