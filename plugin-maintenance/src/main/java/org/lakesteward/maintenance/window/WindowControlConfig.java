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
package org.lakesteward.maintenance.window;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.NotNull;

import java.util.concurrent.TimeUnit;

/**
 * What the control catalog must know of the access control that obeys windows.
 */
public class WindowControlConfig
{
    private Duration maxStaleness = new Duration(1, TimeUnit.HOURS);

    @NotNull
    @MinDuration("1m")
    @MaxDuration("30d")
    public Duration getMaxStaleness()
    {
        return maxStaleness;
    }

    @Config("window.max-staleness")
    @ConfigDescription("After so long without the store a coordinator refuses writes by itself, so that windows do not wait for it; the same as in the access control of every coordinator of the lake")
    public WindowControlConfig setMaxStaleness(Duration maxStaleness)
    {
        this.maxStaleness = maxStaleness;
        return this;
    }
}
