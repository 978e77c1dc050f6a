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

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * How far a window has closed the lake: closing ends when every coordinator that may still let writes through has acknowledged
 * the window and the writes that were let through before it have finished.
 *
 * @param waitedFor coordinators that are live and have not acknowledged
 * @param lost coordinators that have not been heard from and have not acknowledged: each may be dead, or may run on without the
 * store and let writes through, until its silence is longer than the time after which it refuses writes by itself
 * @param ignoring coordinators that an operator made ignore every window
 * @param writes the writes in flight that the window covers
 * @param writesLeftOut how many more there are, in windows of these coordinators
 * @param closedAt when the last of them finished; empty while the window is closing
 */
public record WindowProgress(
        List<String> waitedFor,
        List<String> lost,
        List<String> ignoring,
        List<WriteOnCoordinator> writes,
        int writesLeftOut,
        Optional<Instant> closedAt)
{
    /** Clocks of coordinators may differ by so much without harm. */
    public static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

    public WindowProgress
    {
        waitedFor = ImmutableList.copyOf(waitedFor);
        lost = ImmutableList.copyOf(lost);
        ignoring = ImmutableList.copyOf(ignoring);
        writes = ImmutableList.copyOf(writes);
        requireNonNull(closedAt, "closedAt is null");
    }

    public record WriteOnCoordinator(String coordinatorId, WriteInFlight write)
    {
        public WriteOnCoordinator
        {
            requireNonNull(coordinatorId, "coordinatorId is null");
            requireNonNull(write, "write is null");
        }
    }

    /**
     * @param maxStaleness after so much silence a coordinator refuses writes by itself, so that nobody needs to wait for it
     */
    public static WindowProgress of(MaintenanceWindow window, List<CoordinatorState> coordinators, Duration maxStaleness, Instant now)
    {
        ImmutableList.Builder<String> waitedFor = ImmutableList.builder();
        ImmutableList.Builder<String> lost = ImmutableList.builder();
        ImmutableList.Builder<String> ignoring = ImmutableList.builder();
        ImmutableList.Builder<WriteOnCoordinator> writes = ImmutableList.builder();
        int writesLeftOut = 0;
        // without a coordinator that reports, nobody enforces the window: one that asks is up, and its access control is missing
        boolean closed = coordinators.stream().anyMatch(CoordinatorState::live);
        Instant closedAt = window.openedAt();
        for (CoordinatorState coordinator : coordinators) {
            CoordinatorReport report = coordinator.report();
            boolean silentForGood = !coordinator.live() && report.reportedAt().isBefore(now.minus(maxStaleness).minus(CLOCK_TOLERANCE));
            if (silentForGood) {
                continue;
            }
            if (report.storeIgnored()) {
                ignoring.add(report.coordinatorId());
                closed = false;
                continue;
            }
            Optional<CoordinatorReport.Acknowledgement> acknowledgement = report.acknowledgement(window);
            if (acknowledgement.isEmpty()) {
                (coordinator.live() ? waitedFor : lost).add(report.coordinatorId());
                closed = false;
                continue;
            }
            Optional<Instant> drainedAt = acknowledgement.get().drainedAt();
            if (drainedAt.isEmpty()) {
                closed = false;
                report.writes().stream()
                        .filter(write -> write.touches(window.scope()))
                        .forEach(write -> writes.add(new WriteOnCoordinator(report.coordinatorId(), write)));
                writesLeftOut += report.writesLeftOut();
            }
            else if (drainedAt.get().isAfter(closedAt)) {
                closedAt = drainedAt.get();
            }
        }
        return new WindowProgress(
                waitedFor.build(),
                lost.build(),
                ignoring.build(),
                writes.build(),
                writesLeftOut,
                closed ? Optional.of(closedAt) : Optional.empty());
    }

    /**
     * The live coordinators that have not reported that they know the window as it is now.
     */
    public static List<String> notKnowing(MaintenanceWindow window, List<CoordinatorState> coordinators)
    {
        return coordinators.stream()
                .filter(CoordinatorState::live)
                .map(CoordinatorState::report)
                .filter(report -> !report.storeIgnored() && report.acknowledgement(window).isEmpty())
                .map(CoordinatorReport::coordinatorId)
                .collect(toImmutableList());
    }

    /**
     * The live coordinators that, as far as they have reported, still refuse writes because of a window, for instance one that has ended.
     *
     * @param windowId id of the window
     */
    public static List<String> stillObeying(String windowId, List<CoordinatorState> coordinators)
    {
        return coordinators.stream()
                .filter(CoordinatorState::live)
                .map(CoordinatorState::report)
                .filter(report -> report.acknowledgements().containsKey(windowId))
                .map(CoordinatorReport::coordinatorId)
                .collect(toImmutableList());
    }

    public boolean isClosed()
    {
        return closedAt.isPresent();
    }
}
