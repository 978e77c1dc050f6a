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
package org.lakesteward.planner.health;

import java.time.Instant;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The snapshots that the metadata file lists.
 *
 * @param snapshots how many there are
 * @param oldest when the oldest one was committed; empty without snapshots
 * @param oldestRemovable when the oldest one that expiry by age may remove was committed: neither the head of a branch or tag,
 *         nor held by a branch's minimum count or own maximum age (Iceberg spec, "Snapshot retention policy"); empty when there is none
 */
public record SnapshotHistory(long snapshots, Optional<Instant> oldest, Optional<Instant> oldestRemovable)
{
    public static final SnapshotHistory EMPTY = new SnapshotHistory(0, Optional.empty(), Optional.empty());

    public SnapshotHistory
    {
        Checks.notNegative("snapshots", snapshots);
        requireNonNull(oldest, "oldest is null");
        requireNonNull(oldestRemovable, "oldestRemovable is null");
    }
}
