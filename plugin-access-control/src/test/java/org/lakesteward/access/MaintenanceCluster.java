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
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.spi.security.SystemAccessControl;
import io.trino.testing.DistributedQueryRunner;
import org.lakesteward.access.node.ServerProperties;
import org.lakesteward.store.window.WindowStore;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static io.trino.testing.TestingSession.testSessionBuilder;

/**
 * A Trino coordinator in the test's JVM with the access control, a lake, a remote system and a stand-in for the control catalog.
 */
public class MaintenanceCluster
        implements AutoCloseable
{
    public static final String COORDINATOR_ID = "c1";

    private final MemoryWindowStore store;
    private final RemoteSystem remote;
    private final DistributedQueryRunner runner;

    private MaintenanceCluster(MemoryWindowStore store, RemoteSystem remote, DistributedQueryRunner runner)
    {
        this.store = store;
        this.remote = remote;
        this.runner = runner;
    }

    public static MaintenanceCluster create()
            throws Exception
    {
        return create(new MemoryWindowStore(), ImmutableMap.of(), ImmutableMap.of(), ImmutableList::of);
    }

    /**
     * @param properties of the access control, on top of what each test needs
     * @param coordinatorProperties of the server
     * @param order puts the access control among others
     */
    public static MaintenanceCluster create(
            MemoryWindowStore store,
            Map<String, String> properties,
            Map<String, String> coordinatorProperties,
            Function<SystemAccessControl, List<SystemAccessControl>> order)
            throws Exception
    {
        int port = freePort();
        SystemAccessControl accessControl = MaintenanceAccessControlFactory.create(
                ImmutableMap.<String, String>builder()
                        .put("window.coordinator-id", COORDINATOR_ID)
                        .put("window.coordinator-uri", "http://127.0.0.1:" + port)
                        .put("window.report-interval", "1s")
                        .putAll(properties)
                        .buildKeepingLast(),
                new ServerProperties(false, ImmutableMap.of()),
                binder -> binder.bind(WindowStore.class).toInstance(store));
        Path folder = Files.createTempDirectory("lake");
        RemoteSystem remote = new RemoteSystem();
        DistributedQueryRunner runner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("lake").setSchema("s").build())
                .setWorkerCount(0)
                .setCoordinatorProperties(ImmutableMap.<String, String>builder()
                        .put("http-server.http.port", String.valueOf(port))
                        .putAll(coordinatorProperties)
                        .buildOrThrow())
                .setSystemAccessControls(order.apply(accessControl))
                .setEventListeners(ImmutableList.copyOf(accessControl.getEventListeners()))
                .build();
        try {
            runner.installPlugin(new IcebergPlugin());
            runner.installPlugin(remote.plugin());
            runner.createCatalog("lake", "iceberg", ImmutableMap.<String, String>builder()
                    .put("iceberg.catalog.type", "TESTING_FILE_METASTORE")
                    .put("hive.metastore.catalog.dir", "local:///metastore")
                    .put("fs.local.enabled", "true")
                    .put("local.location", folder.toString())
                    .buildOrThrow());
            runner.createCatalog("remote", "remote", ImmutableMap.of());
            runner.createCatalog("maintenance", "remote", ImmutableMap.of());
            return new MaintenanceCluster(store, remote, runner);
        }
        catch (Throwable e) {
            runner.close();
            throw e;
        }
    }

    private static int freePort()
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public MemoryWindowStore store()
    {
        return store;
    }

    public RemoteSystem remote()
    {
        return remote;
    }

    public URI uri()
    {
        return runner.getCoordinator().getBaseUrl();
    }

    public TestClient client(String user)
    {
        return new TestClient(uri(), user);
    }

    @Override
    public void close()
    {
        remote.release();
        runner.close();
    }
}
