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
package org.lakesteward.systemtables.window;

import org.lakesteward.planner.window.WindowSnapshot;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Where the tables take what they show.
 *
 * @param snapshots reads the store; what it throws fails the statement
 * @param maxStaleness after so much silence a coordinator refuses writes by itself, so that no window waits for it
 */
public record WindowSource(Supplier<WindowSnapshot> snapshots, Duration maxStaleness, InstantSource clock)
{
    public WindowSource
    {
        requireNonNull(snapshots, "snapshots is null");
        requireNonNull(maxStaleness, "maxStaleness is null");
        requireNonNull(clock, "clock is null");
    }

    Reading read()
    {
        WindowSnapshot snapshot = snapshots.get();
        return new Reading(snapshot, maxStaleness, clock.instant());
    }

    /**
     * What the store held, and the moment at which it is judged.
     */
    record Reading(WindowSnapshot snapshot, Duration maxStaleness, Instant now) {}
}
