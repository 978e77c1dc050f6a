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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import io.trino.Session;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.spi.Plugin;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.spi.security.Identity;
import io.trino.testing.DistributedQueryRunner;
import org.lakesteward.store.window.WindowStore;

import java.util.Map;

import static com.google.inject.util.Modules.EMPTY_MODULE;
import static io.trino.testing.TestingSession.testSessionBuilder;

/**
 * A coordinator and a worker with the control catalog {@code maintenance} on a given store, and {@code tpch}.
 */
final class ControlQueryRunner
{
    private ControlQueryRunner() {}

    static DistributedQueryRunner create(WindowStore store)
            throws Exception
    {
        return create(store, DistributedQueryRunner.builder(session("operator")));
    }

    /** With rules by which the user {@code opener} may open windows, {@code closer} may end them; everybody may read, and everybody but {@code outsider} may call. */
    static DistributedQueryRunner createWithRules(WindowStore store)
            throws Exception
    {
        return create(store, DistributedQueryRunner.builder(session("operator"))
                .setSystemAccessControl("file", ImmutableMap.of("security.config-file", Resources.getResource("window-rules.json").getPath())));
    }

    private static DistributedQueryRunner create(WindowStore store, DistributedQueryRunner.Builder<?> builder)
            throws Exception
    {
        DistributedQueryRunner queryRunner = builder.setWorkerCount(1).build();
        try {
            queryRunner.installPlugin(new TpchPlugin());
            queryRunner.createCatalog("tpch", "tpch");
            queryRunner.installPlugin(new ControlPlugin(new ControlConnectorFactory(EMPTY_MODULE, binder -> binder.bind(WindowStore.class).toInstance(store))));
            queryRunner.createCatalog("maintenance", ControlConnectorFactory.NAME, Map.of());
            return queryRunner;
        }
        catch (Throwable e) {
            queryRunner.close();
            throw e;
        }
    }

    static Session session(String user)
    {
        return testSessionBuilder()
                .setIdentity(Identity.ofUser(user))
                .setOriginalIdentity(Identity.ofUser(user))
                .build();
    }

    private record ControlPlugin(ConnectorFactory factory)
            implements Plugin
    {
        @Override
        public Iterable<ConnectorFactory> getConnectorFactories()
        {
            return ImmutableList.of(factory);
        }
    }
}
