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
import org.lakesteward.planner.demand.Debt;
import org.lakesteward.planner.demand.TableRecord;

import java.time.Instant;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A debt that is due.
 *
 * @param table the table
 * @param kind the kind
 * @param debt what is owed; empty when that is not known
 * @param turnClass the class
 * @param score see {@link Score}; 0 for an unknown debt
 * @param waitingSinceMillis since when it waits for its turn: since it was due, or since its last turn, whichever is later; milliseconds since 1970
 * @param promoted whether it has waited too long, so that it goes first
 */
public record Demand(
        TableRecord table,
        MaintenanceKind kind,
        Optional<Debt> debt,
        TurnClass turnClass,
        double score,
        long waitingSinceMillis,
        boolean promoted)
{
    public Demand
    {
        requireNonNull(table, "table is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(debt, "debt is null");
        requireNonNull(turnClass, "turnClass is null");
    }

    public Instant waitingSince()
    {
        return Instant.ofEpochMilli(waitingSinceMillis);
    }
}
