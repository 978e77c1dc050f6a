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
import org.lakesteward.maintenance.control.QueryEndings;
import org.lakesteward.maintenance.control.QueryEndings.Ending;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.systemtables.window.WindowTables;

import java.lang.invoke.MethodHandle;

import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * {@code CALL system.exit_maintenance(scope => …)}: ends the window on exactly this scope, whoever opened it, and
 * returns when the live coordinators have heard of it.
 */
public class ExitMaintenanceProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle EXIT_MAINTENANCE;

    static {
        try {
            EXIT_MAINTENANCE = lookup().unreflect(ExitMaintenanceProcedure.class.getMethod("exitMaintenance", ConnectorSession.class, ConnectorAccessControl.class, String.class));
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
    public ExitMaintenanceProcedure(WindowRights rights, WindowOperations operations, QueryEndings endings, PropagationWait propagationWait)
    {
        this.rights = requireNonNull(rights, "rights is null");
        this.operations = requireNonNull(operations, "operations is null");
        this.endings = requireNonNull(endings, "endings is null");
        this.propagationWait = requireNonNull(propagationWait, "propagationWait is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(WindowTables.SCHEMA, "exit_maintenance", ImmutableList.of(WindowArguments.scopeArgument()), EXIT_MAINTENANCE.bindTo(this));
    }

    public void exitMaintenance(ConnectorSession session, ConnectorAccessControl accessControl, String scope)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            rights.checkCanEnd(accessControl);
            WindowScope windowScope = WindowArguments.scope(scope);
            try (Ending ending = endings.follow(session)) {
                propagationWait.awaitEnd(ending, operations.end(session, windowScope));
            }
        }
    }
}
