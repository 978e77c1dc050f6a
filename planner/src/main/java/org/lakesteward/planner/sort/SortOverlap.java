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

import org.lakesteward.planner.rewrite.FileGroup;
import org.lakesteward.planner.rewrite.PartitionKey;
import org.lakesteward.planner.rewrite.RewriteOptions;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Comparator.comparingLong;
import static org.lakesteward.planner.rewrite.RewriteReason.OVERLAPS;

/**
 * How much the files of a sorted table overlap, and what a sort would rewrite to end that.
 *
 * @param depth how many files may hold a key, on average over the keys with which files begin; 1 when nothing overlaps, 0 without files
 * @param deepest the most files that may hold such a key
 * @param files data files that a sort by the table's order would rewrite because they overlap
 * @param bytes their size
 */
public record SortOverlap(double depth, long deepest, long files, long bytes)
{
    public SortOverlap
    {
        checkArgument(depth >= 0, "depth is negative: %s", depth);
        checkArgument(deepest >= 0, "deepest is negative: %s", deepest);
        checkArgument(files >= 0, "files is negative: %s", files);
        checkArgument(bytes >= 0, "bytes is negative: %s", bytes);
    }

    /**
     * A pure function of the files; their order does not matter.
     *
     * @param options what a sort with default arguments would use
     * @param files all files of the table, with keys by the table's own order
     */
    public static SortOverlap of(RewriteOptions options, Collection<KeyedFile> files)
    {
        Map<PartitionKey, List<KeyedFile>> partitions = new HashMap<>();
        files.forEach(file -> partitions.computeIfAbsent(file.info().partitionKey(), _ -> new ArrayList<>()).add(file));
        long sum = 0;
        long deepest = 0;
        for (List<KeyedFile> partition : partitions.values()) {
            Sweep sweep = new Sweep();
            partition.stream().sorted(OverlapComponents.KEY_ORDER).forEach(sweep::add);
            sum += sweep.sum;
            deepest = Math.max(deepest, sweep.deepest);
        }
        List<FileGroup> groups = SortPlanner.plan(options, true, files).groups().stream()
                .filter(group -> group.reasons().contains(OVERLAPS))
                .toList();
        return new SortOverlap(
                files.isEmpty() ? 0 : (double) sum / files.size(),
                deepest,
                groups.stream().mapToLong(group -> group.files().size()).sum(),
                groups.stream().mapToLong(FileGroup::inputBytes).sum());
    }

    /** Files come by their first keys. Those of one sort count once, because at most one of them has a given key. */
    private static final class Sweep
    {
        private static final Comparator<KeyedFile> BY_LAST_KEY = comparingLong(file -> file.keys().last());

        private final PriorityQueue<KeyedFile> open = new PriorityQueue<>(BY_LAST_KEY);
        private final Map<String, Integer> openRuns = new HashMap<>();
        private long openAlone;
        private long sum;
        private long deepest;

        void add(KeyedFile file)
        {
            while (!open.isEmpty() && open.peek().keys().last() <= file.keys().first()) {
                KeyedFile closed = open.poll();
                if (closed.run().isPresent()) {
                    openRuns.computeIfPresent(closed.run().get(), (_, count) -> count == 1 ? null : count - 1);
                }
                else {
                    openAlone--;
                }
            }
            open.add(file);
            if (file.run().isPresent()) {
                openRuns.merge(file.run().get(), 1, Integer::sum);
            }
            else {
                openAlone++;
            }
            long depth = openAlone + openRuns.size();
            sum += depth;
            deepest = Math.max(deepest, depth);
        }
    }
}
