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
package org.lakesteward.benchmarks;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import io.trino.plugin.base.security.AllowAllSystemAccessControl;
import io.trino.spi.QueryId;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.CatalogSchemaRoutineName;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.resourcegroups.QueryType;
import io.trino.spi.security.AccessDeniedException;
import io.trino.spi.security.Identity;
import io.trino.spi.security.SystemAccessControl;
import io.trino.spi.security.SystemSecurityContext;
import org.lakesteward.access.MaintenanceAccessControl;
import org.lakesteward.access.audit.AuditLog;
import org.lakesteward.access.check.CurrentWindows;
import org.lakesteward.access.check.WindowConfig;
import org.lakesteward.access.check.WriteGate;
import org.lakesteward.access.service.Refusals;
import org.lakesteward.access.service.WindowService;
import org.lakesteward.access.service.WindowStats;
import org.lakesteward.access.statement.StatementListener;
import org.lakesteward.access.statement.StatementTracker;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One check of an INSERT, as Trino asks for it, by access controls in several conditions. JMH wants the class and its states public.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AccessCheckBenchmark
{
    private static final CatalogSchemaTableName TABLE = new CatalogSchemaTableName("lake", "schema_100", "orders");
    private static final CatalogSchemaRoutineName FUNCTION = new CatalogSchemaRoutineName("lake", "system", "table_changes");

    @State(Scope.Benchmark)
    public static class Others
    {
        private final SystemSecurityContext context = context();
        private final SystemAccessControl allowAll = AllowAllSystemAccessControl.INSTANCE;
        private final SystemAccessControl denyInsert = new AllowAllSystemAccessControl()
        {
            @Override
            public void checkCanInsertIntoTable(SystemSecurityContext context, CatalogSchemaTableName table, Optional<String> branch)
            {
                AccessDeniedException.denyInsertTable(table.toString());
            }
        };
    }

    @State(Scope.Benchmark)
    public static class NoWindow
    {
        private Coordinator coordinator;
        private long statements;

        @Setup
        public void setUp()
        {
            coordinator = new Coordinator(ImmutableList.of());
        }
    }

    /** Windows on other schemas of the same catalog, whose names differ only at their ends. */
    @State(Scope.Benchmark)
    public static class Outside
    {
        @Param({"1", "100"})
        public int windows;

        @Param({"false", "true"})
        public boolean withEnd;

        private Coordinator coordinator;

        @Setup
        public void setUp()
        {
            coordinator = new Coordinator(elsewhere(windows, withEnd));
        }
    }

    /** The same, but the last window is on the table's schema. */
    @State(Scope.Benchmark)
    public static class Inside
    {
        @Param({"1", "100"})
        public int windows;

        private Coordinator coordinator;

        @Setup
        public void setUp()
        {
            coordinator = new Coordinator(ImmutableList.<MaintenanceWindow>builder()
                    .addAll(elsewhere(windows - 1, false))
                    .add(window(100, false))
                    .build());
        }
    }

    private static class Coordinator
    {
        private final StatementTracker tracker = new StatementTracker();
        private final SystemSecurityContext context = context();
        private final SystemAccessControl accessControl;

        Coordinator(List<MaintenanceWindow> open)
        {
            InstantSource clock = InstantSource.system();
            CurrentWindows windows = new CurrentWindows(Ticker.systemTicker(), Duration.ofHours(1));
            windows.reported(System.nanoTime());
            windows.told(System.nanoTime());
            windows.publish(open);
            Refusals refusals = new Refusals(
                    new WindowStats(windows, tracker, clock),
                    new AuditLog(_ -> {}, clock, Ticker.systemTicker()),
                    new WindowService.Settings("coordinator", false, Duration.ofSeconds(5)));
            accessControl = new MaintenanceAccessControl(
                    new WriteGate(tracker, windows, clock, refusals),
                    new WindowConfig(),
                    new StatementListener(tracker),
                    () -> {});
            created(context.getQueryId().id());
        }

        void created(String queryId)
        {
            tracker.created(queryId, "alice", Optional.of(QueryType.INSERT), Instant.EPOCH);
        }
    }

    @Benchmark
    public void allowAll(Others state)
    {
        state.allowAll.checkCanInsertIntoTable(state.context, TABLE, Optional.empty());
    }

    /** What any refusal costs: most of it is the exception. */
    @Benchmark
    public Object denied(Others state)
    {
        try {
            state.denyInsert.checkCanInsertIntoTable(state.context, TABLE, Optional.empty());
        }
        catch (AccessDeniedException e) {
            return e;
        }
        throw new IllegalStateException("the check was not refused");
    }

    @Benchmark
    public void open(NoWindow state)
    {
        state.coordinator.accessControl.checkCanInsertIntoTable(state.coordinator.context, TABLE, Optional.empty());
    }

    /** From the event that Trino took the statement, over its first check, to the event that it has ended. */
    @Benchmark
    public void statement(NoWindow state)
    {
        String queryId = "20260101_000000_" + state.statements++;
        state.coordinator.created(queryId);
        state.coordinator.accessControl.checkCanInsertIntoTable(
                new SystemSecurityContext(state.coordinator.context.getIdentity(), new QueryId(queryId), Instant.EPOCH),
                TABLE,
                Optional.empty());
        state.coordinator.tracker.completed(queryId, false);
    }

    @Benchmark
    public void outside(Outside state)
    {
        state.coordinator.accessControl.checkCanInsertIntoTable(state.coordinator.context, TABLE, Optional.empty());
    }

    @Benchmark
    public Object refused(Inside state)
    {
        try {
            state.coordinator.accessControl.checkCanInsertIntoTable(state.coordinator.context, TABLE, Optional.empty());
        }
        catch (TrinoException e) {
            return e;
        }
        throw new IllegalStateException("the check was not refused");
    }

    /** What a read asks in a window, besides checks that maintenance mode does not even look at. */
    @Benchmark
    public boolean functionOfRead(Inside state)
    {
        return state.coordinator.accessControl.canExecuteFunction(state.coordinator.context, FUNCTION);
    }

    private static SystemSecurityContext context()
    {
        return new SystemSecurityContext(Identity.ofUser("alice"), new QueryId("20260101_000000_00000_aaaaa"), Instant.EPOCH);
    }

    private static List<MaintenanceWindow> elsewhere(int count, boolean withEnd)
    {
        ImmutableList.Builder<MaintenanceWindow> windows = ImmutableList.builder();
        for (int index = 0; index < count; index++) {
            windows.add(window(index, withEnd));
        }
        return windows.build();
    }

    private static MaintenanceWindow window(int index, boolean withEnd)
    {
        Instant now = Instant.now();
        return new MaintenanceWindow(
                "window-" + index,
                WindowScope.schema("lake", "schema_%03d".formatted(index)),
                "restore of a backup",
                "operator",
                now,
                withEnd ? Optional.of(now.plus(Duration.ofDays(1))) : Optional.empty(),
                Duration.ofSeconds(30),
                false,
                Optional.empty(),
                Optional.empty());
    }
}
