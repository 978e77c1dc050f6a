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

import com.google.inject.Inject;
import com.google.inject.Provider;
import io.trino.plugin.base.classloader.ClassLoaderSafeSystemTable;
import io.trino.spi.connector.SystemTable;

import java.util.concurrent.ExecutorService;

import static java.util.Objects.requireNonNull;

/**
 * Provides {@link TableHealthList} to the engine.
 */
public class TableHealthListProvider
        implements Provider<SystemTable>
{
    private final HealthReader reader;
    private final ExecutorService executor;
    private final HealthConfig config;

    @Inject
    public TableHealthListProvider(HealthReader reader, @ForHealth ExecutorService executor, HealthConfig config)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.config = requireNonNull(config, "config is null");
    }

    @Override
    public SystemTable get()
    {
        return new ClassLoaderSafeSystemTable(new TableHealthList(reader, executor, config.getMetadataReadThreads()), getClass().getClassLoader());
    }
}
