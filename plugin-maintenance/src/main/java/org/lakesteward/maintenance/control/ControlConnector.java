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
package org.lakesteward.maintenance.control;

import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.airlift.bootstrap.LifeCycleManager;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.transaction.IsolationLevel;

import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * System tables and procedures, nothing else. Thread-safe.
 */
public class ControlConnector
        implements Connector
{
    private final LifeCycleManager lifeCycleManager;
    private final QueryEndings endings;
    private final Set<SystemTable> systemTables;
    private final Set<Procedure> procedures;

    @Inject
    public ControlConnector(LifeCycleManager lifeCycleManager, QueryEndings endings, Set<SystemTable> systemTables, Set<Procedure> procedures)
    {
        this.lifeCycleManager = requireNonNull(lifeCycleManager, "lifeCycleManager is null");
        this.endings = requireNonNull(endings, "endings is null");
        this.systemTables = ImmutableSet.copyOf(systemTables);
        this.procedures = ImmutableSet.copyOf(procedures);
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        return ControlTransaction.INSTANCE;
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorSession session, ConnectorTransactionHandle transactionHandle)
    {
        return new ControlMetadata(endings);
    }

    @Override
    public Set<SystemTable> getSystemTables()
    {
        return systemTables;
    }

    @Override
    public Set<Procedure> getProcedures()
    {
        return procedures;
    }

    @Override
    public void shutdown()
    {
        lifeCycleManager.stop();
    }
}
