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
package org.lakesteward.planner.window;

import java.time.Duration;

/**
 * Durations for people.
 */
public final class DurationWords
{
    private DurationWords() {}

    /** To the second, rounded down: {@code 30 seconds}, {@code 1 hour 5 minutes}. */
    public static String of(Duration duration)
    {
        StringBuilder words = new StringBuilder();
        append(words, duration.toDays(), "day");
        append(words, duration.toHoursPart(), "hour");
        append(words, duration.toMinutesPart(), "minute");
        append(words, duration.toSecondsPart(), "second");
        return words.isEmpty() ? "0 seconds" : words.toString();
    }

    private static void append(StringBuilder words, long count, String unit)
    {
        if (count > 0) {
            words.append(words.isEmpty() ? "" : " ").append(count).append(' ').append(unit).append(count == 1 ? "" : "s");
        }
    }
}
