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
import com.google.inject.Provides;
import com.google.inject.Singleton;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreConfig;
import org.lakesteward.store.window.WindowStores;

import static io.airlift.bootstrap.ClosingBinder.closingBinder;

/**
 * The store of windows that the catalog file asks for, closed with the catalog.
 */
class WindowStoreModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        closingBinder(binder).registerCloseable(WindowStore.class);
    }

    @Provides
    @Singleton
    public WindowStore store(WindowStoreConfig config)
    {
        return WindowStores.create(config);
    }
}
