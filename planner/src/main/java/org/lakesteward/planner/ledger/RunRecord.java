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

import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.demand.TableVersion;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * One run that ended.
 *
 * @param operationId unique among all runs
 * @param tableUuid the table
 * @param kind what was done
 * @param executorId who did it
 * @param startedAt when it was placed
 * @param endedAt when it ended
 * @param tableVersion the version of the table that the run was planned for, and so saw at least
 * @param policyFingerprint of the policy that it ran under, see {@link PolicyFingerprint}
 * @param reservedBytes bytes reserved for it, at least 0
 * @param failure why it failed; empty when it succeeded
 * @param message for people, on one line; empty when there is nothing to say
 */
public record RunRecord(
        String operationId,
        String tableUuid,
        MaintenanceKind kind,
        String executorId,
        Instant startedAt,
        Instant endedAt,
        TableVersion tableVersion,
        long policyFingerprint,
        long reservedBytes,
        Optional<FailureCode> failure,
        String message)
{
    static final Comparator<RunRecord> OLDEST_FIRST = Comparator.comparing(RunRecord::endedAt)
            .thenComparing(RunRecord::operationId);

    public RunRecord
    {
        requireNonNull(operationId, "operationId is null");
        requireNonNull(tableUuid, "tableUuid is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(executorId, "executorId is null");
        requireNonNull(startedAt, "startedAt is null");
        requireNonNull(endedAt, "endedAt is null");
        requireNonNull(tableVersion, "tableVersion is null");
        checkArgument(reservedBytes >= 0, "reservedBytes is %s: it must not be negative", reservedBytes);
        requireNonNull(failure, "failure is null");
        requireNonNull(message, "message is null");
    }

    public boolean succeeded()
    {
        return failure.isEmpty();
    }
}
