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

import com.google.common.base.Joiner;
import org.lakesteward.planner.rewrite.ByteSize;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Which values an entry of a policy takes. All of them have a text, which is what table properties and the operator's file hold.
 * Texts are read strictly: nothing is trimmed, and a number out of its range is no value.
 *
 * @param <T> what is made of a text
 */
public sealed interface PolicyType<T>
{
    /** No duration of a policy is longer: about 100 years, so that a moment before or after it is one that calendars know. */
    Duration LONGEST = Duration.ofDays(36_500);

    /**
     * @return empty when the text is no value of this type
     */
    Optional<T> parse(String text);

    /** Which texts there are, as it stands after <i>it must be</i>. */
    String range();

    /** {@code true} or {@code false}, in lower or upper case. */
    record Flag()
            implements PolicyType<Boolean>
    {
        @Override
        public Optional<Boolean> parse(String text)
        {
            return switch (text.toLowerCase(Locale.ENGLISH)) {
                case "true" -> Optional.of(true);
                case "false" -> Optional.of(false);
                default -> Optional.empty();
            };
        }

        @Override
        public String range()
        {
            return "true or false";
        }
    }

    /**
     * A whole number.
     *
     * @param least not negative
     */
    record Whole(int least, int most)
            implements PolicyType<Integer>
    {
        private static final Pattern TEXT = Pattern.compile("[0-9]{1,18}");

        public Whole
        {
            checkArgument(0 <= least && least < most, "least is %s and most is %s", least, most);
        }

        @Override
        public Optional<Integer> parse(String text)
        {
            if (!TEXT.matcher(text).matches()) {
                return Optional.empty();
            }
            long value = Long.parseLong(text);
            return least <= value && value <= most ? Optional.of((int) value) : Optional.empty();
        }

        @Override
        public String range()
        {
            return most == Integer.MAX_VALUE ? "a whole number, %s or more".formatted(least) : "a whole number from %s to %s".formatted(least, most);
        }
    }

    /** A number above 0 and at most 1. */
    record Share()
            implements PolicyType<Double>
    {
        private static final Pattern TEXT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,30})?([eE]-?[0-9]{1,2})?");

        @Override
        public Optional<Double> parse(String text)
        {
            if (!TEXT.matcher(text).matches()) {
                return Optional.empty();
            }
            double value = Double.parseDouble(text);
            return value > 0 && value <= 1 ? Optional.of(value) : Optional.empty();
        }

        @Override
        public String range()
        {
            return "a number above 0 and at most 1";
        }
    }

    /**
     * A number of bytes, as {@link ByteSize} reads them.
     */
    record Size(long least)
            implements PolicyType<Long>
    {
        @Override
        public Optional<Long> parse(String text)
        {
            OptionalLong bytes = ByteSize.parse(text);
            return bytes.isPresent() && bytes.getAsLong() >= least ? Optional.of(bytes.getAsLong()) : Optional.empty();
        }

        @Override
        public String range()
        {
            return "a size of %s or more, such as 512MB".formatted(ByteSize.format(least));
        }
    }

    /**
     * A duration of at most {@link #LONGEST}, as {@link DurationText} reads them.
     */
    record Age(Duration least)
            implements PolicyType<Duration>
    {
        public Age
        {
            requireNonNull(least, "least is null");
        }

        @Override
        public Optional<Duration> parse(String text)
        {
            return DurationText.parse(text)
                    .filter(duration -> duration.compareTo(least) >= 0 && duration.compareTo(LONGEST) <= 0);
        }

        @Override
        public String range()
        {
            return "a duration from %s to %s, such as 7d".formatted(DurationText.format(least), DurationText.format(LONGEST));
        }
    }

    /**
     * One of the names of an enum, in lower or upper case.
     */
    record Choice<E extends Enum<E>>(Class<E> values)
            implements PolicyType<E>
    {
        public Choice
        {
            requireNonNull(values, "values is null");
        }

        @Override
        public Optional<E> parse(String text)
        {
            return EnumSet.allOf(values).stream()
                    .filter(value -> value.name().equalsIgnoreCase(text))
                    .findFirst();
        }

        @Override
        public String range()
        {
            return Joiner.on(" or ").join(EnumSet.allOf(values).stream()
                    .map(value -> value.name().toLowerCase(Locale.ENGLISH))
                    .iterator());
        }
    }

    /** The name of a column; whether the table has it is not told here. */
    record Column()
            implements PolicyType<String>
    {
        private static final Pattern UNSEEN = Pattern.compile("\\p{C}");

        @Override
        public Optional<String> parse(String text)
        {
            return text.isBlank() || UNSEEN.matcher(text).find() ? Optional.empty() : Optional.of(text);
        }

        @Override
        public String range()
        {
            return "the name of a column, without control characters";
        }
    }

    /** When something is due: an interval, or the five fields of a crontab line. */
    record Schedule()
            implements PolicyType<RefreshPolicy>
    {
        private static final Age INTERVAL = new Age(RefreshPolicy.Every.LEAST_INTERVAL);

        @Override
        public Optional<RefreshPolicy> parse(String text)
        {
            Optional<RefreshPolicy> interval = INTERVAL.parse(text).map(RefreshPolicy.Every::new);
            if (interval.isPresent()) {
                return interval;
            }
            return CronFields.isValid(text) ? Optional.of(new RefreshPolicy.Cron(text.strip())) : Optional.empty();
        }

        @Override
        public String range()
        {
            return "an interval of %s or more, such as 15m, or the five fields of a crontab line in UTC, such as '0 3 * * *'".formatted(DurationText.format(RefreshPolicy.Every.LEAST_INTERVAL));
        }
    }
}
