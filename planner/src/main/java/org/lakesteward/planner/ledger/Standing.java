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
import org.lakesteward.planner.demand.TableVersion;
import org.lakesteward.planner.ledger.FailureCode.Blame;

import java.time.Instant;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What past runs mean for the next one of a kind on a table.
 *
 * @param failures failed runs in a row that count
 * @param lastFailure the last of them
 * @param notBefore when the next one may begin; empty when it may at once
 * @param suspension why none may begin; empty when one may
 */
public record Standing(int failures, Optional<FailureCode> lastFailure, Optional<Instant> notBefore, Optional<Suspension> suspension)
{
    public static final Standing CLEAR = new Standing(0, Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * Why nothing may run.
     */
    public sealed interface Suspension
    {
        /** Since when. */
        Instant since();

        record ByOperator(Instant since, String by, String reason)
                implements Suspension
        {
            public ByOperator
            {
                requireNonNull(since, "since is null");
                requireNonNull(by, "by is null");
                requireNonNull(reason, "reason is null");
            }
        }

        record ByFailures(Instant since, FailureCode code, int failures, String message)
                implements Suspension
        {
            public ByFailures
            {
                requireNonNull(since, "since is null");
                requireNonNull(code, "code is null");
                requireNonNull(message, "message is null");
            }
        }
    }

    public Standing
    {
        requireNonNull(lastFailure, "lastFailure is null");
        requireNonNull(notBefore, "notBefore is null");
        requireNonNull(suspension, "suspension is null");
    }

    /**
     * Failures before an operator's resumption do not count. Failures in a row of one kind of {@link Blame} do: a failure that says nothing about the table
     * neither suspends it nor adds to those that do, but it delays the next run.
     *
     * @param version the table's version now: a newer one than the failed run saw lifts a suspension, but not the back-off, so that one more attempt is made
     * @param policyFingerprint of the policy now: another one than the failed run had lifts a suspension as well
     */
    public static Standing of(TableLedger ledger, MaintenanceKind kind, BackOff backOff, TableVersion version, long policyFingerprint)
    {
        Optional<Suspension> suspension = ledger.order()
                .filter(LedgerEvent.OperatorOrder::suspended)
                .map(order -> new Suspension.ByOperator(order.at(), order.by(), order.reason()));
        Optional<Instant> resumedAt = ledger.order()
                .filter(order -> !order.suspended())
                .map(LedgerEvent.OperatorOrder::at);

        int failures = 0;
        int blamed = 0;
        RunRecord last = null;
        RunRecord lastBlamed = null;
        for (RunRecord run : ledger.kind(kind).map(KindLedger::failures).orElse(ImmutableList.of())) {
            if (resumedAt.isPresent() && !run.endedAt().isAfter(resumedAt.get())) {
                continue;
            }
            failures++;
            last = run;
            if (run.failure().get().blame() != Blame.ELSEWHERE) {
                blamed++;
                lastBlamed = run;
            }
        }
        if (last == null) {
            return suspension.isEmpty() ? CLEAR : new Standing(0, Optional.empty(), Optional.empty(), suspension);
        }
        FailureCode code = last.failure().get();
        if (suspension.isEmpty() && lastBlamed != null && suspends(lastBlamed, blamed, backOff) && !isLifted(lastBlamed, version, policyFingerprint)) {
            suspension = Optional.of(new Suspension.ByFailures(lastBlamed.endedAt(), lastBlamed.failure().get(), blamed, lastBlamed.message()));
        }
        return new Standing(failures, Optional.of(code), Optional.of(last.endedAt().plus(backOff.wait(failures, code))), suspension);
    }

    private static boolean suspends(RunRecord last, int blamed, BackOff backOff)
    {
        return last.failure().get().blame() != Blame.ATTEMPT || blamed >= backOff.attentionAfter();
    }

    private static boolean isLifted(RunRecord last, TableVersion version, long policyFingerprint)
    {
        if (last.policyFingerprint() != policyFingerprint) {
            return true;
        }
        return last.failure().get().blame() != Blame.WRONG && version.isNewerThan(last.tableVersion());
    }
}
