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

import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The newest statistics file (Puffin) that belongs to the current snapshot or one of its ancestors.
 *
 * @param present whether there is one
 * @param snapshotsBehind snapshots that changed rows after it; empty when absent or unknown
 * @param rowsChanged rows added, and rows deleted with their files, after it; empty when absent or unknown
 */
public record StatisticsState(boolean present, OptionalLong snapshotsBehind, OptionalLong rowsChanged)
{
    public static final StatisticsState ABSENT = new StatisticsState(false, OptionalLong.empty(), OptionalLong.empty());
    public static final StatisticsState CURRENT = new StatisticsState(true, OptionalLong.of(0), OptionalLong.of(0));

    public StatisticsState
    {
        Checks.notNegative("snapshotsBehind", snapshotsBehind);
        Checks.notNegative("rowsChanged", rowsChanged);
        checkArgument(present || (snapshotsBehind.isEmpty() && rowsChanged.isEmpty()), "statistics that are absent cannot lag behind");
    }
}
