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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterators;
import io.airlift.slice.Slice;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorMetadata;
import io.trino.plugin.base.classloader.ClassLoaderSafeIterator;
import io.trino.plugin.base.classloader.ClassLoaderSafeSystemTable;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.AggregationApplicationResult;
import io.trino.spi.connector.BeginTableExecuteResult;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorAnalyzeMetadata;
import io.trino.spi.connector.ConnectorMaterializedViewDefinition;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorOutputTableHandle;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableLayout;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTableProperties;
import io.trino.spi.connector.ConnectorTableSchema;
import io.trino.spi.connector.ConnectorWritableTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.connector.LimitApplicationResult;
import io.trino.spi.connector.ProjectionApplicationResult;
import io.trino.spi.connector.RelationColumnsMetadata;
import io.trino.spi.connector.RelationType;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SampleApplicationResult;
import io.trino.spi.connector.SampleType;
import io.trino.spi.connector.SaveMode;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SortItem;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.connector.TableFunctionApplicationResult;
import io.trino.spi.connector.TableScanRedirectApplicationResult;
import io.trino.spi.connector.TopNApplicationResult;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.statistics.ColumnStatisticMetadata;
import io.trino.spi.statistics.TableStatistics;
import io.trino.spi.statistics.TableStatisticsMetadata;
import org.lakesteward.procedure.health.HealthTables;
import org.lakesteward.procedure.health.TableHealthExecuteHandle;
import org.lakesteward.procedure.health.TableHealthProcedure;
import org.lakesteward.procedure.health.TableHealthStatements;
import org.lakesteward.procedure.policy.PolicyStatements;
import org.lakesteward.procedure.rewrite.PlanRewriteColumn;
import org.lakesteward.procedure.rewrite.PlanRewriteFunctionHandle;
import org.lakesteward.procedure.rewrite.PlanRewriteTableHandle;
import org.lakesteward.procedure.rewrite.RangePartitioningHandle;
import org.lakesteward.procedure.rewrite.RewriteDataFilesProcedure;
import org.lakesteward.procedure.rewrite.RewriteExecuteHandle;
import org.lakesteward.procedure.rewrite.RewriteFilter;
import org.lakesteward.procedure.rewrite.RewriteStatements;
import org.lakesteward.procedure.rewrite.RewriteTableHandle;
import org.lakesteward.procedure.statistics.MaintainedThetaSketch;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.MAINTENANCE_NOT_SUPPORTED;

/**
 * The metadata of one transaction: the stock connector's, and Lakesteward's procedures in front of it.
 */
public class LakeMetadata
        extends ClassLoaderSafeConnectorMetadata
{
    private final ConnectorMetadata stock;
    private final RewriteStatements rewrites;
    private final HealthTables healthTables;
    private final TableHealthStatements tableHealth;
    private final PolicyStatements policies;

    LakeMetadata(ConnectorMetadata stock, RewriteStatements rewrites, HealthTables healthTables, TableHealthStatements tableHealth, PolicyStatements policies)
    {
        super(stock, LakeMetadata.class.getClassLoader());
        this.stock = requireNonNull(stock, "stock is null");
        this.rewrites = requireNonNull(rewrites, "rewrites is null");
        this.healthTables = requireNonNull(healthTables, "healthTables is null");
        this.tableHealth = requireNonNull(tableHealth, "tableHealth is null");
        this.policies = requireNonNull(policies, "policies is null");
    }

    // rewrite_data_files

    @Override
    public Optional<ConnectorTableExecuteHandle> getTableHandleForExecute(
            ConnectorSession session,
            ConnectorAccessControl accessControl,
            ConnectorTableHandle tableHandle,
            String procedureName,
            Map<String, Object> executeProperties,
            RetryMode retryMode)
    {
        if (procedureName.equals(RewriteDataFilesProcedure.NAME)) {
            return Optional.of(rewrites.analyze(session, accessControl, stock, tableHandle, executeProperties, retryMode));
        }
        if (procedureName.equals(TableHealthProcedure.NAME)) {
            return Optional.of(tableHealth.analyze(tableHandle));
        }
        return super.getTableHandleForExecute(session, accessControl, tableHandle, procedureName, executeProperties, retryMode);
    }

    @Override
    public Set<ColumnHandle> getColumnHandlesForTableExecute(ConnectorSession session, ConnectorTableHandle tableHandle, ConnectorTableExecuteHandle execute)
    {
        if (execute instanceof RewriteExecuteHandle rewrite) {
            // a hidden text column that every table has carries the results of file groups, or says where a row goes
            ColumnHandle text = IcebergColumnHandle.pathColumnHandle();
            if (rewrite.sort().isEmpty()) {
                return ImmutableSet.of(text);
            }
            return ImmutableSet.<ColumnHandle>builder()
                    .addAll(super.getColumnHandlesForTableExecute(session, tableHandle, rewrite.writer()))
                    .add(text)
                    .build();
        }
        return super.getColumnHandlesForTableExecute(session, tableHandle, execute);
    }

    @Override
    public Optional<ConnectorTableLayout> getLayoutForTableExecute(ConnectorSession session, ConnectorTableExecuteHandle execute)
    {
        if (execute instanceof RewriteExecuteHandle rewrite) {
            return rewrite.sort().map(_ -> new ConnectorTableLayout(
                    new RangePartitioningHandle(session.getQueryId()),
                    ImmutableList.of(IcebergColumnHandle.pathColumnHandle().getName()),
                    false));
        }
        return super.getLayoutForTableExecute(session, execute);
    }

    @Override
    public BeginTableExecuteResult<ConnectorTableExecuteHandle, ConnectorTableHandle> beginTableExecute(ConnectorSession session, ConnectorTableExecuteHandle execute, ConnectorTableHandle updatedSourceTableHandle)
    {
        if (execute instanceof RewriteExecuteHandle rewrite) {
            return rewrites.begin(session, rewrite, updatedSourceTableHandle);
        }
        return super.beginTableExecute(session, execute, updatedSourceTableHandle);
    }

    @Override
    public Map<String, Long> finishTableExecute(ConnectorSession session, ConnectorTableExecuteHandle execute, Collection<Slice> fragments, List<Object> splitSourceInfo)
    {
        if (execute instanceof RewriteExecuteHandle) {
            return rewrites.finish(session, fragments);
        }
        return super.finishTableExecute(session, execute, fragments, splitSourceInfo);
    }

    @Override
    public void cleanupQuery(ConnectorSession session)
    {
        rewrites.cleanUp(session);
        super.cleanupQuery(session);
    }

    @Override
    public Optional<ConstraintApplicationResult<ConnectorTableHandle>> applyFilter(ConnectorSession session, ConnectorTableHandle table, Constraint constraint)
    {
        return switch (table) {
            case RewriteTableHandle rewrite -> acceptFilter(rewrite.getTable(), rewrite.getFilter(), constraint);
            case IcebergTableHandle iceberg when rewrites.isRewriteOf(session, iceberg) -> acceptFilter(iceberg, RewriteFilter.ALL, constraint);
            case PlanRewriteTableHandle _ -> Optional.empty();
            default -> super.applyFilter(session, table, constraint);
        };
    }

    /**
     * Takes the whole WHERE clause off the engine, which refuses a plan with a filter above the scan. Whether it selects whole files is decided
     * when the statement is planned, and refused with the condition to blame if not.
     */
    private static Optional<ConstraintApplicationResult<ConnectorTableHandle>> acceptFilter(IcebergTableHandle table, RewriteFilter known, Constraint constraint)
    {
        RewriteFilter filter = known.and(RewriteFilter.of(constraint));
        if (filter.equals(known)) {
            // with nothing new to accept, what is left is what the engine can neither hand over nor apply to a rewrite
            RewriteFilter.columnsOfEngineExpression(constraint).ifPresent(columns -> {
                throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "WHERE of rewrite_data_files has a condition that Trino does not hand over to connectors, such as CASE, IF or a SQL function, in its part about %s: state it by comparisons or built-in functions".formatted(columns));
            });
            return Optional.empty();
        }
        return Optional.of(new ConstraintApplicationResult<>(new RewriteTableHandle(table, filter, Optional.empty()), TupleDomain.all(), Constant.TRUE, false));
    }

    // health

    @Override
    public Optional<SystemTable> getSystemTable(ConnectorSession session, SchemaTableName tableName)
    {
        if (healthTables.isHealthTable(tableName)) {
            return healthTables.find(stock, session, tableName)
                    .map(table -> new ClassLoaderSafeSystemTable(table, getClass().getClassLoader()));
        }
        return super.getSystemTable(session, tableName);
    }

    @Override
    public List<SchemaTableName> listTables(ConnectorSession session, Optional<String> schemaName)
    {
        List<SchemaTableName> tables = super.listTables(session, schemaName);
        if (!HealthTables.isListedIn(schemaName)) {
            return tables;
        }
        return ImmutableSet.<SchemaTableName>builder()
                .addAll(tables)
                .add(HealthTables.LIST)
                .build()
                .asList();
    }

    @Override
    public Map<SchemaTableName, RelationType> getRelationTypes(ConnectorSession session, Optional<String> schemaName)
    {
        Map<SchemaTableName, RelationType> relations = super.getRelationTypes(session, schemaName);
        if (!HealthTables.isListedIn(schemaName)) {
            return relations;
        }
        return ImmutableMap.<SchemaTableName, RelationType>builder()
                .putAll(relations)
                .put(HealthTables.LIST, RelationType.TABLE)
                .buildKeepingLast();
    }

    @Override
    public ClassLoaderSafeIterator<RelationColumnsMetadata> streamRelationColumns(ConnectorSession session, Optional<String> schemaName, UnaryOperator<Set<SchemaTableName>> relationFilter)
    {
        ClassLoaderSafeIterator<RelationColumnsMetadata> relations = super.streamRelationColumns(session, schemaName, relationFilter);
        if (!HealthTables.isListedIn(schemaName) || relationFilter.apply(ImmutableSet.of(HealthTables.LIST)).isEmpty()) {
            return relations;
        }
        return new ClassLoaderSafeIterator<>(
                Iterators.concat(
                        Iterators.filter(relations, relation -> !relation.name().equals(HealthTables.LIST)),
                        Iterators.singletonIterator(RelationColumnsMetadata.forTable(HealthTables.LIST, HealthTables.LIST_COLUMNS))),
                getClass().getClassLoader());
    }

    @Override
    public Map<String, Long> executeTableExecute(ConnectorSession session, ConnectorTableExecuteHandle execute)
    {
        if (execute instanceof TableHealthExecuteHandle health) {
            return tableHealth.execute(session, health);
        }
        return super.executeTableExecute(session, execute);
    }

    // properties of policies

    @Override
    public void createTable(ConnectorSession session, ConnectorTableMetadata tableMetadata, SaveMode saveMode)
    {
        super.createTable(session, policies.forCreation(tableMetadata), saveMode);
    }

    @Override
    public ConnectorOutputTableHandle beginCreateTable(ConnectorSession session, ConnectorTableMetadata tableMetadata, Optional<ConnectorTableLayout> layout, RetryMode retryMode, boolean replace)
    {
        return super.beginCreateTable(session, policies.forCreation(tableMetadata), layout, retryMode, replace);
    }

    @Override
    public void setTableProperties(ConnectorSession session, ConnectorTableHandle tableHandle, Map<String, Optional<Object>> properties)
    {
        policies.setTableProperties(session, stock, tableHandle, properties);
    }

    @Override
    public void createMaterializedView(
            ConnectorSession session,
            SchemaTableName viewName,
            ConnectorMaterializedViewDefinition definition,
            Map<String, Object> properties,
            boolean replace,
            boolean ignoreExisting)
    {
        policies.createMaterializedView(session, stock, viewName, definition, properties, replace, ignoreExisting);
    }

    @Override
    public void setMaterializedViewProperties(ConnectorSession session, SchemaTableName viewName, Map<String, Optional<Object>> properties)
    {
        policies.setMaterializedViewProperties(session, stock, viewName, properties);
    }

    @Override
    public Map<String, Object> getMaterializedViewProperties(ConnectorSession session, SchemaTableName viewName, ConnectorMaterializedViewDefinition viewDefinition)
    {
        return policies.forShow(session, viewName, super.getMaterializedViewProperties(session, viewName, viewDefinition));
    }

    // plan_rewrite

    @Override
    public Optional<TableFunctionApplicationResult<ConnectorTableHandle>> applyTableFunction(ConnectorSession session, ConnectorTableFunctionHandle handle)
    {
        if (handle instanceof PlanRewriteFunctionHandle plan) {
            return Optional.of(new TableFunctionApplicationResult<>(
                    new PlanRewriteTableHandle(plan.table(), plan.settings()),
                    PlanRewriteColumn.ALL.stream().map(ColumnHandle.class::cast).collect(toImmutableList())));
        }
        return super.applyTableFunction(session, handle);
    }

    // statistics: the sketch function under our own name

    @Override
    public TableStatisticsMetadata getStatisticsCollectionMetadataForWrite(ConnectorSession session, ConnectorTableMetadata tableMetadata, boolean tableReplace)
    {
        return withOurSketch(super.getStatisticsCollectionMetadataForWrite(session, tableMetadata, tableReplace));
    }

    @Override
    public ConnectorAnalyzeMetadata getStatisticsCollectionMetadata(ConnectorSession session, ConnectorTableHandle tableHandle, Map<String, Object> analyzeProperties)
    {
        ConnectorAnalyzeMetadata metadata = super.getStatisticsCollectionMetadata(session, tableHandle, analyzeProperties);
        return new ConnectorAnalyzeMetadata(metadata.getTableHandle(), withOurSketch(metadata.getStatisticsMetadata()));
    }

    private static TableStatisticsMetadata withOurSketch(TableStatisticsMetadata metadata)
    {
        return new TableStatisticsMetadata(
                metadata.getColumnStatistics().stream()
                        .map(column -> new ColumnStatisticMetadata(column.getColumnName(), column.getConnectorAggregationId(), new FunctionName(MaintainedThetaSketch.NAME)))
                        .collect(toImmutableSet()),
                metadata.getTableStatistics(),
                metadata.getGroupingColumns());
    }

    // handles of ours, which the stock connector does not know

    private static ConnectorTableHandle toStock(ConnectorTableHandle handle)
    {
        return handle instanceof RewriteTableHandle rewrite ? rewrite.getTable() : handle;
    }

    private static boolean isOurs(ConnectorTableHandle handle)
    {
        return handle instanceof RewriteTableHandle || handle instanceof PlanRewriteTableHandle;
    }

    @Override
    public Optional<ConnectorTableCredentials> getTableCredentials(ConnectorSession session, ConnectorTableHandle tableHandle)
    {
        return tableHandle instanceof PlanRewriteTableHandle ? Optional.empty() : super.getTableCredentials(session, toStock(tableHandle));
    }

    @Override
    public Optional<ConnectorTableCredentials> getTableCredentials(ConnectorSession session, ConnectorWritableTableHandle tableHandle)
    {
        if (tableHandle instanceof TableHealthExecuteHandle) {
            return Optional.empty();
        }
        return super.getTableCredentials(session, tableHandle instanceof RewriteExecuteHandle rewrite ? rewrite.writer() : tableHandle);
    }

    @Override
    public SchemaTableName getTableName(ConnectorSession session, ConnectorTableHandle table)
    {
        return table instanceof PlanRewriteTableHandle plan ? plan.table() : super.getTableName(session, toStock(table));
    }

    @Override
    public ConnectorTableSchema getTableSchema(ConnectorSession session, ConnectorTableHandle table)
    {
        return table instanceof PlanRewriteTableHandle plan ? planMetadata(plan).getTableSchema() : super.getTableSchema(session, toStock(table));
    }

    @Override
    public ConnectorTableMetadata getTableMetadata(ConnectorSession session, ConnectorTableHandle table)
    {
        if (table instanceof PlanRewriteTableHandle plan) {
            return planMetadata(plan);
        }
        ConnectorTableHandle stockTable = toStock(table);
        return policies.forShow(stockTable, super.getTableMetadata(session, stockTable));
    }

    private static ConnectorTableMetadata planMetadata(PlanRewriteTableHandle plan)
    {
        return new ConnectorTableMetadata(plan.table(), PlanRewriteColumn.ALL.stream().map(LakeMetadata::planColumn).collect(toImmutableList()));
    }

    private static ColumnMetadata planColumn(PlanRewriteColumn column)
    {
        return new ColumnMetadata(column.name(), column.type());
    }

    @Override
    public Map<String, ColumnHandle> getColumnHandles(ConnectorSession session, ConnectorTableHandle tableHandle)
    {
        if (tableHandle instanceof PlanRewriteTableHandle) {
            return PlanRewriteColumn.ALL.stream().collect(toImmutableMap(PlanRewriteColumn::name, column -> column));
        }
        return super.getColumnHandles(session, toStock(tableHandle));
    }

    @Override
    public ColumnMetadata getColumnMetadata(ConnectorSession session, ConnectorTableHandle tableHandle, ColumnHandle columnHandle)
    {
        return columnHandle instanceof PlanRewriteColumn column ? planColumn(column) : super.getColumnMetadata(session, toStock(tableHandle), columnHandle);
    }

    @Override
    public TableStatistics getTableStatistics(ConnectorSession session, ConnectorTableHandle tableHandle)
    {
        return tableHandle instanceof PlanRewriteTableHandle ? TableStatistics.empty() : super.getTableStatistics(session, toStock(tableHandle));
    }

    @Override
    public ConnectorTableProperties getTableProperties(ConnectorSession session, ConnectorTableHandle table)
    {
        return table instanceof PlanRewriteTableHandle ? new ConnectorTableProperties() : super.getTableProperties(session, toStock(table));
    }

    @Override
    public Optional<Object> getInfo(ConnectorSession session, ConnectorTableHandle table)
    {
        return table instanceof PlanRewriteTableHandle ? Optional.empty() : super.getInfo(session, toStock(table));
    }

    @Override
    public void validateScan(ConnectorSession session, ConnectorTableHandle handle)
    {
        // a rewrite reads whole partitions or all of the table on purpose, also where queries must name a partition
        if (!isOurs(handle)) {
            super.validateScan(session, handle);
        }
    }

    @Override
    public Optional<ConnectorTableHandle> applyPartitioning(ConnectorSession session, ConnectorTableHandle tableHandle, Optional<ConnectorPartitioningHandle> partitioningHandle, List<ColumnHandle> columns)
    {
        boolean routed = partitioningHandle.isPresent() && partitioningHandle.get() instanceof RangePartitioningHandle;
        return routed || isOurs(tableHandle) ? Optional.empty() : super.applyPartitioning(session, tableHandle, partitioningHandle, columns);
    }

    @Override
    public Optional<LimitApplicationResult<ConnectorTableHandle>> applyLimit(ConnectorSession session, ConnectorTableHandle table, long limit)
    {
        return isOurs(table) ? Optional.empty() : super.applyLimit(session, table, limit);
    }

    @Override
    public Optional<ProjectionApplicationResult<ConnectorTableHandle>> applyProjection(ConnectorSession session, ConnectorTableHandle table, List<ConnectorExpression> projections, Map<String, ColumnHandle> assignments)
    {
        // a rewrite's WHERE clause may read nested fields, which stay in the condition
        boolean rewrite = table instanceof IcebergTableHandle iceberg && rewrites.isRewriteOf(session, iceberg);
        return isOurs(table) || rewrite ? Optional.empty() : super.applyProjection(session, table, projections, assignments);
    }

    @Override
    public Optional<SampleApplicationResult<ConnectorTableHandle>> applySample(ConnectorSession session, ConnectorTableHandle table, SampleType sampleType, double sampleRatio)
    {
        return isOurs(table) ? Optional.empty() : super.applySample(session, table, sampleType, sampleRatio);
    }

    @Override
    public Optional<AggregationApplicationResult<ConnectorTableHandle>> applyAggregation(
            ConnectorSession session,
            ConnectorTableHandle table,
            List<AggregateFunction> aggregates,
            Map<String, ColumnHandle> assignments,
            List<List<ColumnHandle>> groupingSets)
    {
        return isOurs(table) ? Optional.empty() : super.applyAggregation(session, table, aggregates, assignments, groupingSets);
    }

    @Override
    public Optional<TopNApplicationResult<ConnectorTableHandle>> applyTopN(ConnectorSession session, ConnectorTableHandle table, long topNCount, List<SortItem> sortItems, Map<String, ColumnHandle> assignments)
    {
        return isOurs(table) ? Optional.empty() : super.applyTopN(session, table, topNCount, sortItems, assignments);
    }

    @Override
    public Optional<TableScanRedirectApplicationResult> applyTableScanRedirect(ConnectorSession session, ConnectorTableHandle tableHandle)
    {
        return isOurs(tableHandle) ? Optional.empty() : super.applyTableScanRedirect(session, tableHandle);
    }

    @Override
    public boolean allowSplittingReadIntoMultipleSubQueries(ConnectorSession session, ConnectorTableHandle tableHandle)
    {
        return !isOurs(tableHandle) && super.allowSplittingReadIntoMultipleSubQueries(session, tableHandle);
    }
}
