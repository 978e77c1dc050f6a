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

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A window that is open: from now on, writes to its scope are refused. It ends when somebody ends it or when {@code until} passes.
 *
 * @param id unique for ever, so that acknowledgements of an earlier window of the same scope are not taken for this one's
 * @param reason why, in the words of the person who opened it; refused users read it
 * @param openedBy the Trino user
 * @param until the first moment at which writes are open again; empty for until somebody ends it
 * @param retryAfter what refused users are told to wait, more than zero
 * @param killRunningWrites whether coordinators kill the writes that were created before the window
 * @param extendedBy who changed it last, if anybody did
 * @param warning what the person who opened it should know, for instance that the scope does not exist
 */
public record MaintenanceWindow(
        String id,
        WindowScope scope,
        String reason,
        String openedBy,
        Instant openedAt,
        Optional<Instant> until,
        Duration retryAfter,
        boolean killRunningWrites,
        Optional<String> extendedBy,
        Optional<String> warning)
{
    public MaintenanceWindow
    {
        requireNonNull(id, "id is null");
        requireNonNull(scope, "scope is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(openedBy, "openedBy is null");
        requireNonNull(openedAt, "openedAt is null");
        requireNonNull(until, "until is null");
        requireNonNull(retryAfter, "retryAfter is null");
        requireNonNull(extendedBy, "extendedBy is null");
        requireNonNull(warning, "warning is null");
    }

    /** Whether the window's time is over, though nobody ended it. */
    public boolean isOver(Instant now)
    {
        return until.isPresent() && !now.isBefore(until.get());
    }
}
