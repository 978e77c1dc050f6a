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

import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.TableMetadata;
import org.lakesteward.planner.health.SnapshotHistory;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static org.apache.iceberg.TableProperties.MIN_SNAPSHOTS_TO_KEEP;
import static org.apache.iceberg.TableProperties.MIN_SNAPSHOTS_TO_KEEP_DEFAULT;
import static org.apache.iceberg.util.SnapshotUtil.ancestorsOf;

/**
 * Finds the snapshots that expiry by age would never remove, by the rules of Iceberg's {@code RemoveSnapshots}:
 * heads of branches and tags, the newest ones of each branch up to its minimum count, and those within the branch's own maximum age.
 */
final class SnapshotRetention
{
    private SnapshotRetention() {}

    static SnapshotHistory history(TableMetadata metadata, Instant now)
    {
        Set<Long> held = held(metadata, now);
        OptionalLong oldest = metadata.snapshots().stream()
                .mapToLong(Snapshot::timestampMillis)
                .min();
        Optional<Instant> oldestRemovable = metadata.snapshots().stream()
                .filter(snapshot -> !held.contains(snapshot.snapshotId()))
                .map(Snapshot::timestampMillis)
                .min(Comparator.naturalOrder())
                .map(Instant::ofEpochMilli);
        return new SnapshotHistory(
                metadata.snapshots().size(),
                oldest.isPresent() ? Optional.of(Instant.ofEpochMilli(oldest.getAsLong())) : Optional.empty(),
                oldestRemovable);
    }

    private static Set<Long> held(TableMetadata metadata, Instant now)
    {
        Set<Long> held = new HashSet<>();
        for (Map.Entry<String, SnapshotRef> entry : metadata.refs().entrySet()) {
            SnapshotRef reference = entry.getValue();
            Snapshot head = metadata.snapshot(reference.snapshotId());
            if (head == null || isExpired(entry.getKey(), reference, head, now)) {
                continue;
            }
            if (reference.isTag()) {
                held.add(reference.snapshotId());
            }
            else {
                holdBranch(metadata, reference, now, held);
            }
        }
        return held;
    }

    private static boolean isExpired(String name, SnapshotRef reference, Snapshot head, Instant now)
    {
        return !name.equals(SnapshotRef.MAIN_BRANCH)
                && reference.maxRefAgeMs() != null
                && now.toEpochMilli() - head.timestampMillis() > reference.maxRefAgeMs();
    }

    private static void holdBranch(TableMetadata metadata, SnapshotRef branch, Instant now, Set<Long> held)
    {
        // Trino's expire_snapshots takes the property as its default for retain_last
        int minimum = branch.minSnapshotsToKeep() != null ? branch.minSnapshotsToKeep() : metadata.propertyAsInt(MIN_SNAPSHOTS_TO_KEEP, MIN_SNAPSHOTS_TO_KEEP_DEFAULT);
        long heldSince = branch.maxSnapshotAgeMs() != null ? now.toEpochMilli() - branch.maxSnapshotAgeMs() : Long.MAX_VALUE;
        int count = 0;
        for (Snapshot snapshot : ancestorsOf(branch.snapshotId(), metadata::snapshot)) {
            if (count >= minimum && count > 0 && snapshot.timestampMillis() < heldSince) {
                return;
            }
            held.add(snapshot.snapshotId());
            count++;
        }
    }
}
