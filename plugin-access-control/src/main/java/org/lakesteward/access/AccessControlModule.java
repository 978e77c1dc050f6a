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
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import org.lakesteward.access.audit.AuditLog;
import org.lakesteward.access.check.CurrentWindows;
import org.lakesteward.access.check.RefusalListener;
import org.lakesteward.access.check.WindowConfig;
import org.lakesteward.access.check.WriteGate;
import org.lakesteward.access.kill.HttpQueryKiller;
import org.lakesteward.access.kill.KillConfig;
import org.lakesteward.access.kill.QueryKiller;
import org.lakesteward.access.node.CoordinatorId;
import org.lakesteward.access.node.ServerProperties;
import org.lakesteward.access.service.Refusals;
import org.lakesteward.access.service.WindowService;
import org.lakesteward.access.service.WindowServiceConfig;
import org.lakesteward.access.service.WindowStats;
import org.lakesteward.access.statement.StatementListener;
import org.lakesteward.access.statement.StatementTracker;

import java.net.URI;
import java.time.InstantSource;

import static com.google.inject.Scopes.SINGLETON;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static java.util.Objects.requireNonNull;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

class AccessControlModule
        implements Module
{
    private final ServerProperties server;

    AccessControlModule(ServerProperties server)
    {
        this.server = requireNonNull(server, "server is null");
    }

    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(WindowConfig.class);
        configBinder(binder).bindConfig(WindowServiceConfig.class);
        configBinder(binder).bindConfig(KillConfig.class);

        binder.bind(InstantSource.class).toInstance(InstantSource.system());
        binder.bind(Ticker.class).toInstance(Ticker.systemTicker());
        binder.bind(StatementTracker.class).in(SINGLETON);
        binder.bind(StatementListener.class).in(SINGLETON);
        binder.bind(WriteGate.class).in(SINGLETON);
        binder.bind(AuditLog.class).in(SINGLETON);
        binder.bind(RefusalListener.class).to(Refusals.class).in(SINGLETON);
        binder.bind(WindowService.class).in(SINGLETON);
        binder.bind(QueryKiller.class).to(HttpQueryKiller.class);
        binder.bind(MaintenanceAccessControl.class).in(SINGLETON);
        binder.bind(WindowStats.class).in(SINGLETON);
        newExporter(binder).export(WindowStats.class).withGeneratedName();
    }

    @Provides
    @Singleton
    CurrentWindows windows(WindowServiceConfig config, Ticker ticker)
    {
        return new CurrentWindows(ticker, config.getMaxStaleness().toJavaTime());
    }

    @Provides
    @Singleton
    WindowService.Settings settings(WindowServiceConfig config)
    {
        return new WindowService.Settings(
                CoordinatorId.of(config.getCoordinatorId(), server.nodeId()),
                config.isIgnoreStore(),
                config.getReportInterval().toJavaTime());
    }

    @Provides
    @Singleton
    HttpQueryKiller killer(KillConfig config)
    {
        return new HttpQueryKiller(
                config.getCoordinatorUri().or(() -> server.httpPort().map(port -> URI.create("http://127.0.0.1:" + port))),
                config.getUser(),
                config.getPassword());
    }
}
