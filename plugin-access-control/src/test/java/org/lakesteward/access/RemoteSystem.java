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
import io.trino.connector.MockConnectorColumnHandle;
import io.trino.connector.MockConnectorFactory;
import io.trino.connector.MockConnectorPlugin;
import io.trino.connector.MockConnectorTableHandle;
import io.trino.spi.Plugin;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableFunctionApplicationResult;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.function.table.ReturnTypeSpecification;
import io.trino.spi.function.table.ScalarArgumentSpecification;
import io.trino.spi.function.table.TableFunctionAnalysis;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.procedure.Procedure;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * A connector {@code remote} with what a JDBC connector has for passing text to its database, {@code system.query} and {@code
 * system.execute}, with procedures {@code system.slow} and {@code system.exit_maintenance}, and with a table {@code s.slow} whose
 * rows come when the test says so. The slow procedure ends then, too.
 */
public class RemoteSystem
{
    private static final SchemaTableName SLOW = new SchemaTableName("s", "slow");

    private final AtomicInteger executed = new AtomicInteger();
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch mayRead = new CountDownLatch(1);

    public Plugin plugin()
    {
        try {
            MethodHandle execute = MethodHandles.lookup().findVirtual(RemoteSystem.class, "execute", MethodType.methodType(void.class, String.class)).bindTo(this);
            MethodHandle slow = MethodHandles.lookup().findVirtual(RemoteSystem.class, "slow", MethodType.methodType(void.class)).bindTo(this);
            MethodHandle exit = MethodHandles.lookup().findVirtual(RemoteSystem.class, "exit", MethodType.methodType(void.class)).bindTo(this);
            return new MockConnectorPlugin(MockConnectorFactory.builder()
                    .withName("remote")
                    .withListSchemaNames(_ -> ImmutableList.of("s"))
                    .withListTables((_, _) -> ImmutableList.of("t", "slow"))
                    .withGetColumns(_ -> ImmutableList.of(new ColumnMetadata("y", VARCHAR)))
                    .withData(this::data)
                    .withProcedures(ImmutableList.of(
                            new Procedure("system", "execute", ImmutableList.of(new Procedure.Argument("QUERY", VARCHAR)), execute),
                            new Procedure("system", "slow", ImmutableList.of(), slow),
                            new Procedure("system", "exit_maintenance", ImmutableList.of(), exit)))
                    .withTableFunctions(ImmutableList.of(new QueryFunction()))
                    .withApplyTableFunction((_, handle) -> handle instanceof QueryHandle
                            ? Optional.of(new TableFunctionApplicationResult<>(
                                    new MockConnectorTableHandle(new SchemaTableName("s", "t"), TupleDomain.all(), Optional.of(ImmutableList.of(new MockConnectorColumnHandle("y", VARCHAR)))),
                                    ImmutableList.of(new MockConnectorColumnHandle("y", VARCHAR))))
                            : Optional.empty())
                    .build());
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public void execute(String query)
    {
        executed.incrementAndGet();
    }

    public void exit() {}

    /** Like work of a connector that hears of no kill. */
    public void slow()
    {
        awaitRelease();
    }

    /** Waits until somebody reads the slow table or is within the slow procedure. */
    public void awaitReader()
            throws InterruptedException
    {
        reading.await();
    }

    /** Lets what is slow go on. */
    public void release()
    {
        mayRead.countDown();
    }

    private List<List<?>> data(SchemaTableName table)
    {
        if (table.equals(SLOW)) {
            awaitRelease();
        }
        return ImmutableList.of(ImmutableList.of("row"));
    }

    private void awaitRelease()
    {
        reading.countDown();
        try {
            mayRead.await();
        }
        catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the remote system is slow", e);
        }
    }

    private static class QueryFunction
            extends AbstractConnectorTableFunction
    {
        QueryFunction()
        {
            super(
                    "system",
                    "query",
                    ImmutableList.of(ScalarArgumentSpecification.builder().name("QUERY").type(VARCHAR).build()),
                    ReturnTypeSpecification.GenericTable.GENERIC_TABLE);
        }

        @Override
        public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
        {
            return TableFunctionAnalysis.builder()
                    .handle(new QueryHandle())
                    .returnedType(new Descriptor(ImmutableList.of(new Descriptor.Field("y", Optional.of(VARCHAR)))))
                    .build();
        }
    }

    public record QueryHandle()
            implements ConnectorTableFunctionHandle {}
}
