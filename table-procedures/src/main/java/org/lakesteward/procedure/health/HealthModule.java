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
package org.lakesteward.procedure.health;

import com.google.inject.Binder;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import io.trino.plugin.iceberg.ForIcebergPlanning;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.TableProcedureMetadata;
import org.lakesteward.planner.health.HealthThresholds;

import java.util.concurrent.ExecutorService;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.bootstrap.ClosingBinder.closingBinder;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/**
 * Binds what shows the health of tables in SQL.
 */
public class HealthModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(HealthConfig.class);
        binder.bind(HealthReader.class).in(Scopes.SINGLETON);
        binder.bind(HealthTables.class).in(Scopes.SINGLETON);
        binder.bind(TableHealthStatements.class).in(Scopes.SINGLETON);
        binder.bind(HealthStats.class).in(Scopes.SINGLETON);
        newExporter(binder).export(HealthStats.class).withGeneratedName();
        closingBinder(binder).registerExecutor(Key.get(ExecutorService.class, ForHealth.class));

        newSetBinder(binder, TableProcedureMetadata.class).addBinding().toProvider(TableHealthProcedure.class).in(Scopes.SINGLETON);
    }

    @Provides
    @Singleton
    public TableObserver createTableObserver(@ForIcebergPlanning ExecutorService planningExecutor)
    {
        return new TableObserver(HealthThresholds.defaults(), planningExecutor);
    }

    @Provides
    @Singleton
    @ForHealth
    public ExecutorService createHealthExecutor(HealthConfig config, CatalogName catalogName)
    {
        return newFixedThreadPool(config.getMetadataReadThreads(), daemonThreadsNamed("table-health-" + catalogName + "-%s"));
    }
}
