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

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.rewrite.LeftAloneReason.ALREADY_REWRITTEN;
import static org.lakesteward.planner.rewrite.LeftAloneReason.NOT_FEWER_FILES;
import static org.lakesteward.planner.rewrite.LeftAloneReason.TOO_FEW_FILES;
import static org.lakesteward.planner.rewrite.RewriteReason.DELETE_FILES;
import static org.lakesteward.planner.rewrite.RewriteReason.DELETE_RATIO;
import static org.lakesteward.planner.rewrite.RewriteReason.REWRITE_ALL;
import static org.lakesteward.planner.rewrite.RewriteReason.TOO_LARGE;
import static org.lakesteward.planner.rewrite.RewriteReason.TOO_SMALL;

/**
 * What makes a file worth a rewrite by itself, and when small files are worth merging: the rules that all strategies share. See {@link RewritePlanner} for why.
 * Pure functions.
 */
public final class SelectionRules
{
    private static final double SETTLED_WEIGHT = 2.5;
    private static final double SETTLED_OVERSHOOT = 1.25;

    private final RewriteOptions options;

    public SelectionRules(RewriteOptions options)
    {
        this.options = requireNonNull(options, "options is null");
    }

    /**
     * Every reason that the file's size, its deletes and the options give; empty when it is right as it is.
     */
    public Set<RewriteReason> reasons(DataFileInfo file)
    {
        Set<RewriteReason> reasons = EnumSet.noneOf(RewriteReason.class);
        if (file.size() < options.minFileSize()) {
            reasons.add(TOO_SMALL);
        }
        if (file.size() > maxFileSize(file)) {
            reasons.add(TOO_LARGE);
        }
        if (file.deleteFiles() >= options.deleteFileThreshold()) {
            reasons.add(DELETE_FILES);
        }
        if (file.deletedRatio() >= options.deleteRatioThreshold()) {
            reasons.add(DELETE_RATIO);
        }
        if (options.rewriteAll()) {
            reasons.add(REWRITE_ALL);
        }
        return reasons;
    }

    /**
     * Whether these reasons suffice, other than smallness alone.
     */
    public static boolean isMust(Set<RewriteReason> reasons)
    {
        return reasons.size() > 1 || (reasons.size() == 1 && !reasons.contains(TOO_SMALL));
    }

    private long maxFileSize(DataFileInfo file)
    {
        if (!file.settled()) {
            return options.maxFileSize();
        }
        return max(options.maxFileSize(), (long) (SETTLED_OVERSHOOT * options.targetFileSize()));
    }

    /**
     * Why small files are not merged by themselves; empty when they are.
     */
    public Optional<LeftAloneReason> whyNotMerge(List<DataFileInfo> small)
    {
        long liveBytes = liveBytes(small);
        boolean fillsTarget = small.size() >= 2 && liveBytes >= options.targetFileSize();
        if (small.size() < options.minInputFiles() && !fillsTarget) {
            return Optional.of(TOO_FEW_FILES);
        }
        if (options.outputFiles(liveBytes) >= small.size()) {
            return Optional.of(NOT_FEWER_FILES);
        }
        if (options.outputFiles(weight(small)) >= small.size()) {
            return Optional.of(ALREADY_REWRITTEN);
        }
        return Optional.empty();
    }

    public static long liveBytes(Collection<DataFileInfo> files)
    {
        return files.stream().mapToLong(DataFileInfo::liveBytes).sum();
    }

    private long weight(List<DataFileInfo> files)
    {
        return files.stream()
                .mapToLong(file -> file.settled() ? min(options.targetFileSize(), (long) (SETTLED_WEIGHT * file.liveBytes())) : file.liveBytes())
                .sum();
    }
}
