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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import org.testng.annotations.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

public class TestRewriteConfig
{
    @Test
    public void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(RewriteConfig.class)
                .setMaxGroupsPerNode(Math.max(1, Runtime.getRuntime().availableProcessors()))
                .setCopyEnabled(true)
                .setStepTime(new Duration(100, MILLISECONDS))
                .setMaxSortRangesPerNode(128)
                .setSortMemoryPerNode(DataSize.of(1, GIGABYTE))
                .setMaxSortWithoutExchange(DataSize.of(64, MEGABYTE)));
    }

    @Test
    public void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("rewrite.max-groups-per-node", "77")
                .put("rewrite.copy-enabled", "false")
                .put("rewrite.step-time", "2s")
                .put("rewrite.max-sort-ranges-per-node", "9")
                .put("rewrite.sort-memory-per-node", "64MB")
                .put("rewrite.max-sort-without-exchange", "0B")
                .buildOrThrow();
        assertFullMapping(properties, new RewriteConfig()
                .setMaxGroupsPerNode(77)
                .setCopyEnabled(false)
                .setStepTime(new Duration(2, SECONDS))
                .setMaxSortRangesPerNode(9)
                .setSortMemoryPerNode(DataSize.of(64, MEGABYTE))
                .setMaxSortWithoutExchange(DataSize.ofBytes(0)));
    }
}
