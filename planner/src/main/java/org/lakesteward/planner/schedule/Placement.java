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

import org.lakesteward.planner.demand.Debt;
import org.lakesteward.planner.health.Words;
import org.lakesteward.planner.window.DurationWords;

import java.time.Duration;
import java.time.Instant;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A demand that is to run now.
 *
 * @param demand the demand
 * @param executorId who is to do it
 * @param reservedBytes what it may read and write at most; at least 0
 */
public record Placement(Demand demand, String executorId, long reservedBytes)
{
    public Placement
    {
        requireNonNull(demand, "demand is null");
        requireNonNull(executorId, "executorId is null");
        checkArgument(reservedBytes >= 0, "reservedBytes is %s: it must not be negative", reservedBytes);
    }

    /** Why it goes now, in words. */
    public String why(Instant now)
    {
        Debt debt = demand.debt().orElseThrow();
        Duration wait = demand.waitingSince().isBefore(now) ? Duration.between(demand.waitingSince(), now) : Duration.ZERO;
        String size = debt.isWhole() ? "%s times the least that is worth a run".formatted(Words.decimal(debt.units())) : "a tail";
        String cost = debt.bytes().isPresent() ? Words.bytes(debt.bytes().getAsLong()) : "an unknown number of bytes";
        return "%s, %s to rewrite, waited %s%s".formatted(size, cost, DurationWords.of(wait), demand.promoted() ? ", too long: goes first" : "");
    }
}
