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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Sets;
import org.lakesteward.planner.MaintenanceKind;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What one observation of a table's metadata says that the table needs. Of a measured kind it says either that there is a debt, or that there is none.
 * A kind that is neither measured nor owed is unknown, which is not the same as none.
 *
 * @param owed debts, at most one for each kind, in the order of the kinds
 * @param measured kinds of which the observation tells whether there is a debt
 */
public record TableDebts(List<Debt> owed, Set<MaintenanceKind> measured)
{
    public static final TableDebts UNKNOWN = new TableDebts(ImmutableList.of(), Set.of());

    public TableDebts
    {
        owed = ImmutableList.sortedCopyOf((one, other) -> one.kind().compareTo(other.kind()), owed);
        measured = Sets.immutableEnumSet(measured);
        EnumSet<MaintenanceKind> kinds = EnumSet.noneOf(MaintenanceKind.class);
        for (Debt debt : owed) {
            checkArgument(kinds.add(debt.kind()), "two debts of kind %s", debt.kind());
            checkArgument(measured.contains(debt.kind()), "%s is owed, but not measured", debt.kind());
        }
    }

    /** Empty when the kind owes nothing, and also when it is unknown. */
    public Optional<Debt> debt(MaintenanceKind kind)
    {
        for (Debt debt : owed) {
            if (debt.kind() == kind) {
                return Optional.of(debt);
            }
        }
        return Optional.empty();
    }
}
