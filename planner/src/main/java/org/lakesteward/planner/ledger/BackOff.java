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
package org.lakesteward.planner.ledger;

import com.google.common.collect.ImmutableList;

import java.time.Duration;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.min;

/**
 * How long to wait after a failure.
 *
 * @param steps waits after the first, second, … failure in a row; later ones wait as long as the last. Not empty, none negative, each at least as long as the one before
 * @param attentionAfter failures in a row after which the table's maintenance is suspended; from 1 to {@link TableLedger#KEPT_RUNS}
 */
public record BackOff(List<Duration> steps, int attentionAfter)
{
    /** 2, 2, 30, 60, 120, 240, 480, 900 seconds, and attention after 15 failures. */
    public static final BackOff DEFAULT = new BackOff(
            ImmutableList.of(
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(120),
                    Duration.ofSeconds(240),
                    Duration.ofSeconds(480),
                    Duration.ofSeconds(900)),
            15);

    public BackOff
    {
        steps = ImmutableList.copyOf(steps);
        checkArgument(!steps.isEmpty(), "steps is empty");
        Duration before = Duration.ZERO;
        for (Duration step : steps) {
            checkArgument(step.compareTo(before) >= 0, "steps has %s after %s: each must be at least as long as the one before, and none negative", step, before);
            before = step;
        }
        checkArgument(1 <= attentionAfter && attentionAfter <= TableLedger.KEPT_RUNS, "attentionAfter is %s: it must be from 1 to %s", attentionAfter, TableLedger.KEPT_RUNS);
    }

    /**
     * @param failures in a row, at least 1
     * @param last code of the last of them
     */
    public Duration wait(int failures, FailureCode last)
    {
        checkArgument(failures >= 1, "failures is %s: it must be at least 1", failures);
        return steps.get(min(steps.size() - 1, failures - 1 + last.firstStep()));
    }
}
