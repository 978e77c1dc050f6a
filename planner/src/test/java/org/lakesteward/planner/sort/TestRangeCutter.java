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

import org.testng.annotations.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestRangeCutter
{
    private static final long SEED = 20_261_130;

    @Test
    public void testEqualKeys()
    {
        double[] weights = new double[100];
        Arrays.fill(weights, 0.1);
        for (int ranges = 1; ranges <= 100; ranges++) {
            List<Integer> cuts = RangeCutter.cut(weights, ranges);
            assertThat(cuts).as("%s ranges", ranges).hasSize(ranges - 1).isSorted().doesNotHaveDuplicates();
        }
        assertThat(RangeCutter.cut(weights, 4)).containsExactly(25, 50, 75);
        assertThat(RangeCutter.cut(weights, 1000)).hasSize(99);
    }

    @Test
    public void testHeavyKeyIsAlone()
    {
        // one key has nine tenths of the rows: it is not divided, and shares its range with no other
        assertThat(RangeCutter.cut(new double[] {1, 1, 90, 1, 1, 6}, 10)).containsExactly(2, 3);
        assertThat(RangeCutter.cut(new double[] {90, 5, 5}, 10)).containsExactly(1);
        assertThat(RangeCutter.cut(new double[] {5, 5, 90}, 10)).containsExactly(2);
        assertThat(RangeCutter.cut(new double[] {50, 50}, 10)).containsExactly(1);
        assertThat(RangeCutter.cut(new double[] {1, 10, 10, 1, 10}, 4)).containsExactly(1, 2, 3, 4);
    }

    @Test
    public void testFewKeys()
    {
        assertThat(RangeCutter.cut(new double[] {}, 5)).isEmpty();
        assertThat(RangeCutter.cut(new double[] {7}, 5)).isEmpty();
    }

    @Test
    public void testInvalid()
    {
        assertThatThrownBy(() -> RangeCutter.cut(new double[] {1}, 0)).isInstanceOf(IllegalArgumentException.class).hasMessage("ranges is below 1: 0");
        assertThatThrownBy(() -> RangeCutter.cut(new double[] {1, 0}, 2)).isInstanceOf(IllegalArgumentException.class).hasMessage("weight is not positive: 0.0");
    }

    @Test
    public void testProperties()
    {
        Random random = new Random(SEED);
        for (int run = 0; run < 5_000; run++) {
            int keys = 1 + random.nextInt(random.nextBoolean() ? 10 : 400);
            int ranges = 1 + random.nextInt(random.nextBoolean() ? 5 : 50);
            double exponent = random.nextInt(4);
            double[] weights = new double[keys];
            for (int index = 0; index < keys; index++) {
                // from even to steeper than Zipf
                weights[index] = 1 / Math.pow(1 + random.nextInt(keys), exponent);
            }
            List<Integer> cuts = RangeCutter.cut(weights, ranges);
            String description = "seed %s, run %s: %s keys, %s ranges".formatted(SEED, run, keys, ranges);
            assertThat(cuts).as(description).isSorted().doesNotHaveDuplicates().allMatch(cut -> 0 < cut && cut < keys);
            assertThat(cuts.size() + 1).as(description).isLessThanOrEqualTo(2 * ranges + 1);

            double share = Arrays.stream(weights).sum() / ranges;
            int from = 0;
            for (int range = 0; range <= cuts.size(); range++) {
                int to = range < cuts.size() ? cuts.get(range) : keys;
                double weight = Arrays.stream(weights, from, to).sum();
                double heaviest = Arrays.stream(weights, from, to).max().orElseThrow();
                // a range is a heavy key or, but for the width of a key at both ends, at most one and a half shares
                if (to - from > 1) {
                    assertThat(heaviest).as(description).isLessThan(share * 1.000001);
                    assertThat(weight).as(description).isLessThanOrEqualTo(1.5 * share + 1.000001 * share);
                }
                from = to;
            }
        }
    }
}
