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

import com.google.common.collect.ImmutableList;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.planner.rewrite.RewritePath.COPY;
import static org.lakesteward.planner.rewrite.RewritePath.ENCODE;
import static org.lakesteward.planner.rewrite.RewriteReason.TOO_SMALL;

public class TestRewritePlanner
{
    private static final long MEGABYTE = 1L << 20;

    @Test
    public void testTotals()
    {
        List<DataFileInfo> files = ImmutableList.of(
                file("a", 40, "x", Optional.empty()),
                file("b", 50, "x", Optional.empty()),
                file("c", 30, "y", Optional.of("is encrypted")),
                file("d", 20, "y", Optional.empty()),
                file("e", 90, "y", Optional.empty()),
                file("f", 10, "z", Optional.empty()));
        RewriteOptions options = RewriteOptions.create(RewriteArguments.builder().setMinInputFiles(2).build(), 100 * MEGABYTE, 0, true);
        RewritePlan plan = RewritePlanner.plan(options, files);

        assertThat(plan.isEmpty()).isFalse();
        assertThat(plan.inputFiles()).isEqualTo(4);
        assertThat(plan.inputBytes()).isEqualTo(140 * MEGABYTE);
        assertThat(plan.liveBytes()).isEqualTo(140 * MEGABYTE);
        assertThat(plan.outputFiles()).isEqualTo(2);
        assertThat(plan.groups(COPY)).isEqualTo(1);
        assertThat(plan.groups(ENCODE)).isEqualTo(1);
        assertThat(plan.leftAloneFiles()).isEqualTo(2);
        assertThat(plan.leftAloneBytes()).isEqualTo(100 * MEGABYTE);
        assertThat(plan.leftAlone()).containsExactly(
                new LeftAlone(LeftAloneReason.RIGHT_SIZE, 1, 1, 90 * MEGABYTE),
                new LeftAlone(LeftAloneReason.TOO_FEW_FILES, 1, 1, 10 * MEGABYTE));
        assertThat(plan.groups().get(1).pathReason()).isEqualTo("is encrypted (1 of 2 files)");
        assertThat(plan.groups().get(1).reasons()).containsExactly(TOO_SMALL);
    }

    @Test
    public void testSentences()
    {
        assertThat(RewriteReason.values()).extracting(RewriteReason::sentence).doesNotHaveDuplicates().noneMatch(String::isBlank);
        assertThat(LeftAloneReason.values()).extracting(LeftAloneReason::sentence).doesNotHaveDuplicates().noneMatch(String::isBlank);
    }

    @Test
    public void testMillionFiles()
    {
        // ten partitions of 100,000 files, in random order
        List<DataFileInfo> files = IntStream.range(0, 1_000_000)
                .mapToObj(i -> file("f" + i, 1, "p" + i % 10, Optional.empty()))
                .collect(toImmutableList());
        List<DataFileInfo> shuffled = new ArrayList<>(files);
        Collections.shuffle(shuffled, new Random(1));
        RewritePlan plan = RewritePlanner.plan(RewriteOptions.create(RewriteArguments.builder().build(), 512 * MEGABYTE, 0, true), shuffled);

        // ceil(100,000 / 512) outputs in each partition
        assertThat(plan.inputFiles()).isEqualTo(1_000_000);
        assertThat(plan.outputFiles()).isEqualTo(10 * 196);
    }

    @Test
    public void testImpossibleFilesAreRefused()
    {
        assertThatThrownBy(() -> new DataFileInfo("f", -1, 1, 0, "", 1, false, 0, 0, 0, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("size is negative: -1");
        assertThatThrownBy(() -> new DataFileInfo("f", 1, -1, 0, "", 1, false, 0, 0, 0, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("recordCount is negative: -1");
        assertThatThrownBy(() -> new DataFileInfo("f", 1, 1, 0, "", 1, false, 0, 0, -1, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("knownDeletedRows is negative: -1");
    }

    private static DataFileInfo file(String path, long megabytes, String partition, Optional<String> copyObstacle)
    {
        return new DataFileInfo(path, megabytes * MEGABYTE, 100, 0, partition, 1, false, 0, 0, 0, copyObstacle);
    }
}
