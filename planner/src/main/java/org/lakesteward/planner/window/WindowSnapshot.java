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
package org.lakesteward.planner.window;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

/**
 * Everything about windows that the store holds, read at one moment.
 *
 * @param windows those that nobody ended, at most one for a scope; the time of some may be over
 * @param ended the most recent ones of the past, newest first
 * @param coordinators in the order of their ids
 */
public record WindowSnapshot(List<MaintenanceWindow> windows, List<EndedWindow> ended, List<CoordinatorState> coordinators)
{
    public WindowSnapshot
    {
        windows = ImmutableList.copyOf(windows);
        ended = ImmutableList.copyOf(ended);
        coordinators = ImmutableList.copyOf(coordinators);
    }

    public Optional<MaintenanceWindow> window(WindowScope scope)
    {
        return windows.stream()
                .filter(window -> window.scope().equals(scope))
                .findAny();
    }
}
