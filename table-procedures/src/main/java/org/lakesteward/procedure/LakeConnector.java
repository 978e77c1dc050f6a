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
package org.lakesteward.procedure;

import com.google.common.annotations.VisibleForTesting;
import com.google.inject.Injector;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorCapabilities;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.transaction.IsolationLevel;
import org.lakesteward.procedure.policy.PolicyProperties;
import org.lakesteward.procedure.rewrite.LakePartitioningProvider;
import org.lakesteward.procedure.rewrite.RewritePageSinkProvider;
import org.lakesteward.procedure.rewrite.RewritePageSourceProviderFactory;
import org.lakesteward.procedure.rewrite.RewriteSplitManager;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * The stock Iceberg connector with Lakesteward's metadata, split, page source and page sink in front.
 * Whatever is not a Lakesteward procedure goes to the stock connector unchanged.
 */
public class LakeConnector
        implements Connector
{
    private final IcebergConnector stock;
    private final LakeMetadataFactory metadataFactory;
    private final RewriteSplitManager splitManager;
    private final RewritePageSourceProviderFactory pageSourceProviderFactory;
    private final RewritePageSinkProvider pageSinkProvider;
    private final LakePartitioningProvider partitioningProvider;

    LakeConnector(IcebergConnector stock)
    {
        this.stock = requireNonNull(stock, "stock is null");
        Injector injector = stock.getInjector();
        metadataFactory = injector.getInstance(LakeMetadataFactory.class);
        splitManager = injector.getInstance(RewriteSplitManager.class);
        pageSourceProviderFactory = injector.getInstance(RewritePageSourceProviderFactory.class);
        pageSinkProvider = injector.getInstance(RewritePageSinkProvider.class);
        partitioningProvider = injector.getInstance(LakePartitioningProvider.class);
    }

    /**
     * The stock connector's injector, which has what {@link LakeModule} adds to it.
     */
    @VisibleForTesting
    public Injector getInjector()
    {
        return stock.getInjector();
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        return stock.beginTransaction(isolationLevel, readOnly, autoCommit);
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorSession session, ConnectorTransactionHandle transaction)
    {
        return metadataFactory.create(stock.getMetadata(session, transaction));
    }

    @Override
    public ConnectorSplitManager getSplitManager()
    {
        return splitManager;
    }

    @Override
    public ConnectorPageSourceProviderFactory getPageSourceProviderFactory()
    {
        return pageSourceProviderFactory;
    }

    @Override
    public ConnectorPageSinkProvider getPageSinkProvider()
    {
        return pageSinkProvider;
    }

    @Override
    public ConnectorNodePartitioningProvider getNodePartitioningProvider()
    {
        return partitioningProvider;
    }

    @Override
    public Set<SystemTable> getSystemTables()
    {
        return stock.getSystemTables();
    }

    @Override
    public Optional<FunctionProvider> getFunctionProvider()
    {
        return stock.getFunctionProvider();
    }

    @Override
    public Set<Procedure> getProcedures()
    {
        return stock.getProcedures();
    }

    @Override
    public Set<TableProcedureMetadata> getTableProcedures()
    {
        return stock.getTableProcedures();
    }

    @Override
    public Set<ConnectorTableFunction> getTableFunctions()
    {
        return stock.getTableFunctions();
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return stock.getSessionProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getSchemaProperties()
    {
        return stock.getSchemaProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getAnalyzeProperties()
    {
        return stock.getAnalyzeProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getBranchProperties()
    {
        return stock.getBranchProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getTableProperties()
    {
        return PolicyProperties.TABLE.with(stock.getTableProperties());
    }

    @Override
    public List<PropertyMetadata<?>> getViewProperties()
    {
        return stock.getViewProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getMaterializedViewProperties()
    {
        return PolicyProperties.MATERIALIZED_VIEW.with(stock.getMaterializedViewProperties());
    }

    @Override
    public List<PropertyMetadata<?>> getColumnProperties()
    {
        return stock.getColumnProperties();
    }

    @Override
    public ConnectorAccessControl getAccessControl()
    {
        return stock.getAccessControl();
    }

    @Override
    public void commit(ConnectorTransactionHandle transaction)
    {
        stock.commit(transaction);
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction)
    {
        stock.rollback(transaction);
    }

    @Override
    public boolean isSingleStatementWritesOnly()
    {
        return stock.isSingleStatementWritesOnly();
    }

    @Override
    public Set<ConnectorCapabilities> getCapabilities()
    {
        return stock.getCapabilities();
    }

    @Override
    public void shutdown()
    {
        stock.shutdown();
    }
}
