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
import org.lakesteward.planner.rewrite.RewriteArguments;
import org.lakesteward.planner.rewrite.RewriteOptions;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

public class TestSortOverlap
{
    private static final long SEED = 20_261_130;
    private static final long MB = 1L << 20;

    @Test
    public void testDepth()
    {
        assertThat(overlap()).isEqualTo(new SortOverlap(0, 0, 0, 0));
        assertThat(overlap(file("a", "p", 0, 10), file("b", "p", 10, 20), file("c", "p", 20, 30))).isEqualTo(new SortOverlap(1, 1, 0, 0));
        assertThat(overlap(file("a", "p", 0, 10), file("b", "p", 5, 20), file("c", "p", 6, 8))).isEqualTo(new SortOverlap(2, 3, 3, 270 * MB));
        // partitions have nothing to do with each other
        assertThat(overlap(file("a", "p", 0, 10), file("b", "q", 5, 20))).isEqualTo(new SortOverlap(1, 1, 0, 0));
    }

    @Test
    public void testFilesOfOneSortCountOnce()
    {
        assertThat(overlap(file("a", "p", 0, 10, "run"), file("b", "p", 0, 10, "run"), file("c", "p", 0, 10, "run"))).isEqualTo(new SortOverlap(1, 1, 0, 0));
        assertThat(overlap(file("a", "p", 0, 10, "run"), file("b", "p", 1, 10, "run"), file("c", "p", 2, 10)).deepest()).isEqualTo(2);
    }

    /** Against a count of all pairs. */
    @Test
    public void testRandomFiles()
    {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        for (int round = 0; round < 2_000; round++) {
            List<KeyedFile> files = new ArrayList<>();
            int count = 1 + random.nextInt(12);
            for (int index = 0; index < count; index++) {
                long first = random.nextInt(20);
                files.add(file("f" + index, "p", first, first + random.nextInt(8)));
            }
            long deepest = 0;
            long sum = 0;
            List<KeyedFile> sorted = files.stream().sorted(OverlapComponents.KEY_ORDER).toList();
            for (int index = 0; index < count; index++) {
                int depth = 1;
                for (int earlier = 0; earlier < index; earlier++) {
                    // begins no later, and ends after this one begins
                    if (sorted.get(earlier).keys().last() > sorted.get(index).keys().first()) {
                        depth++;
                    }
                }
                sum += depth;
                deepest = Math.max(deepest, depth);
            }
            SortOverlap overlap = SortOverlap.of(options(), files);
            assertThat(overlap.depth()).as("%s", files).isEqualTo((double) sum / count);
            assertThat(overlap.deepest()).as("%s", files).isEqualTo(deepest);
        }
    }

    private static SortOverlap overlap(KeyedFile... files)
    {
        return SortOverlap.of(options(), ImmutableList.copyOf(files));
    }

    private static KeyedFile file(String path, String partition, long first, long last)
    {
        return file(path, partition, first, last, Optional.empty());
    }

    private static KeyedFile file(String path, String partition, long first, long last, String run)
    {
        return file(path, partition, first, last, Optional.of(run));
    }

    private static KeyedFile file(String path, String partition, long first, long last, Optional<String> run)
    {
        DataFileInfo info = new DataFileInfo(path, 90 * MB, 1000, 0, partition, 1, false, 0, 0, 0, Optional.empty());
        return new KeyedFile(info, new KeyRange(first, last), true, run);
    }

    private static RewriteOptions options()
    {
        return RewriteOptions.create(RewriteArguments.builder().build(), 100 * MB, 0, false);
    }
}
