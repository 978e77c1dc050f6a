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
package org.lakesteward.procedure.rewrite;

import io.airlift.stats.CounterStat;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

/**
 * Counters of rewrites on this node. Workers count file groups, the coordinator counts statements. Thread-safe.
 */
public class RewriteStats
{
    private final CounterStat groupsEncoded = new CounterStat();
    private final CounterStat groupsCopied = new CounterStat();
    private final CounterStat groupsSorted = new CounterStat();
    private final CounterStat copyFallbacks = new CounterStat();
    private final CounterStat bytesRead = new CounterStat();
    private final CounterStat bytesWritten = new CounterStat();
    private final CounterStat commits = new CounterStat();
    private final CounterStat conflicts = new CounterStat();
    private final CounterStat failedCommits = new CounterStat();
    private final CounterStat unknownOutcomes = new CounterStat();
    private final CounterStat skippedGroups = new CounterStat();
    private final CounterStat filesCleanedUp = new CounterStat();
    private final CounterStat cleanUpFailures = new CounterStat();

    void groupDone(GroupResult result)
    {
        CounterStat groups = switch (result.path()) {
            case ENCODE -> groupsEncoded;
            case COPY -> groupsCopied;
            case SORT -> groupsSorted;
        };
        groups.update(1);
        if (result.fallbackReason().isPresent()) {
            copyFallbacks.update(1);
        }
        bytesRead.update(result.bytesRead());
        bytesWritten.update(result.bytesWritten());
    }

    @Managed
    @Nested
    public CounterStat getGroupsEncoded()
    {
        return groupsEncoded;
    }

    @Managed
    @Nested
    public CounterStat getGroupsCopied()
    {
        return groupsCopied;
    }

    /** Counted by the coordinator, since all workers have a part in it. */
    @Managed
    @Nested
    public CounterStat getGroupsSorted()
    {
        return groupsSorted;
    }

    @Managed
    @Nested
    public CounterStat getCopyFallbacks()
    {
        return copyFallbacks;
    }

    @Managed
    @Nested
    public CounterStat getBytesRead()
    {
        return bytesRead;
    }

    @Managed
    @Nested
    public CounterStat getBytesWritten()
    {
        return bytesWritten;
    }

    @Managed
    @Nested
    public CounterStat getCommits()
    {
        return commits;
    }

    @Managed
    @Nested
    public CounterStat getConflicts()
    {
        return conflicts;
    }

    @Managed
    @Nested
    public CounterStat getFailedCommits()
    {
        return failedCommits;
    }

    @Managed
    @Nested
    public CounterStat getUnknownOutcomes()
    {
        return unknownOutcomes;
    }

    @Managed
    @Nested
    public CounterStat getSkippedGroups()
    {
        return skippedGroups;
    }

    @Managed
    @Nested
    public CounterStat getFilesCleanedUp()
    {
        return filesCleanedUp;
    }

    @Managed
    @Nested
    public CounterStat getCleanUpFailures()
    {
        return cleanUpFailures;
    }
}
