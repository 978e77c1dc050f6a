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
package org.lakesteward.planner.schedule;

import org.lakesteward.planner.MaintenanceKind;

import java.time.Instant;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A placement that stands in the store: it holds the table's write turn and its reservation until its end is recorded.
 *
 * @param operationId unique among all runs
 * @param tableUuid the table
 * @param kind what is done
 * @param executorId who does it
 * @param reservedBytes bytes reserved, at least 0
 * @param placedAt when
 */
public record Assignment(String operationId, String tableUuid, MaintenanceKind kind, String executorId, long reservedBytes, Instant placedAt)
{
    public Assignment
    {
        requireNonNull(operationId, "operationId is null");
        requireNonNull(tableUuid, "tableUuid is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(executorId, "executorId is null");
        checkArgument(reservedBytes >= 0, "reservedBytes is %s: it must not be negative", reservedBytes);
        requireNonNull(placedAt, "placedAt is null");
    }
}
