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
package org.lakesteward.stitch;

import com.google.common.collect.ImmutableList;
import org.lakesteward.stitch.statistics.Bounds.Range;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * What a table's metadata may say of a column of the output: the sum of what the inputs say, never tighter and never looser
 * than their union.
 *
 * @param path names from below the schema's root
 * @param fieldId of the column, if it has one
 * @param compressedSize bytes that the column takes in the file, headers and dictionaries included
 * @param valueCount values, nulls included; of a repeated column all elements
 * @param nullCount empty when an input does not say
 * @param range bounds, as single values in PLAIN encoding; empty when an input does not say, or there are only nulls
 */
public record ColumnMetrics(List<String> path, OptionalInt fieldId, long compressedSize, long valueCount, OptionalLong nullCount, Optional<Range> range)
{
    public ColumnMetrics
    {
        path = ImmutableList.copyOf(path);
        requireNonNull(fieldId, "fieldId is null");
        requireNonNull(nullCount, "nullCount is null");
        requireNonNull(range, "range is null");
    }
}
