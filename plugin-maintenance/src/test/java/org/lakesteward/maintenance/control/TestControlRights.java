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

import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.QueryFailedException;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WindowSnapshot;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Who may do what under Trino's file-based rules.
 */
public class TestControlRights
{
    private InMemoryWindowStore store;
    private DistributedQueryRunner queryRunner;

    @BeforeClass
    public void start()
            throws Exception
    {
        store = new InMemoryWindowStore();
        queryRunner = ControlQueryRunner.createWithRules(store);
    }

    @AfterClass(alwaysRun = true)
    public void stop()
    {
        store = null;
        if (queryRunner != null) {
            queryRunner.close();
            queryRunner = null;
        }
    }

    @BeforeMethod
    public void reset()
    {
        store.reset();
        store.put(new MaintenanceWindow("w1", WindowScope.catalog("tpch"), "index", "ann", Instant.now(), Optional.empty(), Duration.ofSeconds(30), false, Optional.empty(), Optional.empty()));
        store.addObedientCoordinator("c1");
        store.put(new CoordinatorState(InMemoryWindowStore.silentReport("c2", Instant.now().minusSeconds(300)), false));
    }

    @DataProvider
    public Object[][] calls()
    {
        String insert = "Access Denied: Cannot open or change a maintenance window, which needs the privilege INSERT on maintenance.system.maintenance_windows: Cannot insert into table maintenance.system.maintenance_windows";
        String delete = "Access Denied: Cannot %s, which needs the privilege DELETE on maintenance.system.maintenance_windows: Cannot delete from table maintenance.system.maintenance_windows";
        return new Object[][] {
                {"enter_maintenance(reason => 'r', wait => false)", "opener", insert},
                // the right is asked for before anything is said about the arguments
                {"enter_maintenance(reason => '')", "", insert},
                {"extend_maintenance(scope => 'tpch', retry_after => '1m')", "opener", insert},
                {"exit_maintenance(scope => 'tpch')", "closer", delete.formatted("end a maintenance window")},
                {"forget_coordinator(coordinator_id => 'c2')", "closer", delete.formatted("forget a coordinator")},
        };
    }

    @Test(dataProvider = "calls")
    public void testWithoutRight(String call, String allowedUser, String message)
    {
        for (String user : new String[] {"reader", allowedUser.equals("opener") ? "closer" : "opener"}) {
            if (allowedUser.isEmpty() && user.equals("opener")) {
                continue;
            }
            WindowSnapshot before = store.content();
            assertThat(failure(user, call).getMessage()).as(user).isEqualTo(message);
            assertThat(store.content()).isEqualTo(before);
        }
    }

    @Test(dataProvider = "calls")
    public void testWithRight(String call, String allowedUser, String message)
    {
        if (allowedUser.isEmpty()) {
            assertThat(failure("opener", call).getMessage()).startsWith("reason is empty");
            return;
        }
        WindowSnapshot before = store.content();
        call(allowedUser, call);
        assertThat(store.content()).isNotEqualTo(before);
    }

    @Test(dataProvider = "calls")
    public void testWithoutExecute(String call, String allowedUser, String message)
    {
        WindowSnapshot before = store.content();
        assertThat(failure("outsider", call).getMessage()).matches("Access Denied: Cannot execute procedure maintenance.system.\\w+");
        assertThat(store.content()).isEqualTo(before);
    }

    @Test
    public void testEverybodyMayReadAndWait()
    {
        assertThat(queryRunner.execute(ControlQueryRunner.session("reader"), "SELECT scope FROM maintenance.system.maintenance_windows").getOnlyValue()).isEqualTo("tpch");
        assertThat(queryRunner.execute(ControlQueryRunner.session("outsider"), "SELECT count(*) FROM maintenance.system.coordinators").getOnlyValue()).isEqualTo(2L);
        assertThat(failure("reader", "wait_maintenance(scope => 'tpch', wait_timeout => '0s')").getMessage()).startsWith("the window on tpch is open and refuses new writes, but it has not closed");
        call("closer", "forget_coordinator(coordinator_id => 'c2')");
        call("reader", "wait_maintenance(scope => 'tpch')");
    }

    private void call(String user, String call)
    {
        queryRunner.execute(ControlQueryRunner.session(user), "CALL maintenance.system." + call);
    }

    private QueryFailedException failure(String user, String call)
    {
        return catchThrowableOfType(QueryFailedException.class, () -> call(user, call));
    }
}
