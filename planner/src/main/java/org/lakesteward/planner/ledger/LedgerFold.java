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

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;

/**
 * Enters events into a table's ledger. The ledger is a function of the set of events, whatever their order and however often each came:
 * it keeps the last success, failures newer than that, the newest turns, and the last order.
 */
public final class LedgerFold
{
    private static final Comparator<LedgerEvent.OperatorOrder> ORDERS = comparing(LedgerEvent.OperatorOrder::at)
            .thenComparing(LedgerEvent.OperatorOrder::suspended)
            .thenComparing(LedgerEvent.OperatorOrder::by)
            .thenComparing(LedgerEvent.OperatorOrder::reason);

    private LedgerFold() {}

    /**
     * @param ledger what was entered so far; empty for a table that nothing ever ran on
     * @throws IllegalArgumentException when the event is about another table than the ledger
     */
    public static TableLedger fold(Optional<TableLedger> ledger, LedgerEvent event)
    {
        TableLedger before = ledger.orElseGet(() -> TableLedger.empty(event.tableUuid()));
        checkArgument(before.tableUuid().equals(event.tableUuid()), "tables differ: %s and %s", before.tableUuid(), event.tableUuid());
        return switch (event) {
            case LedgerEvent.RunEnded(RunRecord run) -> enter(before, run);
            case LedgerEvent.OperatorOrder order -> new TableLedger(
                    before.tableUuid(),
                    before.kinds(),
                    before.turns(),
                    Optional.of(before.order().filter(other -> ORDERS.compare(other, order) >= 0).orElse(order)));
        };
    }

    private static TableLedger enter(TableLedger ledger, RunRecord run)
    {
        KindLedger kind = enter(ledger.kind(run.kind()).orElseGet(() -> new KindLedger(run.kind(), Optional.empty(), ImmutableList.of())), run);
        ImmutableList.Builder<KindLedger> kinds = ImmutableList.builder();
        ledger.kinds().stream().filter(other -> other.kind() != run.kind()).forEach(kinds::add);
        kinds.add(kind);

        return new TableLedger(
                ledger.tableUuid(),
                kinds.build().stream().sorted(comparing(KindLedger::kind)).collect(toImmutableList()),
                newest(ledger.turns(), new Turn(run.endedAt(), run.operationId(), run.kind()), Turn.OLDEST_FIRST, TableLedger.KEPT_TURNS),
                ledger.order());
    }

    private static KindLedger enter(KindLedger ledger, RunRecord run)
    {
        if (run.succeeded()) {
            RunRecord last = ledger.lastSuccess().filter(other -> RunRecord.OLDEST_FIRST.compare(other, run) >= 0).orElse(run);
            return new KindLedger(ledger.kind(), Optional.of(last), after(ledger.failures(), last));
        }
        if (ledger.lastSuccess().isPresent() && RunRecord.OLDEST_FIRST.compare(run, ledger.lastSuccess().get()) < 0) {
            return ledger;
        }
        return new KindLedger(ledger.kind(), ledger.lastSuccess(), newest(ledger.failures(), run, RunRecord.OLDEST_FIRST, TableLedger.KEPT_RUNS));
    }

    private static List<RunRecord> after(List<RunRecord> failures, RunRecord success)
    {
        return failures.stream()
                .filter(failure -> RunRecord.OLDEST_FIRST.compare(failure, success) > 0)
                .collect(toImmutableList());
    }

    private static <T> List<T> newest(List<T> values, T added, Comparator<T> oldestFirst, int kept)
    {
        TreeSet<T> all = new TreeSet<>(oldestFirst);
        all.addAll(values);
        all.add(added);
        while (all.size() > kept) {
            all.removeFirst();
        }
        return ImmutableList.copyOf(all);
    }
}
