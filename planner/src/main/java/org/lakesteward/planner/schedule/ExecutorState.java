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
package org.lakesteward.planner.schedule;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import org.lakesteward.planner.MaintenanceKind;

import java.time.Instant;
import java.util.Map;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * An executor, that is, a coordinator with its cluster, as its last heartbeat told.
 *
 * @param id unique among executors
 * @param leaseUntil until when the heartbeat holds; from then on the executor counts as vanished
 * @param accepting whether it takes new work; false while it shuts down
 * @param catalogs lake catalogs that it has mounted
 * @param slots how many runs of a kind it does at once, by kind; a kind that is missing is not done at all
 * @param bytes how many bytes its runs may read and write at once, at least 0
 * @param placementsWithinMinute placements that it got within the last minute
 */
public record ExecutorState(
        String id,
        Instant leaseUntil,
        boolean accepting,
        Set<String> catalogs,
        Map<MaintenanceKind, Integer> slots,
        long bytes,
        int placementsWithinMinute)
{
    public ExecutorState
    {
        requireNonNull(id, "id is null");
        requireNonNull(leaseUntil, "leaseUntil is null");
        catalogs = ImmutableSet.copyOf(catalogs);
        slots = Maps.immutableEnumMap(slots);
        slots.forEach((kind, count) -> checkArgument(count >= 0, "slots of %s is %s: it must not be negative", kind, count));
        checkArgument(bytes >= 0, "bytes is %s: it must not be negative", bytes);
        checkArgument(placementsWithinMinute >= 0, "placementsWithinMinute is %s: it must not be negative", placementsWithinMinute);
    }

    public boolean isLive(Instant now)
    {
        return now.isBefore(leaseUntil);
    }
}
