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

import java.util.List;
import java.util.OptionalInt;

import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * The keys at which the ranges of a file group begin, but for the first range, in sort order.
 *
 * @param count how many; there is one range more
 * @param columns one block for each column of the key
 * @param leadingOnly the index of a boundary that stands for the first column alone, if there is one
 */
public record KeyBoundaries(
        @JsonProperty("count") int count,
        @JsonProperty("columns") List<Block> columns,
        @JsonProperty("leadingOnly") OptionalInt leadingOnly)
{
    /** Of a group with a single range. */
    static final KeyBoundaries NONE = new KeyBoundaries(0, ImmutableList.of(), OptionalInt.empty());

    private static final int INSTANCE_SIZE = instanceSize(KeyBoundaries.class);

    public KeyBoundaries
    {
        columns = ImmutableList.copyOf(columns);
        requireNonNull(leadingOnly, "leadingOnly is null");
    }

    int ranges()
    {
        return count + 1;
    }

    /**
     * The range of a key: how many boundaries are not above it.
     *
     * @param guess where to look first; keys of neighbouring rows are often near each other
     */
    int rangeOf(KeyOrder order, List<Block> key, int position, int guess)
    {
        int low = 0;
        int high = count;
        if (guess > 0) {
            if (isReached(guess - 1, order, key, position)) {
                low = guess;
            }
            else {
                high = guess - 1;
            }
        }
        if (guess < high) {
            if (isReached(guess, order, key, position)) {
                low = guess + 1;
            }
            else {
                high = guess;
            }
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isReached(middle, order, key, position)) {
                low = middle + 1;
            }
            else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isReached(int boundary, KeyOrder order, List<Block> key, int position)
    {
        if (leadingOnly.isPresent() && leadingOnly.getAsInt() == boundary) {
            return order.compareLeading(columns, boundary, key, position) <= 0;
        }
        return order.compare(columns, boundary, key, position) <= 0;
    }

    long retainedSizeInBytes()
    {
        return INSTANCE_SIZE + columns.stream().mapToLong(Block::getRetainedSizeInBytes).sum();
    }
}
