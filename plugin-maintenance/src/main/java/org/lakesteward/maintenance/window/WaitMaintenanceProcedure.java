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
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.procedure.Procedure;
import org.lakesteward.maintenance.control.QueryEndings;
import org.lakesteward.maintenance.control.QueryEndings.Ending;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.systemtables.window.WindowTables;

import java.lang.invoke.MethodHandle;
import java.time.Duration;

import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * {@code CALL system.wait_maintenance(scope => …)}: waits for a window that is open to close, for instance after an earlier wait ran out.
 * Changes nothing, so that everybody who may execute it may wait.
 */
public class WaitMaintenanceProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle WAIT_MAINTENANCE;

    static {
        try {
            WAIT_MAINTENANCE = lookup().unreflect(WaitMaintenanceProcedure.class.getMethod("waitMaintenance", ConnectorSession.class, String.class, String.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final WindowOperations operations;
    private final QueryEndings endings;
    private final ClosingWait closingWait;

    @Inject
    public WaitMaintenanceProcedure(WindowOperations operations, QueryEndings endings, ClosingWait closingWait)
    {
        this.operations = requireNonNull(operations, "operations is null");
        this.endings = requireNonNull(endings, "endings is null");
        this.closingWait = requireNonNull(closingWait, "closingWait is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                WindowTables.SCHEMA,
                "wait_maintenance",
                ImmutableList.of(WindowArguments.scopeArgument(), WindowArguments.waitTimeoutArgument()),
                WAIT_MAINTENANCE.bindTo(this));
    }

    public void waitMaintenance(ConnectorSession session, String scopeText, String waitTimeoutText)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            WindowScope scope = WindowArguments.scope(scopeText);
            Duration waitTimeout = WindowArguments.waitTimeout(waitTimeoutText);
            try (Ending ending = endings.follow(session)) {
                closingWait.await(ending, operations.openWindow(scope), waitTimeout);
            }
        }
    }
}
