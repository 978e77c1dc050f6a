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
package org.lakesteward.testing.server;

import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipFile;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the zips of the plugins must and must not hold. Trino gives a plugin the classes of the SPI; a second copy of them, or two
 * copies of one library, would break it in ways that show only at run time.
 */
public class TestPluginZip
{
    private List<String> maintenance;
    private List<String> accessControl;

    @BeforeClass
    public void readZips()
            throws IOException
    {
        maintenance = jars(ProjectLayout.current().pluginZip());
        accessControl = jars(ProjectLayout.current().accessControlPluginZip());
    }

    private static List<String> jars(Path plugin)
            throws IOException
    {
        try (ZipFile zip = new ZipFile(plugin.toFile())) {
            return zip.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(entry -> Path.of(entry.getName()).getFileName().toString())
                    .toList();
        }
    }

    @DataProvider
    public Object[][] suppliedByServer()
    {
        return new Object[][] {
                {"io.trino_trino-spi-"},
                {"io.airlift_slice-"},
                {"com.fasterxml.jackson.core_jackson-annotations-"},
                {"io.opentelemetry_opentelemetry-api-"},
                {"io.opentelemetry_opentelemetry-common-"},
                {"io.opentelemetry_opentelemetry-context-"},
                {"org.locationtech.jts_jts-core-"},
                {"io.trino_trino-main-"},
        };
    }

    @Test(dataProvider = "suppliedByServer")
    public void testHasNothingThatTheServerSupplies(String prefix)
    {
        assertThat(maintenance).noneMatch(jar -> jar.startsWith(prefix));
        assertThat(accessControl).noneMatch(jar -> jar.startsWith(prefix));
    }

    @DataProvider
    public Object[][] neededOnceInBoth()
    {
        return new Object[][] {
                {"com.google.inject_guice-\\d.*"},
                {"com.google.guava_guava-\\d.*"},
                {"com.fasterxml.jackson.core_jackson-core-\\d.*"},
                {"com.fasterxml.jackson.core_jackson-databind-\\d.*"},
                {"io.etcd_jetcd-core-\\d.*"},
                {"io.grpc_grpc-core-\\d.*"},
                {"org.lakesteward_planner-\\d.*"},
                {"org.lakesteward_state-store-\\d.*"},
        };
    }

    @Test(dataProvider = "neededOnceInBoth")
    public void testBothHaveOneOfEach(String pattern)
    {
        assertThat(maintenance.stream().filter(jar -> jar.matches(pattern))).hasSize(1);
        assertThat(accessControl.stream().filter(jar -> jar.matches(pattern))).hasSize(1);
    }

    @DataProvider
    public Object[][] neededOnce()
    {
        return new Object[][] {
                {"io.trino_trino-iceberg-\\d.*"},
                {"org.apache.iceberg_iceberg-core-\\d.*"},
                {"org.lakesteward_table-procedures-\\d.*"},
                {"org.lakesteward_system-tables-\\d.*"},
                {"plugin-maintenance-\\d.*SNAPSHOT\\.jar"},
                {"plugin-maintenance-.*-services\\.jar"},
        };
    }

    @Test(dataProvider = "neededOnce")
    public void testHasOneOfEach(String pattern)
    {
        assertThat(maintenance.stream().filter(jar -> jar.matches(pattern))).hasSize(1);
    }

    @Test
    public void testAccessControl()
    {
        assertThat(accessControl.stream().filter(jar -> jar.matches("plugin-access-control-\\d.*SNAPSHOT\\.jar"))).hasSize(1);
        assertThat(accessControl.stream().filter(jar -> jar.matches("plugin-access-control-.*-services\\.jar"))).hasSize(1);
        // it decides for every statement of the cluster, and needs nothing of a lake for that
        assertThat(accessControl).noneMatch(jar -> jar.contains("iceberg"));
    }
}
