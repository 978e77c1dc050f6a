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

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A schedule of five fields, as in crontab(5): minute, hour, day of the month, month, day of the week, in UTC. Each is {@code *}, a number, a range, a list of
 * these, or one of them with a step. Months and days of the week also have English names of three letters; Sunday is 0 or 7. When both days are
 * restricted, one of them is enough.
 */
public final class CronSchedule
{
    // February 29th comes at least every eight years
    private static final int DAYS_AHEAD = 8 * 366;

    private static final List<String> MONTHS = ImmutableList.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> DAYS = ImmutableList.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

    private final BitSet minutes;
    private final BitSet hours;
    private final BitSet daysOfMonth;
    private final BitSet months;
    private final BitSet daysOfWeek;
    private final boolean eitherDay;

    private CronSchedule(List<String> fields)
    {
        minutes = field(fields.get(0), "minute", 0, 59, ImmutableList.of());
        hours = field(fields.get(1), "hour", 0, 23, ImmutableList.of());
        daysOfMonth = field(fields.get(2), "day of the month", 1, 31, ImmutableList.of());
        months = field(fields.get(3), "month", 1, 12, MONTHS);
        daysOfWeek = field(fields.get(4), "day of the week", 0, 7, DAYS);
        if (daysOfWeek.get(7)) {
            daysOfWeek.set(0);
        }
        eitherDay = !fields.get(2).startsWith("*") && !fields.get(4).startsWith("*");
    }

    /**
     * @throws IllegalArgumentException when the text is no schedule; the message names the field and its range
     */
    public static CronSchedule parse(String text)
    {
        List<String> fields = Splitter.onPattern("\\s+").omitEmptyStrings().splitToList(text.toLowerCase(Locale.ENGLISH));
        checkArgument(fields.size() == 5, "schedule '%s' has %s fields: it must have 5, minute, hour, day of the month, month and day of the week", text, fields.size());
        return new CronSchedule(fields);
    }

    /**
     * The first moment of the schedule after {@code moment}.
     *
     * @return empty when there is none, as on the 30th of February
     */
    public Optional<Instant> nextAfter(Instant moment)
    {
        LocalDateTime after = LocalDateTime.ofInstant(moment, ZoneOffset.UTC);
        LocalTime from = LocalTime.of(after.getHour(), after.getMinute());
        LocalDate day = after.toLocalDate();
        for (int ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
            if (isOn(day)) {
                Optional<LocalTime> time = ahead == 0 ? timeAfter(from) : Optional.of(LocalTime.of(hours.nextSetBit(0), minutes.nextSetBit(0)));
                if (time.isPresent()) {
                    return Optional.of(day.atTime(time.get()).toInstant(ZoneOffset.UTC));
                }
            }
            day = day.plusDays(1);
        }
        return Optional.empty();
    }

    private Optional<LocalTime> timeAfter(LocalTime time)
    {
        if (hours.get(time.getHour())) {
            int minute = minutes.nextSetBit(time.getMinute() + 1);
            if (minute >= 0) {
                return Optional.of(LocalTime.of(time.getHour(), minute));
            }
        }
        int hour = hours.nextSetBit(time.getHour() + 1);
        return hour < 0 ? Optional.empty() : Optional.of(LocalTime.of(hour, minutes.nextSetBit(0)));
    }

    private boolean isOn(LocalDate day)
    {
        if (!months.get(day.getMonthValue())) {
            return false;
        }
        boolean inMonth = daysOfMonth.get(day.getDayOfMonth());
        boolean inWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % 7);
        return eitherDay ? inMonth || inWeek : inMonth && inWeek;
    }

    private static BitSet field(String text, String name, int least, int most, List<String> names)
    {
        BitSet values = new BitSet(most + 1);
        for (String part : Splitter.on(',').split(text)) {
            List<String> stepped = Splitter.on('/').splitToList(part);
            checkArgument(stepped.size() <= 2, "%s '%s' has more than one step", name, text);
            int step = 1;
            if (stepped.size() == 2) {
                step = number(stepped.get(1), name, 1, most, ImmutableList.of());
            }
            String range = stepped.getFirst();
            int first = least;
            int last = most;
            if (!range.equals("*")) {
                List<String> ends = Splitter.on('-').limit(2).splitToList(range);
                first = number(ends.getFirst(), name, least, most, names);
                // as in cron, a single number with a step runs to the end
                last = ends.size() == 2 ? number(ends.get(1), name, least, most, names) : (stepped.size() == 2 ? most : first);
                checkArgument(first <= last, "%s '%s' has a range that ends before it begins", name, text);
            }
            for (int value = first; value <= last; value += step) {
                values.set(value);
            }
        }
        return values;
    }

    private static int number(String text, String name, int least, int most, List<String> names)
    {
        int index = names.indexOf(text);
        if (index >= 0) {
            return index + least;
        }
        boolean number = !text.isEmpty() && text.length() <= 2 && text.chars().allMatch(character -> '0' <= character && character <= '9');
        int value = number ? Integer.parseInt(text) : -1;
        checkArgument(number && least <= value && value <= most, "%s is '%s': it must be from %s to %s", name, text, least, most);
        return value;
    }
}
