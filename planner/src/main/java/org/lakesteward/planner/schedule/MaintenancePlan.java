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

import java.time.Instant;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * What is to run now, and why the rest is not. Every demand is in it once.
 *
 * @param at the moment for which it was planned
 * @param placements what is to run, in the order in which it was decided
 * @param deferrals what has to wait, in no particular order
 * @param abandoned assignments whose executor has vanished: the table's write turn is held until somebody records their end
 * @param unobserved tables of which no metadata was ever read, so that nothing is known of their demands
 */
public record MaintenancePlan(Instant at, List<Placement> placements, List<Deferral> deferrals, List<Assignment> abandoned, int unobserved)
{
    public MaintenancePlan
    {
        requireNonNull(at, "at is null");
        placements = ImmutableList.copyOf(placements);
        deferrals = ImmutableList.copyOf(deferrals);
        abandoned = ImmutableList.copyOf(abandoned);
    }
}
