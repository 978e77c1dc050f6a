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

import com.google.common.collect.ImmutableList;
import org.testng.annotations.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

public class TestKeyRanges
{
    @Test
    public void testOneColumn()
    {
        assertThat(overlap(key(1, 5), key(6, 9))).isFalse();
        assertThat(overlap(key(1, 5), key(4, 9))).isTrue();
        assertThat(overlap(key(1, 9), key(4, 5))).isTrue();
        assertThat(overlap(key(1, 9), key(5, 5))).isTrue();
        assertThat(overlap(key(1, 9), key(1, 9))).isTrue();
    }

    @Test
    public void testTouchingIsNoOverlap()
    {
        assertThat(overlap(key(1, 5), key(5, 9))).isFalse();
        assertThat(overlap(key(1, 5), key(5, 5))).isFalse();
        assertThat(overlap(key(5, 9), key(5, 5))).isFalse();
        assertThat(overlap(key(5, 5), key(5, 5))).isFalse();
    }

    @Test
    public void testNextColumnTellsApart()
    {
        // all files have one value in the first column
        assertThat(overlap(key(5, 5, 1, 3), key(5, 5, 4, 9))).isFalse();
        assertThat(overlap(key(5, 5, 1, 5), key(5, 5, 4, 9))).isTrue();
        assertThat(overlap(key(5, 5, 1, 4), key(5, 5, 4, 9))).isFalse();
        // one has several: after its end nothing is known of the second column
        assertThat(overlap(key(1, 5, 0, 100), key(5, 5, 4, 9))).isFalse();
        assertThat(overlap(key(1, 6, 0, 100), key(5, 5, 4, 9))).isTrue();
        assertThat(overlap(key(1, 5, 0, 100), key(5, 7, 0, 100))).isFalse();
        assertThat(overlap(key(1, 5, 0, 100), key(4, 7, 0, 100))).isTrue();
    }

    @Test
    public void testUnknown()
    {
        assertThat(overlap(ImmutableList.of(KeyRange.UNKNOWN), key(5, 5))).isTrue();
        assertThat(overlap(ImmutableList.of(KeyRange.UNKNOWN), ImmutableList.of(KeyRange.UNKNOWN))).isTrue();
    }

    @Test
    public void testSingleKey()
    {
        assertThat(KeyRanges.ofColumns(ImmutableList.of(key(5, 5), key(1, 2))))
                .extracting(KeyRange::isSingleKey)
                .containsExactly(true, false);
        assertThat(KeyRanges.ofColumns(ImmutableList.of(key(5, 5, 3, 4), key(5, 5, 3, 3))))
                .extracting(KeyRange::isSingleKey)
                .containsExactly(false, true);
        assertThat(KeyRanges.ofColumns(ImmutableList.of())).isEmpty();
    }

    /** Against the definition, over all intervals of a small domain with two columns. */
    @Test
    public void testExhaustively()
    {
        ImmutableList.Builder<List<KeyRange>> all = ImmutableList.builder();
        for (long a = 0; a < 3; a++) {
            for (long b = a; b < 3; b++) {
                for (long c = 0; c < 3; c++) {
                    for (long d = c; d < 3; d++) {
                        all.add(key(a, b, c, d));
                    }
                }
            }
        }
        List<List<KeyRange>> keys = all.build();
        List<KeyRange> ranges = KeyRanges.ofColumns(keys);
        for (int left = 0; left < keys.size(); left++) {
            for (int right = 0; right < keys.size(); right++) {
                boolean overlaps = ranges.get(left).overlaps(ranges.get(right));
                assertThat(overlaps).as("%s and %s", keys.get(left), keys.get(right)).isEqualTo(expected(keys.get(left), keys.get(right)));
                assertThat(ranges.get(right).overlaps(ranges.get(left))).isEqualTo(overlaps);
            }
        }
    }

    private static boolean expected(List<KeyRange> left, List<KeyRange> right)
    {
        for (int column = 0; column < left.size(); column++) {
            KeyRange first = left.get(column);
            KeyRange second = right.get(column);
            if (first.isSingleKey() && second.isSingleKey()) {
                if (first.first() != second.first()) {
                    return false;
                }
                continue;
            }
            // more than an end in common
            long from = Math.max(first.first(), second.first());
            long to = Math.min(first.last(), second.last());
            if (first.isSingleKey() || second.isSingleKey()) {
                KeyRange single = first.isSingleKey() ? first : second;
                KeyRange several = first.isSingleKey() ? second : first;
                return several.first() < single.first() && single.first() < several.last();
            }
            return from < to;
        }
        return false;
    }

    private static boolean overlap(List<KeyRange> left, List<KeyRange> right)
    {
        List<KeyRange> ranges = KeyRanges.ofColumns(ImmutableList.of(left, right));
        return ranges.get(0).overlaps(ranges.get(1));
    }

    private static List<KeyRange> key(long... bounds)
    {
        ImmutableList.Builder<KeyRange> columns = ImmutableList.builder();
        for (int index = 0; index < bounds.length; index += 2) {
            columns.add(new KeyRange(bounds[index], bounds[index + 1]));
        }
        return columns.build();
    }
}
