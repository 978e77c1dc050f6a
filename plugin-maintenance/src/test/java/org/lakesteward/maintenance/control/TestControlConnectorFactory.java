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
package org.lakesteward.maintenance.control;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.bootstrap.ApplicationConfigurationException;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.trino.node.InternalNode;
import io.trino.spi.BlocksHashFactory;
import io.trino.spi.Node;
import io.trino.spi.NodeManager;
import io.trino.spi.NodeVersion;
import io.trino.spi.PageIndexerFactory;
import io.trino.spi.PageSorter;
import io.trino.spi.VersionEmbedder;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.spi.connector.MetadataProvider;
import io.trino.spi.type.TypeManager;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.TestingConnectorContext;
import org.lakesteward.maintenance.MaintenancePlugin;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreConfig;
import org.lakesteward.store.window.WindowStores;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

import static com.google.common.collect.Iterables.getOnlyElement;
import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The connector as a catalog file makes it.
 */
public class TestControlConnectorFactory
{
    private Path folder;

    @BeforeMethod
    public void createFolder()
            throws IOException
    {
        folder = Files.createTempDirectory("windows");
    }

    @AfterMethod(alwaysRun = true)
    public void deleteFolder()
            throws IOException
    {
        deleteRecursively(folder, ALLOW_INSECURE);
    }

    @Test
    public void testUnknownPropertyIsAnError()
    {
        for (boolean coordinator : new boolean[] {true, false}) {
            assertThatThrownBy(() -> create(coordinator, ImmutableMap.of("window.file.path", folder.toString(), "window.max-stalenes", "1h")))
                    .isInstanceOf(ApplicationConfigurationException.class)
                    .hasMessageContaining("Configuration property 'window.max-stalenes' was not used");
            assertThatThrownBy(() -> create(coordinator, ImmutableMap.of("window.file.path", folder.toString(), "window.max-staleness", "1s")))
                    .isInstanceOf(ApplicationConfigurationException.class)
                    .hasMessageContaining("window.max-staleness");
        }
    }

    /** A worker has no store: it may have no access to etcd, and no such folder. */
    @Test
    public void testWorkerHasNothing()
    {
        Connector coordinator = create(true, ImmutableMap.of("window.file.path", folder.toString()));
        assertThat(coordinator.getSystemTables()).hasSize(4);
        assertThat(coordinator.getProcedures()).hasSize(5);
        coordinator.shutdown();

        Connector worker = create(false, ImmutableMap.of("window.file.path", folder.toString()));
        assertThat(worker.getSystemTables()).isEmpty();
        assertThat(worker.getProcedures()).isEmpty();
        worker.shutdown();
    }

    /** Windows survive the catalog, and another process sees them. */
    @Test
    public void testFileStore()
            throws Exception
    {
        Path windows = folder.resolve("store");
        try (WindowStore store = WindowStores.create(new WindowStoreConfig().setFilePath(windows.toFile()))) {
            try (DistributedQueryRunner queryRunner = queryRunner(windows)) {
                queryRunner.execute("CALL maintenance.system.enter_maintenance(reason => 'restore', scope => 'nowhere', wait => false)");
                assertThat(getOnlyElement(store.read().windows()).reason()).isEqualTo("restore");
                store.report(new CoordinatorReport("c1", Instant.now(), Instant.now(), false, ImmutableMap.of(), ImmutableList.of(), 0));
                assertThat(queryRunner.execute("SELECT coordinator FROM maintenance.system.window_acknowledgements WHERE NOT acknowledged").getOnlyValue()).isEqualTo("c1");
            }
            try (DistributedQueryRunner queryRunner = queryRunner(windows)) {
                assertThat(queryRunner.execute("SELECT state || ' ' || opened_by || ' ' || warning FROM maintenance.system.maintenance_windows").getOnlyValue())
                        .isEqualTo("CLOSING operator this coordinator has no catalog nowhere; the window covers it as soon as there is one");
                queryRunner.execute("CALL maintenance.system.exit_maintenance(scope => 'nowhere')");
                assertThat(store.read().windows()).isEmpty();
                assertThat(queryRunner.execute("SELECT state || ' ' || ended_by FROM maintenance.system.maintenance_windows").getOnlyValue()).isEqualTo("ENDED operator");
            }
        }
    }

    private static DistributedQueryRunner queryRunner(Path windows)
            throws Exception
    {
        DistributedQueryRunner queryRunner = DistributedQueryRunner.builder(ControlQueryRunner.session("operator")).setWorkerCount(0).build();
        queryRunner.installPlugin(new MaintenancePlugin());
        queryRunner.createCatalog("maintenance", "maintenance", ImmutableMap.of("window.file.path", windows.toString(), "window.max-staleness", "30m"));
        return queryRunner;
    }

    private static Connector create(boolean coordinator, Map<String, String> config)
    {
        ConnectorFactory factory = new ControlConnectorFactory();
        return factory.create("maintenance", config, new NodeContext(coordinator));
    }

    /** A node that is a coordinator or none; Trino's own context for tests is always one. */
    private static class NodeContext
            implements ConnectorContext
    {
        private final ConnectorContext delegate = new TestingConnectorContext();
        private final boolean coordinator;

        private NodeContext(boolean coordinator)
        {
            this.coordinator = coordinator;
        }

        @Override
        public Node getCurrentNode()
        {
            return new InternalNode("node", URI.create("http://127.0.0.1:8080"), NodeVersion.UNKNOWN, coordinator);
        }

        @Override
        public OpenTelemetry getOpenTelemetry()
        {
            return delegate.getOpenTelemetry();
        }

        @Override
        public Tracer getTracer()
        {
            return delegate.getTracer();
        }

        @Override
        public NodeManager getNodeManager()
        {
            return delegate.getNodeManager();
        }

        @Override
        public VersionEmbedder getVersionEmbedder()
        {
            return delegate.getVersionEmbedder();
        }

        @Override
        public TypeManager getTypeManager()
        {
            return delegate.getTypeManager();
        }

        @Override
        public MetadataProvider getMetadataProvider()
        {
            return delegate.getMetadataProvider();
        }

        @Override
        public PageSorter getPageSorter()
        {
            return delegate.getPageSorter();
        }

        @Override
        public PageIndexerFactory getPageIndexerFactory()
        {
            return delegate.getPageIndexerFactory();
        }

        @Override
        public BlocksHashFactory getBlocksHashFactory()
        {
            return delegate.getBlocksHashFactory();
        }
    }
}
