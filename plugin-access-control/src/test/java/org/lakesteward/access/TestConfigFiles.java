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
import com.google.common.collect.ImmutableSet;
import io.airlift.configuration.secrets.SecretsResolver;
import io.opentelemetry.api.OpenTelemetry;
import io.trino.eventlistener.EventListenerConfig;
import io.trino.metadata.QualifiedObjectName;
import io.trino.security.AccessControlConfig;
import io.trino.security.AccessControlManager;
import io.trino.security.SecurityContext;
import io.trino.spi.NodeVersion;
import io.trino.spi.QueryId;
import io.trino.spi.TrinoException;
import io.trino.spi.security.AccessDeniedException;
import io.trino.spi.security.Identity;
import io.trino.testing.TestingEventListenerManager;
import io.trino.transaction.TransactionManager;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.lakesteward.access.statement.StatementListener;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreConfig;
import org.lakesteward.store.window.WindowStores;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static io.trino.transaction.InMemoryTransactionManager.createTestTransactionManager;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.access.AccessErrorCode.CLUSTER_IN_MAINTENANCE;

/**
 * Loaded by Trino itself from the files that {@code access-control.config-files} names, beside file-based rules.
 */
public class TestConfigFiles
{
    private static final QualifiedObjectName TABLE = new QualifiedObjectName("lake", "s", "t");
    private static final String RULES =
            """
            {
              "tables": [
                {"user": "reader", "privileges": ["SELECT"]},
                {"user": "writer", "privileges": ["SELECT", "INSERT"]}
              ]
            }
            """;

    @DataProvider
    public Object[][] conditions()
    {
        return new Object[][] {{"rules first", false}, {"rules first", true}, {"windows first", false}, {"windows first", true}};
    }

    @Test(dataProvider = "conditions")
    public void testBesideRules(String order, boolean inWindow)
            throws Exception
    {
        Path folder = Files.createTempDirectory("access");
        TransactionManager transactions = createTestTransactionManager();
        TestingEventListenerManager listeners = new TestingEventListenerManager(new EventListenerConfig(), new SecretsResolver(ImmutableMap.of()));
        try (WindowStore store = WindowStores.create(new WindowStoreConfig().setFilePath(folder.resolve("windows").toFile()))) {
            if (inWindow) {
                store.change(current -> WindowChange.open(current, window(), window().openedAt()));
            }
            AccessControlManager accessControl = load(folder, order, transactions, listeners);
            assertThat(listeners.getConfiguredEventListeners()).hasSize(1).allMatch(StatementListener.class::isInstance);

            accessControl.checkCanSelectFromColumns(context("reader", transactions), TABLE, Optional.empty(), ImmutableSet.of("x"));
            assertThatThrownBy(() -> accessControl.checkCanSelectFromColumns(context("stranger", transactions), TABLE, Optional.empty(), ImmutableSet.of("x")))
                    .isInstanceOf(AccessDeniedException.class);
            if (inWindow) {
                assertInMaintenance(() -> accessControl.checkCanInsertIntoTable(context("writer", transactions), TABLE, Optional.empty()));
            }
            else {
                accessControl.checkCanInsertIntoTable(context("writer", transactions), TABLE, Optional.empty());
            }
            // who has no right is told so, unless the windows are asked first
            ThrowingCallable withoutRight = () -> accessControl.checkCanInsertIntoTable(context("reader", transactions), TABLE, Optional.empty());
            if (inWindow && order.equals("windows first")) {
                assertInMaintenance(withoutRight);
            }
            else {
                assertThatThrownBy(withoutRight).isInstanceOf(AccessDeniedException.class).hasMessageStartingWith("Access Denied: Cannot insert into table lake.s.t");
            }

            assertThat(store.read().coordinators()).hasSize(1);
            accessControl.destroy();
            // a write that was let through and has not ended keeps the report of a coordinator that stops
            assertThat(store.read().coordinators()).hasSize(inWindow ? 0 : 1);
        }
        finally {
            deleteRecursively(folder, ALLOW_INSECURE);
        }
    }

    private static AccessControlManager load(Path folder, String order, TransactionManager transactions, TestingEventListenerManager listeners)
            throws IOException
    {
        Path rules = Files.writeString(folder.resolve("rules.json"), RULES);
        List<String> files = ImmutableList.of(
                Files.writeString(folder.resolve("rules.properties"), "access-control.name=file\nsecurity.config-file=%s\n".formatted(rules)).toString(),
                Files.writeString(folder.resolve("maintenance.properties"), "access-control.name=maintenance\nwindow.file.path=%s\n".formatted(folder.resolve("windows"))).toString());
        AccessControlManager manager = new AccessControlManager(
                NodeVersion.UNKNOWN,
                transactions,
                listeners,
                new AccessControlConfig().setAccessControlFiles(order.equals("rules first") ? files : files.reversed()),
                OpenTelemetry.noop(),
                new SecretsResolver(ImmutableMap.of()),
                "default");
        manager.setConnectorAccessControlProvider(_ -> Optional.empty());
        new AccessControlPlugin().getSystemAccessControlFactories().forEach(manager::addSystemAccessControlFactory);
        manager.loadSystemAccessControl();
        return manager;
    }

    private static SecurityContext context(String user, TransactionManager transactions)
    {
        return new SecurityContext(transactions.beginTransaction(true), Identity.ofUser(user), new QueryId("20260101_000000_00000_aaaaa"), Instant.EPOCH);
    }

    private static void assertInMaintenance(ThrowingCallable check)
    {
        assertThatThrownBy(check).isInstanceOfSatisfying(TrinoException.class, refusal -> assertThat(refusal.getErrorCode()).isEqualTo(CLUSTER_IN_MAINTENANCE.toErrorCode()));
    }

    private static MaintenanceWindow window()
    {
        return new MaintenanceWindow(
                "w1",
                WindowScope.catalog("lake"),
                "restore of a backup",
                "operator",
                Instant.parse("2026-03-01T10:00:00Z"),
                Optional.empty(),
                Duration.ofSeconds(30),
                false,
                Optional.empty(),
                Optional.empty());
    }
}
