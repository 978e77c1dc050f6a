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

import java.time.Duration;
import java.util.Locale;

/**
 * Numbers as people read them. The text never depends on the machine's locale.
 */
public final class Words
{
    private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private Words() {}

    public static String number(long value)
    {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /**
     * A number and what it counts, such as "1 file" or "1,204 files". The plural is {@code singular} and an s.
     */
    public static String count(long value, String singular)
    {
        return number(value) + " " + singular + (value == 1 ? "" : "s");
    }

    public static String bytes(double bytes)
    {
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, BYTE_UNITS[unit]);
    }

    public static String percent(double share)
    {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    public static String decimal(double value)
    {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    public static String days(Duration duration)
    {
        return String.format(Locale.ROOT, "%.1f days", inDays(duration));
    }

    static double inDays(Duration duration)
    {
        return duration.toMillis() / (double) Duration.ofDays(1).toMillis();
    }
}
