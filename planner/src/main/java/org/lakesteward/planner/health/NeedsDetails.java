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
package org.lakesteward.planner.health;

import com.google.common.collect.Sets;

import java.util.EnumSet;
import java.util.Set;

import static org.lakesteward.planner.health.NeedsDetails.Reason.DELETES;
import static org.lakesteward.planner.health.NeedsDetails.Reason.FILE_SIZES;
import static org.lakesteward.planner.health.NeedsDetails.Reason.ROW_COUNT;
import static org.lakesteward.planner.health.NeedsDetails.Reason.SORT_ORDER;

/**
 * Says whether the snapshot summary answers every rule, so that the manifests need not be read.
 */
public final class NeedsDetails
{
    /**
     * What the summary leaves open.
     */
    public enum Reason
    {
        /**
         * Whether a rewrite would merge small files.
         */
        FILE_SIZES,
        /**
         * How many delete files of which kind there are, or how many rows they delete.
         */
        DELETES,
        /**
         * How many rows there are.
         */
        ROW_COUNT,
        /**
         * Which files carry the table's sort order.
         */
        SORT_ORDER,
    }

    private NeedsDetails() {}

    /**
     * @return why the manifests are needed; empty when the summary alone answers, or when they were read already
     */
    public static Set<Reason> reasons(TableObservation observation, HealthThresholds thresholds)
    {
        if (observation.currentSnapshot().isEmpty() || observation.details().isPresent()) {
            return Set.of();
        }
        EnumSet<Reason> reasons = EnumSet.noneOf(Reason.class);
        if (!SmallFilesRule.answeredBy(observation, thresholds)) {
            reasons.add(FILE_SIZES);
        }
        if (!DeleteRules.answeredBy(observation)) {
            reasons.add(DELETES);
        }
        if (observation.totals().records().isEmpty()) {
            reasons.add(ROW_COUNT);
        }
        if (!SortOrderRule.answeredBy(observation)) {
            reasons.add(SORT_ORDER);
        }
        return Sets.immutableEnumSet(reasons);
    }
}
