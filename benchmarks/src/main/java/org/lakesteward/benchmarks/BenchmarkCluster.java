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
package org.lakesteward.benchmarks;

import com.google.common.collect.Maps;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.airlift.units.DataSize;
import org.lakesteward.testing.server.ProjectLayout;
import org.lakesteward.testing.server.TrinoCluster;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The servers that benchmarks run in.
 */
public final class BenchmarkCluster
{
    public static final int WORKERS = 2;

    private BenchmarkCluster() {}

    /**
     * With more catalogs on the same lake, through which the inputs are written.
     *
     * @param folder for everything that the servers write, emptied at the start
     * @param scenarios what will be written
     */
    public static TrinoCluster.Builder builder(ProjectLayout layout, Path folder, List<Scenario> scenarios)
    {
        TrinoCluster.Builder builder = TrinoCluster.builder(layout)
                .emptyFolder(folder)
                .workers(WORKERS);
        Map<String, String> properties = properties(layout.etc().resolve("catalog/stock.properties"));
        catalogs(scenarios).forEach((catalog, fileSize) -> {
            properties.forEach((name, value) -> builder.catalogProperty(catalog, name, value));
            fileSize.ifPresent(size -> builder.catalogProperty(catalog, "iceberg.target-max-file-size", size.toBytes() + "B"));
        });
        builder.catalogProperty(BenchmarkLake.INPUT_CATALOG, "iceberg.register-table-procedure.enabled", "true");
        builder.catalogProperty(BenchmarkLake.INPUT_CATALOG, "iceberg.add-files-procedure.enabled", "true");
        return builder;
    }

    /**
     * The catalogs of the inputs and the sizes at which their writers begin a new file. A table property would do the same to what
     * is measured.
     */
    public static Map<String, Optional<DataSize>> catalogs(List<Scenario> scenarios)
    {
        Map<String, Optional<DataSize>> catalogs = new TreeMap<>();
        catalogs.put(BenchmarkLake.INPUT_CATALOG, Optional.empty());
        scenarios.forEach(scenario -> catalogs.put(catalog(scenario.input()), scenario.input().writerFileSize()));
        return catalogs;
    }

    static String catalog(TableInput input)
    {
        return input.writerFileSize()
                .map(size -> "%s_%s".formatted(BenchmarkLake.INPUT_CATALOG, size.toBytes()))
                .orElse(BenchmarkLake.INPUT_CATALOG);
    }

    private static Map<String, String> properties(Path file)
    {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
        return Maps.fromProperties(properties);
    }

    public static void deleteInputs(Path warehouse)
    {
        try {
            MoreFiles.deleteRecursively(warehouse, RecursiveDeleteOption.ALLOW_INSECURE);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot delete the inputs in " + warehouse, e);
        }
    }
}
