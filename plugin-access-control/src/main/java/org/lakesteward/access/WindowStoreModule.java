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

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import org.lakesteward.access.service.WindowServiceConfig;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreConfig;
import org.lakesteward.store.window.WindowStores;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.configuration.ConfigBinder.configBinder;

/**
 * The store of windows that the configuration asks for. Whoever stops the {@code WindowService} closes it.
 */
class WindowStoreModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(WindowStoreConfig.class);
    }

    @Provides
    @Singleton
    WindowStore store(WindowStoreConfig config, WindowServiceConfig serviceConfig)
    {
        checkArgument(
                serviceConfig.getReportInterval().toMillis() * 2 <= config.getPresenceTimeout().toMillis(),
                "window.report-interval is %s, it must be at most half of window.presence-timeout, which is %s",
                serviceConfig.getReportInterval(),
                config.getPresenceTimeout());
        return WindowStores.create(config);
    }
}
