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

import com.google.inject.Module;
import io.airlift.bootstrap.Bootstrap;
import io.trino.plugin.base.ConnectorContextModule;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import org.lakesteward.maintenance.window.WindowModule;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreConfig;

import java.util.Map;

import static com.google.inject.util.Modules.EMPTY_MODULE;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static java.util.Objects.requireNonNull;

/**
 * Creates the control connector. An unknown property of the catalog file is an error, on workers too; only coordinators open the store.
 */
public class ControlConnectorFactory
        implements ConnectorFactory
{
    public static final String NAME = "maintenance";

    private final Module configModule;
    private final Module storeModule;

    public ControlConnectorFactory()
    {
        this(binder -> configBinder(binder).bindConfig(WindowStoreConfig.class), new WindowStoreModule());
    }

    /**
     * @param configModule what every node reads from the catalog file for the store
     * @param storeModule binds the {@link WindowStore} of a coordinator
     */
    ControlConnectorFactory(Module configModule, Module storeModule)
    {
        this.configModule = requireNonNull(configModule, "configModule is null");
        this.storeModule = requireNonNull(storeModule, "storeModule is null");
    }

    @Override
    public String getName()
    {
        return NAME;
    }

    @Override
    public Connector create(String catalogName, Map<String, String> config, ConnectorContext context)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            boolean coordinator = context.getCurrentNode().isCoordinator();
            return new Bootstrap(
                    "io.trino.bootstrap.catalog." + catalogName,
                    new ConnectorContextModule(catalogName, context),
                    new ControlModule(),
                    configModule,
                    coordinator ? storeModule : EMPTY_MODULE,
                    coordinator ? new WindowModule() : EMPTY_MODULE)
                    .doNotInitializeLogging()
                    .disableSystemProperties()
                    .setRequiredConfigurationProperties(config)
                    .initialize()
                    .getInstance(ControlConnector.class);
        }
    }
}
