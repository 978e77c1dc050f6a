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
import org.lakesteward.planner.rewrite.FileGroup;
import org.lakesteward.planner.rewrite.LeftAloneReason;
import org.lakesteward.planner.rewrite.PartitionKey;
import org.lakesteward.planner.rewrite.RewriteOptions;
import org.lakesteward.planner.rewrite.RewritePath;
import org.lakesteward.planner.rewrite.RewritePlan;
import org.lakesteward.planner.rewrite.RewritePlanBuilder;
import org.lakesteward.planner.rewrite.RewriteReason;
import org.lakesteward.planner.rewrite.SelectionRules;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Collections.newSetFromMap;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.rewrite.LeftAloneReason.ALREADY_REWRITTEN;
import static org.lakesteward.planner.rewrite.LeftAloneReason.CLUSTERED;
import static org.lakesteward.planner.rewrite.LeftAloneReason.DELETES_BELOW_THRESHOLD;
import static org.lakesteward.planner.rewrite.LeftAloneReason.IN_ORDER;
import static org.lakesteward.planner.rewrite.RewriteReason.NOT_CLUSTERED;
import static org.lakesteward.planner.rewrite.RewriteReason.NOT_SORTED;
import static org.lakesteward.planner.rewrite.RewriteReason.OTHER_SPEC;
import static org.lakesteward.planner.rewrite.RewriteReason.OVERLAPS;
import static org.lakesteward.planner.rewrite.RewriteReason.TOO_LARGE;

/**
 * Decides which live data files {@code rewrite_data_files} sorts together. A pure function: the order of the input does not matter, equal input gives an equal
 * plan.
 * <p>
 * <b>Objective.</b> Within a partition no two files have keys in common, for as few bytes rewritten as that takes. And peace afterwards: a plan over the result
 * of a plan is empty, and after an append only the new files and those that they overlap are planned.
 * <p>
 * <b>Rules</b>, for each partition by itself. Files whose keys overlap, directly or by way of others, are rewritten together. A file that overlaps none is left
 * alone, unless it is too large, has too many deletes, or does not carry the table's sort order when that is the order asked for. Neighbours in key order that
 * are too small are merged by the rules of bin-packing, and join a neighbour that is rewritten anyhow when that leaves fewer files; files with others in between
 * never are, since their common range would overlap those.
 * <p>
 * A file that a sort by the same order wrote has no key in common with the others of that sort, and holds as many keys as it should. So it is never too large,
 * which a file with one heavy key would be for ever, and small ones among themselves are not merged again.
 * <p>
 * <b>Other specs.</b> Rows of files of another spec than the output's go to partitions that nobody knows before reading. With such files all of the selection is
 * one group, whose ranges are cut by partition first; after it there is one spec only.
 */
public final class SortPlanner
{
    private final RewriteOptions options;
    private final boolean tableOrder;
    private final boolean zorder;
    private final SelectionRules rules;
    private final RewritePlanBuilder builder;

    private SortPlanner(RewriteOptions options, boolean tableOrder, boolean zorder)
    {
        this.zorder = zorder;
        this.options = requireNonNull(options, "options is null");
        this.tableOrder = tableOrder;
        rules = new SelectionRules(options);
        builder = new RewritePlanBuilder(options);
    }

    /**
     * @param tableOrder whether the order is the table's own, so that files say by their sort order id whether they have it
     * @param files the live data files that the statement's WHERE selects, with unique paths
     */
    public static RewritePlan plan(RewriteOptions options, boolean tableOrder, Collection<KeyedFile> files)
    {
        return new SortPlanner(options, tableOrder, false).plan(files);
    }

    /**
     * A z-order has no ranges of single columns that could be compared, so that what counts is who wrote a file. Files that a z-order by the same columns wrote
     * are left alone; others are clustered among themselves, when they are as large as they should be or too many. Small ones are merged by the rules of
     * bin-packing. Clusters of several z-orders lie side by side until {@code rewrite_all} puts them together.
     *
     * @param files the live data files that the statement's WHERE selects, with unique paths; their {@code run} is a z-order by the same columns
     */
    public static RewritePlan planZOrder(RewriteOptions options, Collection<KeyedFile> files)
    {
        return new SortPlanner(options, false, true).plan(files);
    }

    private RewritePlan plan(Collection<KeyedFile> files)
    {
        Optional<KeyedFile> foreign = files.stream()
                .filter(file -> file.info().specId() != options.outputSpecId())
                .min(Comparator.comparing(file -> file.info().path()));
        if (foreign.isPresent()) {
            List<KeyedFile> all = files.stream()
                    .sorted(Comparator.comparing((KeyedFile file) -> file.info().partitionKey()).thenComparing(file -> file.info().path()))
                    .collect(toImmutableList());
            addGroup(new PartitionKey(foreign.get().info().specId(), ""), all, OTHER_SPEC);
            return builder.build();
        }

        Map<PartitionKey, List<KeyedFile>> partitions = new TreeMap<>();
        for (KeyedFile file : files) {
            partitions.computeIfAbsent(file.info().partitionKey(), _ -> new ArrayList<>()).add(file);
        }
        partitions.forEach((partition, partitionFiles) -> {
            if (options.rewriteAll()) {
                addGroup(partition, partitionFiles.stream().sorted(OverlapComponents.KEY_ORDER).collect(toImmutableList()));
            }
            else if (zorder) {
                planZOrderPartition(partition, partitionFiles);
            }
            else {
                planPartition(partition, partitionFiles);
            }
        });
        return builder.build();
    }

    private void planZOrderPartition(PartitionKey partition, List<KeyedFile> files)
    {
        List<KeyedFile> taken = new ArrayList<>();
        boolean must = false;
        for (KeyedFile file : files.stream().sorted(OverlapComponents.KEY_ORDER).toList()) {
            if (isMust(file)) {
                must = true;
                taken.add(file);
            }
            else if (isSmall(file.info())) {
                taken.add(file);
            }
            else {
                builder.leaveAlone(file.info().deleteFiles() == 0 ? CLUSTERED : DELETES_BELOW_THRESHOLD, file.info());
            }
        }
        if (!taken.isEmpty()) {
            settle(partition, new Candidate(taken, must));
        }
    }

    private void planPartition(PartitionKey partition, List<KeyedFile> files)
    {
        List<Candidate> candidates = takeInWhatIsSpanned(OverlapComponents.of(files).stream()
                .map(component -> new Candidate(component, component.size() > 1 || isMust(component.getFirst())))
                .toList());
        Set<Candidate> entangled = entangled(candidates);
        List<Candidate> neighbours = new ArrayList<>();
        for (Candidate next : candidates) {
            if (!next.must() && (entangled.contains(next) || !isSmall(next.files().getFirst().info()))) {
                settleNeighbours(partition, neighbours);
                neighbours.clear();
                next.files().forEach(file -> builder.leaveAlone(file.info().deleteFiles() == 0 ? IN_ORDER : DELETES_BELOW_THRESHOLD, file.info()));
            }
            else if (!next.must() && !neighbours.isEmpty() && !neighbours.getLast().must()) {
                // all small neighbours or none, as in bin-packing
                neighbours.set(neighbours.size() - 1, neighbours.getLast().with(next));
            }
            else {
                neighbours.add(next);
            }
        }
        settleNeighbours(partition, neighbours);
    }

    private void settleNeighbours(PartitionKey partition, List<Candidate> neighbours)
    {
        Optional<Candidate> current = Optional.empty();
        for (Candidate next : neighbours) {
            if (current.isPresent() && goTogether(current.get(), next)) {
                current = Optional.of(current.get().with(next));
            }
            else {
                current.ifPresent(candidate -> settle(partition, candidate));
                current = Optional.of(next);
            }
        }
        current.ifPresent(candidate -> settle(partition, candidate));
    }

    /**
     * Files of one sort may overlap by their bounds, which do not always tell. That holds as long as they stay as they are: what is rewritten could spread over
     * all that its bounds span, so that it takes in every file there.
     */
    private static List<Candidate> takeInWhatIsSpanned(List<Candidate> candidates)
    {
        List<Candidate> current = candidates;
        while (true) {
            List<Candidate> next = new ArrayList<>();
            Optional<Candidate> spanning = Optional.empty();
            for (Candidate candidate : byKeys(current.stream().filter(Candidate::must))) {
                if (spanning.isPresent() && spanning.get().keys().overlaps(candidate.keys())) {
                    spanning = Optional.of(spanning.get().with(candidate));
                }
                else {
                    spanning.ifPresent(next::add);
                    spanning = Optional.of(candidate);
                }
            }
            spanning.ifPresent(next::add);

            TreeMap<Long, Integer> starts = new TreeMap<>();
            for (int index = 0; index < next.size(); index++) {
                starts.put(next.get(index).keys().first(), index);
            }
            int musts = next.size();
            boolean changed = false;
            for (Candidate candidate : current) {
                if (candidate.must()) {
                    continue;
                }
                // the spans have nothing in common, so that only the last one that begins before the candidate's end can reach it
                Optional<Integer> reaching = Optional.ofNullable(starts.lowerEntry(candidate.keys().last()))
                        .map(Map.Entry::getValue)
                        .filter(index -> index < musts && next.get(index).keys().overlaps(candidate.keys()));
                if (reaching.isPresent()) {
                    next.set(reaching.get(), next.get(reaching.get()).with(candidate));
                    changed = true;
                }
                else {
                    next.add(candidate);
                }
            }
            current = next;
            if (!changed) {
                return byKeys(current.stream());
            }
        }
    }

    /** Those whose keys, by their bounds, overlap those of their neighbours. */
    private static Set<Candidate> entangled(List<Candidate> candidates)
    {
        Set<Candidate> entangled = newSetFromMap(new IdentityHashMap<>());
        Optional<Candidate> farthest = Optional.empty();
        for (Candidate candidate : candidates) {
            if (farthest.isPresent() && farthest.get().keys().overlaps(candidate.keys())) {
                entangled.add(farthest.get());
                entangled.add(candidate);
            }
            if (farthest.isEmpty() || candidate.keys().last() > farthest.get().keys().last()) {
                farthest = Optional.of(candidate);
            }
        }
        return entangled;
    }

    private static List<Candidate> byKeys(Stream<Candidate> candidates)
    {
        return candidates
                .sorted(Comparator.comparing((Candidate candidate) -> candidate.files().getFirst(), OverlapComponents.KEY_ORDER))
                .collect(toImmutableList());
    }

    private boolean isMust(KeyedFile file)
    {
        return SelectionRules.isMust(reasons(file));
    }

    private boolean isSmall(DataFileInfo file)
    {
        return file.size() < options.minFileSize();
    }

    private Set<RewriteReason> reasons(KeyedFile file)
    {
        Set<RewriteReason> reasons = rules.reasons(file.info());
        if (file.run().isPresent() || (!zorder && file.keys().isSingleKey())) {
            reasons.remove(TOO_LARGE);
        }
        if (zorder && file.run().isEmpty() && !isSmall(file.info())) {
            reasons.add(NOT_CLUSTERED);
        }
        if (tableOrder && !file.sorted()) {
            reasons.add(NOT_SORTED);
        }
        return reasons;
    }

    private boolean goTogether(Candidate left, Candidate right)
    {
        // two that are rewritten anyhow stay apart, unless one of them would make a small file
        boolean small = !left.must() || !right.must() || min(left.liveBytes(), right.liveBytes()) < options.minFileSize();
        return small && options.outputFiles(left.liveBytes() + right.liveBytes()) < apart(left) + apart(right);
    }

    private int apart(Candidate candidate)
    {
        return candidate.must() ? options.outputFiles(candidate.liveBytes()) : candidate.files().size();
    }

    private void settle(PartitionKey partition, Candidate candidate)
    {
        if (!candidate.must()) {
            Optional<LeftAloneReason> whyNot = whyNotMerge(candidate.files());
            if (whyNot.isPresent()) {
                candidate.files().forEach(file -> builder.leaveAlone(whyNot.get(), file.info()));
                return;
            }
        }
        addGroup(partition, candidate.files());
    }

    private Optional<LeftAloneReason> whyNotMerge(List<KeyedFile> small)
    {
        Optional<String> run = small.getFirst().run();
        if (small.size() > 1 && run.isPresent() && small.stream().allMatch(file -> file.run().equals(run))) {
            return Optional.of(ALREADY_REWRITTEN);
        }
        return rules.whyNotMerge(small.stream().map(KeyedFile::info).toList());
    }

    private void addGroup(PartitionKey partition, List<KeyedFile> files, RewriteReason... more)
    {
        Set<RewriteReason> reasons = EnumSet.noneOf(RewriteReason.class);
        reasons.addAll(ImmutableList.copyOf(more));
        files.forEach(file -> reasons.addAll(reasons(file)));
        if (!zorder && OverlapComponents.of(files).stream().anyMatch(component -> component.size() > 1)) {
            reasons.add(OVERLAPS);
        }
        List<DataFileInfo> infos = files.stream().map(KeyedFile::info).collect(toImmutableList());
        long liveBytes = SelectionRules.liveBytes(infos);
        builder.add(new FileGroup(
                0,
                partition,
                infos,
                infos.stream().mapToLong(DataFileInfo::size).sum(),
                liveBytes,
                options.outputFiles(liveBytes),
                RewritePath.SORT,
                "each output file gets a key range of its own",
                reasons));
    }

    /**
     * Files that would be rewritten together.
     *
     * @param files in key order
     * @param must not only because they are small
     * @param keys the span of all of them
     */
    private record Candidate(List<KeyedFile> files, boolean must, long liveBytes, KeyRange keys)
    {
        Candidate(List<KeyedFile> files, boolean must)
        {
            this(
                    files,
                    must,
                    SelectionRules.liveBytes(files.stream().map(KeyedFile::info).toList()),
                    new KeyRange(files.getFirst().keys().first(), files.stream().mapToLong(file -> file.keys().last()).max().orElseThrow()));
        }

        Candidate with(Candidate other)
        {
            return new Candidate(
                    Stream.concat(files.stream(), other.files.stream()).sorted(OverlapComponents.KEY_ORDER).collect(toImmutableList()),
                    must || other.must,
                    liveBytes + other.liveBytes,
                    new KeyRange(min(keys.first(), other.keys.first()), max(keys.last(), other.keys.last())));
        }
    }
}
