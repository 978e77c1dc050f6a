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
package org.lakesteward.maintenance.window;

import io.trino.spi.TrinoException;
import io.trino.spi.type.SqlTimestampWithTimeZone;
import org.lakesteward.planner.window.WindowScope;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.lang.Long.parseLong;
import static org.lakesteward.maintenance.control.ControlErrorCode.INVALID_WINDOW_ARGUMENT;

/**
 * Reads the arguments of the procedures. An argument that is given as NULL is an error where nothing sensible can be meant by it.
 */
final class WindowArguments
{
    static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(30);
    static final Duration DEFAULT_WAIT_TIMEOUT = Duration.ofMinutes(5);
    static final Duration MAX_WAIT_TIMEOUT = Duration.ofDays(1);

    /** The engine hands over an interval as an object of a class of its own, whose text is that of SQL. */
    private static final Pattern INTERVAL = Pattern.compile("(-?)(\\d+) (\\d+):(\\d+):(\\d+)\\.(\\d+)");

    private WindowArguments() {}

    static WindowScope scope(String text)
    {
        return WindowErrors.translated(() -> WindowScope.parse(given("scope", text, "cluster, catalog, catalog.schema or catalog.schema.table")));
    }

    static String reason(String text)
    {
        return given("reason", text, "a text that tells refused users why");
    }

    static boolean flag(String name, Boolean value)
    {
        return given(name, value, "true or false");
    }

    static Duration retryAfter(Object interval)
    {
        return interval(given("retry_after", interval, "an interval from 1 second to 7 days"));
    }

    static Duration waitTimeout(Object interval)
    {
        Duration timeout = interval(given("wait_timeout", interval, "an interval from 0 seconds to 1 day"));
        if (timeout.isNegative() || timeout.compareTo(MAX_WAIT_TIMEOUT) > 0) {
            throw new TrinoException(INVALID_WINDOW_ARGUMENT, "wait_timeout is %s, it must be an interval from 0 seconds to 1 day".formatted(interval));
        }
        return timeout;
    }

    static Optional<Instant> time(SqlTimestampWithTimeZone time)
    {
        return Optional.ofNullable(time).map(SqlTimestampWithTimeZone::getEpochMillis).map(Instant::ofEpochMilli);
    }

    static <T> T given(String name, T value, String range)
    {
        if (value == null) {
            throw new TrinoException(INVALID_WINDOW_ARGUMENT, "%s is null, it must be %s".formatted(name, range));
        }
        return value;
    }

    /** Reads {@code [-]D HH:MM:SS.mmm}. */
    static Duration interval(Object interval)
    {
        Matcher matcher = INTERVAL.matcher(interval.toString());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Not an interval of days to seconds: " + interval);
        }
        Duration duration = Duration.ofDays(parseLong(matcher.group(2)))
                .plusHours(parseLong(matcher.group(3)))
                .plusMinutes(parseLong(matcher.group(4)))
                .plusSeconds(parseLong(matcher.group(5)))
                .plusMillis(parseLong(matcher.group(6)));
        return matcher.group(1).isEmpty() ? duration : duration.negated();
    }
}
