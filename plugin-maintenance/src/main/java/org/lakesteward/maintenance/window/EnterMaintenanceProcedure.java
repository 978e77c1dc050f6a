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
package org.lakesteward.maintenance.window;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import com.google.inject.Provider;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;
import org.lakesteward.maintenance.control.QueryEndings;
import org.lakesteward.maintenance.control.QueryEndings.Ending;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.systemtables.window.WindowTables;

import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * {@code CALL system.enter_maintenance(reason => …)}: opens a window and waits until it is closed.
 */
public class EnterMaintenanceProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle ENTER_MAINTENANCE;

    static {
        try {
            ENTER_MAINTENANCE = lookup().unreflect(EnterMaintenanceProcedure.class.getMethod(
                    "enterMaintenance",
                    ConnectorSession.class,
                    ConnectorAccessControl.class,
                    String.class,
                    String.class,
                    String.class,
                    String.class,
                    Boolean.class,
                    String.class,
                    Boolean.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final WindowRights rights;
    private final WindowOperations operations;
    private final QueryEndings endings;
    private final ClosingWait closingWait;

    @Inject
    public EnterMaintenanceProcedure(WindowRights rights, WindowOperations operations, QueryEndings endings, ClosingWait closingWait)
    {
        this.rights = requireNonNull(rights, "rights is null");
        this.operations = requireNonNull(operations, "operations is null");
        this.endings = requireNonNull(endings, "endings is null");
        this.closingWait = requireNonNull(closingWait, "closingWait is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                WindowTables.SCHEMA,
                "enter_maintenance",
                ImmutableList.of(
                        new Argument("REASON", VARCHAR),
                        WindowArguments.scopeArgument(),
                        WindowArguments.optionalText("RETRY_AFTER", "30s"),
                        WindowArguments.optionalTextOrNull("UNTIL"),
                        WindowArguments.optionalFlag("WAIT", true),
                        WindowArguments.waitTimeoutArgument(),
                        WindowArguments.optionalFlag("KILL_RUNNING_WRITES", false)),
                ENTER_MAINTENANCE.bindTo(this));
    }

    public void enterMaintenance(
            ConnectorSession session,
            ConnectorAccessControl accessControl,
            String reasonText,
            String scopeText,
            String retryAfterText,
            String untilText,
            Boolean waitFlag,
            String waitTimeoutText,
            Boolean killRunningWritesFlag)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            rights.checkCanOpenOrChange(accessControl);
            String reason = WindowArguments.reason(reasonText);
            WindowScope scope = WindowArguments.scope(scopeText);
            Duration retryAfter = WindowArguments.retryAfter(retryAfterText);
            Optional<Instant> until = WindowArguments.until(session, untilText);
            boolean wait = WindowArguments.flag("wait", waitFlag);
            Duration waitTimeout = WindowArguments.waitTimeout(waitTimeoutText);
            boolean killRunningWrites = WindowArguments.flag("kill_running_writes", killRunningWritesFlag);

            // followed before the window opens, so that nothing between the two can fail
            try (Ending ending = endings.follow(session)) {
                MaintenanceWindow window = operations.open(session, scope, reason, retryAfter, until, killRunningWrites);
                if (wait) {
                    closingWait.await(ending, window, waitTimeout);
                }
            }
        }
    }
}
