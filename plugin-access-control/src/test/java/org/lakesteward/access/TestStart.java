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
import io.trino.plugin.base.security.AllowAllSystemAccessControl;
import io.trino.spi.QueryId;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.security.Identity;
import io.trino.spi.security.SystemAccessControl;
import io.trino.spi.security.SystemSecurityContext;
import org.lakesteward.access.node.ServerProperties;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreConfig;
import org.lakesteward.store.window.WindowStores;
import org.testng.annotations.Test;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * How a coordinator starts, with the store there and not there, and what the factory accepts.
 */
public class TestStart
{
    private static final ServerProperties COORDINATOR = new ServerProperties(false, ImmutableMap.of("node.id", "n1"));
    private static final SystemSecurityContext CONTEXT = new SystemSecurityContext(Identity.ofUser("bob"), new QueryId("20260101_000000_00000_aaaaa"), Instant.EPOCH);
    private static final CatalogSchemaTableName TABLE = new CatalogSchemaTableName("lake", "s", "t");

    @Test
    public void testStoreUnreachableAtStart()
            throws Exception
    {
        MemoryWindowStore store = new MemoryWindowStore();
        store.setReachable(false);
        try (MaintenanceCluster cluster = MaintenanceCluster.create(store, ImmutableMap.of("window.start-timeout", "1ms"), ImmutableMap.of(), ImmutableList::of);
                TestClient client = cluster.client("bob")) {
            assertThat(client.execute("CREATE SCHEMA lake.s").message())
                    .isEqualTo("CLUSTER_IN_MAINTENANCE: CLUSTER_IN_MAINTENANCE: the store of maintenance windows could not be read since this coordinator started, " +
                            "so a window may be open; reads work, writes are refused until the store answers");
            assertThat(client.rows("SELECT 1")).hasSize(1);
            assertThat(client.rows("SHOW SCHEMAS FROM lake")).isNotEmpty();
            assertThat(attribute("StoreInDoubt")).isEqualTo(1);
            assertThat(attribute("StoreStalenessSeconds")).isEqualTo(-1.0);

            store.setReachable(true);
            store.awaitWatch();
            assertThat(attribute("StoreInDoubt")).isEqualTo(0);
            assertThat(client.execute("CREATE SCHEMA lake.s").message()).isEqualTo("works");

            // lost later: the last known state holds
            store.open(WindowScope.schema("lake", "s"));
            store.setReachable(false);
            assertThat(client.execute("CREATE TABLE t (x bigint)").isRefused()).isTrue();
            assertThat(client.execute("CREATE SCHEMA lake.another").message()).isEqualTo("works");
            assertThat((double) attribute("StoreStalenessSeconds")).isGreaterThanOrEqualTo(0);
            assertThat(attribute("OpenWindows")).isEqualTo(1);
            assertThat(attribute("RefusedDataDefinition")).isEqualTo(2L);
            assertThat(attribute("Refused")).isEqualTo(2L);
            assertThat((double) attribute("OldestWindowAgeSeconds")).isGreaterThanOrEqualTo(0);
        }
    }

    @Test
    public void testFirstWriteAfterStartIsNotRefusedForNothing()
            throws Exception
    {
        MemoryWindowStore store = new MemoryWindowStore();
        SystemAccessControl accessControl = create(ImmutableMap.of(), store);
        accessControl.checkCanInsertIntoTable(CONTEXT, TABLE, Optional.empty());
        assertThat(store.coordinators()).isEqualTo(ImmutableList.of("n1"));
        accessControl.shutdown();
        assertThat(store.closeCount()).isEqualTo(1);
    }

    @Test
    public void testStartInWindowRefusesFirstWrite()
    {
        MemoryWindowStore store = new MemoryWindowStore();
        store.open(WindowScope.cluster());
        SystemAccessControl accessControl = create(ImmutableMap.of(), store);
        assertThatThrownBy(() -> accessControl.checkCanInsertIntoTable(CONTEXT, TABLE, Optional.empty())).hasMessageContaining("(restore of a backup)");
        accessControl.shutdown();
        assertThat(store.coordinators()).isEmpty();
    }

    @Test
    public void testBreakGlass()
            throws Exception
    {
        MemoryWindowStore store = new MemoryWindowStore();
        store.open(WindowScope.cluster());
        store.setReachable(false);
        SystemAccessControl accessControl = create(ImmutableMap.of("window.ignore-store", "true", "window.report-interval", "100ms"), store);
        accessControl.checkCanInsertIntoTable(CONTEXT, TABLE, Optional.empty());
        assertThat(attribute("StoreIgnored")).isEqualTo(1);
        store.setReachable(true);
        assertThat(store.awaitReport("n1", _ -> true).storeIgnored()).isTrue();
        accessControl.checkCanInsertIntoTable(CONTEXT, TABLE, Optional.empty());
        accessControl.shutdown();
    }

    @Test
    public void testWorkerLeavesStoreAlone()
    {
        MemoryWindowStore store = new MemoryWindowStore();
        store.open(WindowScope.cluster());
        SystemAccessControl accessControl = MaintenanceAccessControlFactory.create(
                ImmutableMap.of(),
                new ServerProperties(true, ImmutableMap.of("coordinator", "false")),
                binder -> binder.bind(WindowStore.class).toInstance(store));
        assertThat(accessControl).isSameAs(AllowAllSystemAccessControl.INSTANCE);
        assertThat(store.coordinators()).isEmpty();
    }

    @Test
    public void testFileStore()
            throws Exception
    {
        Path folder = Files.createTempDirectory("windows");
        WindowStoreConfig storeConfig = new WindowStoreConfig().setFilePath(folder.toFile());
        try (WindowStore operator = WindowStores.create(storeConfig)) {
            SystemAccessControl accessControl = MaintenanceAccessControlFactory.create(
                    ImmutableMap.of("window.file.path", folder.toString()),
                    COORDINATOR,
                    new WindowStoreModule());
            accessControl.checkCanInsertIntoTable(CONTEXT, TABLE, Optional.empty());
            assertThat(operator.read().coordinators()).hasSize(1);
            accessControl.shutdown();
        }
        finally {
            deleteRecursively(folder, ALLOW_INSECURE);
        }
    }

    @Test
    public void testInvalidConfiguration()
    {
        MemoryWindowStore store = new MemoryWindowStore();
        assertThatThrownBy(() -> create(ImmutableMap.of("window.max-stale", "1h"), store)).hasMessageContaining("window.max-stale");
        assertThatThrownBy(() -> create(ImmutableMap.of("window.max-staleness", "1s"), store)).hasMessageContaining("max-staleness");
        assertThatThrownBy(() -> create(ImmutableMap.of("window.passthrough-functions", "query"), store)).hasMessageContaining("must be schema.function");
        assertThatThrownBy(() -> create(ImmutableMap.of("window.coordinator-uri", "http://c:1", "window.kill.password", "p"), store)).hasMessageContaining("https");
        assertThatThrownBy(() -> MaintenanceAccessControlFactory.create(ImmutableMap.of("window.report-interval", "10s"), COORDINATOR, new WindowStoreModule()))
                .hasMessageContaining("window.report-interval is 10.00s, it must be at most half of window.presence-timeout, which is 15.00s");
    }

    private static SystemAccessControl create(Map<String, String> properties, MemoryWindowStore store)
    {
        return MaintenanceAccessControlFactory.create(properties, COORDINATOR, binder -> binder.bind(WindowStore.class).toInstance(store));
    }

    private static Object attribute(String name)
            throws Exception
    {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        return server.getAttribute(new ObjectName("trino.plugin.maintenance:name=WindowStats"), name);
    }
}
