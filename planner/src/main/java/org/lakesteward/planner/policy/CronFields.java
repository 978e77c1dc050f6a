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

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether a text is the five fields of a crontab line: minute, hour, day of the month, month, day of the week. A field is
 * {@code *}, or numbers and ranges divided by commas; a range or {@code *} may have a step ({@code *}{@code /15}, {@code 8-18/2}).
 * Months and days of the week have names of three letters too; 0 and 7 are Sunday. When such a line is due is not told here.
 */
final class CronFields
{
    private static final List<Field> FIELDS = ImmutableList.of(
            new Field(0, 59, ImmutableList.of()),
            new Field(0, 23, ImmutableList.of()),
            new Field(1, 31, ImmutableList.of()),
            new Field(1, 12, ImmutableList.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
            new Field(0, 7, ImmutableList.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

    private static final Splitter BLANKS = Splitter.on(Pattern.compile("[ \t]+"));
    private static final Pattern ITEM = Pattern.compile("(?:\\*|([0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?)(?:/([0-9]{1,2}))?");

    private CronFields() {}

    static boolean isValid(String text)
    {
        List<String> fields = BLANKS.splitToList(text.strip());
        if (fields.size() != FIELDS.size()) {
            return false;
        }
        for (int i = 0; i < FIELDS.size(); i++) {
            if (!FIELDS.get(i).accepts(fields.get(i).toLowerCase(Locale.ENGLISH))) {
                return false;
            }
        }
        return true;
    }

    /**
     * @param names of the values from {@code least} on
     */
    private record Field(int least, int most, List<String> names)
    {
        boolean accepts(String field)
        {
            return Splitter.on(',').splitToStream(field).allMatch(this::acceptsItem);
        }

        private boolean acceptsItem(String item)
        {
            Matcher matcher = ITEM.matcher(item);
            if (!matcher.matches()) {
                return false;
            }
            String first = matcher.group(1);
            String last = matcher.group(2);
            String step = matcher.group(3);
            if (step != null && (Integer.parseInt(step) < 1 || Integer.parseInt(step) > most)) {
                return false;
            }
            if (first == null) {
                return true;
            }
            if (last == null) {
                // a step needs something to step through
                return step == null && value(first).isPresent();
            }
            OptionalInt from = value(first);
            OptionalInt to = value(last);
            return from.isPresent() && to.isPresent() && from.getAsInt() <= to.getAsInt();
        }

        private OptionalInt value(String text)
        {
            int value = Character.isDigit(text.charAt(0)) ? Integer.parseInt(text) : named(text);
            return least <= value && value <= most ? OptionalInt.of(value) : OptionalInt.empty();
        }

        private int named(String text)
        {
            int index = names.indexOf(text);
            return index < 0 ? -1 : least + index;
        }
    }
}
