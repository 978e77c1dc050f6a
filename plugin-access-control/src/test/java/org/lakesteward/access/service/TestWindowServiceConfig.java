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
package org.lakesteward.access.service;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import jakarta.validation.constraints.NotNull;
import org.testng.annotations.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.testing.ValidationAssertions.assertFailsValidation;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

public class TestWindowServiceConfig
{
    @Test
    public void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(WindowServiceConfig.class)
                .setIgnoreStore(false)
                .setReportInterval(new Duration(5, SECONDS))
                .setMaxStaleness(new Duration(1, HOURS))
                .setStartTimeout(new Duration(10, SECONDS))
                .setCoordinatorId(null));
    }

    @Test
    public void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.<String, String>builder()
                        .put("window.ignore-store", "true")
                        .put("window.report-interval", "2s")
                        .put("window.max-staleness", "10m")
                        .put("window.start-timeout", "3s")
                        .put("window.coordinator-id", "c1")
                        .buildOrThrow(),
                new WindowServiceConfig()
                        .setIgnoreStore(true)
                        .setReportInterval(new Duration(2, SECONDS))
                        .setMaxStaleness(new Duration(10, MINUTES))
                        .setStartTimeout(new Duration(3, SECONDS))
                        .setCoordinatorId("c1"));
    }

    @Test
    public void testInvalid()
    {
        assertFailsValidation(new WindowServiceConfig().setMaxStaleness(null), "maxStaleness", "must not be null", NotNull.class);
    }
}
