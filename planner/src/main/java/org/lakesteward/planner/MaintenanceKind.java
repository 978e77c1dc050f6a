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
package org.lakesteward.planner;

/**
 * What can be done for a table. The order is that in which kinds are listed; it says nothing about what runs first.
 */
public enum MaintenanceKind
{
    /** Merge small files, apply deletes, sort. */
    REWRITE_DATA_FILES,
    /** Merge manifests. */
    REWRITE_MANIFESTS,
    /** Remove snapshots past their age, and the files that only they need. */
    EXPIRE_SNAPSHOTS,
    /** Remove files that no snapshot refers to. */
    REMOVE_ORPHAN_FILES,
    /** Collect column statistics. */
    ANALYZE,
    /** Delete rows past their age. */
    RETENTION,
    /** Bring a materialized view up to date. */
    REFRESH_MATERIALIZED_VIEW,
}
