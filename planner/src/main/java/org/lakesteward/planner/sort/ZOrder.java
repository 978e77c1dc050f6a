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
package org.lakesteward.planner.sort;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Places of rows on a z-order curve (Morton code). A pure function.
 * <p>
 * The value of each column is replaced by its rank among quantiles, which makes columns of every type and any skew comparable, and the bits of the ranks are
 * interleaved, the highest of the first column first. Rows near each other on the curve are near each other in every column.
 */
public final class ZOrder
{
    /** Of each column. */
    public static final int BITS = 10;
    public static final int LEAST_COLUMNS = 2;
    /** Their bits fit into a positive long. */
    public static final int MOST_COLUMNS = 6;
    /** Quantiles of a column that {@link RangeCutter} is asked for: what it makes of them has a rank within the bits. */
    public static final int QUANTILES = (1 << (BITS - 1)) - 1;

    private ZOrder() {}

    /**
     * Spreads a rank over all bits, so that a column with few values counts as much as one with many.
     *
     * @param rank from 0, below {@code ranks}
     * @param ranks at most 1,024
     */
    public static int spread(int rank, int ranks)
    {
        checkArgument(ranks <= 1 << BITS, "ranks is above %s: %s", 1 << BITS, ranks);
        checkArgument(0 <= rank && rank < ranks, "rank is not in [0, %s): %s", ranks, rank);
        return (rank << BITS) / ranks;
    }

    /**
     * @param ranks of each column, spread, at most {@link #MOST_COLUMNS}
     */
    public static long interleave(int[] ranks)
    {
        checkArgument(ranks.length <= MOST_COLUMNS, "more than %s columns: %s", MOST_COLUMNS, ranks.length);
        long place = 0;
        for (int bit = BITS - 1; bit >= 0; bit--) {
            for (int rank : ranks) {
                place = (place << 1) | ((rank >>> bit) & 1);
            }
        }
        return place;
    }
}
