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
import io.trino.plugin.base.security.AllowAllSystemAccessControl;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.security.SystemAccessControl;
import io.trino.spi.security.SystemSecurityContext;
import org.lakesteward.access.TestClient.Outcome;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WriteInFlight;
import org.testng.annotations.Test;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.access.MaintenanceCluster.COORDINATOR_ID;

/**
 * Writes that were let through before a window.
 */
public class TestWritesInFlight
{
    private static final WindowScope T = WindowScope.table("lake", "s", "t");

    @Test
    public void testRunningWriteDrains()
            throws Exception
    {
        try (MaintenanceCluster cluster = MaintenanceCluster.create();
                TestClient writer = cluster.client("alice");
                TestClient operator = cluster.client("operator");
                ExecutorService executor = Executors.newCachedThreadPool()) {
            operator.rows("CREATE SCHEMA lake.s");
            operator.rows("CREATE TABLE t (y varchar)");
            Future<Outcome> running = executor.submit(() -> writer.execute("INSERT INTO t SELECT y FROM remote.s.slow"));
            cluster.remote().awaitReader();

            MaintenanceWindow window = cluster.store().open(WindowScope.schema("lake", "s"));
            MaintenanceWindow elsewhere = cluster.store().open(WindowScope.schema("lake", "other"));
            CoordinatorReport closing = cluster.store().awaitReport(COORDINATOR_ID, report -> report.acknowledgements().containsKey(window.id()) && !report.writes().isEmpty());
            assertThat(closing.acknowledgements().get(window.id()).drainedAt()).isEmpty();
            WriteInFlight write = closing.writes().getFirst();
            assertThat(write.user()).isEqualTo("alice");
            assertThat(write.kind()).isEqualTo(StatementKind.INSERT);
            assertThat(write.targets()).isEqualTo(ImmutableSet.of(T));
            assertThat(write.state()).isEqualTo(WriteInFlight.State.RUNNING);
            assertThat(operator.rows("SELECT query_id FROM system.runtime.queries WHERE state <> 'FINISHED' AND query LIKE 'INSERT INTO t SELECT%'"))
                    .isEqualTo(ImmutableList.of(ImmutableList.of(write.queryId())));
            // a window that the write does not touch does not wait for it
            cluster.store().awaitReport(COORDINATOR_ID, report -> report.acknowledgements().containsKey(elsewhere.id()) && report.acknowledgements().get(elsewhere.id()).drainedAt().isPresent());
            // a new one of the same kind is refused meanwhile
            assertThat(operator.execute("INSERT INTO t VALUES 'x'").isRefused()).isTrue();

            cluster.remote().release();
            assertThat(running.get().message()).isEqualTo("works");
            CoordinatorReport closed = cluster.store().awaitReport(COORDINATOR_ID, report -> report.acknowledgements().get(window.id()).drainedAt().isPresent());
            assertThat(closed.writes()).isEmpty();
            assertThat(operator.rows("SELECT count(*) FROM t").getFirst().getFirst()).isEqualTo(1L);
        }
    }

    /** Trino checks an INSERT when it takes it, not when it leaves the queue: it would land in the window. */
    @Test
    public void testQueuedWriteIsInFlight()
            throws Exception
    {
        CountDownLatch checked = new CountDownLatch(1);
        SystemAccessControl next = new AllowAllSystemAccessControl()
        {
            @Override
            public void checkCanInsertIntoTable(SystemSecurityContext context, CatalogSchemaTableName table, Optional<String> branch)
            {
                checked.countDown();
            }
        };
        try (MaintenanceCluster cluster = MaintenanceCluster.create(
                new MemoryWindowStore(),
                ImmutableMap.of(),
                ImmutableMap.of("query.max-concurrent-queries", "1"),
                accessControl -> ImmutableList.of(accessControl, next));
                TestClient reader = cluster.client("reader");
                TestClient writer = cluster.client("alice");
                ExecutorService executor = Executors.newCachedThreadPool()) {
            reader.rows("CREATE SCHEMA lake.s");
            reader.rows("CREATE TABLE t (y varchar)");
            Future<Outcome> blocking = executor.submit(() -> reader.execute("SELECT * FROM remote.s.slow"));
            cluster.remote().awaitReader();
            Future<Outcome> queued = executor.submit(() -> writer.execute("INSERT INTO t VALUES 'late'"));
            checked.await();

            MaintenanceWindow window = cluster.store().open(T);
            CoordinatorReport closing = cluster.store().awaitReport(COORDINATOR_ID, report -> report.acknowledgements().containsKey(window.id()) && !report.writes().isEmpty());
            assertThat(closing.writes().getFirst().kind()).isEqualTo(StatementKind.INSERT);
            assertThat(closing.acknowledgements().get(window.id()).drainedAt()).isEmpty();
            assertThat(queued.isDone()).isFalse();

            cluster.remote().release();
            assertThat(blocking.get().message()).isEqualTo("works");
            assertThat(queued.get().message()).isEqualTo("works");
            cluster.store().awaitReport(COORDINATOR_ID, report -> report.acknowledgements().get(window.id()).drainedAt().isPresent());
        }
    }

    @Test
    public void testKillRunningWrites()
            throws Exception
    {
        try (MaintenanceCluster cluster = MaintenanceCluster.create();
                TestClient writer = cluster.client("alice");
                TestClient operator = cluster.client("operator");
                ExecutorService executor = Executors.newCachedThreadPool()) {
            operator.rows("CREATE SCHEMA lake.s");
            operator.rows("CREATE TABLE t (y varchar)");
            Future<Outcome> running = executor.submit(() -> writer.execute("INSERT INTO t SELECT y FROM remote.s.slow"));
            cluster.remote().awaitReader();
            MaintenanceWindow window = cluster.store().open(T, true);
            assertThat(running.get().message())
                    .isEqualTo("ADMINISTRATIVELY_KILLED: Query killed. Message: The maintenance window on lake.s.t, opened by operator (restore of a backup), ends running writes");
            CoordinatorReport closed = cluster.store().awaitReport(COORDINATOR_ID, report -> report.acknowledgements().containsKey(window.id()) && report.acknowledgements().get(window.id()).drainedAt().isPresent());
            assertThat(closed.writes()).isEmpty();
            assertThat(operator.rows("SELECT count(*) FROM t").getFirst().getFirst()).isEqualTo(0L);
        }
    }

    /** Trino takes a data definition for completed as soon as it is killed, but the connector works on. */
    @Test
    public void testKilledDataDefinitionIsInFlightUntilItsWorkEnds()
            throws Exception
    {
        try (MaintenanceCluster cluster = MaintenanceCluster.create();
                TestClient writer = cluster.client("alice");
                ExecutorService executor = Executors.newCachedThreadPool()) {
            Future<Outcome> running = executor.submit(() -> writer.execute("CALL remote.system.slow()"));
            cluster.remote().awaitReader();
            MaintenanceWindow window = cluster.store().open(WindowScope.catalog("remote"), true);
            assertThat(running.get().message()).startsWith("ADMINISTRATIVELY_KILLED: ");
            // a report after the end of the statement as Trino sees it
            Instant killed = Instant.now();
            CoordinatorReport closing = cluster.store().awaitReport(COORDINATOR_ID, report -> report.reportedAt().isAfter(killed));
            assertThat(closing.acknowledgements().get(window.id()).drainedAt()).isEmpty();
            assertThat(closing.writes()).hasSize(1);
            assertThat(closing.writes().getFirst().state()).isEqualTo(WriteInFlight.State.KILL_REQUESTED);

            cluster.remote().release();
            CoordinatorReport closed = cluster.store().awaitReport(COORDINATOR_ID, report -> report.acknowledgements().get(window.id()).drainedAt().isPresent());
            assertThat(closed.writes()).isEmpty();
        }
    }
}
