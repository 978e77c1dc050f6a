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
 * What the plugin's zip must and must not hold. Trino gives a plugin the classes of the SPI; a second copy of them, or two
 * copies of one library, would break it in ways that show only at run time.
 */
public class TestPluginZip
{
    private List<String> jars;

    @BeforeClass
    public void readZip()
            throws IOException
    {
        try (ZipFile zip = new ZipFile(ProjectLayout.current().pluginZip().toFile())) {
            jars = zip.stream()
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
        assertThat(jars).noneMatch(jar -> jar.startsWith(prefix));
    }

    @DataProvider
    public Object[][] neededOnce()
    {
        return new Object[][] {
                {"com.google.inject_guice-\\d.*"},
                {"com.google.guava_guava-\\d.*"},
                {"com.fasterxml.jackson.core_jackson-core-\\d.*"},
                {"com.fasterxml.jackson.core_jackson-databind-\\d.*"},
                {"io.trino_trino-iceberg-\\d.*"},
                {"org.apache.iceberg_iceberg-core-\\d.*"},
                {"org.lakesteward_planner-\\d.*"},
                {"org.lakesteward_table-procedures-\\d.*"},
                {"plugin-maintenance-\\d.*SNAPSHOT\\.jar"},
                {"plugin-maintenance-.*-services\\.jar"},
        };
    }

    @Test(dataProvider = "neededOnce")
    public void testHasOneOfEach(String pattern)
    {
        assertThat(jars.stream().filter(jar -> jar.matches(pattern))).hasSize(1);
    }
}
