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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * A Trino cluster of separate processes on loopback ports: one coordinator and some workers, with the configuration files
 * of {@code etc/}. All processes end when this one does. Thread-safe.
 */
public final class TrinoCluster
        implements AutoCloseable
{
    private static final Duration START_LIMIT = Duration.ofMinutes(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient HTTP_CLIENT = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final Path folder;
    private final FolderLock lock;
    private final LakeCatalog lake;
    private final ServerNode coordinator;
    private final List<ServerNode> workers;
    private final Thread shutdownHook = new Thread(this::stopNodes, "stop-cluster");

    private TrinoCluster(Path folder, FolderLock lock, LakeCatalog lake, ServerNode coordinator, List<ServerNode> workers)
    {
        this.folder = requireNonNull(folder, "folder is null");
        this.lock = requireNonNull(lock, "lock is null");
        this.lake = requireNonNull(lake, "lake is null");
        this.coordinator = requireNonNull(coordinator, "coordinator is null");
        this.workers = ImmutableList.copyOf(workers);
    }

    public static Builder builder(ProjectLayout layout)
    {
        return new Builder(layout);
    }

    private void start()
    {
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        try {
            coordinator.start();
            workers.forEach(ServerNode::start);
            awaitReady();
        }
        catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Waits until every node has finished its start and the coordinator counts every worker as active.
     *
     * @throws ServerStartException if a node ends or ten minutes pass
     */
    public void awaitReady()
    {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        await(coordinator, deadline, () -> hasStarted(coordinator));
        for (ServerNode worker : workers) {
            await(worker, deadline, () -> hasStarted(worker));
        }
        Set<String> expected = workers.stream()
                .map(worker -> worker.uri().toString())
                .collect(toImmutableSet());
        await(coordinator, deadline, () -> activeNodes().containsAll(expected));
    }

    private Set<String> activeNodes()
    {
        return client().query("SELECT http_uri FROM system.runtime.nodes WHERE state = 'active'").rows().stream()
                .map(row -> (String) row.getFirst())
                .collect(toImmutableSet());
    }

    private static void await(ServerNode node, long deadline, BooleanSupplier condition)
    {
        while (!condition.getAsBoolean()) {
            node.exitCode().ifPresent(code -> {
                throw new ServerStartException("%s ended with exit code %s. The end of its log %s:\n%s".formatted(node.id(), code, node.log(), node.logTail()));
            });
            if (System.nanoTime() > deadline) {
                throw new ServerStartException("%s was not ready after %s minutes. The end of its log %s:\n%s".formatted(node.id(), START_LIMIT.toMinutes(), node.log(), node.logTail()));
            }
            try {
                Thread.sleep(POLL_INTERVAL);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ServerStartException("Interrupted while waiting for " + node.id(), e);
            }
        }
    }

    private static boolean hasStarted(ServerNode node)
    {
        return get(node.uri().resolve("/v1/info"))
                .map(info -> !info.path("starting").asBoolean(true))
                .orElse(false);
    }

    private static Optional<JsonNode> get(URI uri)
    {
        try {
            HttpResponse<String> response = HTTP_CLIENT.send(
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
                    BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                return Optional.empty();
            }
            return Optional.of(MAPPER.readTree(response.body()));
        }
        catch (IOException e) {
            // not listening yet
            return Optional.empty();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    public URI coordinatorUri()
    {
        return coordinator.uri();
    }

    public ServerNode coordinator()
    {
        return coordinator;
    }

    public List<ServerNode> workers()
    {
        return workers;
    }

    /**
     * Starts a node that was stopped or killed, and waits until the cluster is complete.
     *
     * @throws ServerStartException if that does not succeed
     */
    public void restart(ServerNode node)
    {
        checkArgument(node == coordinator || workers.contains(node), "%s is not of this cluster", node.id());
        node.start();
        awaitReady();
    }

    /**
     * The folder with the nodes' configurations and logs and, unless told otherwise, the lake.
     */
    public Path folder()
    {
        return folder;
    }

    /**
     * The folder under which the lake's files lie; {@code local:///x} is its entry {@code x}.
     */
    public Path warehouse()
    {
        return lake.warehouse();
    }

    /**
     * Where a cluster of this process that shares the lake finds it.
     */
    LakeCatalog lake()
    {
        return lake;
    }

    public TrinoClient client()
    {
        return new TrinoClient(coordinatorUri(), "lakesteward");
    }

    /**
     * Runs one statement over HTTP.
     *
     * @throws StatementFailedException if Trino refuses it or fails to run it
     */
    public StatementResult query(String sql)
    {
        return client().query(sql);
    }

    public String jdbcUrl()
    {
        return "jdbc:trino://127.0.0.1:" + coordinatorUri().getPort();
    }

    /**
     * A new JDBC connection; the caller closes it.
     *
     * @param catalog default catalog
     * @param schema default schema
     */
    public Connection connect(String catalog, String schema)
            throws SQLException
    {
        return DriverManager.getConnection("%s/%s/%s?user=lakesteward".formatted(jdbcUrl(), catalog, schema));
    }

    @Override
    public void close()
    {
        stopNodes();
        lock.close();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        }
        catch (IllegalStateException e) {
            // the hook is what is running
        }
    }

    private void stopNodes()
    {
        Stream.concat(workers.stream(), Stream.of(coordinator))
                .parallel()
                .forEach(ServerNode::close);
    }

    /**
     * What a cluster is made of. Not thread-safe.
     */
    public static final class Builder
    {
        private final ProjectLayout layout;
        private final Map<NodeRole, Map<String, String>> configuration = new HashMap<>();
        private final Map<String, Map<String, String>> catalogs = new HashMap<>();
        private final Map<String, String> accessControl = new HashMap<>();
        private Path folder;
        private boolean emptyFolder;
        private int workers = 2;
        private Optional<Integer> port = Optional.empty();
        private String coordinatorId = "coordinator";
        private Optional<LakeCatalog> sharedLake = Optional.empty();

        private Builder(ProjectLayout layout)
        {
            this.layout = requireNonNull(layout, "layout is null");
            this.folder = layout.root().resolve("var/cluster");
        }

        /**
         * Where configurations, logs and the lake go; created if missing. Default {@code var/cluster} in the checkout.
         */
        public Builder folder(Path folder)
        {
            this.folder = requireNonNull(folder, "folder is null").toAbsolutePath();
            return this;
        }

        /**
         * The same, but whatever the folder holds is deleted at the start.
         */
        public Builder emptyFolder(Path folder)
        {
            this.emptyFolder = true;
            return folder(folder);
        }

        /**
         * Number of worker processes. Default 2. With 0 the coordinator does the work too.
         */
        public Builder workers(int workers)
        {
            checkArgument(workers >= 0, "workers is %s, it must not be negative", workers);
            this.workers = workers;
            return this;
        }

        /**
         * The coordinator's port, 1 to 65535. Default: any that is free.
         */
        public Builder coordinatorPort(int port)
        {
            checkArgument(port >= 1 && port <= 65_535, "port is %s, it must be between 1 and 65535", port);
            this.port = Optional.of(port);
            return this;
        }

        /**
         * The coordinator's identifier, by which coordinators of one lake know each other. Default {@code coordinator}.
         */
        public Builder coordinatorId(String coordinatorId)
        {
            this.coordinatorId = requireNonNull(coordinatorId, "coordinatorId is null");
            return this;
        }

        /**
         * Uses the lake of another cluster, which may run at the same time. Default: a lake in the folder.
         */
        public Builder lakeOf(TrinoCluster other)
        {
            sharedLake = Optional.of(other.lake());
            return this;
        }

        /**
         * Sets a property in the coordinator's {@code access-control.properties}, over that of {@code etc/}.
         */
        public Builder accessControlProperty(String name, String value)
        {
            accessControl.put(name, value);
            return this;
        }

        /**
         * Sets a property in the {@code config.properties} of every node of the role, over that of {@code etc/}.
         */
        public Builder property(NodeRole role, String name, String value)
        {
            configuration.computeIfAbsent(role, _ -> new HashMap<>()).put(name, value);
            return this;
        }

        /**
         * Sets a property of a catalog, over that of {@code etc/catalog}; a catalog that has no file there is new.
         */
        public Builder catalogProperty(String catalog, String name, String value)
        {
            catalogs.computeIfAbsent(catalog, _ -> new HashMap<>()).put(name, value);
            return this;
        }

        /**
         * Starts the processes and waits until the cluster can be queried.
         *
         * @throws ServerStartException if it does not come up; nothing stays behind
         */
        public TrinoCluster start()
        {
            List<Integer> freePorts = Ports.free(workers + 1);
            int coordinatorPort = port.orElse(freePorts.getLast());
            List<Integer> workerPorts = freePorts.stream()
                    .filter(free -> free != coordinatorPort)
                    .toList();
            if (!Ports.isFree(coordinatorPort)) {
                throw new ServerStartException("Port %s is in use by another process".formatted(coordinatorPort));
            }
            FolderLock lock = FolderLock.acquire(folder);
            TrinoCluster cluster;
            try {
                cluster = create(lock, coordinatorPort, workerPorts);
            }
            catch (RuntimeException e) {
                lock.close();
                throw e;
            }
            cluster.start();
            return cluster;
        }

        private TrinoCluster create(FolderLock lock, int coordinatorPort, List<Integer> workerPorts)
        {
            if (emptyFolder) {
                lock.emptyFolder();
            }
            LakeCatalog lake = sharedLake.orElseGet(() -> {
                LakeCatalog own = new LakeCatalog(folder.resolve("lake"));
                own.create();
                return own;
            });
            if (workers == 0) {
                property(NodeRole.COORDINATOR, "node-scheduler.include-coordinator", "true");
            }
            Map<String, String> environment = ImmutableMap.of(
                    "LAKESTEWARD_COORDINATOR", "http://127.0.0.1:" + coordinatorPort,
                    "LAKESTEWARD_PLUGINS", new PluginFolders(layout).prepare(LakeCatalog.jdbcDriver()).toString(),
                    "LAKESTEWARD_CATALOG_URL", lake.jdbcUrl(),
                    "LAKESTEWARD_WAREHOUSE", lake.warehouse().toString());

            ServerNode coordinator = node(NodeRole.COORDINATOR, coordinatorId, coordinatorPort, environment);
            ImmutableList.Builder<ServerNode> workerNodes = ImmutableList.builder();
            for (int number = 1; number <= workers; number++) {
                workerNodes.add(node(NodeRole.WORKER, "worker-" + number, workerPorts.get(number - 1), environment));
            }
            return new TrinoCluster(folder, lock, lake, coordinator, workerNodes.build());
        }

        private ServerNode node(NodeRole role, String id, int port, Map<String, String> environment)
        {
            Path nodeFolder = folder.resolve(id);
            Path source = layout.etc().resolve(role.folder());
            Path target = nodeFolder.resolve("etc");
            PropertiesFile.read(source.resolve("config.properties"))
                    .with(configuration.getOrDefault(role, ImmutableMap.of()))
                    .write(target.resolve("config.properties"));
            for (String file : ImmutableSet.of("node.properties", "log.properties", "jvm.config")) {
                PropertiesFile.read(source.resolve(file)).write(target.resolve(file));
            }
            if (role == NodeRole.COORDINATOR) {
                PropertiesFile.read(source.resolve("access-control.properties"))
                        .with(accessControl)
                        .write(target.resolve("access-control.properties"));
            }
            writeCatalogs(target.resolve("catalog"));
            return new ServerNode(
                    role,
                    id,
                    port,
                    nodeFolder,
                    layout.serverClassPath(),
                    ImmutableMap.<String, String>builder()
                            .putAll(environment)
                            .put("LAKESTEWARD_PORT", Integer.toString(port))
                            .buildOrThrow());
        }

        private void writeCatalogs(Path target)
        {
            try {
                Files.createDirectories(target);
                try (Stream<Path> previous = Files.list(target)) {
                    for (Path file : previous.toList()) {
                        Files.delete(file);
                    }
                }
                Map<String, PropertiesFile> files = new HashMap<>();
                try (Stream<Path> sources = Files.list(layout.etc().resolve("catalog"))) {
                    sources.filter(file -> file.toString().endsWith(".properties"))
                            .forEach(file -> files.put(file.getFileName().toString(), PropertiesFile.read(file)));
                }
                catalogs.forEach((catalog, properties) -> files.merge(
                        catalog + ".properties",
                        PropertiesFile.of(properties),
                        (file, _) -> file.with(properties)));
                files.forEach((name, file) -> file.write(target.resolve(name)));
            }
            catch (IOException e) {
                throw new UncheckedIOException("Cannot write the catalogs' configuration to " + target, e);
            }
        }
    }
}
