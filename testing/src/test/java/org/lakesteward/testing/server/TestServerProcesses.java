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

import org.testng.annotations.Test;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What happens to server processes when things go wrong around them.
 */
public class TestServerProcesses
{
    @Test
    public void testServersEndWithKilledStarter()
            throws Exception
    {
        // a checkout of its own for the starter, so that it has its own lake; the built parts are this one's
        Path root = ProjectLayout.current().root();
        Path folder = Files.createDirectories(root.resolve("testing/target/clusters/killed-starter"));
        Process starter = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dlakesteward.root=" + root,
                "-cp", System.getProperty("java.class.path"),
                TestServerProcesses.class.getName() + "$Starter",
                folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("starter.log").toFile())
                .start();
        List<ProcessHandle> servers = List.of();
        try {
            while (servers.size() < 2 && starter.isAlive()) {
                servers = starter.descendants().toList();
                Thread.sleep(20);
            }
            assertThat(servers)
                    .describedAs(() -> "servers of the starter, whose log is " + folder.resolve("starter.log"))
                    .hasSize(2);
        }
        finally {
            starter.destroyForcibly().waitFor();
        }
        for (ProcessHandle server : servers) {
            // the limit only ends a test that fails
            server.onExit().get(2, TimeUnit.MINUTES);
            assertThat(server.isAlive()).isFalse();
        }
    }

    public static final class Starter
    {
        static void main(String[] arguments)
        {
            TrinoCluster.builder(ProjectLayout.current())
                    .folder(Path.of(arguments[0]))
                    .workers(1)
                    .start();
        }
    }

    @Test
    public void testFailedStartNamesReasonAndLog()
    {
        Path folder = ProjectLayout.current().root().resolve("testing/target/clusters/failed-start");
        assertThatThrownBy(() -> TrinoCluster.builder(ProjectLayout.current())
                .emptyFolder(folder)
                .workers(1)
                .property(NodeRole.COORDINATOR, "no.such.property", "1")
                .start())
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("coordinator ended with exit code 100")
                .hasMessageContaining(folder.resolve("coordinator/var/log/server.log").toString())
                .hasMessageContaining("no.such.property");
        assertThat(ProcessHandle.current().children()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(command -> command.contains(folder.toString()))
                .collect(Collectors.toList()))
                .isEmpty();
    }

    @Test
    public void testPortInUse()
            throws Exception
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> TrinoCluster.builder(ProjectLayout.current())
                    .folder(ProjectLayout.current().root().resolve("testing/target/clusters/port-in-use"))
                    .coordinatorPort(socket.getLocalPort())
                    .start())
                    .isInstanceOf(ServerStartException.class)
                    .hasMessage("Port %s is in use by another process", socket.getLocalPort());
        }
    }

    @Test
    public void testOneClusterToFolder()
    {
        Path folder = ProjectLayout.current().root().resolve("testing/target/clusters/locked");
        try (FolderLock _ = FolderLock.acquire(folder)) {
            assertThatThrownBy(() -> FolderLock.acquire(folder))
                    .isInstanceOf(ServerStartException.class)
                    .hasMessage("Another cluster is running in %s: stop it first", folder);
        }
        FolderLock.acquire(folder).close();
    }
}
