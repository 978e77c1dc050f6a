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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static java.lang.Math.max;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.rewrite.GroupCutter.outputFiles;
import static org.lakesteward.planner.rewrite.LeftAloneReason.ALONE_IN_GROUP;
import static org.lakesteward.planner.rewrite.LeftAloneReason.DELETES_BELOW_THRESHOLD;
import static org.lakesteward.planner.rewrite.LeftAloneReason.NOT_FEWER_FILES;
import static org.lakesteward.planner.rewrite.LeftAloneReason.RIGHT_SIZE;
import static org.lakesteward.planner.rewrite.RewriteReason.TOO_SMALL;

/**
 * Decides which live data files {@code rewrite_data_files} rewrites together. A pure function: the order of the input does not matter, equal
 * input gives an equal plan. Near-linear in the number of files.
 * <p>
 * <b>Objective.</b> As few files as the target size {@code T} allows, for as few bytes rewritten as that takes, and in pieces that can be worked on
 * apart. And peace afterwards: a plan over the result of a plan is empty (unless {@code rewrite_all} asks for everything again).
 * <p>
 * <b>Selection</b>, for each partition of each spec by itself. A file with a reason other than its smallness <i>must</i> be rewritten; one that is
 * only too small <i>may</i> be. The live bytes of a file are its size less the share of rows known to be deleted; rows of {@code B} live bytes become
 * {@code n = max(1, ceil(B / T))} files.
 * <ul>
 * <li>Without a must, the may-files are taken together when there are {@code min_input_files} of them, or two or more that fill a target, and
 * {@code max(1, ceil(W / T))} is below their number, where {@code W} is their weight.
 * <li>With musts of {@code B} live bytes, all may-files ({@code c} of them with {@code S} live bytes) join when that leaves fewer files:
 * {@code n(B + S) < n(B) + c}.
 * </ul>
 * All or none is right in both cases: since no may-file weighs more than {@code T}, a part of them can never save files when the whole does not.
 * <p>
 * <b>Weight.</b> A file weighs its live bytes; a settled one, which a rewrite has made, weighs two and a half times that, up to {@code T}. Predictions
 * err: the same rows compress better in larger files, so an output may be half as large as was predicted, and by its bytes alone it would
 * look like something to merge. Weighed so, it counts at least what it was predicted to be. The half beyond twofold covers the division into outputs and
 * rounding. In the other direction a settled file is too large only above 1.25 {@code T}, even when {@code max_file_size} is lower, since an output
 * may exceed its prediction a little.
 * <p>
 * <b>Why a second plan is empty.</b> Take a set that was rewritten, {@code B > (n - 1) T}. Groups are cut so that no output is predicted above {@code T}
 * ({@link GroupCutter}), and a group that nothing would come of (no must, no more inputs than outputs) is dropped. What is left of the set is at most
 * {@code n} files, each weighing at least its prediction, which is at most {@code T}. Say {@code c} of them are now too small: the others were predicted
 * to take at most {@code (n - c) T}, so these weigh more than {@code (c - 1) T}, would be {@code c} files again, and are left alone. {@code k} may-files
 * that did not join change nothing about it: by the rule {@code B + S > (n + k - 1) T}, so {@code c} outputs and they weigh more than
 * {@code (c + k - 1) T}.
 * <p>
 * <b>Doubts.</b>
 * <ul>
 * <li>The estimate of live bytes knows nothing of equality deletes, whose rows nobody has counted; with those, outputs are smaller than predicted.
 * <li>When {@code max_file_group_size} forces cuts, or {@code max_files_to_rewrite} leaves groups out, another plan may find work. Plans still come to an
 * end, for each one without a must leaves strictly fewer files.
 * <li>Small files that a rewrite made are merged again together with new ones, so a partition that a stream feeds is written again as often as
 * {@code min_input_files} new files arrive, until it reaches {@code min_file_size}.
 * <li>Under an output spec other than the files' own, the rows of a group may scatter over many partitions; then the number of outputs is a lower bound.
 * </ul>
 */
public final class RewritePlanner
{
    private final RewriteOptions options;
    private final GroupCutter cutter;
    private final Comparator<DataFileInfo> writeOrder;
    private final SelectionRules rules;
    private final RewritePlanBuilder builder;

    private RewritePlanner(RewriteOptions options)
    {
        this.options = requireNonNull(options, "options is null");
        rules = new SelectionRules(options);
        builder = new RewritePlanBuilder(options);
        this.cutter = new GroupCutter(options.targetFileSize(), options.maxFileGroupSize());
        // files that can be copied come first, so that they share groups with their like
        this.writeOrder = comparing((DataFileInfo file) -> options.copyEnabled() && copyObstacle(file).isPresent())
                .thenComparing(DataFileInfo::dataSequenceNumber)
                .thenComparing(DataFileInfo::path);
    }

    /**
     * @param files the live data files that the statement's WHERE selects, with unique paths
     */
    public static RewritePlan plan(RewriteOptions options, Collection<DataFileInfo> files)
    {
        return new RewritePlanner(options).plan(files);
    }

    private RewritePlan plan(Collection<DataFileInfo> files)
    {
        Map<PartitionKey, List<DataFileInfo>> partitions = new HashMap<>();
        for (DataFileInfo file : files) {
            partitions.computeIfAbsent(file.partitionKey(), _ -> new ArrayList<>()).add(file);
        }
        partitions.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(partition -> planPartition(partition.getKey(), partition.getValue()));

        return builder.build();
    }

    private void planPartition(PartitionKey partition, List<DataFileInfo> files)
    {
        List<DataFileInfo> must = new ArrayList<>();
        List<DataFileInfo> may = new ArrayList<>();
        for (DataFileInfo file : files) {
            Set<RewriteReason> reasons = rules.reasons(file);
            if (SelectionRules.isMust(reasons)) {
                must.add(file);
            }
            else if (!reasons.isEmpty()) {
                may.add(file);
            }
            else {
                builder.leaveAlone(file.deleteFiles() == 0 && file.knownDeletedRows() == 0 ? RIGHT_SIZE : DELETES_BELOW_THRESHOLD, file);
            }
        }

        Optional<LeftAloneReason> leaveMay = must.isEmpty() ? rules.whyNotMerge(may) : whyNotJoin(must, may);
        List<DataFileInfo> taken = must;
        if (leaveMay.isEmpty()) {
            taken.addAll(may);
        }
        else {
            may.forEach(file -> builder.leaveAlone(leaveMay.get(), file));
        }
        if (taken.isEmpty()) {
            return;
        }

        taken.sort(writeOrder);
        for (Slice slice : cutter.cut(taken)) {
            addGroup(partition, taken.subList(slice.from(), slice.to()), slice.outputFiles());
        }
    }

    private Optional<LeftAloneReason> whyNotJoin(List<DataFileInfo> must, List<DataFileInfo> may)
    {
        long mustBytes = SelectionRules.liveBytes(must);
        long apart = outputFiles(mustBytes, options.targetFileSize()) + may.size();
        if (outputFiles(mustBytes + SelectionRules.liveBytes(may), options.targetFileSize()) >= apart) {
            return Optional.of(NOT_FEWER_FILES);
        }
        return Optional.empty();
    }

    private void addGroup(PartitionKey partition, List<DataFileInfo> files, int outputFiles)
    {
        Set<RewriteReason> reasons = EnumSet.noneOf(RewriteReason.class);
        files.forEach(file -> reasons.addAll(rules.reasons(file)));
        // a must-file adds a reason other than its smallness
        if (reasons.equals(EnumSet.of(TOO_SMALL)) && files.size() <= outputFiles) {
            files.forEach(file -> builder.leaveAlone(files.size() == 1 ? ALONE_IN_GROUP : NOT_FEWER_FILES, file));
            return;
        }

        Optional<String> whyEncode = whyEncode(files);
        builder.add(new FileGroup(
                0,
                partition,
                files,
                files.stream().mapToLong(DataFileInfo::size).sum(),
                SelectionRules.liveBytes(files),
                outputFiles,
                whyEncode.isPresent() ? RewritePath.ENCODE : RewritePath.COPY,
                whyEncode.orElse("every file can be copied"),
                reasons));
    }

    private Optional<String> whyEncode(List<DataFileInfo> files)
    {
        if (!options.copyEnabled()) {
            return Optional.of("copying is switched off");
        }
        Optional<String> first = files.stream()
                .flatMap(file -> copyObstacle(file).stream())
                .findFirst();
        return first.map(obstacle -> "%s (%s of %s files)".formatted(
                obstacle,
                files.stream().filter(file -> copyObstacle(file).equals(first)).count(),
                files.size()));
    }

    private Optional<String> copyObstacle(DataFileInfo file)
    {
        if (file.copyObstacle().isPresent()) {
            return file.copyObstacle();
        }
        // copying would bring deleted rows back, or leave rows in the wrong partition: not left to the caller alone
        if (file.deleteFiles() > 0 || file.knownDeletedRows() > 0) {
            return Optional.of("has deletes");
        }
        if (file.specId() != options.outputSpecId()) {
            return Optional.of("has partition spec %s while new files have %s".formatted(file.specId(), options.outputSpecId()));
        }
        return Optional.empty();
    }
}
