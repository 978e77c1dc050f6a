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
package org.lakesteward.planner.rewrite;

import com.google.common.collect.ImmutableList;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Byte counts as text in the notation of Trino's data sizes ({@code 512MB}, units of 1024).
 */
public final class ByteSize
{
    static final long MEGABYTE = 1L << 20;
    static final long GIGABYTE = 1L << 30;

    private static final List<String> UNITS = ImmutableList.of("B", "kB", "MB", "GB", "TB", "PB");

    // so many digits are enough for any size, and keep the arithmetic short whatever the text
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,19})?)(B|kB|MB|GB|TB|PB)");

    private ByteSize() {}

    /**
     * The largest unit of which {@code bytes} is a whole multiple, so that nothing is rounded.
     */
    public static String format(long bytes)
    {
        long value = bytes;
        int unit = 0;
        while (value != 0 && value % 1024 == 0 && unit < UNITS.size() - 1) {
            value /= 1024;
            unit++;
        }
        return value + UNITS.get(unit);
    }

    /**
     * Reads a number and its unit, with nothing around or between them; a fraction of a byte is dropped.
     *
     * @return empty when the text is no size, or one of 2<sup>63</sup> bytes and more
     */
    public static OptionalLong parse(String text)
    {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return OptionalLong.empty();
        }
        BigInteger bytes = new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(1L << (10 * UNITS.indexOf(matcher.group(2)))))
                .setScale(0, RoundingMode.DOWN)
                .toBigInteger();
        return bytes.bitLength() < Long.SIZE ? OptionalLong.of(bytes.longValue()) : OptionalLong.empty();
    }
}
