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

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.NotNull;

import java.util.Optional;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * How a coordinator follows the store of windows.
 */
public class WindowServiceConfig
{
    private boolean ignoreStore;
    private Duration reportInterval = new Duration(5, SECONDS);
    private Duration maxStaleness = new Duration(1, HOURS);
    private Duration startTimeout = new Duration(10, SECONDS);
    private Optional<String> coordinatorId = Optional.empty();

    public boolean isIgnoreStore()
    {
        return ignoreStore;
    }

    @Config("window.ignore-store")
    @ConfigDescription("Break-glass: no window holds on this coordinator. For leaving maintenance when the store is lost")
    public WindowServiceConfig setIgnoreStore(boolean ignoreStore)
    {
        this.ignoreStore = ignoreStore;
        return this;
    }

    @NotNull
    @MinDuration("100ms")
    @MaxDuration("1m")
    public Duration getReportInterval()
    {
        return reportInterval;
    }

    @Config("window.report-interval")
    @ConfigDescription("How often the coordinator reports to the store when nothing happens; must be shorter than the store's presence timeout")
    public WindowServiceConfig setReportInterval(Duration reportInterval)
    {
        this.reportInterval = reportInterval;
        return this;
    }

    @NotNull
    @MinDuration("1m")
    @MaxDuration("30d")
    public Duration getMaxStaleness()
    {
        return maxStaleness;
    }

    @Config("window.max-staleness")
    @ConfigDescription("After so long without the store the coordinator refuses writes; the same on every coordinator of the lake and in the control catalog")
    public WindowServiceConfig setMaxStaleness(Duration maxStaleness)
    {
        this.maxStaleness = maxStaleness;
        return this;
    }

    @NotNull
    @MaxDuration("10m")
    public Duration getStartTimeout()
    {
        return startTimeout;
    }

    @Config("window.start-timeout")
    @ConfigDescription("How long a starting coordinator waits for the store before it goes on with writes refused")
    public WindowServiceConfig setStartTimeout(Duration startTimeout)
    {
        this.startTimeout = startTimeout;
        return this;
    }

    @NotNull
    public Optional<String> getCoordinatorId()
    {
        return coordinatorId;
    }

    @Config("window.coordinator-id")
    @ConfigDescription("Name of this coordinator in the store; the default is node.id, else host name and working directory")
    public WindowServiceConfig setCoordinatorId(String coordinatorId)
    {
        this.coordinatorId = Optional.ofNullable(coordinatorId);
        return this;
    }
}
