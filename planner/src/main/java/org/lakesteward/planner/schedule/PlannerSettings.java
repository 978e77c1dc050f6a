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

import org.lakesteward.planner.ledger.BackOff;
import org.lakesteward.planner.ledger.TableLedger;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The settings of the planner, all of them. What differs from table to table is in its policy.
 *
 * @param costBytes bytes to rewrite that count as much as one more run; at least 1 MiB. Default 512 MiB. Raise it when large tables should go earlier
 * @param criticalFactor a debt so many times the least that is worth a run is critical; above 1. Default 32
 * @param maxTurnWait a demand of a normal kind that has waited so long for its turn goes first; also the time in which a score doubles; at least 1 minute. Default 1 hour
 * @param housekeepingTurnWait the same for manifests, snapshots, orphan files, statistics, and tails; at least {@code maxTurnWait}. Default 1 day
 * @param maxConsecutiveTurns after so many turns in a row a kind yields to other kinds of the same table; from 1 to 8. Default 4
 * @param tailWait a few small files are merged once the table was not committed to for so long; at least 1 hour. Default 7 days
 * @param maxRunBytes the most that one run may read and write, and what one of unknown size reserves; at least 1 MiB. Default 32 GiB
 * @param placementsPerMinute on one executor; at least 1. Default 10
 * @param bytesPerHour the most that all runs placed within an hour may read and write; at least 1 MiB; empty for no bound. Default empty
 * @param backOffSteps waits after failures, see {@link BackOff#steps()}. Default 2, 2, 30, 60, 120, 240, 480, 900 seconds
 * @param attentionAfter failures in a row after which a table's maintenance is suspended; from 1 to 16. Default 15
 * @param pauseInWindows whether maintenance pauses where a maintenance window is open. Default false: a window refuses users' writes, not maintenance
 */
public record PlannerSettings(
        long costBytes,
        double criticalFactor,
        Duration maxTurnWait,
        Duration housekeepingTurnWait,
        int maxConsecutiveTurns,
        Duration tailWait,
        long maxRunBytes,
        int placementsPerMinute,
        OptionalLong bytesPerHour,
        List<Duration> backOffSteps,
        int attentionAfter,
        boolean pauseInWindows)
{
    private static final long MEBIBYTE = 1L << 20;
    private static final long GIBIBYTE = 1L << 30;

    public static final PlannerSettings DEFAULT = new PlannerSettings(
            512 * MEBIBYTE,
            32,
            Duration.ofHours(1),
            Duration.ofDays(1),
            4,
            Duration.ofDays(7),
            32 * GIBIBYTE,
            10,
            OptionalLong.empty(),
            BackOff.DEFAULT.steps(),
            BackOff.DEFAULT.attentionAfter(),
            false);

    public PlannerSettings
    {
        checkArgument(costBytes >= MEBIBYTE, "costBytes is %s: it must be at least 1 MiB", costBytes);
        checkArgument(criticalFactor > 1 && Double.isFinite(criticalFactor), "criticalFactor is %s: it must be a finite number above 1", criticalFactor);
        checkArgument(maxTurnWait.compareTo(Duration.ofMinutes(1)) >= 0, "maxTurnWait is %s: it must be at least 1 minute", maxTurnWait);
        checkArgument(housekeepingTurnWait.compareTo(maxTurnWait) >= 0, "housekeepingTurnWait is %s: it must be at least maxTurnWait, %s", housekeepingTurnWait, maxTurnWait);
        checkArgument(
                1 <= maxConsecutiveTurns && maxConsecutiveTurns <= TableLedger.KEPT_TURNS,
                "maxConsecutiveTurns is %s: it must be from 1 to %s", maxConsecutiveTurns, TableLedger.KEPT_TURNS);
        checkArgument(tailWait.compareTo(Duration.ofHours(1)) >= 0, "tailWait is %s: it must be at least 1 hour", tailWait);
        checkArgument(maxRunBytes >= MEBIBYTE, "maxRunBytes is %s: it must be at least 1 MiB", maxRunBytes);
        checkArgument(placementsPerMinute >= 1, "placementsPerMinute is %s: it must be at least 1", placementsPerMinute);
        requireNonNull(bytesPerHour, "bytesPerHour is null");
        checkArgument(bytesPerHour.isEmpty() || bytesPerHour.getAsLong() >= MEBIBYTE, "bytesPerHour is %s: it must be at least 1 MiB", bytesPerHour);
        // checks the two
        backOffSteps = new BackOff(backOffSteps, attentionAfter).steps();
    }

    public BackOff backOff()
    {
        return new BackOff(backOffSteps, attentionAfter);
    }
}
