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

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.DurationWords;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowProgress;
import org.lakesteward.planner.window.WindowProgress.WriteOnCoordinator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Tells the operator what a window still waits for, and what can be done.
 *
 * @param catalog the control catalog, for the calls that the report names
 * @param maxStaleness after so much silence a coordinator refuses writes by itself
 */
record ClosingReport(String catalog, MaintenanceWindow window, List<CoordinatorState> coordinators, Duration maxStaleness, Instant now)
{
    /** As many coordinators or writes as one report names. */
    private static final int MAX_NAMED = 5;

    ClosingReport
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(window, "window is null");
        coordinators = ImmutableList.copyOf(coordinators);
        requireNonNull(maxStaleness, "maxStaleness is null");
        requireNonNull(now, "now is null");
    }

    /**
     * Whether some coordinator refuses writes at all. The one that runs the statement would be live if its access control reported.
     */
    boolean isEnforced()
    {
        return coordinators.stream().anyMatch(CoordinatorState::live);
    }

    boolean isClosed()
    {
        return progress().isClosed();
    }

    private WindowProgress progress()
    {
        return WindowProgress.of(window, coordinators, maxStaleness, now);
    }

    /** @param waited how long the window was waited for */
    String message(Duration waited)
    {
        if (!isEnforced()) {
            return "the window on %s is open, but no coordinator with access-control.name=maintenance reports to this store%s, so nothing enforces it and writes go on: configure that access control with the same store on every coordinator, then wait with %s, or end the window with %s"
                    .formatted(window.scope(), coordinators.isEmpty() ? "" : " any more (known are: " + list(ids(), id -> id) + ")", call("wait_maintenance"), call("exit_maintenance"));
        }
        WindowProgress progress = progress();
        ImmutableList.Builder<String> reasons = ImmutableList.builder();
        if (!progress.waitedFor().isEmpty()) {
            reasons.add("coordinators that have not acknowledged the window: " + list(progress.waitedFor(), id -> id));
        }
        if (!progress.lost().isEmpty()) {
            reasons.add("coordinators that were lost before they acknowledged, and may run on without the store: %s; if one is gone for good, CALL %s.system.forget_coordinator(coordinator_id => '…')"
                    .formatted(list(progress.lost(), id -> "%s (last heard from at %s)".formatted(id, seconds(report(id).reportedAt()))), catalog));
        }
        if (!progress.ignoring().isEmpty()) {
            reasons.add("coordinators that an operator made ignore every window, where writes go on: " + list(progress.ignoring(), id -> id));
        }
        int writes = progress.writes().size() + progress.writesLeftOut();
        if (writes > 0) {
            reasons.add((writes == 1 ? "1 write" : writes + " writes") + " in flight" + named(progress.writes(), writes));
        }
        else if (!draining().isEmpty()) {
            reasons.add("coordinators that have not reported yet that their writes have finished: " + list(draining(), id -> id));
        }
        return "the window on %s is open and refuses new writes%s, but it has not closed within %s. It waits for %s. Wait on with %s%s; writes are open again after %s"
                .formatted(
                        window.scope(),
                        progress.ignoring().isEmpty() ? "" : " where coordinators obey it",
                        DurationWords.of(waited),
                        String.join("; ", reasons.build()),
                        call("wait_maintenance"),
                        writes > 0 && !window.killRunningWrites() ? ", or have the writes killed with CALL %s.system.extend_maintenance(scope => %s, kill_running_writes => true)".formatted(catalog, literal()) : "",
                        call("exit_maintenance"));
    }

    private List<String> ids()
    {
        return coordinators.stream().map(coordinator -> coordinator.report().coordinatorId()).toList();
    }

    private List<String> draining()
    {
        return coordinators.stream()
                .map(CoordinatorState::report)
                .filter(report -> report.acknowledgement(window)
                        .filter(acknowledgement -> acknowledgement.drainedAt().isEmpty())
                        .isPresent())
                .map(CoordinatorReport::coordinatorId)
                .toList();
    }

    private CoordinatorReport report(String coordinatorId)
    {
        return coordinators.stream()
                .map(CoordinatorState::report)
                .filter(report -> report.coordinatorId().equals(coordinatorId))
                .findAny()
                .orElseThrow();
    }

    /** The first few of them, and how many more there are: a coordinator reports so many only, which may be none of this window's. */
    private String named(List<WriteOnCoordinator> writes, int count)
    {
        if (writes.isEmpty()) {
            return "";
        }
        int named = Math.min(MAX_NAMED, writes.size());
        return ": " + writes.stream().limit(named).map(this::words).collect(joining(", ")) + (count > named ? " and %s more".formatted(count - named) : "");
    }

    private String words(WriteOnCoordinator write)
    {
        return "%s (%s by %s on %s, %s old)".formatted(
                write.write().queryId(),
                write.write().kind(),
                write.write().user(),
                write.coordinatorId(),
                DurationWords.of(Duration.between(write.write().createdAt(), now)));
    }

    private static String list(List<String> ids, Function<String, String> words)
    {
        return ids.stream().limit(MAX_NAMED).map(words).collect(joining(", ")) + (ids.size() > MAX_NAMED ? " and %s more".formatted(ids.size() - MAX_NAMED) : "");
    }

    private String call(String procedure)
    {
        return "CALL %s.system.%s(scope => %s)".formatted(catalog, procedure, literal());
    }

    private String literal()
    {
        return "'" + window.scope().toString().replace("'", "''") + "'";
    }

    private static Instant seconds(Instant instant)
    {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }
}
