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
package org.lakesteward.planner.policy;

import java.time.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Which snapshots are kept. Properties {@code maintenance.snapshots.*}.
 *
 * @param maxAge older ones go, unless something else holds them; at least 1 minute. Default 7 days, below which Trino refuses unless it is told otherwise
 * @param minCount ancestors of the current snapshot that stay whatever their age; at least 1. Default 1
 */
public record SnapshotPolicy(Duration maxAge, int minCount)
{
    public static final SnapshotPolicy DEFAULT = new SnapshotPolicy(Duration.ofDays(7), 1);

    public SnapshotPolicy
    {
        requireNonNull(maxAge, "maxAge is null");
        checkArgument(maxAge.compareTo(Duration.ofMinutes(1)) >= 0, "maxAge is %s: it must be at least 1 minute", maxAge);
        checkArgument(minCount >= 1, "minCount is %s: it must be at least 1", minCount);
    }
}
