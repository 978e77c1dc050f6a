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
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.airlift.bootstrap.LifeCycleManager;
import io.trino.plugin.base.security.AllowAllSystemAccessControl;
import io.trino.spi.connector.CatalogSchemaName;
import io.trino.spi.connector.CatalogSchemaRoutineName;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.eventlistener.EventListener;
import io.trino.spi.security.SystemSecurityContext;
import org.lakesteward.access.check.PassthroughFunctions;
import org.lakesteward.access.check.WindowConfig;
import org.lakesteward.access.check.WriteGate;
import org.lakesteward.access.statement.StatementListener;
import org.lakesteward.planner.window.WindowCheck;
import org.lakesteward.planner.window.WindowScope;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.window.WindowCheck.CALL_PROCEDURE;
import static org.lakesteward.planner.window.WindowCheck.CHANGE_DEFINITION;
import static org.lakesteward.planner.window.WindowCheck.EXECUTE_TABLE_PROCEDURE;
import static org.lakesteward.planner.window.WindowCheck.PASSTHROUGH_FUNCTION;
import static org.lakesteward.planner.window.WindowCheck.WRITE_DATA;

/**
 * Refuses writes to what a maintenance window covers, and does nothing else: it grants nothing that another access control denies,
 * and it filters and masks nothing. Every method of {@link io.trino.spi.security.SystemAccessControl} that is not overridden here
 * is open in a window: reading, showing, authorization (roles, grants, owners), catalogs, settings and killing queries.
 * <p>
 * Thread-safe, no I/O. Refusals are {@code CLUSTER_IN_MAINTENANCE}, never {@link io.trino.spi.security.AccessDeniedException}:
 * nobody lacks a right, and Trino swallows the latter in places.
 */
public class MaintenanceAccessControl
        extends AllowAllSystemAccessControl
{
    private static final String CONTROL_SCHEMA = "system";
    /** Known in every catalog: an operator must be able to end a window even if window.control-catalog names another catalog. */
    private static final Set<String> WINDOW_PROCEDURES = ImmutableSet.of("enter_maintenance", "extend_maintenance", "wait_maintenance", "exit_maintenance", "forget_coordinator");
    private static final CatalogSchemaRoutineName KILL_QUERY = new CatalogSchemaRoutineName("system", "runtime", "kill_query");

    private final WriteGate gate;
    private final String controlCatalog;
    private final PassthroughFunctions passthroughFunctions;
    private final StatementListener statementListener;
    private final Runnable shutdown;

    @Inject
    public MaintenanceAccessControl(WriteGate gate, WindowConfig config, StatementListener statementListener, LifeCycleManager lifeCycle)
    {
        this(gate, config, statementListener, lifeCycle::stop);
    }

    /**
     * @param shutdown what stops everything that was started for this access control
     */
    public MaintenanceAccessControl(WriteGate gate, WindowConfig config, StatementListener statementListener, Runnable shutdown)
    {
        this.gate = requireNonNull(gate, "gate is null");
        this.controlCatalog = config.getControlCatalog();
        this.passthroughFunctions = new PassthroughFunctions(config.getPassthroughFunctions());
        this.statementListener = requireNonNull(statementListener, "statementListener is null");
        this.shutdown = requireNonNull(shutdown, "shutdown is null");
    }

    @Override
    public Iterable<EventListener> getEventListeners()
    {
        return ImmutableList.of(statementListener);
    }

    @Override
    public void shutdown()
    {
        shutdown.run();
    }

    @Override
    public void checkCanCreateSchema(SystemSecurityContext context, CatalogSchemaName schema, Map<String, Object> properties)
    {
        changeSchema(context, schema);
    }

    @Override
    public void checkCanDropSchema(SystemSecurityContext context, CatalogSchemaName schema)
    {
        changeSchema(context, schema);
    }

    @Override
    public void checkCanRenameSchema(SystemSecurityContext context, CatalogSchemaName schema, String newSchemaName)
    {
        changeSchema(context, schema);
        changeSchema(context, new CatalogSchemaName(schema.getCatalogName(), newSchemaName));
    }

    @Override
    public void checkCanCreateTable(SystemSecurityContext context, CatalogSchemaTableName table, Map<String, Object> properties)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanDropTable(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanRenameTable(SystemSecurityContext context, CatalogSchemaTableName table, CatalogSchemaTableName newTable)
    {
        check(context, CHANGE_DEFINITION, table);
        check(context, CHANGE_DEFINITION, newTable);
    }

    @Override
    public void checkCanSetTableProperties(SystemSecurityContext context, CatalogSchemaTableName table, Map<String, Optional<Object>> properties)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanSetTableComment(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanSetViewComment(SystemSecurityContext context, CatalogSchemaTableName view)
    {
        check(context, CHANGE_DEFINITION, view);
    }

    @Override
    public void checkCanSetColumnComment(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanAddColumn(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanAlterColumn(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanDropColumn(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanRenameColumn(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, CHANGE_DEFINITION, table);
    }

    @Override
    public void checkCanInsertIntoTable(SystemSecurityContext context, CatalogSchemaTableName table, Optional<String> branch)
    {
        check(context, WRITE_DATA, table);
    }

    @Override
    @Deprecated
    public void checkCanInsertIntoTable(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, WRITE_DATA, table);
    }

    @Override
    public void checkCanDeleteFromTable(SystemSecurityContext context, CatalogSchemaTableName table, Optional<String> branch)
    {
        check(context, WRITE_DATA, table);
    }

    @Override
    @Deprecated
    public void checkCanDeleteFromTable(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, WRITE_DATA, table);
    }

    @Override
    public void checkCanTruncateTable(SystemSecurityContext context, CatalogSchemaTableName table)
    {
        check(context, WRITE_DATA, table);
    }

    @Override
    public void checkCanUpdateTableColumns(SystemSecurityContext securityContext, CatalogSchemaTableName table, Optional<String> branch, Set<String> updatedColumnNames)
    {
        check(securityContext, WRITE_DATA, table);
    }

    @Override
    @Deprecated
    public void checkCanUpdateTableColumns(SystemSecurityContext securityContext, CatalogSchemaTableName table, Set<String> updatedColumnNames)
    {
        check(securityContext, WRITE_DATA, table);
    }

    @Override
    public void checkCanCreateView(SystemSecurityContext context, CatalogSchemaTableName view)
    {
        check(context, CHANGE_DEFINITION, view);
    }

    @Override
    public void checkCanRenameView(SystemSecurityContext context, CatalogSchemaTableName view, CatalogSchemaTableName newView)
    {
        check(context, CHANGE_DEFINITION, view);
        check(context, CHANGE_DEFINITION, newView);
    }

    @Override
    public void checkCanRefreshView(SystemSecurityContext context, CatalogSchemaTableName viewName)
    {
        check(context, CHANGE_DEFINITION, viewName);
    }

    @Override
    public void checkCanDropView(SystemSecurityContext context, CatalogSchemaTableName view)
    {
        check(context, CHANGE_DEFINITION, view);
    }

    @Override
    public void checkCanCreateMaterializedView(SystemSecurityContext context, CatalogSchemaTableName materializedView, Map<String, Object> properties)
    {
        check(context, CHANGE_DEFINITION, materializedView);
    }

    @Override
    public void checkCanRefreshMaterializedView(SystemSecurityContext context, CatalogSchemaTableName materializedView)
    {
        check(context, WRITE_DATA, materializedView);
    }

    @Override
    public void checkCanSetMaterializedViewProperties(SystemSecurityContext context, CatalogSchemaTableName materializedView, Map<String, Optional<Object>> properties)
    {
        check(context, CHANGE_DEFINITION, materializedView);
    }

    @Override
    public void checkCanDropMaterializedView(SystemSecurityContext context, CatalogSchemaTableName materializedView)
    {
        check(context, CHANGE_DEFINITION, materializedView);
    }

    @Override
    public void checkCanRenameMaterializedView(SystemSecurityContext context, CatalogSchemaTableName view, CatalogSchemaTableName newView)
    {
        check(context, CHANGE_DEFINITION, view);
        check(context, CHANGE_DEFINITION, newView);
    }

    @Override
    public void checkCanExecuteTableProcedure(SystemSecurityContext systemSecurityContext, CatalogSchemaTableName table, String procedure)
    {
        check(systemSecurityContext, EXECUTE_TABLE_PROCEDURE, table);
    }

    @Override
    public void checkCanCreateFunction(SystemSecurityContext systemSecurityContext, CatalogSchemaRoutineName functionName)
    {
        changeFunction(systemSecurityContext, functionName);
    }

    @Override
    public void checkCanDropFunction(SystemSecurityContext systemSecurityContext, CatalogSchemaRoutineName functionName)
    {
        changeFunction(systemSecurityContext, functionName);
    }

    @Override
    public void checkCanCreateBranch(SystemSecurityContext systemSecurityContext, CatalogSchemaTableName tableName, String branchName)
    {
        check(systemSecurityContext, CHANGE_DEFINITION, tableName);
    }

    @Override
    public void checkCanDropBranch(SystemSecurityContext systemSecurityContext, CatalogSchemaTableName tableName, String branchName)
    {
        check(systemSecurityContext, CHANGE_DEFINITION, tableName);
    }

    @Override
    public void checkCanFastForwardBranch(SystemSecurityContext systemSecurityContext, CatalogSchemaTableName tableName, String sourceBranchName, String targetBranchName)
    {
        check(systemSecurityContext, CHANGE_DEFINITION, tableName);
    }

    /**
     * A procedure may touch any table of its catalog, so every window in the catalog refuses it.
     */
    @Override
    public void checkCanExecuteProcedure(SystemSecurityContext context, CatalogSchemaRoutineName procedure)
    {
        boolean opensOrEndsWindows = procedure.getSchemaName().equals(CONTROL_SCHEMA) &&
                (isControl(procedure.getCatalogName()) || WINDOW_PROCEDURES.contains(procedure.getRoutineName()));
        if (opensOrEndsWindows || procedure.equals(KILL_QUERY)) {
            gate.begins(context.getQueryId().id(), context.getIdentity().getUser(), context.getQueryStart());
            return;
        }
        check(context, CALL_PROCEDURE, WindowScope.catalog(procedure.getCatalogName()));
    }

    /**
     * A passthrough function ({@code TABLE(postgresql.system.query(...))}) runs whatever text it is given in the other system and
     * reaches no other check.
     */
    @Override
    public boolean canExecuteFunction(SystemSecurityContext context, CatalogSchemaRoutineName function)
    {
        checkFunction(context, function);
        return true;
    }

    /**
     * What Trino asks instead of {@link #canExecuteFunction} for a function inside a definer view that is read (ViewAccessControl).
     */
    @Override
    public boolean canCreateViewWithExecuteFunction(SystemSecurityContext context, CatalogSchemaRoutineName function)
    {
        checkFunction(context, function);
        return true;
    }

    private void checkFunction(SystemSecurityContext context, CatalogSchemaRoutineName function)
    {
        if (passthroughFunctions.contains(function) && !isControl(function.getCatalogName())) {
            check(context, PASSTHROUGH_FUNCTION, WindowScope.catalog(function.getCatalogName()));
        }
    }

    private void check(SystemSecurityContext context, WindowCheck check, CatalogSchemaTableName table)
    {
        // the tables of the control catalog are no data
        if (!isControl(table.getCatalogName())) {
            check(context, check, WindowScope.table(table.getCatalogName(), table.getSchemaTableName().getSchemaName(), table.getSchemaTableName().getTableName()));
        }
    }

    private void changeSchema(SystemSecurityContext context, CatalogSchemaName schema)
    {
        if (!isControl(schema.getCatalogName())) {
            check(context, CHANGE_DEFINITION, WindowScope.schema(schema.getCatalogName(), schema.getSchemaName()));
        }
    }

    private void changeFunction(SystemSecurityContext context, CatalogSchemaRoutineName function)
    {
        if (!isControl(function.getCatalogName())) {
            check(context, CHANGE_DEFINITION, WindowScope.schema(function.getCatalogName(), function.getSchemaName()));
        }
    }

    private void check(SystemSecurityContext context, WindowCheck check, WindowScope target)
    {
        gate.check(context.getQueryId().id(), context.getIdentity().getUser(), context.getQueryStart(), check, target);
    }

    private boolean isControl(String catalog)
    {
        return catalog.equals(controlCatalog);
    }
}
