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

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * From which measured value on a finding is a warning, and from which on it is critical.
 *
 * @param warning first value that is a warning; above zero
 * @param critical first value that is critical; at least {@code warning}, positive infinity for never
 */
public record Level(double warning, double critical)
{
    public Level
    {
        checkArgument(warning > 0 && Double.isFinite(warning), "warning level is %s: it must be a finite number above 0", warning);
        checkArgument(critical >= warning, "critical level is %s: it must be at least the warning level, %s", critical, warning);
    }

    public static Level neverCritical(double warning)
    {
        return new Level(warning, Double.POSITIVE_INFINITY);
    }

    /**
     * @return the severity of {@code measured}, empty below the warning level
     */
    public Optional<Severity> severity(double measured)
    {
        if (measured >= critical) {
            return Optional.of(Severity.CRITICAL);
        }
        return measured >= warning ? Optional.of(Severity.WARNING) : Optional.empty();
    }
}
