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
package org.lakesteward.access.check;

import com.google.common.collect.ImmutableMap;
import io.trino.spi.connector.CatalogSchemaRoutineName;
import org.testng.annotations.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static org.assertj.core.api.Assertions.assertThat;

public class TestWindowConfig
{
    @Test
    public void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(WindowConfig.class)
                .setControlCatalog("maintenance")
                .setPassthroughFunctions("system.query"));
    }

    @Test
    public void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.of(
                        "window.control-catalog", "control",
                        "window.passthrough-functions", "system.query,system.raw_query"),
                new WindowConfig()
                        .setControlCatalog("control")
                        .setPassthroughFunctions("system.query, System.Raw_Query"));
    }

    @Test
    public void testNoPassthroughFunction()
    {
        PassthroughFunctions none = new PassthroughFunctions(new WindowConfig().setPassthroughFunctions("").getPassthroughFunctions());
        assertThat(none.contains(new CatalogSchemaRoutineName("postgresql", "system", "query"))).isFalse();
    }
}
