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

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.QueryId;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.CatalogSchemaName;
import io.trino.spi.connector.CatalogSchemaRoutineName;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.connector.EntityKindAndName;
import io.trino.spi.connector.EntityPrivilege;
import io.trino.spi.resourcegroups.QueryType;
import io.trino.spi.security.Identity;
import io.trino.spi.security.PrincipalType;
import io.trino.spi.security.Privilege;
import io.trino.spi.security.SystemAccessControl;
import io.trino.spi.security.SystemSecurityContext;
import io.trino.spi.security.TrinoPrincipal;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.Type;
import org.lakesteward.access.check.CurrentWindows;
import org.lakesteward.access.check.WindowConfig;
import org.lakesteward.access.check.WriteGate;
import org.lakesteward.access.statement.StatementListener;
import org.lakesteward.access.statement.StatementTracker;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.access.AccessErrorCode.CLUSTER_IN_MAINTENANCE;
import static org.testng.Assert.fail;

/**
 * Every method of {@link SystemAccessControl} stands in one of the two lists below; a method that Trino gains stands in none and fails the test.
 */
public class TestAccessControlMethods
{
    private static final Set<String> REFUSED = ImmutableSet.of(
            "checkCanCreateSchema", "checkCanDropSchema", "checkCanRenameSchema",
            "checkCanCreateTable", "checkCanDropTable", "checkCanRenameTable", "checkCanSetTableProperties",
            "checkCanSetTableComment", "checkCanSetViewComment", "checkCanSetColumnComment",
            "checkCanAddColumn", "checkCanAlterColumn", "checkCanDropColumn", "checkCanRenameColumn",
            "checkCanInsertIntoTable", "checkCanDeleteFromTable", "checkCanTruncateTable", "checkCanUpdateTableColumns",
            "checkCanCreateView", "checkCanRenameView", "checkCanRefreshView", "checkCanDropView",
            "checkCanCreateMaterializedView", "checkCanRefreshMaterializedView", "checkCanSetMaterializedViewProperties",
            "checkCanDropMaterializedView", "checkCanRenameMaterializedView",
            "checkCanExecuteProcedure", "checkCanExecuteTableProcedure",
            "checkCanCreateFunction", "checkCanDropFunction",
            "checkCanCreateBranch", "checkCanDropBranch", "checkCanFastForwardBranch");

    private static final Set<String> OPEN = ImmutableSet.of(
            "checkCanImpersonateUser", "checkCanSetUser", "checkCanExecuteQuery",
            "checkCanViewQueryOwnedBy", "filterViewQueryOwnedBy", "checkCanKillQueryOwnedBy",
            "checkCanReadSystemInformation", "checkCanWriteSystemInformation",
            "checkCanSetSystemSessionProperty", "checkCanSetCatalogSessionProperty",
            "canAccessCatalog", "checkCanCreateCatalog", "checkCanDropCatalog", "filterCatalogs",
            "checkCanShowSchemas", "filterSchemas", "checkCanShowCreateSchema", "checkCanShowCreateTable",
            "checkCanShowTables", "filterTables", "checkCanShowColumns", "filterColumns",
            "checkCanSelectFromColumns", "checkCanCreateViewWithSelectFromColumns",
            "checkCanSetSchemaAuthorization", "checkCanSetTableAuthorization", "checkCanSetViewAuthorization",
            "checkCanSetMaterializedViewAuthorization", "checkCanSetEntityAuthorization",
            "checkCanGrantSchemaPrivilege", "checkCanDenySchemaPrivilege", "checkCanRevokeSchemaPrivilege",
            "checkCanGrantTablePrivilege", "checkCanDenyTablePrivilege", "checkCanRevokeTablePrivilege",
            "checkCanGrantTableBranchPrivilege", "checkCanDenyTableBranchPrivilege", "checkCanRevokeTableBranchPrivilege",
            "checkCanGrantEntityPrivilege", "checkCanDenyEntityPrivilege", "checkCanRevokeEntityPrivilege",
            "checkCanShowRoles", "checkCanCreateRole", "checkCanDropRole", "checkCanGrantRoles", "checkCanRevokeRoles",
            "checkCanShowCurrentRoles", "checkCanShowRoleGrants",
            // of functions that pass no text to another system
            "canExecuteFunction", "canCreateViewWithExecuteFunction",
            "checkCanShowFunctions", "filterFunctions", "checkCanShowCreateFunction", "checkCanShowBranches",
            "getRowFilters", "getColumnMask", "getColumnMasks",
            "getEventListeners", "shutdown");

    private static final Identity USER = Identity.ofUser("bob");
    private static final SystemSecurityContext CONTEXT = new SystemSecurityContext(USER, new QueryId("20260101_000000_00000_aaaaa"), Instant.EPOCH);

    private final StatementTracker tracker = new StatementTracker();
    private final CurrentWindows windows = new CurrentWindows(Ticker.systemTicker(), Duration.ofHours(1));
    private final SystemAccessControl accessControl = new MaintenanceAccessControl(
            new WriteGate(tracker, windows, InstantSource.system(), (_, _, _, _, _) -> {}),
            new WindowConfig(),
            new StatementListener(tracker),
            () -> {});

    /** TestNG takes a parameter of type Method for its own. */
    private record Checked(Method method)
    {
        @Override
        public String toString()
        {
            return method.getName() + " with " + method.getParameterCount() + " parameters";
        }
    }

    @BeforeClass
    public void setUp()
    {
        windows.told(System.nanoTime());
    }

    @DataProvider
    public Object[][] methods()
    {
        return Arrays.stream(SystemAccessControl.class.getMethods())
                .map(method -> new Object[] {new Checked(method)})
                .toArray(Object[][]::new);
    }

    @Test
    public void testListsNameExistingMethods()
    {
        Set<String> names = new TreeSet<>();
        Arrays.stream(SystemAccessControl.class.getMethods()).map(Method::getName).forEach(names::add);
        assertThat(new TreeSet<>(REFUSED)).isSubsetOf(names).doesNotContainAnyElementsOf(OPEN);
        assertThat(new TreeSet<>(OPEN)).isSubsetOf(names);
    }

    @Test(dataProvider = "methods")
    public void testMethod(Object checked)
            throws Exception
    {
        Method method = ((Checked) checked).method();
        if (!REFUSED.contains(method.getName()) && !OPEN.contains(method.getName())) {
            fail("Trino has a method that no list of this test names; decide whether a window refuses it: " + method);
        }
        for (Optional<QueryType> type : ImmutableList.of(Optional.<QueryType>empty(), Optional.of(QueryType.INSERT), Optional.of(QueryType.DATA_DEFINITION), Optional.of(QueryType.SELECT))) {
            restart(type);
            windows.publish(ImmutableList.of());
            call(method);
            windows.publish(ImmutableList.of(clusterWindow()));
            if (REFUSED.contains(method.getName())) {
                assertThatThrownBy(() -> call(method)).isInstanceOfSatisfying(TrinoException.class, refusal -> assertThat(refusal.getErrorCode()).isEqualTo(CLUSTER_IN_MAINTENANCE.toErrorCode()));
            }
            else {
                call(method);
            }
        }
        for (QueryType type : ImmutableList.of(QueryType.EXPLAIN, QueryType.DESCRIBE)) {
            restart(Optional.of(type));
            call(method);
        }
    }

    @Test
    public void testRenameJudgesBothNames()
    {
        restart(Optional.of(QueryType.DATA_DEFINITION));
        CatalogSchemaTableName here = new CatalogSchemaTableName("lake", "s", "here");
        CatalogSchemaTableName there = new CatalogSchemaTableName("lake", "s", "there");
        windows.publish(ImmutableList.of(window(WindowScope.table("lake", "s", "here"))));
        assertRefused(() -> accessControl.checkCanRenameTable(CONTEXT, here, there));
        assertRefused(() -> accessControl.checkCanRenameTable(CONTEXT, there, here));
        assertRefused(() -> accessControl.checkCanRenameView(CONTEXT, here, there));
        assertRefused(() -> accessControl.checkCanRenameView(CONTEXT, there, here));
        assertRefused(() -> accessControl.checkCanRenameMaterializedView(CONTEXT, here, there));
        assertRefused(() -> accessControl.checkCanRenameMaterializedView(CONTEXT, there, here));
        accessControl.checkCanRenameTable(CONTEXT, there, new CatalogSchemaTableName("lake", "s", "elsewhere"));

        windows.publish(ImmutableList.of(window(WindowScope.schema("lake", "s"))));
        assertRefused(() -> accessControl.checkCanRenameSchema(CONTEXT, new CatalogSchemaName("lake", "s"), "z"));
        assertRefused(() -> accessControl.checkCanRenameSchema(CONTEXT, new CatalogSchemaName("lake", "z"), "s"));
        accessControl.checkCanRenameSchema(CONTEXT, new CatalogSchemaName("lake", "y"), "z");
    }

    @Test
    public void testProceduresAndFunctions()
    {
        restart(Optional.of(QueryType.DATA_DEFINITION));
        windows.publish(ImmutableList.of(window(WindowScope.table("lake", "s", "t"))));
        accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("system", "runtime", "kill_query"));
        accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("maintenance", "system", "exit_maintenance"));
        accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("other", "system", "execute"));
        // whatever the control catalog is called: otherwise a wrong window.control-catalog would lock everybody out
        accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("ops", "system", "exit_maintenance"));
        assertRefused(() -> accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("lake", "other", "exit_maintenance")));
        assertRefused(() -> accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("lake", "system", "rollback_to_snapshot")));

        assertRefused(() -> accessControl.canExecuteFunction(CONTEXT, new CatalogSchemaRoutineName("lake", "system", "query")));
        assertRefused(() -> accessControl.canCreateViewWithExecuteFunction(CONTEXT, new CatalogSchemaRoutineName("lake", "system", "query")));
        assertThat(accessControl.canExecuteFunction(CONTEXT, new CatalogSchemaRoutineName("lake", "system", "table_changes"))).isTrue();
        assertThat(accessControl.canExecuteFunction(CONTEXT, new CatalogSchemaRoutineName("lake", "other", "query"))).isTrue();
        assertThat(accessControl.canExecuteFunction(CONTEXT, new CatalogSchemaRoutineName("other", "system", "query"))).isTrue();

        windows.publish(ImmutableList.of(window(WindowScope.cluster())));
        accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("system", "runtime", "kill_query"));
        accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("maintenance", "system", "exit_maintenance"));
        accessControl.checkCanInsertIntoTable(CONTEXT, new CatalogSchemaTableName("maintenance", "system", "anything"), Optional.empty());
        assertRefused(() -> accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("maintenance", "other", "procedure")));
        assertRefused(() -> accessControl.checkCanExecuteProcedure(CONTEXT, new CatalogSchemaRoutineName("system", "other", "kill_query")));
    }

    private void restart(Optional<QueryType> type)
    {
        tracker.completed(CONTEXT.getQueryId().id(), false);
        tracker.created(CONTEXT.getQueryId().id(), "bob", type, Instant.EPOCH);
    }

    private static void assertRefused(Runnable check)
    {
        assertThatThrownBy(check::run)
                .hasMessageStartingWith("CLUSTER_IN_MAINTENANCE: writes to ")
                .isInstanceOfSatisfying(TrinoException.class, refusal -> assertThat(refusal.getErrorCode()).isEqualTo(CLUSTER_IN_MAINTENANCE.toErrorCode()));
    }

    private Object call(Method method)
            throws Exception
    {
        Object[] arguments = Arrays.stream(method.getParameters()).map(TestAccessControlMethods::argument).toArray();
        try {
            return method.invoke(accessControl, arguments);
        }
        catch (InvocationTargetException e) {
            if (e.getCause() instanceof TrinoException refusal) {
                throw refusal;
            }
            throw e;
        }
    }

    private static Object argument(Parameter parameter)
    {
        Class<?> type = parameter.getType();
        if (type == SystemSecurityContext.class) {
            return CONTEXT;
        }
        if (type == Identity.class) {
            return USER;
        }
        if (type == QueryId.class) {
            return CONTEXT.getQueryId();
        }
        if (type == String.class) {
            return "name";
        }
        if (type == boolean.class) {
            return false;
        }
        if (type == CatalogSchemaName.class) {
            return new CatalogSchemaName("lake", "s");
        }
        if (type == CatalogSchemaTableName.class) {
            return new CatalogSchemaTableName("lake", "s", "t");
        }
        if (type == CatalogSchemaRoutineName.class) {
            return new CatalogSchemaRoutineName("lake", "system", "routine");
        }
        if (type == TrinoPrincipal.class) {
            return new TrinoPrincipal(PrincipalType.USER, "bob");
        }
        if (type == Privilege.class) {
            return Privilege.SELECT;
        }
        if (type == EntityKindAndName.class) {
            return new EntityKindAndName("TABLE", List.of("lake", "s", "t"));
        }
        if (type == EntityPrivilege.class) {
            return new EntityPrivilege("SELECT");
        }
        if (type == Type.class) {
            return BigintType.BIGINT;
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        if (type == Map.class) {
            return ImmutableMap.of();
        }
        if (type == List.class) {
            return ImmutableList.of();
        }
        if (type == Set.class || type == Collection.class) {
            return ImmutableSet.of();
        }
        throw new IllegalArgumentException("Trino has a type of argument that this test cannot make: " + (parameter.getParameterizedType() instanceof ParameterizedType generic ? generic : type));
    }

    private static MaintenanceWindow clusterWindow()
    {
        return window(WindowScope.cluster());
    }

    static MaintenanceWindow window(WindowScope scope)
    {
        return new MaintenanceWindow("id-" + scope, scope, "restore", "operator", Instant.EPOCH, Optional.empty(), Duration.ofSeconds(30), false, Optional.empty(), Optional.empty());
    }
}
