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

import java.util.List;

import static java.util.Comparator.comparing;

/**
 * The decision about every file that was planned over: each is an input of exactly one group or counted by exactly one entry of {@code leftAlone}.
 *
 * @param groups in job order; the id of a group is its index
 * @param leftAlone one entry for each reason that occurs, in the order of {@link LeftAloneReason}
 */
public record RewritePlan(List<FileGroup> groups, List<LeftAlone> leftAlone)
{
    public RewritePlan
    {
        groups = ImmutableList.copyOf(groups);
        leftAlone = ImmutableList.sortedCopyOf(comparing(LeftAlone::reason), leftAlone);
    }

    public boolean isEmpty()
    {
        return groups.isEmpty();
    }

    public long inputFiles()
    {
        return groups.stream().mapToLong(group -> group.files().size()).sum();
    }

    public long inputBytes()
    {
        return groups.stream().mapToLong(FileGroup::inputBytes).sum();
    }

    /**
     * An estimate of the bytes that will be written.
     */
    public long liveBytes()
    {
        return groups.stream().mapToLong(FileGroup::liveBytes).sum();
    }

    public long outputFiles()
    {
        return groups.stream().mapToLong(FileGroup::outputFiles).sum();
    }

    public long groups(RewritePath path)
    {
        return groups.stream().filter(group -> group.path() == path).count();
    }

    public long leftAloneFiles()
    {
        return leftAlone.stream().mapToLong(LeftAlone::files).sum();
    }

    public long leftAloneBytes()
    {
        return leftAlone.stream().mapToLong(LeftAlone::bytes).sum();
    }
}
