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

import com.sun.net.httpserver.HttpServer;
import org.lakesteward.access.kill.QueryKiller.Outcome;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestHttpQueryKiller
{
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private URI uri;

    private volatile int status;

    @BeforeClass
    public void startServer()
            throws IOException
    {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add("%s %s %s %s".formatted(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI(),
                    exchange.getRequestHeaders().getFirst("X-Trino-User"),
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterClass(alwaysRun = true)
    public void stopServer()
    {
        server.stop(0);
        server = null;
    }

    @Test
    public void testOutcomes()
    {
        try (HttpQueryKiller killer = new HttpQueryKiller(Optional.of(uri), "steward", Optional.empty())) {
            status = 202;
            assertThat(killer.kill("20260101_000000_00000_aaaaa", "a window").join()).isEqualTo(Outcome.REQUESTED);
            assertThat(requests.getLast()).isEqualTo("PUT /v1/query/20260101_000000_00000_aaaaa/killed steward a window");
            status = 409;
            assertThat(killer.kill("q", "").join()).isEqualTo(Outcome.ENDED);
            status = 410;
            assertThat(killer.kill("q", "").join()).isEqualTo(Outcome.UNKNOWN);
            status = 403;
            assertThatThrownBy(() -> killer.kill("q", "").join()).hasRootCauseMessage("the coordinator does not let user steward kill this query over " + uri);
            status = 401;
            assertThatThrownBy(() -> killer.kill("q", "").join()).rootCause().hasMessageContaining("window.kill.password");
            status = 500;
            assertThatThrownBy(() -> killer.kill("q", "").join()).hasRootCauseMessage("the coordinator answered HTTP status 500 at " + uri);
        }
    }

    @Test
    public void testUnknownAddress()
    {
        try (HttpQueryKiller killer = new HttpQueryKiller(Optional.empty(), "steward", Optional.empty())) {
            assertThatThrownBy(() -> killer.kill("q", "").join()).hasRootCauseMessage("the coordinator's address is unknown: set window.coordinator-uri");
        }
    }

    @Test
    public void testNobodyListens()
            throws IOException
    {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (HttpQueryKiller killer = new HttpQueryKiller(Optional.of(URI.create("http://127.0.0.1:" + port)), "steward", Optional.empty())) {
            assertThatThrownBy(() -> killer.kill("q", "").join())
                    .cause()
                    .hasMessageStartingWith("the coordinator could not be asked at http://127.0.0.1:" + port);
        }
    }

    @Test
    public void testPasswordNeedsHttps()
    {
        assertThatThrownBy(() -> new HttpQueryKiller(Optional.of(uri), "steward", Optional.of("secret"))).hasMessage("a password needs https");
    }
}
