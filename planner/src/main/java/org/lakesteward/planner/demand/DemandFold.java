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
import com.google.common.collect.Ordering;
import org.lakesteward.planner.MaintenanceKind;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.min;

/**
 * Folds what is noticed about a table into what is kept of it.
 * <p>
 * The fold is a join: the record is a function of the set of events, whatever their order and however often each came. A lost event is as if nobody had
 * noticed anything, until the next one. Each part of the record is the greatest of its kind by a total order:
 * <ul>
 * <li>the state is that of the newest {@link TableVersion}, and of two observations of one version, the later one;
 * <li>a debt is that of the newest version of which it is known. So only a newer observation lowers it, and one that cannot tell changes nothing;
 * <li>whether the table is there, and under which name, is what was seen last by the observers' clocks. A clock that is wrong is corrected by the next scan;
 * <li>since when a debt stands: see {@link KindRecord} and {@link OwedTimes}.
 * </ul>
 * Records are kept by uuid. Events of an old table that had the name before therefore change nothing about the new one; {@link CurrentTables} tells which of
 * several holds the name.
 */
public final class DemandFold
{
    private DemandFold() {}

    /**
     * @param record what was kept so far; empty for a table that nothing is known of
     * @throws IllegalArgumentException when the event is about another table than the record
     */
    public static TableRecord fold(Optional<TableRecord> record, TableEvent event)
    {
        TableRecord lifted = lift(event);
        return record.map(kept -> join(kept, lifted)).orElse(lifted);
    }

    /**
     * What two parties know together.
     *
     * @throws IllegalArgumentException when the two are of different tables
     */
    public static TableRecord join(TableRecord one, TableRecord other)
    {
        checkArgument(one.tableUuid().equals(other.tableUuid()), "tables differ: %s and %s", one.tableUuid(), other.tableUuid());
        TableRecord joined = new TableRecord(
                one.tableUuid(),
                Ordering.from(Sighting.OLDEST_FIRST).max(one.sighting(), other.sighting()),
                min(one.firstSeenMillis(), other.firstSeenMillis()),
                newer(one.state(), other.state()),
                joinKinds(one.kinds(), other.kinds()));
        return joined.equals(one) ? one : joined;
    }

    private static TableRecord lift(TableEvent event)
    {
        long millis = event.at().toEpochMilli();
        return switch (event) {
            case TableEvent.Observed observed -> new TableRecord(
                    observed.tableUuid(),
                    new Sighting(observed.name(), millis, false),
                    millis,
                    Optional.of(new TableState(
                            observed.version(),
                            millis,
                            observed.metadataLocation(),
                            observed.source(),
                            observed.lastCommit().toEpochMilli(),
                            observed.commitInterval().toMillis(),
                            observed.limits())),
                    kinds(observed, millis));
            case TableEvent.Renamed renamed -> new TableRecord(renamed.tableUuid(), new Sighting(renamed.name(), millis, false), millis, Optional.empty(), ImmutableList.of());
            case TableEvent.Dropped dropped -> new TableRecord(dropped.tableUuid(), new Sighting(dropped.name(), millis, true), millis, Optional.empty(), ImmutableList.of());
        };
    }

    private static List<KindRecord> kinds(TableEvent.Observed observed, long millis)
    {
        ImmutableList.Builder<KindRecord> kinds = ImmutableList.builder();
        for (MaintenanceKind kind : observed.debts().measured()) {
            kinds.add(KindRecord.of(kind, observed.version(), millis, observed.debts().debt(kind)));
        }
        return kinds.build();
    }

    private static Optional<TableState> newer(Optional<TableState> one, Optional<TableState> other)
    {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return TableState.OLDEST_FIRST.compare(one.get(), other.get()) >= 0 ? one : other;
    }

    private static List<KindRecord> joinKinds(List<KindRecord> one, List<KindRecord> other)
    {
        if (other.isEmpty()) {
            return one;
        }
        ImmutableList.Builder<KindRecord> joined = ImmutableList.builder();
        int left = 0;
        int right = 0;
        while (left < one.size() || right < other.size()) {
            if (right == other.size() || (left < one.size() && one.get(left).kind().compareTo(other.get(right).kind()) < 0)) {
                joined.add(one.get(left++));
            }
            else if (left == one.size() || other.get(right).kind().compareTo(one.get(left).kind()) < 0) {
                joined.add(other.get(right++));
            }
            else {
                joined.add(one.get(left++).join(other.get(right++)));
            }
        }
        return joined.build();
    }
}
