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
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.rewrite.DataFileInfo;
import org.lakesteward.planner.rewrite.FileGroup;
import org.lakesteward.planner.rewrite.LeftAlone;
import org.lakesteward.planner.rewrite.LeftAloneReason;
import org.lakesteward.planner.rewrite.RewriteArguments;
import org.lakesteward.planner.rewrite.RewriteOptions;
import org.lakesteward.planner.rewrite.RewritePlan;
import org.lakesteward.planner.rewrite.RewriteReason;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

public class TestSortPlanner
{
    private static final long SEED = 20_261_130;
    private static final long MB = 1L << 20;
    private static final long TARGET = 100 * MB;

    @Test
    public void testDisjointFilesAreLeftAlone()
    {
        RewritePlan plan = plan(file("a", 90, 0, 10), file("b", 90, 11, 20), file("c", 90, 20, 30));
        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.leftAlone()).containsExactly(new LeftAlone(LeftAloneReason.IN_ORDER, 1, 3, 270 * MB));
    }

    @Test
    public void testOverlappingFiles()
    {
        RewritePlan plan = plan(file("a", 90, 0, 10), file("b", 90, 5, 20), file("c", 90, 15, 30), file("d", 90, 40, 50));
        assertThat(groups(plan)).containsExactly(ImmutableSet.of("a", "b", "c"));
        assertThat(plan.groups().getFirst().reasons()).containsExactly(RewriteReason.OVERLAPS);
        assertThat(plan.groups().getFirst().outputFiles()).isEqualTo(3);
    }

    @Test
    public void testAppendTakesOnlyWhatItOverlaps()
    {
        List<KeyedFile> files = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            files.add(file("old" + i, 90, 10 * i, 10 * i + 9));
        }
        files.add(file("new", 5, 35, 44));
        assertThat(groups(SortPlanner.plan(options(), false, files))).containsExactly(ImmutableSet.of("old3", "old4", "new"));
    }

    @Test
    public void testOneSortHasNoOverlaps()
    {
        // long texts with one prefix have the same bounds
        KeyedFile first = ofRun("first", 90, 7, 9, "run");
        KeyedFile second = ofRun("second", 90, 7, 9, "run");
        KeyedFile other = ofRun("other", 90, 7, 9, "another run");
        assertThat(plan(first, second).isEmpty()).isTrue();
        assertThat(groups(plan(first, second, other))).containsExactly(ImmutableSet.of("first", "second", "other"));
        assertThat(groups(plan(first, second, file("new", 5, 8, 10)))).containsExactly(ImmutableSet.of("first", "second", "new"));
    }

    @Test
    public void testOneKeyIsNotDivided()
    {
        assertThat(plan(file("a", 900, 5, 5)).isEmpty()).isTrue();
        assertThat(plan(file("a", 900, 5, 5), file("b", 900, 5, 5)).isEmpty()).isTrue();
        assertThat(groups(plan(file("a", 900, 5, 6)))).containsExactly(ImmutableSet.of("a"));
        assertThat(plan(ofRun("a", 900, 5, 6, "run")).isEmpty()).isTrue();
    }

    @Test
    public void testSmallNeighboursAreMerged()
    {
        List<KeyedFile> files = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            files.add(file("f" + i, i == 6 ? 90 : 4, 10 * i, 10 * i + 9));
        }
        // a file of the right size lies between them
        assertThat(groups(SortPlanner.plan(options(), false, files))).containsExactly(
                ImmutableSet.of("f0", "f1", "f2", "f3", "f4", "f5"),
                ImmutableSet.of("f7", "f8", "f9", "f10", "f11"));
    }

    @Test
    public void testSmallNeighbourJoins()
    {
        assertThat(groups(plan(file("a", 30, 0, 10), file("b", 30, 5, 20), file("c", 20, 21, 30), file("d", 90, 31, 40))))
                .containsExactly(ImmutableSet.of("a", "b", "c"));
        // but not past a file that stays
        assertThat(groups(plan(file("a", 30, 0, 10), file("b", 30, 5, 20), file("c", 20, 41, 50), file("d", 90, 31, 40))))
                .containsExactly(ImmutableSet.of("a", "b"));
    }

    @Test
    public void testTableOrder()
    {
        KeyedFile unsorted = file("a", 90, 0, 10);
        KeyedFile sorted = new KeyedFile(unsorted.info(), unsorted.keys(), true, Optional.empty());
        assertThat(SortPlanner.plan(options(), true, ImmutableList.of(sorted)).isEmpty()).isTrue();
        RewritePlan plan = SortPlanner.plan(options(), true, ImmutableList.of(unsorted));
        assertThat(groups(plan)).containsExactly(ImmutableSet.of("a"));
        assertThat(plan.groups().getFirst().reasons()).containsExactly(RewriteReason.NOT_SORTED);
    }

    @Test
    public void testDeletes()
    {
        KeyedFile file = file("a", 90, 0, 10);
        DataFileInfo info = new DataFileInfo("a", file.info().size(), 1000, 0, "p", 1, false, 2, 0, 0, Optional.empty());
        assertThat(groups(plan(new KeyedFile(info, file.keys(), true, Optional.of("run")), file("b", 90, 20, 30)))).containsExactly(ImmutableSet.of("a"));
    }

    @Test
    public void testOtherSpec()
    {
        KeyedFile other = new KeyedFile(new DataFileInfo("old", 90 * MB, 1000, 7, "q", 1, false, 0, 0, 0, Optional.empty()), new KeyRange(0, 1), false, Optional.empty());
        RewritePlan plan = plan(other, file("a", 90, 0, 10), file("b", 90, 20, 30));
        assertThat(groups(plan)).containsExactly(ImmutableSet.of("old", "a", "b"));
        assertThat(plan.groups().getFirst().partition().specId()).isEqualTo(7);
        assertThat(plan.groups().getFirst().reasons()).contains(RewriteReason.OTHER_SPEC);
    }

    @Test
    public void testComponentsAgainstDefinition()
    {
        Random random = new Random(SEED);
        for (int run = 0; run < 3_000; run++) {
            List<KeyedFile> files = randomFiles(random, "f" + run, 1 + random.nextInt(25), 1 + random.nextInt(60), 5);
            Set<Set<String>> expected = closure(files);
            assertThat(OverlapComponents.of(files).stream()
                    .map(component -> component.stream().map(file -> file.info().path()).collect(toImmutableSet()))
                    .collect(toImmutableSet()))
                    .as("seed %s, run %s: %s", SEED, run, files)
                    .isEqualTo(expected);
        }
    }

    @Test
    public void testSecondPlanIsEmpty()
    {
        Random random = new Random(SEED);
        int planned = 0;
        for (int run = 0; run < 2_000; run++) {
            List<KeyedFile> files = randomFiles(random, "f", random.nextInt(40), 1 + random.nextInt(200), 3);
            boolean tableOrder = random.nextBoolean();
            RewritePlan plan = SortPlanner.plan(options(), tableOrder, files);
            String description = "seed %s, run %s".formatted(SEED, run);

            List<KeyedFile> shuffled = new ArrayList<>(files);
            Collections.shuffle(shuffled, random);
            assertThat(SortPlanner.plan(options(), tableOrder, shuffled)).as(description).isEqualTo(plan);
            assertThat(plan.inputFiles() + plan.leftAloneFiles()).as(description).isEqualTo(files.size());

            List<KeyedFile> after = apply(plan, files, random);
            assertDisjoint(after, description);
            RewritePlan second = SortPlanner.plan(options(), tableOrder, after);
            assertThat(second.groups()).as(description).isEmpty();
            planned += plan.groups().size();
        }
        assertThat(planned).isGreaterThan(1_000);
    }

    /** Outputs that keep within the hull of their inputs, as ranges of a sample of real keys do. */
    private static List<KeyedFile> apply(RewritePlan plan, List<KeyedFile> files, Random random)
    {
        Map<String, KeyedFile> left = new HashMap<>();
        files.forEach(file -> left.put(file.info().path(), file));
        ImmutableList.Builder<KeyedFile> result = ImmutableList.builder();
        for (FileGroup group : plan.groups()) {
            List<KeyedFile> inputs = group.files().stream().map(file -> left.remove(file.path())).toList();
            // a wide scale leaves room to divide a narrow hull
            long first = inputs.stream().mapToLong(file -> file.keys().first()).min().orElseThrow();
            long last = inputs.stream().mapToLong(file -> file.keys().last()).max().orElseThrow();
            int outputs = (int) Math.min(group.outputFiles(), (last - first) / 2 + 1);
            for (int output = 0; output < outputs; output++) {
                long from = first + (last - first) * output / outputs;
                long to = output == outputs - 1 ? last : first + (last - first) * (output + 1) / outputs - 1;
                long size = (long) (group.liveBytes() / (double) outputs * (0.6 + 0.6 * random.nextDouble()));
                result.add(new KeyedFile(
                        new DataFileInfo("s%s-%s".formatted(group.id(), output), size, 1000, 0, "p", 9, true, 0, 0, 0, Optional.empty()),
                        new KeyRange(from, Math.max(from, to)),
                        true,
                        Optional.of("group" + group.id())));
            }
        }
        List<KeyedFile> all = result.addAll(left.values()).build();
        // as if from bounds: a file that begins with the key that another ends with touches it
        List<KeyRange> ranges = KeyRanges.ofColumns(all.stream().map(file -> (List<KeyRange>) ImmutableList.of(file.keys())).toList());
        ImmutableList.Builder<KeyedFile> ranked = ImmutableList.builder();
        for (int index = 0; index < all.size(); index++) {
            KeyedFile file = all.get(index);
            ranked.add(new KeyedFile(file.info(), ranges.get(index), file.sorted(), file.run()));
        }
        return ranked.build();
    }

    private static void assertDisjoint(List<KeyedFile> files, String description)
    {
        for (KeyedFile left : files) {
            for (KeyedFile right : files) {
                boolean sameRun = left.run().isPresent() && left.run().equals(right.run());
                if (left != right && !sameRun) {
                    assertThat(left.keys().overlaps(right.keys())).as("%s: %s and %s", description, left, right).isFalse();
                }
            }
        }
    }

    private static Set<Set<String>> closure(List<KeyedFile> files)
    {
        Map<String, Set<String>> sets = new HashMap<>();
        files.forEach(file -> sets.put(file.info().path(), new HashSet<>(Set.of(file.info().path()))));
        for (KeyedFile left : files) {
            for (KeyedFile right : files) {
                boolean sameRun = left.run().isPresent() && left.run().equals(right.run());
                Set<String> leftSet = sets.get(left.info().path());
                Set<String> rightSet = sets.get(right.info().path());
                if (left != right && !sameRun && left.keys().overlaps(right.keys()) && leftSet != rightSet) {
                    leftSet.addAll(rightSet);
                    rightSet.forEach(path -> sets.put(path, leftSet));
                }
            }
        }
        return sets.values().stream().map(ImmutableSet::copyOf).collect(toImmutableSet());
    }

    private static List<KeyedFile> randomFiles(Random random, String name, int count, int keys, int runs)
    {
        ImmutableList.Builder<List<KeyRange>> columns = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            int first = random.nextInt(keys);
            int last = random.nextInt(8) == 0 ? keys : first + random.nextInt(Math.max(1, keys / 8) + 1);
            // far apart, so that ranges can be divided
            columns.add(ImmutableList.of(random.nextInt(20) == 0 ? KeyRange.UNKNOWN : new KeyRange(1000L * first, 1000L * Math.max(first, last))));
        }
        List<KeyRange> ranges = KeyRanges.ofColumns(columns.build()).stream().map(range -> new KeyRange(10_000 * range.first(), 10_000 * range.last())).toList();
        ImmutableList.Builder<KeyedFile> files = ImmutableList.builder();
        for (int i = 0; i < count; i++) {
            long size = 1 + (random.nextBoolean() ? random.nextLong(20 * MB) : random.nextLong(250 * MB));
            int deletes = random.nextInt(10) == 0 ? random.nextInt(4) : 0;
            files.add(new KeyedFile(
                    new DataFileInfo(name + "-" + i, size, 1000, 0, "p", random.nextInt(5), random.nextBoolean(), deletes, 0, 0, Optional.empty()),
                    ranges.get(i),
                    random.nextBoolean(),
                    random.nextInt(3) == 0 ? Optional.of("run" + random.nextInt(runs)) : Optional.empty()));
        }
        return files.build();
    }

    private static KeyedFile file(String path, long megabytes, long first, long last)
    {
        return new KeyedFile(
                new DataFileInfo(path, megabytes * MB, 1000, 0, "p", 1, false, 0, 0, 0, Optional.empty()),
                new KeyRange(first, last),
                false,
                Optional.empty());
    }

    private static KeyedFile ofRun(String path, long megabytes, long first, long last, String run)
    {
        KeyedFile file = file(path, megabytes, first, last);
        return new KeyedFile(file.info(), file.keys(), true, Optional.of(run));
    }

    private static RewriteOptions options()
    {
        return RewriteOptions.create(RewriteArguments.builder().build(), TARGET, 0, true);
    }

    private static RewritePlan plan(KeyedFile... files)
    {
        return SortPlanner.plan(options(), false, ImmutableList.copyOf(files));
    }

    private static List<Set<String>> groups(RewritePlan plan)
    {
        return plan.groups().stream()
                .map(group -> group.files().stream().map(DataFileInfo::path).collect(toImmutableSet()))
                .collect(toImmutableList());
    }
}
