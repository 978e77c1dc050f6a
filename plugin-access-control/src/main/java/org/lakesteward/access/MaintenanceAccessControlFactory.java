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

import com.google.inject.Injector;
import com.google.inject.Module;
import io.airlift.bootstrap.Bootstrap;
import io.airlift.log.Logger;
import io.trino.plugin.base.jmx.MBeanServerModule;
import io.trino.plugin.base.jmx.PrefixObjectNameGeneratorModule;
import io.trino.plugin.base.security.AllowAllSystemAccessControl;
import io.trino.spi.security.SystemAccessControl;
import io.trino.spi.security.SystemAccessControlFactory;
import org.lakesteward.access.node.ServerProperties;
import org.lakesteward.access.service.WindowService;
import org.lakesteward.access.service.WindowServiceConfig;
import org.weakref.jmx.guice.MBeanModule;

import java.time.Duration;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * Creates the system access control {@code maintenance}. On a worker, where Trino loads access control too and asks it nothing, that is one that
 * knows nothing and allows everything.
 */
public class MaintenanceAccessControlFactory
        implements SystemAccessControlFactory
{
    public static final String NAME = "maintenance";

    private static final Logger log = Logger.get(MaintenanceAccessControlFactory.class);

    @Override
    public String getName()
    {
        return NAME;
    }

    @Override
    public SystemAccessControl create(Map<String, String> config, SystemAccessControlContext context)
    {
        return create(config, ServerProperties.load(), new WindowStoreModule());
    }

    /**
     * @param server what the server's own configuration says
     * @param storeModule binds the {@link org.lakesteward.store.window.WindowStore}
     */
    static SystemAccessControl create(Map<String, String> config, ServerProperties server, Module storeModule)
    {
        requireNonNull(config, "config is null");
        if (!server.isCoordinator()) {
            log.info("This server is a worker: maintenance windows are enforced by coordinators, and the store of windows is left alone");
            return AllowAllSystemAccessControl.INSTANCE;
        }

        Injector injector = new Bootstrap(
                "io.trino.bootstrap.access." + NAME,
                new MBeanModule(),
                new MBeanServerModule(),
                new PrefixObjectNameGeneratorModule("org.lakesteward.access.service", "trino.plugin.maintenance"),
                storeModule,
                new AccessControlModule(server))
                .doNotInitializeLogging()
                .setRequiredConfigurationProperties(config)
                .initialize();

        WindowService service = injector.getInstance(WindowService.class);
        service.start();
        Duration timeout = injector.getInstance(WindowServiceConfig.class).getStartTimeout().toJavaTime();
        try {
            if (!service.awaitFirstRead(timeout)) {
                log.warn("The store of maintenance windows did not answer within %s: writes are refused until it does (window.ignore-store=true opens them)", timeout);
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            service.stop();
            throw new IllegalStateException("Interrupted while waiting for the store of maintenance windows", e);
        }
        return injector.getInstance(MaintenanceAccessControl.class);
    }
}
