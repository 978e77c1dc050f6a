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
package org.lakesteward.maintenance.window;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorSession;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.InvalidWindowException;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.OneLine;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.planner.window.WindowSnapshot;
import org.lakesteward.store.window.WindowStore;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.lakesteward.maintenance.control.ControlErrorCode.INVALID_WINDOW_ARGUMENT;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.NO_SUCH_COORDINATOR;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.NO_SUCH_WINDOW;

/**
 * Changes windows in the store on behalf of a user, and records who did it. Thread-safe.
 * Every method throws a {@code TrinoException} with a code of {@link org.lakesteward.maintenance.control.ControlErrorCode} when it
 * changed nothing, or when the store cannot tell.
 */
public class WindowOperations
{
    private static final Logger log = Logger.get(WindowOperations.class);

    /** As many as an error names. */
    private static final int MAX_NAMES = 10;

    private final WindowStore store;
    private final ScopeWarning scopeWarning;
    private final WindowAudit audit;
    private final InstantSource clock;
    private final String controlCatalog;

    @Inject
    public WindowOperations(WindowStore store, ScopeWarning scopeWarning, WindowAudit audit, InstantSource clock, CatalogName catalogName)
    {
        this.store = requireNonNull(store, "store is null");
        this.scopeWarning = requireNonNull(scopeWarning, "scopeWarning is null");
        this.audit = requireNonNull(audit, "audit is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.controlCatalog = catalogName.toString();
    }

    MaintenanceWindow open(ConnectorSession session, WindowScope scope, String reason, Duration retryAfter, Optional<Instant> until, boolean killRunningWrites)
    {
        if (scope.catalog().filter(controlCatalog::equals).isPresent()) {
            throw new TrinoException(INVALID_WINDOW_ARGUMENT, "scope is '%s', it must not be within the control catalog, which holds no data and stays open".formatted(OneLine.of(scope.toString(), 200)));
        }
        Optional<String> warning = scopeWarning.of(session, scope);
        String id = UUID.randomUUID().toString();
        WindowChange change = WindowErrors.translated(() -> store.change(snapshot -> {
            Instant now = now();
            MaintenanceWindow window = new MaintenanceWindow(id, scope, reason, session.getUser(), now, until, retryAfter, killRunningWrites, Optional.empty(), warning);
            return WindowChange.open(snapshot, window, now);
        }));
        MaintenanceWindow window = change.put().orElseThrow();
        warning.ifPresent(text -> log.warn("Maintenance window on %s: %s", scope, text));
        audit.opened(session, window);
        return window;
    }

    MaintenanceWindow extend(ConnectorSession session, WindowScope scope, Optional<Instant> until, boolean untilEnded, Optional<Duration> retryAfter, Optional<Boolean> killRunningWrites)
    {
        WindowChange change = WindowErrors.translated(() -> store.change(snapshot ->
                WindowChange.extend(snapshot, scope, until, untilEnded, retryAfter, killRunningWrites, session.getUser(), now())));
        MaintenanceWindow window = change.put().orElseThrow();
        audit.extended(session, window);
        return window;
    }

    MaintenanceWindow end(ConnectorSession session, WindowScope scope)
    {
        WindowChange change = WindowErrors.translated(() -> store.change(snapshot -> WindowChange.end(snapshot, scope, session.getUser(), now())));
        audit.ended(session, change.ended().orElseThrow());
        return change.ended().orElseThrow().window();
    }

    /** The window that is open on exactly this scope. */
    MaintenanceWindow openWindow(WindowScope scope)
    {
        return WindowErrors.translated(() -> store.read().window(scope)
                .filter(window -> !window.isOver(now()))
                .orElseThrow(() -> new InvalidWindowException(NO_SUCH_WINDOW, "no window on %s is open".formatted(OneLine.of(scope.toString(), 200)))));
    }

    void forget(ConnectorSession session, String coordinatorId)
    {
        CoordinatorState forgotten = WindowErrors.translated(() -> {
            CoordinatorState coordinator = coordinator(store.read(), coordinatorId);
            if (coordinator.live()) {
                throw new InvalidWindowException(NO_SUCH_COORDINATOR, "coordinator %s is live and cannot be forgotten (it was last heard from at %s): stop it first"
                        .formatted(coordinatorId, coordinator.report().reportedAt()));
            }
            store.remove(coordinatorId);
            return coordinator;
        });
        audit.coordinatorForgotten(session, forgotten.report());
    }

    private static CoordinatorState coordinator(WindowSnapshot snapshot, String coordinatorId)
    {
        return snapshot.coordinators().stream()
                .filter(coordinator -> coordinator.report().coordinatorId().equals(coordinatorId))
                .findAny()
                .orElseThrow(() -> new InvalidWindowException(NO_SUCH_COORDINATOR, "no coordinator '%s' reports to the store of windows; %s"
                        .formatted(OneLine.of(coordinatorId, 200), snapshot.coordinators().isEmpty() ? "none does" : "known are: " + names(snapshot))));
    }

    private static String names(WindowSnapshot snapshot)
    {
        int left = snapshot.coordinators().size() - MAX_NAMES;
        return snapshot.coordinators().stream()
                .limit(MAX_NAMES)
                .map(coordinator -> coordinator.report().coordinatorId())
                .collect(joining(", ")) + (left > 0 ? " and %s more".formatted(left) : "");
    }

    /** To the millisecond, as the tables show it. */
    private Instant now()
    {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
