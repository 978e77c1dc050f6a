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

/**
 * Classes of demands: one of an earlier class goes before any of a later one, unless it has waited too long.
 */
public enum TurnClass
{
    /** The last run was broken off, or its outcome is unknown: nobody knows what it left behind. */
    RECOVERY,
    /** Many times more than what is worth a run. */
    CRITICAL,
    /** What queries feel: data files, retention, materialized views. */
    NORMAL,
    /** What they feel late: manifests, snapshots, orphan files, statistics. */
    HOUSEKEEPING,
    /** The last few small files of a table that nobody writes to any more. The run must take groups of two files and more. */
    TAIL,
}
