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

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

public class HealthConfig
{
    private int metadataReadThreads = 8;

    @Min(1)
    @Max(256)
    public int getMetadataReadThreads()
    {
        return metadataReadThreads;
    }

    @Config("health.metadata-read-threads")
    @ConfigDescription("Tables of one catalog whose metadata the coordinator reads at the same time for system.table_health")
    public HealthConfig setMetadataReadThreads(int metadataReadThreads)
    {
        this.metadataReadThreads = metadataReadThreads;
        return this;
    }
}
