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
package org.lakesteward.planner.policy;

import java.time.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * When a materialized view is refreshed. Property {@code maintenance.refresh.schedule}.
 */
public sealed interface RefreshPolicy
{
    /**
     * @param interval from one refresh to the next; at least 1 minute
     */
    record Every(Duration interval)
            implements RefreshPolicy
    {
        public static final Duration LEAST_INTERVAL = Duration.ofMinutes(1);

        public Every
        {
            requireNonNull(interval, "interval is null");
            checkArgument(interval.compareTo(LEAST_INTERVAL) >= 0, "interval is %s: it must be at least 1 minute", interval);
        }
    }

    /**
     * @param expression the five fields of a crontab line, in UTC: minute, hour, day of the month, month, day of the week
     */
    record Cron(String expression)
            implements RefreshPolicy
    {
        public Cron
        {
            requireNonNull(expression, "expression is null");
            checkArgument(CronFields.isValid(expression), "expression is '%s': it must be the five fields of a crontab line", expression);
        }
    }
}
