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

import java.time.Instant;
import java.util.Comparator;

import static java.util.Objects.requireNonNull;

/**
 * That a run held the table's write turn.
 *
 * @param endedAt when the run ended
 * @param operationId of the run
 * @param kind of the run
 */
public record Turn(Instant endedAt, String operationId, MaintenanceKind kind)
{
    static final Comparator<Turn> OLDEST_FIRST = Comparator.comparing(Turn::endedAt)
            .thenComparing(Turn::operationId);

    public Turn
    {
        requireNonNull(endedAt, "endedAt is null");
        requireNonNull(operationId, "operationId is null");
        requireNonNull(kind, "kind is null");
    }
}
