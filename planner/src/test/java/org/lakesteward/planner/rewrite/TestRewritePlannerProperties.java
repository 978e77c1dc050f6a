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

import com.google.common.collect.ImmutableSet;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.DoubleSupplier;

import static java.lang.Math.ceilDiv;
import static java.lang.Math.max;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds of every plan. Each property is checked on {@link #RUNS} random inputs; the seed of a failing one is part of the failure's text.
 */
public class TestRewritePlannerProperties
{
    private static final long FIRST_SEED = 20_260_101;
    private static final int RUNS = 3_000;

    @Test
    public void testSecondPlanIsEmpty()
    {
        int rewrites = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            RandomPlanning random = new RandomPlanning(seed);
            RewriteOptions options = random.unboundedOptions();
            List<DataFileInfo> files = random.files(options);
            RewritePlan plan = RewritePlanner.plan(options, files);
            rewrites += plan.groups().size();

            double common = random.ratio();
            for (DoubleSupplier ratio : List.<DoubleSupplier>of(() -> 1, () -> 0.5, () -> 1.2, () -> common, random::ratio)) {
                List<DataFileInfo> after = AppliedPlan.apply(plan, files, "r", ratio);
                assertThat(RewritePlanner.plan(options, after).groups())
                        .as("groups of the second plan, seed %s", seed)
                        .isEmpty();
            }
        }
        assertThat(rewrites).isGreaterThan(RUNS);
    }

    @Test
    public void testPlansComeToAnEndUnderBounds()
    {
        int secondPlans = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            RandomPlanning random = new RandomPlanning(seed);
            RewriteOptions options = withoutRewriteAll(random.options());
            List<DataFileInfo> files = random.files(options);
            RewritePlan plan = RewritePlanner.plan(options, files);
            int rounds = 0;
            while (!plan.isEmpty()) {
                int before = files.size();
                boolean must = !plan.groups().stream().allMatch(group -> group.reasons().equals(ImmutableSet.of(RewriteReason.TOO_SMALL)));
                files = AppliedPlan.apply(plan, files, "r" + rounds, random::ratio);
                if (!must) {
                    assertThat(files.size()).as("files after round %s, seed %s", rounds, seed).isLessThan(before);
                }
                rounds++;
                assertThat(rounds).as("rounds, seed %s", seed).isLessThan(1_000);
                plan = RewritePlanner.plan(options, files);
            }
            secondPlans += rounds > 1 ? 1 : 0;
        }
        assertThat(secondPlans).isGreaterThan(RUNS / 100);
    }

    @Test
    public void testOrderOfInputDoesNotMatter()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            RandomPlanning random = new RandomPlanning(seed);
            RewriteOptions options = random.options();
            List<DataFileInfo> files = random.files(options);
            List<DataFileInfo> shuffled = new ArrayList<>(files);
            Collections.shuffle(shuffled, random.random());
            assertThat(RewritePlanner.plan(options, shuffled))
                    .as("plan of shuffled files, seed %s", seed)
                    .isEqualTo(RewritePlanner.plan(options, files));
        }
    }

    @Test
    public void testEveryFileIsDecidedOnce()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            RandomPlanning random = new RandomPlanning(seed);
            RewriteOptions options = random.options();
            List<DataFileInfo> files = random.files(options);
            RewritePlan plan = RewritePlanner.plan(options, files);

            Set<String> grouped = new HashSet<>();
            for (FileGroup group : plan.groups()) {
                for (DataFileInfo file : group.files()) {
                    assertThat(grouped.add(file.path())).as("%s is in one group, seed %s", file.path(), seed).isTrue();
                    assertThat(file.partitionKey()).as("partition of %s, seed %s", file.path(), seed).isEqualTo(group.partition());
                    assertThat(files).contains(file);
                }
            }
            assertThat(grouped.size() + plan.leftAloneFiles()).as("files, seed %s", seed).isEqualTo(files.size());
            assertThat(plan.inputBytes() + plan.leftAloneBytes())
                    .as("bytes, seed %s", seed)
                    .isEqualTo(files.stream().mapToLong(DataFileInfo::size).sum());
            assertThat(plan.leftAlone()).as("seed %s", seed).extracting(LeftAlone::reason).doesNotHaveDuplicates();
        }
    }

    @Test
    public void testGroupsKeepTheirBounds()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            RandomPlanning random = new RandomPlanning(seed);
            RewriteOptions options = random.options();
            List<DataFileInfo> files = random.files(options);
            RewritePlan plan = RewritePlanner.plan(options, files);

            assertThat(plan.groups()).as("ids, seed %s", seed)
                    .extracting(FileGroup::id)
                    .containsExactlyElementsOf(range(0, plan.groups().size()).boxed().toList());
            assertThat(plan.groups()).as("job order, seed %s", seed).isSortedAccordingTo(options.jobOrder().comparator());
            assertThat(plan.inputFiles()).as("files, seed %s", seed).isLessThanOrEqualTo(options.maxFilesToRewrite().orElse(Integer.MAX_VALUE));
            for (FileGroup group : plan.groups()) {
                String description = "group %s, seed %s".formatted(group.id(), seed);
                if (group.files().size() > 1) {
                    assertThat(group.inputBytes()).as(description).isLessThanOrEqualTo(options.maxFileGroupSize());
                }
                assertThat(group.liveBytes()).as(description).isLessThanOrEqualTo(group.outputFiles() * options.targetFileSize());
                if (group.reasons().equals(ImmutableSet.of(RewriteReason.TOO_SMALL))) {
                    assertThat(group.files().size()).as(description).isGreaterThan(group.outputFiles());
                }
                boolean copyable = options.copyEnabled() && group.partition().specId() == options.outputSpecId()
                        && group.files().stream().allMatch(file -> file.copyObstacle().isEmpty() && file.deleteFiles() == 0 && file.knownDeletedRows() == 0);
                assertThat(group.path()).as(description).isEqualTo(copyable ? RewritePath.COPY : RewritePath.ENCODE);
            }
        }
    }

    /**
     * A partition whose files are all rewritten has exactly {@code ceil(bytes / target)} afterwards; one that was taken for its small files has at most
     * as many small ones besides the right-sized.
     */
    @Test
    public void testNumberOfFilesAfterwards()
    {
        int exact = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            RandomPlanning random = new RandomPlanning(seed);
            RewriteOptions options = random.unboundedOptions();
            List<DataFileInfo> files = random.files(options);
            RewritePlan plan = RewritePlanner.plan(options, files);
            Map<PartitionKey, List<DataFileInfo>> before = files.stream().collect(groupingBy(DataFileInfo::partitionKey));
            Map<PartitionKey, List<FileGroup>> groups = plan.groups().stream().collect(groupingBy(FileGroup::partition));
            for (Map.Entry<PartitionKey, List<FileGroup>> partition : groups.entrySet()) {
                int inputs = partition.getValue().stream().mapToInt(group -> group.files().size()).sum();
                if (inputs == before.get(partition.getKey()).size()) {
                    long bytes = before.get(partition.getKey()).stream().mapToLong(DataFileInfo::liveBytes).sum();
                    assertThat(partition.getValue().stream().mapToLong(FileGroup::outputFiles).sum())
                            .as("outputs of %s, seed %s", partition.getKey(), seed)
                            .isEqualTo(max(1, ceilDiv(bytes, options.targetFileSize())));
                    exact++;
                }
            }
        }
        assertThat(exact).isGreaterThan(RUNS / 2);
    }

    /**
     * No part of the new small files of a partition could have been merged into fewer files, once at least {@code min_input_files} of them are there.
     */
    @Test
    public void testNoGainIsMissedAmongNewFiles()
    {
        int partitions = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            RandomPlanning random = new RandomPlanning(seed);
            RewriteOptions options = random.unboundedOptions();
            List<DataFileInfo> files = random.files(options).stream()
                    .map(TestRewritePlannerProperties::fresh)
                    .filter(file -> file.size() < options.minFileSize())
                    .toList();
            RewritePlan plan = RewritePlanner.plan(options, files);
            Map<PartitionKey, Integer> after = new HashMap<>();
            AppliedPlan.apply(plan, files, "r", () -> 1).forEach(file -> after.merge(file.partitionKey(), 1, Integer::sum));
            Map<PartitionKey, List<DataFileInfo>> before = files.stream().collect(groupingBy(DataFileInfo::partitionKey));
            for (Map.Entry<PartitionKey, List<DataFileInfo>> partition : before.entrySet()) {
                if (partition.getValue().size() >= options.minInputFiles()) {
                    long bytes = partition.getValue().stream().mapToLong(DataFileInfo::size).sum();
                    long possible = max(1, ceilDiv(bytes, options.targetFileSize()));
                    assertThat((long) after.get(partition.getKey()))
                            .as("files of %s, seed %s", partition.getKey(), seed)
                            .isLessThanOrEqualTo(possible);
                    partitions++;
                }
            }
        }
        assertThat(partitions).isGreaterThan(RUNS / 2);
    }

    private static DataFileInfo fresh(DataFileInfo file)
    {
        return new DataFileInfo(
                file.path(),
                file.size(),
                file.recordCount(),
                file.specId(),
                file.partition(),
                file.dataSequenceNumber(),
                false,
                0,
                0,
                0,
                Optional.empty());
    }

    private static RewriteOptions withoutRewriteAll(RewriteOptions options)
    {
        return new RewriteOptions(
                options.targetFileSize(),
                options.minFileSize(),
                options.maxFileSize(),
                options.minInputFiles(),
                options.maxFileGroupSize(),
                options.deleteFileThreshold(),
                options.deleteRatioThreshold(),
                false,
                options.jobOrder(),
                options.maxFilesToRewrite().isPresent() ? OptionalInt.of(options.maxFilesToRewrite().getAsInt() + 10) : OptionalInt.empty(),
                options.outputSpecId(),
                options.copyEnabled());
    }
}
