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
package org.lakesteward.benchmarks;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The last line of a benchmark's output: a JSON object of numbers, for programs. Not thread-safe.
 */
public final class ResultLine
{
    private static final MathContext SIX_DIGITS = new MathContext(6, RoundingMode.HALF_UP);

    private final Map<String, String> fields = new LinkedHashMap<>();

    public ResultLine put(String name, long value)
    {
        return add(name, Long.toString(value));
    }

    /**
     * @param value written in full if it is whole, else with six significant digits; must be finite, as JSON has no other numbers
     */
    public ResultLine put(String name, double value)
    {
        checkArgument(Double.isFinite(value), "%s is %s, it must be a finite number", name, value);
        if (value == Math.rint(value)) {
            return add(name, new BigDecimal(value).toPlainString());
        }
        return add(name, new BigDecimal(value).round(SIX_DIGITS).stripTrailingZeros().toPlainString());
    }

    private ResultLine add(String name, String value)
    {
        checkArgument(name.matches("[a-z][a-z0-9_]*"), "name is '%s', it must be lower-case words joined by underscores", name);
        checkArgument(fields.putIfAbsent(name, value) == null, "field %s is set twice", name);
        return this;
    }

    public String toJson()
    {
        return fields.entrySet().stream()
                .map(field -> "\"%s\":%s".formatted(field.getKey(), field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }
}
