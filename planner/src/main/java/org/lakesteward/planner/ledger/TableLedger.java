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
 * How past runs on one table went, as far as it still matters.
 *
 * @param tableUuid the table
 * @param kinds by kind, in the order of the kinds
 * @param turns the newest {@link #KEPT_TURNS} turns of all kinds, the oldest first
 * @param order the last order of an operator
 */
public record TableLedger(String tableUuid, List<KindLedger> kinds, List<Turn> turns, Optional<LedgerEvent.OperatorOrder> order)
{
    /** So many failed runs of a kind are kept. */
    public static final int KEPT_RUNS = 16;

    /** So many turns are kept. */
    public static final int KEPT_TURNS = 8;

    public TableLedger
    {
        requireNonNull(tableUuid, "tableUuid is null");
        kinds = ImmutableList.copyOf(kinds);
        turns = ImmutableList.copyOf(turns);
        requireNonNull(order, "order is null");
    }

    public static TableLedger empty(String tableUuid)
    {
        return new TableLedger(tableUuid, ImmutableList.of(), ImmutableList.of(), Optional.empty());
    }

    /** Empty when this kind never ran. */
    public Optional<KindLedger> kind(MaintenanceKind kind)
    {
        for (KindLedger ledger : kinds) {
            if (ledger.kind() == kind) {
                return Optional.of(ledger);
            }
        }
        return Optional.empty();
    }

    /** How many of the last turns in a row had this kind, at most {@link #KEPT_TURNS}. */
    public int consecutiveTurns(MaintenanceKind kind)
    {
        int count = 0;
        for (Turn turn : turns.reversed()) {
            if (turn.kind() != kind) {
                break;
            }
            count++;
        }
        return count;
    }
}
