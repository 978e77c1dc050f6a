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
package org.lakesteward.access.kill;

import com.google.common.collect.ImmutableMap;
import jakarta.validation.constraints.AssertTrue;
import org.testng.annotations.Test;

import java.net.URI;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.testing.ValidationAssertions.assertFailsValidation;

public class TestKillConfig
{
    @Test
    public void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(KillConfig.class)
                .setCoordinatorUri(null)
                .setUser("lakesteward")
                .setPassword(null));
    }

    @Test
    public void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.of(
                        "window.coordinator-uri", "https://coordinator:8443",
                        "window.kill.user", "steward",
                        "window.kill.password", "secret"),
                new KillConfig()
                        .setCoordinatorUri(URI.create("https://coordinator:8443"))
                        .setUser("steward")
                        .setPassword("secret"));
    }

    @Test
    public void testInvalid()
    {
        assertFailsValidation(
                new KillConfig().setCoordinatorUri(URI.create("http://coordinator:8080")).setPassword("secret"),
                "passwordProtected",
                "window.kill.password needs a window.coordinator-uri that begins with https",
                AssertTrue.class);
        assertFailsValidation(
                new KillConfig().setPassword("secret"),
                "passwordProtected",
                "window.kill.password needs a window.coordinator-uri that begins with https",
                AssertTrue.class);
        assertFailsValidation(
                new KillConfig().setCoordinatorUri(URI.create("coordinator")),
                "coordinatorUriValid",
                "window.coordinator-uri must be an http or https URI with a host",
                AssertTrue.class);
    }
}
