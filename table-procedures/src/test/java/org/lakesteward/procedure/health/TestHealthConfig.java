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

import com.google.common.collect.ImmutableMap;
import org.testng.annotations.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

public class TestHealthConfig
{
    @Test
    public void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(HealthConfig.class)
                .setMetadataReadThreads(8));
    }

    @Test
    public void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.of("health.metadata-read-threads", "3"),
                new HealthConfig().setMetadataReadThreads(3));
    }
}
