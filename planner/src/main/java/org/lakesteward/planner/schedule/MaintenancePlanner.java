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

/**
 * Decides what runs next.
 * <p>
 * Every demand that may run at all is a candidate. Candidates that have waited longer than their kind should go first, the one that has waited longest before all
 * others; the rest go by class, then by {@link Score}; the table's name decides between equals. Each in turn gets the executor with the most bytes left, if one has room.
 * Whoever does not run is deferred with a reason.
 * <p>
 * Bounds that hold across classes, so that none starves: a demand that has waited too long goes before all younger ones, and room is kept for it;
 * whoever had a turn goes to the end of the queue, whether it helped or not; and a kind that had {@code maxConsecutiveTurns} turns of a table in a row yields to
 * the other kinds of that table.
 * <p>
 * Pure: the plan is a function of the input, whatever the order of its lists. The work grows with the number of tables, and with n log n of the candidates.
 */
public final class MaintenancePlanner
{
    private MaintenancePlanner() {}

    public static MaintenancePlan plan(PlannerInput input)
    {
        return new Planning(input).plan();
    }
}
