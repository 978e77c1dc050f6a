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

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.procedure.Procedure;
import org.lakesteward.maintenance.window.WindowControlConfig;

import java.time.InstantSource;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;

/**
 * What every node has, so that its catalog file is checked there too.
 */
class ControlModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(InstantSource.class).toInstance(InstantSource.system());
        binder.bind(QueryEndings.class).in(Scopes.SINGLETON);
        binder.bind(ControlConnector.class).in(Scopes.SINGLETON);
        newSetBinder(binder, SystemTable.class);
        newSetBinder(binder, Procedure.class);
        configBinder(binder).bindConfig(WindowControlConfig.class);
    }
}
