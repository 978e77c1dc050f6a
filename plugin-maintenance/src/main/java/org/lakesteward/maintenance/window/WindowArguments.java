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

import io.airlift.units.Duration;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.procedure.Procedure.Argument;
import org.lakesteward.planner.window.OneLine;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowScope;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.time.format.DateTimeFormatter.ISO_LOCAL_DATE;
import static java.time.format.DateTimeFormatter.ISO_LOCAL_TIME;
import static java.time.format.ResolverStyle.STRICT;
import static org.lakesteward.maintenance.control.ControlErrorCode.INVALID_WINDOW_ARGUMENT;

/**
 * Declares and reads the arguments of the procedures. The engine has no other types for them than boolean, bigint, double, varchar,
 * array and map ({@code io.trino.metadata.CatalogProcedures}), so that times and durations are texts. An argument that is given as
 * NULL is an error where nothing sensible can be meant by it.
 */
final class WindowArguments
{
    static final java.time.Duration MAX_WAIT_TIMEOUT = java.time.Duration.ofDays(1);

    /** So much of a wrong text is repeated, in characters. */
    private static final int SHOWN_LENGTH = 200;

    private static final String RETRY_AFTER_RANGE = "a duration from 1s to 7d";
    private static final String WAIT_TIMEOUT_RANGE = "a duration from 0s to 1d";

    /** As a cast of a timestamp to varchar writes it, and ISO 8601. */
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .append(ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .append(ISO_LOCAL_TIME)
            .optionalStart()
            .optionalStart()
            .appendLiteral(' ')
            .optionalEnd()
            .appendZoneOrOffsetId()
            .optionalEnd()
            .toFormatter()
            // 31 February is a mistake, not 28 February
            .withResolverStyle(STRICT);

    private WindowArguments() {}

    static Argument scopeArgument()
    {
        return optionalText("SCOPE", WindowScope.CLUSTER_WORD);
    }

    static Argument waitTimeoutArgument()
    {
        return optionalText("WAIT_TIMEOUT", "5m");
    }

    static Argument optionalText(String name, String defaultValue)
    {
        return new Argument(name, VARCHAR, false, utf8Slice(defaultValue));
    }

    static Argument optionalTextOrNull(String name)
    {
        return new Argument(name, VARCHAR, false, null);
    }

    static Argument optionalFlag(String name, boolean defaultValue)
    {
        return new Argument(name, BOOLEAN, false, defaultValue);
    }

    static WindowScope scope(String text)
    {
        return WindowErrors.translated(() -> WindowScope.parse(given("scope", text, "cluster, catalog, catalog.schema or catalog.schema.table")));
    }

    static String reason(String text)
    {
        return given("reason", text, "a text of 1 to %s characters that tells refused users why".formatted(WindowChange.MAX_REASON_LENGTH));
    }

    static boolean flag(String name, Boolean value)
    {
        return given(name, value, "true or false");
    }

    static java.time.Duration retryAfter(String text)
    {
        java.time.Duration retryAfter = duration("retry_after", text, RETRY_AFTER_RANGE);
        if (retryAfter.compareTo(WindowChange.MIN_RETRY_AFTER) < 0 || retryAfter.compareTo(WindowChange.MAX_RETRY_AFTER) > 0) {
            throw invalid("retry_after", text, RETRY_AFTER_RANGE);
        }
        return retryAfter;
    }

    static java.time.Duration waitTimeout(String text)
    {
        java.time.Duration timeout = duration("wait_timeout", text, WAIT_TIMEOUT_RANGE);
        if (timeout.compareTo(MAX_WAIT_TIMEOUT) > 0) {
            throw invalid("wait_timeout", text, WAIT_TIMEOUT_RANGE);
        }
        return timeout;
    }

    /** Reads {@code 30s}, {@code 1.5h}; the text can have no sign. */
    private static java.time.Duration duration(String name, String text, String range)
    {
        given(name, text, range);
        try {
            return Duration.valueOf(text.strip()).toJavaTime();
        }
        catch (IllegalArgumentException | ArithmeticException e) {
            throw invalid(name, text, range);
        }
    }

    /** To the millisecond. A time without a zone is one of the session's zone, as in a cast of a timestamp. */
    static Optional<Instant> until(ConnectorSession session, String text)
    {
        return until(session.getTimeZoneKey().getZoneId(), text);
    }

    static Optional<Instant> until(ZoneId sessionZone, String text)
    {
        if (text == null) {
            return Optional.empty();
        }
        String spaced = text.strip().replaceFirst("^([0-9-]+)[Tt]", "$1 ");
        try {
            TemporalAccessor time = TIME.parseBest(spaced, ZonedDateTime::from, LocalDateTime::from);
            ZonedDateTime zoned = time instanceof ZonedDateTime hasZone ? hasZone : ((LocalDateTime) time).atZone(sessionZone);
            return Optional.of(zoned.toInstant().truncatedTo(ChronoUnit.MILLIS));
        }
        catch (DateTimeException e) {
            throw invalid("until", text, "a time such as 2030-12-31 23:59:00 UTC (without a zone, of the session's zone %s), for instance CAST(now() + INTERVAL '2' HOUR AS varchar)".formatted(sessionZone));
        }
    }

    static <T> T given(String name, T value, String range)
    {
        if (value == null) {
            throw new TrinoException(INVALID_WINDOW_ARGUMENT, "%s is null, it must be %s".formatted(name, range));
        }
        return value;
    }

    private static TrinoException invalid(String name, String text, String range)
    {
        return new TrinoException(INVALID_WINDOW_ARGUMENT, "%s is '%s', it must be %s".formatted(name, OneLine.of(text, SHOWN_LENGTH), range));
    }
}
