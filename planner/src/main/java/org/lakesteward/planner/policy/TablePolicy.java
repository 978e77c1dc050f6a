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

import com.google.common.collect.Sets;
import org.lakesteward.planner.MaintenanceKind;

import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * How a table wants to be maintained, complete: whatever nobody set has its default.
 *
 * @param enabled the owner's key: without it nothing ever runs by itself on the table. Property {@code maintenance.enabled}, default false
 * @param priority from 1 to 10; doubling it from 5 makes a demand of the table count twice. Property {@code maintenance.priority}, default 5
 * @param kinds what may be done at all; {@link MaintenanceKind#RETENTION} and {@link MaintenanceKind#REFRESH_MATERIALIZED_VIEW} only
 *         with {@code retention} and {@code refresh}
 * @param rewrite for {@link MaintenanceKind#REWRITE_DATA_FILES}
 * @param manifests for {@link MaintenanceKind#REWRITE_MANIFESTS}
 * @param snapshots for {@link MaintenanceKind#EXPIRE_SNAPSHOTS}
 * @param orphans for {@link MaintenanceKind#REMOVE_ORPHAN_FILES}
 * @param analyze for {@link MaintenanceKind#ANALYZE}
 * @param retention for {@link MaintenanceKind#RETENTION}; empty keeps all rows
 * @param refresh for {@link MaintenanceKind#REFRESH_MATERIALIZED_VIEW}; empty never refreshes
 */
public record TablePolicy(
        boolean enabled,
        int priority,
        Set<MaintenanceKind> kinds,
        RewritePolicy rewrite,
        ManifestPolicy manifests,
        SnapshotPolicy snapshots,
        OrphanPolicy orphans,
        AnalyzePolicy analyze,
        Optional<RetentionPolicy> retention,
        Optional<RefreshPolicy> refresh)
{
    public static final int LEAST_PRIORITY = 1;
    public static final int DEFAULT_PRIORITY = 5;
    public static final int MOST_PRIORITY = 10;

    /** What holds for a table that nobody said anything about. */
    public static final TablePolicy DEFAULT = new TablePolicy(
            false,
            DEFAULT_PRIORITY,
            Sets.immutableEnumSet(
                    MaintenanceKind.REWRITE_DATA_FILES,
                    MaintenanceKind.REWRITE_MANIFESTS,
                    MaintenanceKind.EXPIRE_SNAPSHOTS,
                    MaintenanceKind.REMOVE_ORPHAN_FILES,
                    MaintenanceKind.ANALYZE),
            RewritePolicy.DEFAULT,
            ManifestPolicy.DEFAULT,
            SnapshotPolicy.DEFAULT,
            OrphanPolicy.DEFAULT,
            AnalyzePolicy.DEFAULT,
            Optional.empty(),
            Optional.empty());

    public TablePolicy
    {
        checkArgument(LEAST_PRIORITY <= priority && priority <= MOST_PRIORITY, "priority is %s: it must be from %s to %s", priority, LEAST_PRIORITY, MOST_PRIORITY);
        kinds = Sets.immutableEnumSet(kinds);
        requireNonNull(rewrite, "rewrite is null");
        requireNonNull(manifests, "manifests is null");
        requireNonNull(snapshots, "snapshots is null");
        requireNonNull(orphans, "orphans is null");
        requireNonNull(analyze, "analyze is null");
        requireNonNull(retention, "retention is null");
        requireNonNull(refresh, "refresh is null");
        checkArgument(kinds.contains(MaintenanceKind.RETENTION) == retention.isPresent(), "kinds and retention do not agree");
        checkArgument(kinds.contains(MaintenanceKind.REFRESH_MATERIALIZED_VIEW) == refresh.isPresent(), "kinds and refresh do not agree");
    }
}
