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
package org.lakesteward.stitch.statistics;

import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Statistics;

import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * What is known of the values of some pages.
 *
 * @param values nulls included
 * @param nulls empty when not known
 * @param range empty when not known, or there are no values but nulls
 */
public record Bounds(long values, OptionalLong nulls, Optional<Range> range)
{
    public Bounds
    {
        requireNonNull(nulls, "nulls is null");
        requireNonNull(range, "range is null");
    }

    /**
     * Lowest and highest value, or something beyond them.
     *
     * @param min in PLAIN encoding, not to be modified
     * @param max in PLAIN encoding, not to be modified
     * @param minExact whether the minimum is a value of the column; empty when not known
     * @param maxExact whether the maximum is a value of the column; empty when not known
     */
    public record Range(byte[] min, byte[] max, Optional<Boolean> minExact, Optional<Boolean> maxExact)
    {
        public Range
        {
            requireNonNull(min, "min is null");
            requireNonNull(max, "max is null");
            requireNonNull(minExact, "minExact is null");
            requireNonNull(maxExact, "maxExact is null");
        }
    }

    /**
     * What a column chunk's statistics say. Bounds that are not a pair of numbers in order are as good as none
     * (parquet.thrift, ColumnOrder: NaN is to be ignored); those of the deprecated fields count where their signed order is the
     * column's.
     */
    public static Bounds of(ColumnMetaData column, ValueOrder order)
    {
        if (!column.isSetStatistics()) {
            return new Bounds(column.getNum_values(), column.getNum_values() == 0 ? OptionalLong.of(0) : OptionalLong.empty(), Optional.empty());
        }
        Statistics statistics = column.getStatistics();
        OptionalLong nulls = statistics.isSetNull_count() && statistics.getNull_count() >= 0 && statistics.getNull_count() <= column.getNum_values()
                ? OptionalLong.of(statistics.getNull_count())
                : OptionalLong.empty();
        return new Bounds(column.getNum_values(), nulls, range(statistics, order));
    }

    private static Optional<Range> range(Statistics statistics, ValueOrder order)
    {
        byte[] min = null;
        byte[] max = null;
        Optional<Boolean> minExact = Optional.empty();
        Optional<Boolean> maxExact = Optional.empty();
        if (statistics.isSetMin_value() && statistics.isSetMax_value()) {
            min = statistics.getMin_value();
            max = statistics.getMax_value();
            minExact = statistics.isSetIs_min_value_exact() ? Optional.of(statistics.isIs_min_value_exact()) : Optional.empty();
            maxExact = statistics.isSetIs_max_value_exact() ? Optional.of(statistics.isIs_max_value_exact()) : Optional.empty();
        }
        else if (statistics.isSetMin() && statistics.isSetMax() && order.isSigned()) {
            min = statistics.getMin();
            max = statistics.getMax();
        }
        if (min == null || !order.isBound(min) || !order.isBound(max) || order.compare(min, max) > 0) {
            return Optional.empty();
        }
        return Optional.of(new Range(min, max, minExact, maxExact));
    }

    /**
     * @return whether all values are nulls, as far as is known
     */
    public boolean isAllNull()
    {
        return nulls.isPresent() && nulls.getAsLong() == values;
    }

    /**
     * @return whether bounds should be there and are not
     */
    public boolean isUnbounded()
    {
        return range.isEmpty() && !isAllNull();
    }
}
