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
import org.lakesteward.systemtables.window.WindowTables;

import java.lang.invoke.MethodHandle;

import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * {@code CALL system.forget_coordinator(coordinator_id => …)}: takes out a coordinator that an operator knows to be gone, so that no
 * window waits for it. One that is live cannot be forgotten.
 */
public class ForgetCoordinatorProcedure
        implements Provider<Procedure>
{
    private static final MethodHandle FORGET_COORDINATOR;

    static {
        try {
            FORGET_COORDINATOR = lookup().unreflect(ForgetCoordinatorProcedure.class.getMethod("forgetCoordinator", ConnectorSession.class, ConnectorAccessControl.class, String.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final WindowRights rights;
    private final WindowOperations operations;

    @Inject
    public ForgetCoordinatorProcedure(WindowRights rights, WindowOperations operations)
    {
        this.rights = requireNonNull(rights, "rights is null");
        this.operations = requireNonNull(operations, "operations is null");
    }

    @Override
    public Procedure get()
    {
        return new Procedure(
                WindowTables.SCHEMA,
                "forget_coordinator",
                ImmutableList.of(new Argument("COORDINATOR_ID", VARCHAR)),
                FORGET_COORDINATOR.bindTo(this));
    }

    public void forgetCoordinator(ConnectorSession session, ConnectorAccessControl accessControl, String coordinatorId)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            rights.checkCanForget(accessControl);
            operations.forget(session, WindowArguments.given("coordinator_id", coordinatorId, "an id from the table coordinators"));
        }
    }
}
