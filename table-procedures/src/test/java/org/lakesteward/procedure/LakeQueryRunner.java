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
package org.lakesteward.procedure;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Module;
import io.trino.plugin.iceberg.IcebergPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.spi.Plugin;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.testing.DistributedQueryRunner;
import org.lakesteward.procedure.statistics.MaintainedThetaSketch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.trino.testing.TestingSession.testSessionBuilder;

/**
 * A Trino cluster in the test's JVM with the lake connector ({@code lake}) and the stock one ({@code stock}) on the same tables.
 */
public final class LakeQueryRunner
{
    public static final String SCHEMA = "test";

    private LakeQueryRunner() {}

    public static DistributedQueryRunner create()
            throws Exception
    {
        return create(1, ImmutableMap.of());
    }

    public static DistributedQueryRunner create(int workers, Map<String, String> lakeProperties)
            throws Exception
    {
        return create(workers, lakeProperties, Optional.empty());
    }

    /** @param catalogModule what binds the lake connector's table catalog, instead of the stock module */
    public static DistributedQueryRunner create(int workers, Map<String, String> lakeProperties, Optional<Module> catalogModule)
            throws Exception
    {
        Path folder = Files.createTempDirectory("lake");
        DistributedQueryRunner queryRunner = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("lake").setSchema(SCHEMA).build())
                .setWorkerCount(workers)
                .build();
        try {
            queryRunner.installPlugin(new LakePlugin(catalogModule));
            queryRunner.installPlugin(new IcebergPlugin());
            queryRunner.installPlugin(new TpchPlugin());
            queryRunner.createCatalog("tpch", "tpch");
            Map<String, String> properties = ImmutableMap.<String, String>builder()
                    .put("iceberg.catalog.type", "TESTING_FILE_METASTORE")
                    .put("hive.metastore.catalog.dir", "local:///metastore")
                    .put("fs.local.enabled", "true")
                    .put("local.location", folder.toString())
                    .put("iceberg.register-table-procedure.enabled", "true")
                    .put("iceberg.add-files-procedure.enabled", "true")
                    .put("iceberg.allowed-extra-properties", "*")
                    .put("iceberg.expire-snapshots.min-retention", "0s")
                    .put("iceberg.remove-orphan-files.min-retention", "0s")
                    .buildOrThrow();
            queryRunner.createCatalog("lake", LakeConnectorFactory.NAME, ImmutableMap.<String, String>builder().putAll(properties).putAll(lakeProperties).buildKeepingLast());
            queryRunner.createCatalog("stock", "iceberg", properties);
            queryRunner.execute("CREATE SCHEMA lake." + SCHEMA);
            folders.put(queryRunner, folder);
            return queryRunner;
        }
        catch (Throwable e) {
            queryRunner.close();
            throw e;
        }
    }

    private static final Map<DistributedQueryRunner, Path> folders = new java.util.concurrent.ConcurrentHashMap<>();

    /** The folder that {@code local:///} stands for. */
    public static Path folder(DistributedQueryRunner queryRunner)
    {
        return folders.get(queryRunner);
    }

    /** What lies in the data folder of a table, whether or not its metadata knows it. */
    public static Set<Path> dataFiles(DistributedQueryRunner queryRunner, String tableLocation)
    {
        Path data = folder(queryRunner).resolve(tableLocation.replaceFirst("^local:/+", "")).resolve("data");
        if (!Files.exists(data)) {
            return ImmutableSet.of();
        }
        try (var files = Files.walk(data)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().endsWith(".crc"))
                    .collect(ImmutableSet.toImmutableSet());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record LakePlugin(Optional<Module> catalogModule)
            implements Plugin
    {
        @Override
        public Iterable<ConnectorFactory> getConnectorFactories()
        {
            return ImmutableSet.of(new LakeConnectorFactory(catalogModule));
        }

        @Override
        public Set<Class<?>> getFunctions()
        {
            return ImmutableSet.of(MaintainedThetaSketch.class);
        }
    }
}
