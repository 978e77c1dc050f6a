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
import org.lakesteward.planner.policy.TablePolicy;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How much a run is worth now, against others of its class.
 * <p>
 * Objective: the most debt relieved for each byte read and written, without letting anybody wait for ever.
 * <pre>
 * score = units ÷ (1 + bytes ÷ costBytes) × (1 + wait ÷ turnWait) × priority ÷ 5
 * </pre>
 * {@code units} is the debt in multiples of the least that is worth a run, {@code bytes} what a run reads and writes, never more than one run may.
 * The one in the divisor stands for what a run costs whatever its size; without it, tables of a few kilobytes would beat all others for ever.
 * <p>
 * Doubts: units of different kinds compare only roughly, so classes come before scores; bytes are an upper bound where manifests were not read, which makes
 * such a table look dearer than it is; a wait is a floor, so that a debt whose age is not known looks younger. The wait alone brings each to the front in the end.
 */
public final class Score
{
    private Score() {}

    /**
     * @param wait how long the demand has waited, at least
     * @param turnWait the longest that its kind should wait, above zero
     * @param priority of the table's policy
     */
    public static double of(Debt debt, Duration wait, Duration turnWait, int priority, PlannerSettings settings)
    {
        return of(debt, wait.toMillis(), turnWait.toMillis(), priority, settings);
    }

    static double of(Debt debt, long waitMillis, long turnWaitMillis, int priority, PlannerSettings settings)
    {
        double cost = 1 + (double) runBytes(debt.bytes(), settings) / settings.costBytes();
        double age = 1 + (double) waitMillis / turnWaitMillis;
        return debt.units() / cost * age * priority / TablePolicy.DEFAULT_PRIORITY;
    }

    /**
     * What one run reads and writes at most: a larger debt takes several, and one of unknown size may take all that one may.
     */
    static long runBytes(OptionalLong bytes, PlannerSettings settings)
    {
        long most = settings.bytesPerHour().isPresent() ? Math.min(settings.maxRunBytes(), settings.bytesPerHour().getAsLong()) : settings.maxRunBytes();
        return bytes.isPresent() ? Math.min(bytes.getAsLong(), most) : most;
    }
}
