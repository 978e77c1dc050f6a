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

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.airlift.units.MinDataSize;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

public class RewriteConfig
{
    private int maxGroupsPerNode = Math.max(1, Runtime.getRuntime().availableProcessors());
    private boolean copyEnabled = true;
    private Duration stepTime = new Duration(100, MILLISECONDS);
    private int maxSortRangesPerNode = 128;
    private DataSize sortMemoryPerNode = DataSize.of(1, GIGABYTE);
    private DataSize maxSortWithoutExchange = DataSize.of(64, MEGABYTE);

    @Min(1)
    @Max(1024)
    public int getMaxGroupsPerNode()
    {
        return maxGroupsPerNode;
    }

    @Config("rewrite.max-groups-per-node")
    @ConfigDescription("File groups of one catalog that a node rewrites at the same time; each needs the memory of one writer")
    public RewriteConfig setMaxGroupsPerNode(int maxGroupsPerNode)
    {
        this.maxGroupsPerNode = maxGroupsPerNode;
        return this;
    }

    public boolean isCopyEnabled()
    {
        return copyEnabled;
    }

    @Config("rewrite.copy-enabled")
    @ConfigDescription("Copy Parquet row groups byte for byte where that gives the same table; otherwise every file is decoded and encoded")
    public RewriteConfig setCopyEnabled(boolean copyEnabled)
    {
        this.copyEnabled = copyEnabled;
        return this;
    }

    @Min(1)
    @Max(10_000)
    public int getMaxSortRangesPerNode()
    {
        return maxSortRangesPerNode;
    }

    @Config("rewrite.max-sort-ranges-per-node")
    @ConfigDescription("Key ranges of a sort that a node writes at the same time; a file group with more is read several times, each time for some of its ranges")
    public RewriteConfig setMaxSortRangesPerNode(int maxSortRangesPerNode)
    {
        this.maxSortRangesPerNode = maxSortRangesPerNode;
        return this;
    }

    @NotNull
    @MinDataSize("16MB")
    public DataSize getSortMemoryPerNode()
    {
        return sortMemoryPerNode;
    }

    @Config("rewrite.sort-memory-per-node")
    @ConfigDescription("Memory of a node in which a statement sorts rows before it spills them, divided among the key ranges that the node writes")
    public RewriteConfig setSortMemoryPerNode(DataSize sortMemoryPerNode)
    {
        this.sortMemoryPerNode = sortMemoryPerNode;
        return this;
    }

    @NotNull
    public DataSize getMaxSortWithoutExchange()
    {
        return maxSortWithoutExchange;
    }

    @Config("rewrite.max-sort-without-exchange")
    @ConfigDescription("File groups of up to this size are sorted on the workers that read them; rows of larger ones are sent to the writers of their key ranges")
    public RewriteConfig setMaxSortWithoutExchange(DataSize maxSortWithoutExchange)
    {
        this.maxSortWithoutExchange = maxSortWithoutExchange;
        return this;
    }

    @NotNull
    @MinDuration("1ms")
    public Duration getStepTime()
    {
        return stepTime;
    }

    @Config("rewrite.step-time")
    @ConfigDescription("How long a file group keeps a worker thread before it lets other queries run")
    public RewriteConfig setStepTime(Duration stepTime)
    {
        this.stepTime = stepTime;
        return this;
    }
}
