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
import com.google.common.collect.ImmutableMap;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What a coordinator says of itself: which windows it obeys and which writes it still runs.
 *
 * @param coordinatorId unique among the coordinators of the lake, the same after a restart
 * @param startedAt when its access control started
 * @param reportedAt when it said so, by its own clock
 * @param storeIgnored whether an operator made it ignore the store, so that no window holds there
 * @param acknowledgements by id of the window; from the moment of an acknowledgement on, the coordinator refuses what the window covers
 * @param writes the writes that some acknowledged window covers and that were let through before it, at most {@link #MAX_WRITES}
 * @param writesLeftOut how many more there are
 */
public record CoordinatorReport(
        String coordinatorId,
        Instant startedAt,
        Instant reportedAt,
        boolean storeIgnored,
        Map<String, Acknowledgement> acknowledgements,
        List<WriteInFlight> writes,
        int writesLeftOut)
{
    /** Keeps a report far below the size that a store takes. */
    public static final int MAX_WRITES = 500;

    public CoordinatorReport
    {
        requireNonNull(coordinatorId, "coordinatorId is null");
        requireNonNull(startedAt, "startedAt is null");
        requireNonNull(reportedAt, "reportedAt is null");
        acknowledgements = ImmutableMap.copyOf(acknowledgements);
        writes = ImmutableList.copyOf(writes);
        checkArgument(writes.size() <= MAX_WRITES, "more than %s writes: %s", MAX_WRITES, writes.size());
        checkArgument(writesLeftOut >= 0, "writesLeftOut is negative: %s", writesLeftOut);
    }

    /**
     * @param drainedAt when the last write that the window covers had finished; empty while one is in flight
     * @param until the end of the window as the coordinator knows it, at which it lets writes through again; empty for none
     */
    public record Acknowledgement(Instant acknowledgedAt, Optional<Instant> drainedAt, Optional<Instant> until)
    {
        public Acknowledgement
        {
            requireNonNull(acknowledgedAt, "acknowledgedAt is null");
            requireNonNull(drainedAt, "drainedAt is null");
            requireNonNull(until, "until is null");
        }

        /** Of a window that has no end. */
        public Acknowledgement(Instant acknowledgedAt, Optional<Instant> drainedAt)
        {
            this(acknowledgedAt, drainedAt, Optional.empty());
        }

        /** Whether the coordinator refuses writes as long as the window is open: it may not have heard yet that its end was put off. */
        public boolean covers(MaintenanceWindow window)
        {
            return until.isEmpty() || window.until().filter(end -> !end.isAfter(until.get())).isPresent();
        }
    }

    /** How this coordinator stands to the window as it is now. */
    public Optional<Acknowledgement> acknowledgement(MaintenanceWindow window)
    {
        return Optional.ofNullable(acknowledgements.get(window.id()))
                .filter(acknowledgement -> acknowledgement.covers(window));
    }
}
