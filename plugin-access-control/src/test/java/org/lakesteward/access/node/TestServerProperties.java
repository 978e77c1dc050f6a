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
package org.lakesteward.access.node;

import com.google.common.collect.ImmutableMap;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestServerProperties
{
    @Test
    public void testFile()
            throws IOException
    {
        ServerProperties worker = load("coordinator=false\nhttp-server.http.port=8181\n", ImmutableMap.of());
        assertThat(worker.isCoordinator()).isFalse();
        assertThat(worker.httpPort()).hasValue(8181);

        ServerProperties coordinator = load("# nothing else\ncoordinator = true\n", ImmutableMap.of("node.id", "n1"));
        assertThat(coordinator.isCoordinator()).isTrue();
        assertThat(coordinator.httpPort()).hasValue(8080);
        assertThat(coordinator.nodeId()).hasValue("n1");
        assertThat(load("", ImmutableMap.of()).isCoordinator()).isTrue();
    }

    @Test
    public void testSystemPropertiesGoFirst()
            throws IOException
    {
        ServerProperties server = load("coordinator=true\nhttp-server.http.port=8181\n", ImmutableMap.of("coordinator", "false", "http-server.http.port", "8282"));
        assertThat(server.isCoordinator()).isFalse();
        assertThat(server.httpPort()).hasValue(8282);
    }

    @Test
    public void testNoPlainHttp()
            throws IOException
    {
        assertThat(load("http-server.http.enabled=false\n", ImmutableMap.of()).httpPort()).isEmpty();
        assertThat(load("http-server.http.port=${ENV:PORT}\n", ImmutableMap.of()).httpPort()).isEmpty();
        assertThat(load("http-server.http.port=0\n", ImmutableMap.of()).httpPort()).isEmpty();
    }

    @Test
    public void testNoFile()
    {
        ServerProperties server = ServerProperties.load(Optional.empty(), ImmutableMap.of(), ImmutableMap.of());
        assertThat(server.isCoordinator()).isTrue();
        assertThat(server.httpPort()).isEmpty();
        assertThatThrownBy(() -> ServerProperties.load(Optional.of(Path.of("missing.properties")), ImmutableMap.of(), ImmutableMap.of()))
                .hasMessageContaining("missing.properties cannot be read");
    }

    @Test
    public void testCoordinatorId()
    {
        assertThat(CoordinatorId.of(Optional.of("c1"), Optional.of("n1"))).isEqualTo("c1");
        assertThat(CoordinatorId.of(Optional.empty(), Optional.of("n1"))).isEqualTo("n1");
        assertThat(CoordinatorId.of(Optional.empty(), Optional.empty())).endsWith(":" + Path.of("").toAbsolutePath());
    }

    @Test
    public void testEnvironment()
            throws IOException
    {
        assertThat(load("http-server.http.port=${ENV:MY_PORT}", ImmutableMap.of()).httpPort()).contains(9090);
        assertThat(load("http-server.http.port=${ENV:OTHER_PORT}", ImmutableMap.of()).httpPort()).isEmpty();
    }

    private static ServerProperties load(String text, Map<String, String> systemProperties)
            throws IOException
    {
        Path file = Files.createTempFile("config", ".properties");
        try {
            Files.writeString(file, text);
            return ServerProperties.load(Optional.of(file), systemProperties, ImmutableMap.of("MY_PORT", "9090"));
        }
        finally {
            Files.delete(file);
        }
    }
}
