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
import org.lakesteward.maintenance.control.QueryEndings.Ending;
import org.lakesteward.maintenance.control.QueryEndings;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.systemtables.window.WindowTables;

import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static io.trino.spi.type.BooleanType.BOOLEAN;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * {@code CALL system.extend_maintenance(scope => …, until => …)}: changes a window that is open. What is not given stays as it
 * is. Returns when the live coordinators know its new end.
 */
public class ExtendMaintenanceProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle EXTEND_MAINTENANCE;

    static {
        try {
            EXTEND_MAINTENANCE = lookup().unreflect(ExtendMaintenanceProcedure.class.getMethod(
                    "extendMaintenance",
                    ConnectorSession.class,
                    ConnectorAccessControl.class,
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
    private final PropagationWait propagationWait;

    @Inject
    public ExtendMaintenanceProcedure(WindowRights rights, WindowOperations operations, QueryEndings endings, PropagationWait propagationWait)
    {
        this.rights = requireNonNull(rights, "rights is null");
        this.operations = requireNonNull(operations, "operations is null");
        this.endings = requireNonNull(endings, "endings is null");
        this.propagationWait = requireNonNull(propagationWait, "propagationWait is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                WindowTables.SCHEMA,
                "extend_maintenance",
                ImmutableList.of(
                        WindowArguments.scopeArgument(),
                        WindowArguments.optionalTextOrNull("UNTIL"),
                        WindowArguments.optionalFlag("UNTIL_ENDED", false),
                        WindowArguments.optionalTextOrNull("RETRY_AFTER"),
                        new Argument("KILL_RUNNING_WRITES", BOOLEAN, false, null)),
                EXTEND_MAINTENANCE.bindTo(this));
    }

    public void extendMaintenance(
            ConnectorSession session,
            ConnectorAccessControl accessControl,
            String scope,
            String until,
            Boolean untilEnded,
            String retryAfter,
            Boolean killRunningWrites)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            rights.checkCanOpenOrChange(accessControl);
            WindowScope windowScope = WindowArguments.scope(scope);
            Optional<Instant> end = WindowArguments.until(session, until);
            boolean openEnded = WindowArguments.flag("until_ended", untilEnded);
            Optional<Duration> retry = Optional.ofNullable(retryAfter).map(WindowArguments::retryAfter);
            try (Ending ending = endings.follow(session)) {
                MaintenanceWindow window = operations.extend(session, windowScope, end, openEnded, retry, Optional.ofNullable(killRunningWrites));
                propagationWait.awaitChange(ending, window);
            }
        }
    }
}
