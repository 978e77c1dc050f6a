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
package org.lakesteward.planner.health;

import org.lakesteward.planner.rewrite.DataFileInfo;
import org.lakesteward.planner.rewrite.RewriteArguments;
import org.lakesteward.planner.rewrite.RewriteOptions;
import org.lakesteward.planner.rewrite.RewritePlan;
import org.lakesteward.planner.rewrite.RewritePlanner;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.planner.health.ObservationText.NOW;

/**
 * The rule answers from totals alone only where the rewrite that it offers acts, whatever the single files are like.
 */
public class TestSmallFilesRule
{
    private static final long TARGET = 512L << 20;
    private static final RewriteOptions OPTIONS = RewriteOptions.create(RewriteArguments.builder().build(), TARGET, 0, false);
    private static final TableName TABLE = new TableName("lake", "sales", "orders");

    @Test
    public void testWhatTotalsSayIsTrue()
    {
        long seed = 20260302;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int judged = 0;
        for (int run = 0; run < 20_000; run++) {
            List<DataFileInfo> files = randomFiles(random);
            long bytes = files.stream().mapToLong(DataFileInfo::size).sum();
            TableObservation observation = ObservationText.parse("files=%s bytes=%s records=%s".formatted(files.size(), bytes, files.size()));
            Optional<HealthFinding> finding = HealthRules.examine(TABLE, observation, HealthThresholds.defaults(), NOW).stream()
                    .filter(candidate -> candidate.kind() == FindingKind.SMALL_FILES && candidate.measured().isPresent())
                    .findFirst();
            if (finding.isEmpty()) {
                continue;
            }
            judged++;
            String description = "run %s: %s files of %s bytes".formatted(run, files.size(), bytes);
            long small = files.stream().filter(file -> file.size() < OPTIONS.minFileSize()).count();
            assertThat(finding.get().measured().getAsDouble()).as(description).isLessThanOrEqualTo(small);
            RewritePlan plan = RewritePlanner.plan(OPTIONS, files);
            assertThat(plan.isEmpty()).as(description).isFalse();
            assertThat(plan.outputFiles()).as(description).isLessThan(plan.inputFiles());
        }
        assertThat(judged).as("runs in which totals were enough").isBetween(2_000, 18_000);
    }

    private static List<DataFileInfo> randomFiles(Random random)
    {
        int count = 1 + random.nextInt(random.nextBoolean() ? 12 : 200);
        // one scale for most files of a table, so that tables of small and of large files both occur
        long scale = TARGET >> random.nextInt(10);
        boolean settled = random.nextBoolean();
        List<DataFileInfo> files = new ArrayList<>();
        for (int file = 0; file < count; file++) {
            long size = random.nextInt(20) == 0 ? random.nextLong(TARGET * 2) : random.nextLong(scale);
            files.add(new DataFileInfo(Integer.toString(file), size, 1, 0, "", file, settled || random.nextInt(4) == 0, 0, 0, 0, Optional.empty()));
        }
        return files;
    }
}
