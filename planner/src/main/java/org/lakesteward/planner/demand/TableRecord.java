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
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.health.TableName;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * All that is kept of what was noticed about one table, by its uuid. Small: a lake has a hundred thousand of them.
 *
 * @param tableUuid uuid of the table
 * @param sighting where it was last known to be
 * @param firstSeenMillis the first time that anything was noticed about it, milliseconds since 1970, by the observer's clock
 * @param state the newest state that was observed; empty when none was
 * @param kinds what is known of each kind that was ever measured, in the order of the kinds
 */
public record TableRecord(String tableUuid, Sighting sighting, long firstSeenMillis, Optional<TableState> state, List<KindRecord> kinds)
{
    public TableRecord
    {
        requireNonNull(tableUuid, "tableUuid is null");
        requireNonNull(sighting, "sighting is null");
        requireNonNull(state, "state is null");
        kinds = ImmutableList.copyOf(kinds);
    }

    public TableName name()
    {
        return sighting.name();
    }

    /** Empty when it was never known whether this kind has a debt. */
    public Optional<KindRecord> kind(MaintenanceKind kind)
    {
        for (KindRecord known : kinds) {
            if (known.kind() == kind) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether the newest state says whether there is a debt of this kind. If it does not, an older answer may still be there: unknown does not lower a debt.
     */
    public boolean isMeasured(MaintenanceKind kind)
    {
        return state.isPresent() && kind(kind)
                .filter(known -> known.knownVersion().equals(state.get().version()))
                .isPresent();
    }
}
