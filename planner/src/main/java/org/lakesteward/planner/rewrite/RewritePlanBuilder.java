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

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.rewrite.LeftAloneReason.OVER_MAX_FILES_TO_REWRITE;

/**
 * Collects the decisions of a plan, and puts groups in job order as far as {@code max_files_to_rewrite} allows. Not thread-safe.
 */
public final class RewritePlanBuilder
{
    private final RewriteOptions options;
    private final List<FileGroup> groups = new ArrayList<>();
    private final Map<LeftAloneReason, Tally> leftAlone = new EnumMap<>(LeftAloneReason.class);

    public RewritePlanBuilder(RewriteOptions options)
    {
        this.options = requireNonNull(options, "options is null");
    }

    /**
     * @param group whose id does not matter yet
     */
    public void add(FileGroup group)
    {
        groups.add(requireNonNull(group, "group is null"));
    }

    public void leaveAlone(LeftAloneReason reason, DataFileInfo file)
    {
        leftAlone.computeIfAbsent(reason, _ -> new Tally()).add(file);
    }

    public RewritePlan build()
    {
        List<FileGroup> chosen = chooseGroups();
        return new RewritePlan(
                chosen,
                leftAlone.entrySet().stream()
                        .map(entry -> entry.getValue().toLeftAlone(entry.getKey()))
                        .collect(toImmutableList()));
    }

    private List<FileGroup> chooseGroups()
    {
        List<FileGroup> ordered = groups.stream().sorted(options.jobOrder().comparator()).toList();
        int budget = options.maxFilesToRewrite().orElse(Integer.MAX_VALUE);
        ImmutableList.Builder<FileGroup> chosen = ImmutableList.builder();
        int id = 0;
        for (FileGroup group : ordered) {
            if (group.files().size() <= budget) {
                budget -= group.files().size();
                chosen.add(group.withId(id));
                id++;
            }
            else {
                group.files().forEach(file -> leaveAlone(OVER_MAX_FILES_TO_REWRITE, file));
            }
        }
        return chosen.build();
    }

    private static final class Tally
    {
        private final Set<PartitionKey> partitions = new HashSet<>();
        private int files;
        private long bytes;

        void add(DataFileInfo file)
        {
            partitions.add(file.partitionKey());
            files++;
            bytes += file.size();
        }

        LeftAlone toLeftAlone(LeftAloneReason reason)
        {
            return new LeftAlone(reason, partitions.size(), files, bytes);
        }
    }
}
