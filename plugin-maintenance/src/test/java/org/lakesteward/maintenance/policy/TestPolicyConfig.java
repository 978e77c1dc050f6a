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
package org.lakesteward.maintenance.policy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import org.testng.annotations.Test;

import java.nio.file.Path;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.testing.ValidationAssertions.assertFailsValidation;
import static io.airlift.testing.ValidationAssertions.assertValidates;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestPolicyConfig
{
    @Test
    public void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(PolicyConfig.class)
                .setPolicyFile(null)
                .setPolicyRefreshPeriod(new Duration(30, SECONDS))
                .setGrants(ImmutableList.of()));
    }

    @Test
    public void testMappings()
    {
        assertFullMapping(
                ImmutableMap.of(
                        "maintenance.policy-file", "etc/policies.json",
                        "maintenance.policy-refresh-period", "10s",
                        "maintenance.grants", "lake.sales_*, web"),
                new PolicyConfig()
                        .setPolicyFile(Path.of("etc/policies.json"))
                        .setPolicyRefreshPeriod(new Duration(10, SECONDS))
                        .setGrants(ImmutableList.of("lake.sales_*", "web")));
    }

    @Test
    public void testRanges()
    {
        assertValidates(new PolicyConfig().setPolicyRefreshPeriod(new Duration(1, SECONDS)));
        assertValidates(new PolicyConfig().setPolicyRefreshPeriod(new Duration(1, HOURS)));
        assertFailsValidation(new PolicyConfig().setPolicyRefreshPeriod(new Duration(999, MILLISECONDS)), "policyRefreshPeriod", "must be greater than or equal to 1s", MinDuration.class);
        assertFailsValidation(new PolicyConfig().setPolicyRefreshPeriod(new Duration(3601, SECONDS)), "policyRefreshPeriod", "must be less than or equal to 1h", MaxDuration.class);
    }

    @Test
    public void testGrantThatIsNone()
    {
        assertThatThrownBy(() -> new PolicyConfig().setGrants(ImmutableList.of("lake", "lake.")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'lake.' is no grant: it must be catalog or catalog.schema, with * for any number of characters");
    }
}
