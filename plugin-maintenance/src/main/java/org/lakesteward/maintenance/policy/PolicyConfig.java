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
import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.NotNull;
import org.lakesteward.planner.policy.Grants;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * What the operator says about the tables of the lake.
 */
public class PolicyConfig
{
    private Optional<Path> policyFile = Optional.empty();
    private Duration policyRefreshPeriod = new Duration(30, SECONDS);
    private List<String> grants = ImmutableList.of();

    @NotNull
    public Optional<Path> getPolicyFile()
    {
        return policyFile;
    }

    // not checked here: workers have the catalog's properties too, and need no file
    @Config("maintenance.policy-file")
    @ConfigDescription("JSON file with defaults and patterns for the policies of tables")
    public PolicyConfig setPolicyFile(Path policyFile)
    {
        this.policyFile = Optional.ofNullable(policyFile);
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1h")
    public Duration getPolicyRefreshPeriod()
    {
        return policyRefreshPeriod;
    }

    @Config("maintenance.policy-refresh-period")
    @ConfigDescription("How often the policy file is looked at for changes")
    public PolicyConfig setPolicyRefreshPeriod(Duration policyRefreshPeriod)
    {
        this.policyRefreshPeriod = policyRefreshPeriod;
        return this;
    }

    @NotNull
    public List<String> getGrants()
    {
        return grants;
    }

    /**
     * @throws IllegalArgumentException when one is none
     */
    @Config("maintenance.grants")
    @ConfigDescription("Catalogs and schemas in which maintenance may run by itself: catalog or catalog.schema, with * for any number of characters")
    public PolicyConfig setGrants(List<String> grants)
    {
        Grants.parse(grants);
        this.grants = ImmutableList.copyOf(grants);
        return this;
    }
}
