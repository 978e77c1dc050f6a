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
import org.lakesteward.planner.rewrite.DataFileInfo;
import org.lakesteward.planner.rewrite.LeftAlone;
import org.lakesteward.planner.rewrite.LeftAloneReason;
import org.lakesteward.planner.rewrite.RewriteArguments;
import org.lakesteward.planner.rewrite.RewriteOptions;
import org.lakesteward.planner.rewrite.RewritePlan;
import org.testng.annotations.Test;

import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestZOrder
{
    private static final long SEED = 20_261_130;
    private static final long MB = 1L << 20;

    @Test
    public void testInterleave()
    {
        assertThat(ZOrder.interleave(new int[] {0, 0})).isEqualTo(0);
        assertThat(ZOrder.interleave(new int[] {0b10, 0b01})).isEqualTo(0b1001);
        assertThat(ZOrder.interleave(new int[] {0b11_1111_1111, 0b11_1111_1111})).isEqualTo((1L << 20) - 1);
        assertThat(ZOrder.interleave(new int[] {1023, 1023, 1023, 1023, 1023, 1023})).isEqualTo((1L << 60) - 1);
        assertThat(ZOrder.interleave(new int[] {1023, 0, 0})).isGreaterThan(ZOrder.interleave(new int[] {511, 1023, 1023}));
        assertThatThrownBy(() -> ZOrder.interleave(new int[7])).hasMessageContaining("more than 6 columns");
    }

    /** Different ranks give different places, and with one column equal the other keeps its order. */
    @Test
    public void testAnyRanks()
    {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        for (int round = 0; round < 10_000; round++) {
            int fixed = random.nextInt(1024);
            int low = random.nextInt(1023);
            int high = low + 1 + random.nextInt(1023 - low);
            assertThat(ZOrder.interleave(new int[] {low, fixed})).isLessThan(ZOrder.interleave(new int[] {high, fixed}));
            assertThat(ZOrder.interleave(new int[] {fixed, low})).isLessThan(ZOrder.interleave(new int[] {fixed, high}));
        }
        Set<Long> places = new HashSet<>();
        for (int first = 0; first < 1024; first += 7) {
            for (int second = 0; second < 1024; second += 7) {
                places.add(ZOrder.interleave(new int[] {first, second}));
            }
        }
        assertThat(places).hasSize(147 * 147);
    }

    @Test
    public void testSpread()
    {
        assertThat(ZOrder.spread(0, 1)).isEqualTo(0);
        assertThat(ZOrder.spread(1, 2)).isEqualTo(512);
        assertThat(ZOrder.spread(2, 3)).isEqualTo(682);
        assertThat(ZOrder.spread(1023, 1024)).isEqualTo(1023);
        assertThatThrownBy(() -> ZOrder.spread(2, 2)).hasMessageContaining("rank");
        assertThatThrownBy(() -> ZOrder.spread(0, 1025)).hasMessageContaining("ranks");
        // what the cutter makes of the quantiles asked for fits
        double[] weights = new double[5_000];
        Random random = new Random(SEED);
        for (int round = 0; round < 100; round++) {
            for (int index = 0; index < weights.length; index++) {
                weights[index] = random.nextInt(10) == 0 ? 1 + random.nextInt(10_000) : 1;
            }
            assertThat(RangeCutter.cut(weights, ZOrder.QUANTILES).size() + 1).isLessThanOrEqualTo(1 << ZOrder.BITS);
        }
    }

    @Test
    public void testPlan()
    {
        // as large as they should be: rewritten unless a z-order wrote them
        RewritePlan plan = plan(file("a", 90, ""), file("b", 90, ""), file("c", 90, "run"), file("d", 90, "other"), file("e", 900, "run"));
        assertThat(plan.groups()).hasSize(1);
        assertThat(plan.groups().getFirst().files()).extracting(DataFileInfo::path).containsExactlyInAnyOrder("a", "b");
        assertThat(plan.leftAlone()).containsExactly(new LeftAlone(LeftAloneReason.CLUSTERED, 1, 3, 1080 * MB));
        // small files wait until they are worth it
        assertThat(plan(file("a", 4, ""), file("b", 4, "run")).isEmpty()).isTrue();
        assertThat(plan(file("a", 4, ""), file("b", 4, ""), file("c", 4, ""), file("d", 4, "run"), file("e", 4, "other"), file("f", 90, "run")).groups().getFirst().files()).hasSize(5);
        // nothing more to gain from small files of one z-order
        assertThat(plan(file("a", 60, "run"), file("b", 60, "run"), file("c", 60, "run"), file("d", 60, "run"), file("e", 60, "run")).isEmpty()).isTrue();
    }

    private static RewritePlan plan(KeyedFile... files)
    {
        return SortPlanner.planZOrder(RewriteOptions.create(RewriteArguments.builder().build(), 100 * MB, 0, false), ImmutableList.copyOf(files));
    }

    private static KeyedFile file(String path, long megabytes, String run)
    {
        DataFileInfo info = new DataFileInfo(path, megabytes * MB, 1000, 0, "p", 1, false, 0, 0, 0, Optional.empty());
        return new KeyedFile(info, KeyRange.UNKNOWN, !run.isEmpty(), run.isEmpty() ? Optional.empty() : Optional.of(run));
    }
}
