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
package org.lakesteward.planner.rewrite;

import org.lakesteward.planner.rewrite.GroupCutter.Slice;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

public class TestGroupCutter
{
    private static final long FIRST_SEED = 4_711;

    @Test
    public void testCutAtNearestBoundary()
    {
        // five outputs of 81: boundaries at 78 and 82 compete for the first, at 159 and 163 for the second
        assertThat(cut(100, 78, 4, 77, 4, 80, 81, 81))
                .containsExactly(new Slice(0, 2, 1), new Slice(2, 4, 1), new Slice(4, 5, 1), new Slice(5, 6, 1), new Slice(6, 7, 1));
    }

    @Test
    public void testNoCutFarFromAnOutput()
    {
        // three outputs of 80: the boundaries are 40 away from the outputs' ends
        assertThat(cut(100, 120, 120)).containsExactly(new Slice(0, 2, 3));
    }

    @Test
    public void testNoCutThatOverfillsTheGroupItEnds()
    {
        // two outputs of 98: the only boundary is 4 away, but 102 do not fit into one
        assertThat(cut(100, 51, 51, 94)).containsExactly(new Slice(0, 3, 2));
    }

    @Test
    public void testNoCutThatOverfillsTheRest()
    {
        assertThat(cut(100, 94, 51, 51)).containsExactly(new Slice(0, 3, 2));
    }

    @Test
    public void testOneCutThatSpendsTooMuchDoesNotPreventOthers()
    {
        // four outputs of 99: a cut at 96 spends all slack there is, so that the two exact ones after it could not be made
        assertThat(cut(100, 96, 103, 99, 98)).containsExactly(new Slice(0, 2, 2), new Slice(2, 3, 1), new Slice(3, 4, 1));
    }

    @Test
    public void testLargeFilesGetSeveralOutputs()
    {
        assertThat(cut(100, 300, 200, 100)).containsExactly(new Slice(0, 1, 3), new Slice(1, 2, 2), new Slice(2, 3, 1));
    }

    @Test
    public void testNothingToCut()
    {
        assertThat(cut(100, 0)).containsExactly(new Slice(0, 1, 1));
        assertThat(cut(100, 0, 0, 0)).containsExactly(new Slice(0, 3, 1));
        assertThat(cut(100, 100)).containsExactly(new Slice(0, 1, 1));
        assertThat(cut(100, 101)).containsExactly(new Slice(0, 1, 2));
    }

    @Test
    public void testCap()
    {
        assertThat(new GroupCutter(100, 120).cut(files(60, 60, 60, 500, 10, 10)))
                .containsExactly(new Slice(0, 2, 2), new Slice(2, 3, 1), new Slice(3, 4, 5), new Slice(4, 6, 1));
    }

    @Test
    public void testRandomFiles()
    {
        int slicesInAll = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 5_000; seed++) {
            Random random = new Random(seed);
            long target = 100;
            int largest = 1 + random.nextInt(300);
            long[] sizes = LongStream.generate(() -> random.nextInt(largest)).limit(1 + random.nextInt(200)).toArray();
            long total = LongStream.of(sizes).sum();
            List<Slice> slices = cut(target, sizes);
            slicesInAll += slices.size();

            int next = 0;
            for (Slice slice : slices) {
                assertThat(slice.from()).as("start of %s, seed %s", slice, seed).isEqualTo(next);
                next = slice.to();
                assertThat(LongStream.of(sizes).skip(slice.from()).limit(slice.to() - slice.from()).sum())
                        .as("bytes of %s, seed %s", slice, seed)
                        .isLessThanOrEqualTo(slice.outputFiles() * target);
            }
            assertThat(next).as("end, seed %s", seed).isEqualTo(sizes.length);
            assertThat(slices.stream().mapToLong(Slice::outputFiles).sum())
                    .as("outputs, seed %s", seed)
                    .isEqualTo(Math.max(1, (total + target - 1) / target));
        }
        assertThat(slicesInAll).isGreaterThan(30_000);
    }

    private static List<Slice> cut(long targetFileSize, long... sizes)
    {
        return new GroupCutter(targetFileSize, Long.MAX_VALUE).cut(files(sizes));
    }

    private static List<DataFileInfo> files(long... sizes)
    {
        List<DataFileInfo> files = new ArrayList<>();
        for (long size : sizes) {
            files.add(new DataFileInfo("f" + files.size(), size, 1, 0, "", 1, false, 0, 0, 0, Optional.empty()));
        }
        return files;
    }
}
