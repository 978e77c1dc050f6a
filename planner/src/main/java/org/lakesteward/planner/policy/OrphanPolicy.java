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
 * When files that no snapshot refers to are removed. Properties {@code maintenance.orphans.*}.
 *
 * @param minAge younger ones may belong to a statement that still runs; at least 1 day. Default 7 days, below which Trino refuses unless it is told otherwise
 * @param interval from one search to the next, since metadata does not tell what a listing would find; at least 1 day. Default 7 days
 */
public record OrphanPolicy(Duration minAge, Duration interval)
{
    public static final OrphanPolicy DEFAULT = new OrphanPolicy(Duration.ofDays(7), Duration.ofDays(7));

    public OrphanPolicy
    {
        requireNonNull(minAge, "minAge is null");
        requireNonNull(interval, "interval is null");
        checkArgument(minAge.compareTo(Duration.ofDays(1)) >= 0, "minAge is %s: it must be at least 1 day", minAge);
        checkArgument(interval.compareTo(Duration.ofDays(1)) >= 0, "interval is %s: it must be at least 1 day", interval);
    }
}
