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
package org.lakesteward.maintenance.window;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.trino.plugin.base.classloader.ClassLoaderSafeSystemTable;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.type.TypeManager;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.systemtables.window.WindowSource;
import org.lakesteward.systemtables.window.WindowTables;

import java.time.InstantSource;

import static com.google.inject.multibindings.Multibinder.newSetBinder;

/**
 * The tables and procedures of windows, on a coordinator. Needs a {@link WindowStore}.
 */
public class WindowModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(WindowRights.class).in(Scopes.SINGLETON);
        binder.bind(ScopeWarning.class).in(Scopes.SINGLETON);
        binder.bind(WindowAudit.class).in(Scopes.SINGLETON);
        binder.bind(WindowOperations.class).in(Scopes.SINGLETON);
        binder.bind(ClosingWait.class).in(Scopes.SINGLETON);
        binder.bind(PropagationWait.class).in(Scopes.SINGLETON);
        Multibinder<Procedure> procedures = newSetBinder(binder, Procedure.class);
        procedures.addBinding().toProvider(EnterMaintenanceProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(ExtendMaintenanceProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(ExitMaintenanceProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(WaitMaintenanceProcedure.class).in(Scopes.SINGLETON);
        procedures.addBinding().toProvider(ForgetCoordinatorProcedure.class).in(Scopes.SINGLETON);
    }

    @Provides
    @Singleton
    public WindowSource source(WindowStore store, WindowControlConfig config, InstantSource clock)
    {
        return new WindowSource(() -> WindowErrors.translated(store::read), config.getMaxStaleness().toJavaTime(), clock);
    }

    @ProvidesIntoSet
    public SystemTable maintenanceWindows(TypeManager typeManager, WindowSource source)
    {
        return inPluginClassLoader(WindowTables.maintenanceWindows(typeManager, source));
    }

    @ProvidesIntoSet
    public SystemTable writesInFlight(TypeManager typeManager, WindowSource source)
    {
        return inPluginClassLoader(WindowTables.writesInFlight(typeManager, source));
    }

    @ProvidesIntoSet
    public SystemTable windowAcknowledgements(TypeManager typeManager, WindowSource source)
    {
        return inPluginClassLoader(WindowTables.windowAcknowledgements(typeManager, source));
    }

    @ProvidesIntoSet
    public SystemTable coordinators(TypeManager typeManager, WindowSource source)
    {
        return inPluginClassLoader(WindowTables.coordinators(typeManager, source));
    }

    private static SystemTable inPluginClassLoader(SystemTable table)
    {
        return new ClassLoaderSafeSystemTable(table, WindowModule.class.getClassLoader());
    }
}
