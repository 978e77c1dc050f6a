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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The keys of one file, both ends included: two numbers, or two strings. Dates and times are strings, which sort as these do.
 */
record KeyRange(JsonNode lower, JsonNode upper)
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    KeyRange
    {
        requireNonNull(lower, "lower is null");
        requireNonNull(upper, "upper is null");
        checkArgument(compare(lower, upper) <= 0, "lower is %s, it must not be above upper, which is %s", lower, upper);
    }

    /**
     * @param metrics the column {@code readable_metrics} of a row of {@code $files}
     * @throws BenchmarkFailedException if the file has no bounds of the column
     */
    static KeyRange parse(String metrics, String column)
    {
        JsonNode bounds;
        try {
            bounds = MAPPER.readTree(metrics).path(column);
        }
        catch (JsonProcessingException e) {
            throw new BenchmarkFailedException("The metrics of a file cannot be read: " + metrics, e);
        }
        JsonNode lower = bounds.path("lower_bound");
        JsonNode upper = bounds.path("upper_bound");
        if (!lower.isValueNode() || lower.isNull() || !upper.isValueNode() || upper.isNull()) {
            throw new BenchmarkFailedException("A file has no bounds of column %s: %s".formatted(column, metrics));
        }
        return new KeyRange(lower, upper);
    }

    /**
     * How many pairs of ranges have a key in common: files that a reader of that key must both open.
     */
    static long overlappingPairs(List<KeyRange> ranges)
    {
        long pairs = 0;
        for (int first = 0; first < ranges.size(); first++) {
            for (KeyRange second : ranges.subList(first + 1, ranges.size())) {
                if (ranges.get(first).overlaps(second)) {
                    pairs++;
                }
            }
        }
        return pairs;
    }

    boolean overlaps(KeyRange other)
    {
        return compare(lower, other.upper) <= 0 && compare(other.lower, upper) <= 0;
    }

    private static int compare(JsonNode left, JsonNode right)
    {
        if (left.isNumber() && right.isNumber()) {
            return left.decimalValue().compareTo(right.decimalValue());
        }
        checkArgument(left.isTextual() && right.isTextual(), "keys are %s and %s, they must be two numbers or two strings", left, right);
        return left.textValue().compareTo(right.textValue());
    }
}
