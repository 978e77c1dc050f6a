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

import org.lakesteward.planner.health.Words;
import org.lakesteward.planner.window.DurationWords;

import java.time.Duration;
import java.time.Instant;

import static java.util.Objects.requireNonNull;

/**
 * A number of a deferral, under the name that it has in SQL.
 *
 * @param name in lower case
 * @param value in the unit; moments are milliseconds since 1970, durations milliseconds
 * @param unit what the value counts
 */
public record NamedNumber(String name, long value, Unit unit)
{
    public enum Unit
    {
        COUNT,
        BYTES,
        MOMENT,
        DURATION,
    }

    public NamedNumber
    {
        requireNonNull(name, "name is null");
        requireNonNull(unit, "unit is null");
    }

    static NamedNumber count(String name, long value)
    {
        return new NamedNumber(name, value, Unit.COUNT);
    }

    static NamedNumber bytes(String name, long value)
    {
        return new NamedNumber(name, value, Unit.BYTES);
    }

    static NamedNumber moment(String name, Instant value)
    {
        return new NamedNumber(name, value.toEpochMilli(), Unit.MOMENT);
    }

    static NamedNumber duration(String name, long millis)
    {
        return new NamedNumber(name, millis, Unit.DURATION);
    }

    /** For people. */
    public String words()
    {
        return switch (unit) {
            case COUNT -> Words.number(value);
            case BYTES -> Words.bytes(value);
            // whole seconds: nobody acts on less
            case MOMENT -> Instant.ofEpochSecond(Math.floorDiv(value, 1_000)).toString();
            case DURATION -> DurationWords.of(Duration.ofMillis(value));
        };
    }
}
