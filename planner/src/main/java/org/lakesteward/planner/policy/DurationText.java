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

import com.google.common.collect.ImmutableMap;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as text in Trino's notation: {@code 7d}, {@code 1.5h}, {@code 30m}.
 */
public final class DurationText
{
    /** The largest unit first. */
    private static final Map<String, ChronoUnit> UNITS = ImmutableMap.<String, ChronoUnit>builder()
            .put("d", ChronoUnit.DAYS)
            .put("h", ChronoUnit.HOURS)
            .put("m", ChronoUnit.MINUTES)
            .put("s", ChronoUnit.SECONDS)
            .put("ms", ChronoUnit.MILLIS)
            .put("us", ChronoUnit.MICROS)
            .put("ns", ChronoUnit.NANOS)
            .buildOrThrow();

    // so many digits are enough for any duration, and keep the arithmetic short whatever the text
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,19})?)(d|h|m|s|ms|us|ns)");

    private DurationText() {}

    /**
     * Reads a number and its unit, with nothing around or between them; a fraction of a nanosecond is dropped.
     *
     * @return empty when the text is no duration, or one of 2<sup>63</sup> nanoseconds (about 292 years) and more
     */
    public static Optional<Duration> parse(String text)
    {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        BigInteger nanos = new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(UNITS.get(matcher.group(2)).getDuration().toNanos()))
                .setScale(0, RoundingMode.DOWN)
                .toBigInteger();
        return nanos.bitLength() < Long.SIZE ? Optional.of(Duration.ofNanos(nanos.longValue())) : Optional.empty();
    }

    /**
     * The largest unit of which the duration is a whole multiple, so that nothing is rounded.
     *
     * @param duration not negative, below 2<sup>63</sup> nanoseconds
     */
    public static String format(Duration duration)
    {
        long nanos = duration.toNanos();
        for (Map.Entry<String, ChronoUnit> unit : UNITS.entrySet()) {
            long length = unit.getValue().getDuration().toNanos();
            if (nanos != 0 && nanos % length == 0) {
                return nanos / length + unit.getKey();
            }
        }
        return "0s";
    }
}
