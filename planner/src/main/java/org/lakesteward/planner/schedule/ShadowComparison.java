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

import com.google.common.collect.ImmutableList;
import org.lakesteward.planner.MaintenanceKind;
import org.lakesteward.planner.demand.Debt;
import org.lakesteward.planner.demand.KindRecord;
import org.lakesteward.planner.demand.TableNames;
import org.lakesteward.planner.demand.TableRecord;
import org.lakesteward.planner.health.TableName;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * Compares a plan that nobody carried out with what the tables show later. Only kinds whose debt shows in metadata can be compared; searches for orphan files,
 * retention and refreshes cannot.
 */
public final class ShadowComparison
{
    private static final Comparator<ShadowResult> ORDER = Comparator.comparing(ShadowResult::name, TableNames.ALPHABETICAL)
            .thenComparing(ShadowResult::tableUuid)
            .thenComparing(ShadowResult::kind);

    private ShadowComparison() {}

    /**
     * What was known of a table when the plan was made, and what is known now.
     */
    public record Change(TableRecord before, TableRecord now)
    {
        public Change
        {
            requireNonNull(before, "before is null");
            requireNonNull(now, "now is null");
        }
    }

    /**
     * @param plan the plan
     * @param changes tables that were observed anew since; one that is missing has not changed
     * @param now the moment of the comparison, not before the plan
     * @param patience how long somebody may take to run what was planned
     * @return a result for each placement, and for each relief of what was not placed; in the order of names and kinds
     */
    public static List<ShadowResult> compare(MaintenancePlan plan, Collection<Change> changes, Instant now, Duration patience)
    {
        Map<String, Change> byUuid = new HashMap<>();
        changes.forEach(change -> byUuid.put(change.before().tableUuid(), change));
        ImmutableList.Builder<ShadowResult> results = ImmutableList.builder();
        boolean late = !now.isBefore(plan.at().plus(patience));

        Map<Key, DeferralReason> demands = new HashMap<>();
        for (Deferral deferral : plan.deferrals()) {
            demands.put(Key.of(deferral.demand()), deferral.reason());
        }
        Set<Key> placed = new HashSet<>();
        for (Placement placement : plan.placements()) {
            Demand demand = placement.demand();
            Change change = byUuid.get(demand.table().tableUuid());
            results.add(new ShadowResult(outcome(demand, Optional.ofNullable(change), late), demand.table().tableUuid(), demand.table().name(), demand.kind(), Optional.empty()));
            placed.add(Key.of(demand));
        }
        for (Change change : byUuid.values()) {
            for (KindRecord before : change.before().kinds()) {
                Key key = new Key(change.before().tableUuid(), before.kind());
                if (placed.contains(key) || !isRelieved(before, change.now())) {
                    continue;
                }
                Optional<DeferralReason> reason = Optional.ofNullable(demands.get(key));
                TableName name = change.before().name();
                results.add(new ShadowResult(reason.isPresent() ? ShadowOutcome.PLACEMENT_GAP : ShadowOutcome.DISCOVERY_MISS, key.tableUuid(), name, key.kind(), reason));
            }
        }
        return ImmutableList.sortedCopyOf(ORDER, results.build());
    }

    private static ShadowOutcome outcome(Demand demand, Optional<Change> change, boolean late)
    {
        if (change.isPresent()) {
            if (change.get().now().sighting().dropped()) {
                return ShadowOutcome.GONE;
            }
            Optional<KindRecord> before = demand.table().kind(demand.kind());
            if (before.isPresent() && isRelieved(before.get(), change.get().now())) {
                return ShadowOutcome.AGREE;
            }
        }
        return late ? ShadowOutcome.PHANTOM : ShadowOutcome.PENDING;
    }

    /**
     * Whether a newer version of the table is known to owe less.
     */
    private static boolean isRelieved(KindRecord before, TableRecord now)
    {
        Optional<KindRecord> after = now.kind(before.kind());
        if (before.debt().isEmpty() || after.isEmpty() || !after.get().knownVersion().isNewerThan(before.knownVersion())) {
            return false;
        }
        if (after.get().debt().isEmpty()) {
            return true;
        }
        Debt owedBefore = before.debt().get();
        Debt owedNow = after.get().debt().get();
        if (owedBefore.dueMillis().isPresent() && owedNow.dueMillis().isPresent()) {
            return owedNow.dueMillis().getAsLong() > owedBefore.dueMillis().getAsLong();
        }
        return owedNow.units() < owedBefore.units();
    }

    private record Key(String tableUuid, MaintenanceKind kind)
    {
        static Key of(Demand demand)
        {
            return new Key(demand.table().tableUuid(), demand.kind());
        }
    }
}
