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

import com.google.common.collect.Comparators;
import org.lakesteward.planner.MaintenanceKind;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What one kind of maintenance has to work off on a table.
 *
 * @param kind the kind
 * @param units how many times the least that is worth a run; above 0. Below 1 it is a tail, that alone is worth none
 * @param items what there is to work off, in the kind's own unit (files, manifests, snapshots, rows); at least 0
 * @param bytes what a run would read and write, an upper bound; empty when metadata does not tell
 * @param certainty of {@code units} and {@code items}
 * @param dueMillis when a debt that grows by the clock alone is to be worked off, milliseconds since 1970; empty for one that commits cause
 */
public record Debt(MaintenanceKind kind, double units, long items, OptionalLong bytes, Certainty certainty, OptionalLong dueMillis)
{
    /**
     * The smaller debt first. Total: debts that compare as equal are equal.
     */
    static final Comparator<Debt> SMALLEST_FIRST = Comparator.comparingDouble(Debt::units)
            .thenComparingLong(Debt::items)
            .thenComparing(debt -> boxed(debt.bytes()), Comparators.emptiesLast(Comparator.<Long>naturalOrder()))
            .thenComparing(Debt::certainty)
            .thenComparing(debt -> boxed(debt.dueMillis()), Comparators.emptiesFirst(Comparator.<Long>reverseOrder()))
            .thenComparing(Debt::kind);

    public Debt
    {
        requireNonNull(kind, "kind is null");
        checkArgument(units > 0 && Double.isFinite(units), "units is %s: it must be a finite number above 0", units);
        checkArgument(items >= 0, "items is %s: it must not be negative", items);
        requireNonNull(bytes, "bytes is null");
        checkArgument(bytes.isEmpty() || bytes.getAsLong() >= 0, "bytes is %s: it must not be negative", bytes);
        requireNonNull(certainty, "certainty is null");
        requireNonNull(dueMillis, "dueMillis is null");
    }

    /** Whether it is worth a run, once its time has come. */
    public boolean isWhole()
    {
        return units >= 1;
    }

    /** When a debt that grows by the clock alone is to be worked off; empty for one that commits cause. */
    public Optional<Instant> due()
    {
        return dueMillis.isPresent() ? Optional.of(Instant.ofEpochMilli(dueMillis.getAsLong())) : Optional.empty();
    }

    private static Optional<Long> boxed(OptionalLong value)
    {
        return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
    }
}
