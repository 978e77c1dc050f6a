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
package org.lakesteward.procedure.rewrite;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import org.lakesteward.planner.sort.ZOrder;

import java.util.List;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.trino.spi.type.BigintType.BIGINT;

/**
 * The z-order curve of a file group: where rows lie on it by the quantiles of their columns. See {@link ZOrder}.
 *
 * @param quantiles of each column, the values at which a new rank begins
 */
public record ZOrderCurve(@JsonProperty("quantiles") List<KeyBoundaries> quantiles)
{
    private static final int INSTANCE_SIZE = instanceSize(ZOrderCurve.class);

    public ZOrderCurve
    {
        quantiles = ImmutableList.copyOf(quantiles);
    }

    /**
     * Places of rows as a column of type bigint without nulls.
     *
     * @param columns values, one block for each column
     * @param orders one order for each column
     */
    Block places(List<Block> columns, List<KeyOrder> orders, int rows)
    {
        BlockBuilder places = BIGINT.createFixedSizeBlockBuilder(rows);
        int[] ranks = new int[columns.size()];
        int[] guesses = new int[columns.size()];
        List<List<Block>> keys = columns.stream().map(block -> (List<Block>) ImmutableList.of(block)).toList();
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < ranks.length; column++) {
                KeyBoundaries boundaries = quantiles.get(column);
                guesses[column] = boundaries.rangeOf(orders.get(column), keys.get(column), row, guesses[column]);
                ranks[column] = ZOrder.spread(guesses[column], boundaries.ranges());
            }
            BIGINT.writeLong(places, ZOrder.interleave(ranks));
        }
        return places.build();
    }

    long retainedSizeInBytes()
    {
        return INSTANCE_SIZE + quantiles.stream().mapToLong(KeyBoundaries::retainedSizeInBytes).sum();
    }
}
