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
package org.lakesteward.planner.rewrite;

import java.util.Comparator;

import static java.util.Objects.requireNonNull;

/**
 * One partition of one partition spec. Files of different specs never share a group, even when their partitions read alike.
 *
 * @param partition the canonical text of the partition values within the spec; empty for an unpartitioned spec
 */
public record PartitionKey(int specId, String partition)
        implements Comparable<PartitionKey>
{
    private static final Comparator<PartitionKey> ORDER = Comparator.comparingInt(PartitionKey::specId)
            .thenComparing(PartitionKey::partition);

    public PartitionKey
    {
        requireNonNull(partition, "partition is null");
    }

    @Override
    public int compareTo(PartitionKey other)
    {
        return ORDER.compare(this, other);
    }
}
