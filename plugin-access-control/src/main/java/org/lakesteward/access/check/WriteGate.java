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
package org.lakesteward.access.check;

import com.google.inject.Inject;
import io.trino.spi.TrinoException;
import org.lakesteward.access.statement.StatementTracker;
import org.lakesteward.access.statement.TrackedStatement;
import org.lakesteward.planner.window.IdentityClass;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.RefusalMessage;
import org.lakesteward.planner.window.StoreCondition;
import org.lakesteward.planner.window.WindowCheck;
import org.lakesteward.planner.window.WindowDecision;
import org.lakesteward.planner.window.WindowScope;

import java.time.Instant;
import java.time.InstantSource;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.access.AccessErrorCode.CLUSTER_IN_MAINTENANCE;

/**
 * Every check of a write passes here.
 * <p>
 * The order of its two steps is what makes a closed window closed. The check <em>first</em> records its target with the statement
 * and <em>then</em> reads the windows; whoever acknowledges a window <em>first</em> publishes it in {@link CurrentWindows} and
 * <em>then</em> reads the recorded targets. Both are volatile accesses, of which there is one total order (JLS 17.4.4). So for
 * each pair of a check and a window, either the check sees the window and refuses, or the acknowledgement sees the write and
 * waits for it; no write falls between the two.
 * <p>
 * Thread-safe, no I/O.
 */
public class WriteGate
{
    private final StatementTracker tracker;
    private final CurrentWindows windows;
    private final InstantSource clock;
    private final RefusalListener refusals;

    @Inject
    public WriteGate(StatementTracker tracker, CurrentWindows windows, InstantSource clock, RefusalListener refusals)
    {
        this.tracker = requireNonNull(tracker, "tracker is null");
        this.windows = requireNonNull(windows, "windows is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.refusals = requireNonNull(refusals, "refusals is null");
    }

    /**
     * Told of a statement that changes no data, so that its thread is not taken for that of an earlier statement.
     */
    public void begins(String queryId, String user, Instant createdAt)
    {
        tracker.statement(queryId, user, createdAt);
    }

    /**
     * @param user who is named if Trino did not tell of the statement before
     * @param createdAt when the statement began, if Trino did not tell of it before
     * @throws TrinoException with {@code CLUSTER_IN_MAINTENANCE} when a window refuses it
     */
    public void check(String queryId, String user, Instant createdAt, WindowCheck check, WindowScope target)
    {
        TrackedStatement statement = tracker.statement(queryId, user, createdAt);
        if (!WindowDecision.mayWrite(statement.kind(), check)) {
            return;
        }
        boolean newlyRecorded = statement.record(target);
        // after the record: see above
        CurrentWindows.Published current = windows.read();
        WindowDecision decision = WindowDecision.decide(
                statement.kind(),
                check,
                target,
                IdentityClass.USER,
                false,
                current.view(),
                current.timed() ? clock.instant() : Instant.EPOCH);
        if (decision == WindowDecision.ALLOWED) {
            return;
        }
        if (newlyRecorded) {
            // what is refused is not in flight; a target that passed before the window stays, until the statement has failed
            statement.forget(target);
        }
        String message = switch (decision) {
            case WindowDecision.RefusedByWindow(MaintenanceWindow window) -> current.message(window).text(target);
            case WindowDecision.RefusedForDoubt(StoreCondition condition) -> RefusalMessage.ofDoubt(condition);
            case WindowDecision.Allowed _ -> throw new IllegalStateException("allowed");
        };
        refusals.refused(queryId, statement.user(), statement.kind(), target, message);
        throw new TrinoException(CLUSTER_IN_MAINTENANCE, message);
    }
}
