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

import com.google.common.collect.ImmutableSet;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * A statement that passed a check of a write and has not finished. What it may still change are its targets;
 * a statement that was created but has not been checked is none, because its checks are yet to come.
 *
 * @param createdAt when Trino took the statement
 * @param targets what its checks named
 * @param kill what became of the request to kill it, if there was one
 */
public record WriteInFlight(String queryId, String user, StatementKind kind, Instant createdAt, Set<WindowScope> targets, Optional<KillAttempt> kill)
{
    public WriteInFlight
    {
        requireNonNull(queryId, "queryId is null");
        requireNonNull(user, "user is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(createdAt, "createdAt is null");
        targets = ImmutableSet.copyOf(targets);
        requireNonNull(kill, "kill is null");
    }

    public boolean touches(WindowScope scope)
    {
        return targets.stream().anyMatch(scope::intersects);
    }

    /** What the column {@code state} shows. */
    public State state()
    {
        return kill.map(attempt -> attempt.error().isPresent() ? State.KILL_FAILED : State.KILL_REQUESTED).orElse(State.RUNNING);
    }

    public enum State
    {
        /** Queued, planning, running or committing; {@code system.runtime.queries} knows which. */
        RUNNING,
        /** The coordinator was asked to kill it, and it has not ended yet. */
        KILL_REQUESTED,
        /** The coordinator refused to kill it, or could not be asked. */
        KILL_FAILED,
    }

    /**
     * @param error why the attempt failed; empty when the coordinator took the request
     */
    public record KillAttempt(Instant at, Optional<String> error)
    {
        public KillAttempt
        {
            requireNonNull(at, "at is null");
            requireNonNull(error, "error is null");
        }
    }
}
