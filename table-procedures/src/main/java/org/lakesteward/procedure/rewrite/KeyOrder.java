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

import com.google.common.collect.ImmutableList;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;

import java.lang.invoke.MethodHandle;
import java.util.List;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.trino.spi.function.InvocationConvention.InvocationArgumentConvention.BLOCK_POSITION_NOT_NULL;
import static io.trino.spi.function.InvocationConvention.InvocationReturnConvention.FAIL_ON_NULL;
import static io.trino.spi.function.InvocationConvention.simpleConvention;

/**
 * The order of keys that lie in one block for each column. NaN is the greatest number, as in Iceberg's sort orders. Thread-safe.
 */
final class KeyOrder
{
    private final List<MethodHandle> comparisons;
    private final List<SortOrder> orders;

    KeyOrder(List<Type> types, List<SortOrder> orders, TypeOperators typeOperators)
    {
        comparisons = types.stream()
                .map(type -> typeOperators.getComparisonUnorderedLastOperator(type, simpleConvention(FAIL_ON_NULL, BLOCK_POSITION_NOT_NULL, BLOCK_POSITION_NOT_NULL)))
                .collect(ImmutableList.toImmutableList());
        this.orders = ImmutableList.copyOf(orders);
    }

    int compare(List<Block> left, int leftPosition, List<Block> right, int rightPosition)
    {
        for (int column = 0; column < comparisons.size(); column++) {
            int result = compare(column, left.get(column), leftPosition, right.get(column), rightPosition);
            if (result != 0) {
                return result;
            }
        }
        return 0;
    }

    /** By one column alone. */
    int compareColumn(int column, List<Block> left, int leftPosition, List<Block> right, int rightPosition)
    {
        return compare(column, left.get(column), leftPosition, right.get(column), rightPosition);
    }

    /** By the first column alone. */
    int compareLeading(List<Block> left, int leftPosition, List<Block> right, int rightPosition)
    {
        return compare(0, left.getFirst(), leftPosition, right.getFirst(), rightPosition);
    }

    private int compare(int column, Block left, int leftPosition, Block right, int rightPosition)
    {
        SortOrder order = orders.get(column);
        boolean leftNull = left.isNull(leftPosition);
        boolean rightNull = right.isNull(rightPosition);
        if (leftNull || rightNull) {
            if (leftNull && rightNull) {
                return 0;
            }
            return leftNull == order.isNullsFirst() ? -1 : 1;
        }
        try {
            int result = Long.signum((long) comparisons.get(column).invokeExact(left, leftPosition, right, rightPosition));
            return order.isAscending() ? result : -result;
        }
        catch (Throwable e) {
            throwIfUnchecked(e);
            throw new RuntimeException(e);
        }
    }
}
