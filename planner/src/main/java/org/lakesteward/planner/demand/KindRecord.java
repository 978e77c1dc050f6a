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
package org.lakesteward.planner.demand;

import com.google.common.primitives.ImmutableLongArray;
import org.lakesteward.planner.MaintenanceKind;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.Comparators.emptiesFirst;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/**
 * What is known of one kind of maintenance of a table. Times are milliseconds since 1970, by the clock of the table's committers.
 *
 * @param kind the kind
 * @param knownVersion the newest version of the table of which it is known whether there is a debt
 * @param knownMillis when that was observed, by the observer's clock; of two observations of one version the later one counts
 * @param debt the debt of that version; empty when it had none
 * @param cleanMillis the newest version, by its time, that had no debt worth a run; {@link #NEVER} when none was seen
 * @param owedMillis versions, by their time, that had a debt worth a run, in rising order and thinned; those up to {@code cleanMillis} are of no account
 */
public record KindRecord(
        MaintenanceKind kind,
        TableVersion knownVersion,
        long knownMillis,
        Optional<Debt> debt,
        long cleanMillis,
        ImmutableLongArray owedMillis)
{
    public static final long NEVER = Long.MIN_VALUE;

    private static final Comparator<KindRecord> OLDEST_FIRST = Comparator.comparing(KindRecord::knownVersion)
            .thenComparingLong(KindRecord::knownMillis)
            // where nothing else tells, the larger debt stands: only newer news may lower one
            .thenComparing(KindRecord::debt, emptiesFirst(Debt.SMALLEST_FIRST));

    public KindRecord
    {
        requireNonNull(kind, "kind is null");
        requireNonNull(knownVersion, "knownVersion is null");
        requireNonNull(debt, "debt is null");
        checkArgument(debt.isEmpty() || debt.get().kind() == kind, "kind is %s, but the debt's is %s", kind, debt.map(Debt::kind).orElse(null));
        requireNonNull(owedMillis, "owedMillis is null");
    }

    static KindRecord of(MaintenanceKind kind, TableVersion version, long observedMillis, Optional<Debt> debt)
    {
        boolean byClock = debt.isPresent() && debt.get().dueMillis().isPresent();
        boolean owed = debt.isPresent() && debt.get().isWhole();
        long time = version.lastUpdatedMillis();
        return new KindRecord(
                kind,
                version,
                observedMillis,
                debt,
                owed || byClock ? NEVER : time,
                owed && !byClock ? ImmutableLongArray.of(time) : ImmutableLongArray.of());
    }

    KindRecord join(KindRecord other)
    {
        checkArgument(kind == other.kind, "kinds differ: %s and %s", kind, other.kind);
        KindRecord newer = OLDEST_FIRST.compare(this, other) >= 0 ? this : other;
        return new KindRecord(kind, newer.knownVersion, newer.knownMillis, newer.debt, max(cleanMillis, other.cleanMillis), OwedTimes.union(owedMillis, other.owedMillis));
    }

    /**
     * Since when the debt stands.
     *
     * @throws IllegalStateException when there is none
     */
    public DebtAge age()
    {
        Debt standing = debt.orElseThrow(() -> new IllegalStateException("no debt of kind " + kind));
        if (standing.due().isPresent()) {
            return new DebtAge(standing.due().get(), DebtAge.Bound.EXACT, Optional.empty());
        }
        return new DebtAge(
                Instant.ofEpochMilli(sinceMillis()),
                DebtAge.Bound.AT_THE_LATEST,
                cleanMillis == NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(cleanMillis)));
    }

    /**
     * The same as {@code age().since()}, in milliseconds since 1970.
     */
    public long sinceMillis()
    {
        if (debt.isPresent() && debt.get().dueMillis().isPresent()) {
            return debt.get().dueMillis().getAsLong();
        }
        for (int index = 0; index < owedMillis.length(); index++) {
            if (owedMillis.get(index) > cleanMillis) {
                return owedMillis.get(index);
            }
        }
        return knownVersion.lastUpdatedMillis();
    }
}
