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

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Since when a debt stands. The floor of the wait is counted from {@code since}: it is safe to promote by, because the debt has waited at least that long.
 *
 * @param since when the debt is known to have stood
 * @param bound whether it began then, or at the latest then
 * @param notBefore when there was known to be no debt yet; empty when it was never seen without
 */
public record DebtAge(Instant since, Bound bound, Optional<Instant> notBefore)
{
    public enum Bound
    {
        /** It began at this moment. */
        EXACT,
        /** It began at this moment or before: the wait is at least what follows from it. */
        AT_THE_LATEST,
    }

    public DebtAge
    {
        requireNonNull(since, "since is null");
        requireNonNull(bound, "bound is null");
        requireNonNull(notBefore, "notBefore is null");
    }

    /** The least that the debt has waited; zero when {@code since} lies ahead, as it may with skewed clocks. */
    public Duration floor(Instant now)
    {
        return since.isBefore(now) ? Duration.between(since, now) : Duration.ZERO;
    }
}
