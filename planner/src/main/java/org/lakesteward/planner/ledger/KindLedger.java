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
package org.lakesteward.planner.ledger;

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.MaintenanceKind;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Runs of one kind on one table that still matter.
 *
 * @param kind the kind
 * @param lastSuccess the last run that succeeded
 * @param failures runs that failed after it, the newest {@link TableLedger#KEPT_RUNS} of them, the oldest first
 */
public record KindLedger(MaintenanceKind kind, Optional<RunRecord> lastSuccess, List<RunRecord> failures)
{
    public KindLedger
    {
        requireNonNull(kind, "kind is null");
        requireNonNull(lastSuccess, "lastSuccess is null");
        failures = ImmutableList.copyOf(failures);
    }

    /** The last run, however it went. */
    public Optional<RunRecord> lastRun()
    {
        return failures.isEmpty() ? lastSuccess : Optional.of(failures.getLast());
    }
}
