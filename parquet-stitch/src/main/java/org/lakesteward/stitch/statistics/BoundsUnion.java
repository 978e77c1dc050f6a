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

import org.apache.parquet.format.Statistics;
import org.lakesteward.stitch.statistics.Bounds.Range;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Unites bounds: the result is as tight as the inputs' bounds allow, and says nothing where one of them says nothing. Not safe
 * for use by several threads.
 */
public final class BoundsUnion
{
    private final ValueOrder order;
    private long values;
    private long nulls;
    private boolean nullsKnown = true;
    private boolean bounded = true;
    private Range range;

    public BoundsUnion(ValueOrder order)
    {
        this.order = order;
    }

    public void add(Bounds bounds)
    {
        values += bounds.values();
        nullsKnown &= bounds.nulls().isPresent();
        nulls += bounds.nulls().orElse(0);
        if (bounds.isUnbounded()) {
            bounded = false;
        }
        bounds.range().ifPresent(other -> range = range == null ? other : unite(range, other));
    }

    private Range unite(Range left, Range right)
    {
        int min = order.compare(left.min(), right.min());
        int max = order.compare(left.max(), right.max());
        return new Range(
                min <= 0 ? left.min() : right.min(),
                max >= 0 ? left.max() : right.max(),
                exactness(min <= 0, min >= 0, left.minExact(), right.minExact()),
                exactness(max >= 0, max <= 0, left.maxExact(), right.maxExact()));
    }

    private static Optional<Boolean> exactness(boolean isLeft, boolean isRight, Optional<Boolean> left, Optional<Boolean> right)
    {
        if (isLeft && isRight) {
            // one of the two is enough
            return left.filter(exact -> exact).or(() -> right.filter(exact -> exact)).or(() -> left.isPresent() && right.isPresent() ? left : Optional.empty());
        }
        return isLeft ? left : right;
    }

    public Bounds result()
    {
        return new Bounds(
                values,
                nullsKnown ? OptionalLong.of(nulls) : OptionalLong.empty(),
                bounded ? Optional.ofNullable(range) : Optional.empty());
    }

    public void reset()
    {
        values = 0;
        nulls = 0;
        nullsKnown = true;
        bounded = true;
        range = null;
    }

    /**
     * The form in which column chunks carry bounds.
     */
    public static Statistics toStatistics(Bounds bounds)
    {
        Statistics statistics = new Statistics();
        bounds.nulls().ifPresent(statistics::setNull_count);
        bounds.range().ifPresent(range -> {
            statistics.setMin_value(range.min());
            statistics.setMax_value(range.max());
            range.minExact().ifPresent(statistics::setIs_min_value_exact);
            range.maxExact().ifPresent(statistics::setIs_max_value_exact);
        });
        return statistics;
    }
}
