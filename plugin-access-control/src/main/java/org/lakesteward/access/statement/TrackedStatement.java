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
package org.lakesteward.access.statement;

import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.window.StatementKind;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WriteInFlight;
import org.lakesteward.planner.window.WriteInFlight.KillAttempt;

import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A statement that has not finished, and what its checks of writes named. Thread-safe; the lock is never held for longer than
 * copying a few references, and a statement's checks run one after the other anyway.
 */
public class TrackedStatement
{
    /** A statement that names more is taken to touch everything, so that neither a check nor a report grows without bound. */
    static final int MAX_TARGETS = 50;

    private static final WindowScope[] NONE = {};
    private static final WindowScope[] EVERYTHING = {WindowScope.cluster()};

    private final String queryId;
    private final String user;
    private final StatementKind kind;
    private final Instant createdAt;

    private volatile WindowScope[] targets = NONE;
    private volatile Optional<KillAttempt> kill = Optional.empty();
    private volatile WeakReference<Thread> thread = new WeakReference<>(null);
    private boolean killRunning;

    TrackedStatement(String queryId, String user, StatementKind kind, Instant createdAt)
    {
        this.queryId = requireNonNull(queryId, "queryId is null");
        this.user = requireNonNull(user, "user is null");
        this.kind = requireNonNull(kind, "kind is null");
        this.createdAt = requireNonNull(createdAt, "createdAt is null");
    }

    public String queryId()
    {
        return queryId;
    }

    public String user()
    {
        return user;
    }

    public StatementKind kind()
    {
        return kind;
    }

    /** Whether Trino may run it on a single thread, which a kill does not stop. */
    boolean isDataDefinition()
    {
        return kind == StatementKind.DATA_DEFINITION || kind == StatementKind.UNKNOWN;
    }

    void runsOn(Thread thread)
    {
        this.thread = new WeakReference<>(thread);
    }

    /** The thread of the last check; empty before the first, and for a thread that is gone. */
    Optional<Thread> thread()
    {
        return Optional.ofNullable(thread.get());
    }

    /**
     * From the return of this method on, {@link #touches} and {@link #isWrite} know the target.
     *
     * @return whether it was not recorded before
     */
    public synchronized boolean record(WindowScope target)
    {
        WindowScope[] current = targets;
        if (current == EVERYTHING) {
            return false;
        }
        for (WindowScope known : current) {
            if (known.equals(target)) {
                return false;
            }
        }
        if (current.length == MAX_TARGETS) {
            targets = EVERYTHING;
            return false;
        }
        WindowScope[] next = Arrays.copyOf(current, current.length + 1);
        next[current.length] = target;
        targets = next;
        return true;
    }

    public synchronized void forget(WindowScope target)
    {
        if (targets != EVERYTHING) {
            targets = Arrays.stream(targets)
                    .filter(known -> !known.equals(target))
                    .toArray(WindowScope[]::new);
        }
    }

    /** Whether a check of a write has passed, or is just being decided. */
    public boolean isWrite()
    {
        return targets.length > 0;
    }

    public boolean touches(WindowScope scope)
    {
        for (WindowScope target : targets) {
            if (target.intersects(scope)) {
                return true;
            }
        }
        return false;
    }

    public Optional<KillAttempt> kill()
    {
        return kill;
    }

    /**
     * @return whether the caller may ask for the kill now: nobody else is doing so
     */
    public synchronized boolean beginKill()
    {
        if (killRunning) {
            return false;
        }
        killRunning = true;
        return true;
    }

    public synchronized void endKill(KillAttempt attempt)
    {
        killRunning = false;
        kill = Optional.of(attempt);
    }

    public WriteInFlight toWriteInFlight()
    {
        return new WriteInFlight(queryId, user, kind, createdAt, ImmutableSet.copyOf(targets), kill);
    }
}
