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
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import org.lakesteward.maintenance.control.QueryEndings.Ending;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowSnapshot;
import org.lakesteward.store.window.WindowStore;
import org.lakesteward.store.window.WindowStoreException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.USER_CANCELED;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.maintenance.control.ControlErrorCode.MAINTENANCE_NOT_CLOSED;
import static org.lakesteward.maintenance.control.ControlErrorCode.NO_SUCH_WINDOW;
import static org.lakesteward.maintenance.control.ControlErrorCode.WINDOW_STORE_UNAVAILABLE;

/**
 * Waits for a window to close the lake. Whatever ends the waiting leaves the window as it is. Thread-safe.
 */
public class ClosingWait
{
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** No coordinator that enforces windows is a mistake of configuration, which nobody should wait for long to hear of. */
    private static final Duration PATIENCE_WITHOUT_COORDINATORS = Duration.ofSeconds(10);

    private final WindowStore store;
    private final InstantSource clock;
    private final String catalog;
    private final Duration maxStaleness;

    @Inject
    public ClosingWait(WindowStore store, InstantSource clock, CatalogName catalogName, WindowControlConfig config)
    {
        this.store = requireNonNull(store, "store is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.catalog = catalogName.toString();
        this.maxStaleness = config.getMaxStaleness().toJavaTime();
    }

    /**
     * Returns when the window is closed. It is looked at once even if there is no time to wait.
     *
     * @throws TrinoException {@code MAINTENANCE_NOT_CLOSED} when the time is over, {@code NO_SUCH_WINDOW} when the window ended meanwhile,
     * {@code WINDOW_STORE_UNAVAILABLE} when the time is over and the store does not answer
     */
    void await(Ending ending, MaintenanceWindow window, Duration timeout)
    {
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        while (true) {
            Look look = look(window);
            if (look instanceof Closed) {
                return;
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            look.giveUp(waited, timeout).ifPresent(e -> {
                throw e;
            });
            pauseUnlessEnded(ending, window, min(pause, timeout.minus(waited)));
            pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    private Look look(MaintenanceWindow window)
    {
        WindowSnapshot snapshot;
        try {
            snapshot = store.read();
        }
        catch (WindowStoreException e) {
            return new Unknown(window, e);
        }
        Instant now = clock.instant();
        Optional<MaintenanceWindow> current = snapshot.window(window.scope())
                .filter(present -> present.id().equals(window.id()));
        if (current.isEmpty() || current.get().isOver(now)) {
            throw new TrinoException(NO_SUCH_WINDOW, "the window on %s ended %swhile this call waited for it to close"
                    .formatted(window.scope(), endedBy(snapshot, window)));
        }
        ClosingReport report = new ClosingReport(catalog, current.get(), snapshot.coordinators(), maxStaleness, now);
        return report.isClosed() ? new Closed() : new Closing(report);
    }

    private static String endedBy(WindowSnapshot snapshot, MaintenanceWindow window)
    {
        return snapshot.ended().stream()
                .filter(ended -> ended.window().id().equals(window.id()))
                .findAny()
                .flatMap(EndedWindow::endedBy)
                .map("by a call of %s "::formatted)
                .orElse("");
    }

    private static void pauseUnlessEnded(Ending ending, MaintenanceWindow window, Duration pause)
    {
        boolean ended;
        try {
            ended = ending.await(pause);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ended = true;
        }
        if (ended) {
            throw new TrinoException(USER_CANCELED, "the call stopped to wait for the window on %s to close; the window is open".formatted(window.scope()));
        }
    }

    private static Duration min(Duration first, Duration second)
    {
        return first.compareTo(second) <= 0 ? first : second;
    }

    private sealed interface Look
    {
        /** Why waiting ends now without success, if it does. */
        Optional<TrinoException> giveUp(Duration waited, Duration timeout);
    }

    private record Closed()
            implements Look
    {
        @Override
        public Optional<TrinoException> giveUp(Duration waited, Duration timeout)
        {
            return Optional.empty();
        }
    }

    private record Closing(ClosingReport report)
            implements Look
    {
        @Override
        public Optional<TrinoException> giveUp(Duration waited, Duration timeout)
        {
            Duration patience = report.isEnforced() ? timeout : min(timeout, PATIENCE_WITHOUT_COORDINATORS);
            if (waited.compareTo(patience) < 0) {
                return Optional.empty();
            }
            return Optional.of(new TrinoException(MAINTENANCE_NOT_CLOSED, report.message(timeout)));
        }
    }

    private record Unknown(MaintenanceWindow window, WindowStoreException failure)
            implements Look
    {
        @Override
        public Optional<TrinoException> giveUp(Duration waited, Duration timeout)
        {
            if (waited.compareTo(timeout) < 0) {
                return Optional.empty();
            }
            return Optional.of(new TrinoException(
                    WINDOW_STORE_UNAVAILABLE,
                    "the window on %s was opened, but whether it has closed is unknown because the store of windows does not answer: %s".formatted(window.scope(), failure.getMessage()),
                    failure));
        }
    }
}
