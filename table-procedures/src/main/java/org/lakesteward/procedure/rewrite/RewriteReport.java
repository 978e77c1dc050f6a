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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.lakesteward.planner.rewrite.FileGroup;
import org.lakesteward.planner.rewrite.LeftAlone;
import org.lakesteward.planner.rewrite.RewritePath;
import org.lakesteward.planner.rewrite.RewritePlan;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * What a rewrite did, or would do, as the metric rows of the statement and as snapshot summary entries.
 */
record RewriteReport(
        RewritePlan plan,
        Optional<SortRequest> sort,
        boolean dryRun,
        long groupsEncoded,
        long groupsCopied,
        long groupsSorted,
        long groupsSkippedByConflict,
        long dataFilesRead,
        long dataFilesWritten,
        long deleteFilesRemoved,
        long bytesRead,
        long bytesWritten,
        long rowsRead,
        long rowsWritten)
{
    static final String SUMMARY_PREFIX = "lakesteward.";

    RewriteReport
    {
        requireNonNull(plan, "plan is null");
        requireNonNull(sort, "sort is null");
    }

    /** Of a table without a snapshot. */
    static RewriteReport empty(RewriteSettings settings)
    {
        return new RewriteReport(new RewritePlan(ImmutableList.of(), ImmutableList.of()), settings.sort(), settings.dryRun(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    static RewriteReport dryRun(PlannedRewrite planned, RewriteSettings settings)
    {
        RewritePlan plan = planned.plan();
        return new RewriteReport(
                plan,
                settings.sort(),
                true,
                plan.groups(RewritePath.ENCODE),
                plan.groups(RewritePath.COPY),
                plan.groups(RewritePath.SORT),
                0,
                plan.inputFiles(),
                plan.outputFiles(),
                planned.removableDeletes(plan.groups(), settings.removeDanglingDeletes()).size(),
                plan.inputBytes(),
                0,
                0,
                0);
    }

    static RewriteReport of(RewriteSettings settings, PlannedRewrite planned, Collection<FileGroup> committed, Map<Integer, GroupResult> results, long deleteFilesRemoved)
    {
        RewritePlan plan = planned.plan();
        long encoded = 0;
        long copied = 0;
        long sorted = 0;
        long filesRead = 0;
        long filesWritten = 0;
        long bytesRead = 0;
        long bytesWritten = 0;
        long rowsRead = 0;
        long rowsWritten = 0;
        for (FileGroup group : committed) {
            GroupResult result = results.get(group.id());
            switch (result.path()) {
                case ENCODE -> encoded++;
                case COPY -> copied++;
                case SORT -> sorted++;
            }
            filesRead += group.files().size();
            filesWritten += result.commitTasks().size();
            bytesRead += group.inputBytes();
            bytesWritten += result.bytesWritten();
            rowsRead += result.rowsRead() + result.rowsDeleted();
            rowsWritten += result.rowsRead();
        }
        return new RewriteReport(
                plan,
                settings.sort(),
                false,
                encoded,
                copied,
                sorted,
                plan.groups().size() - committed.size(),
                filesRead,
                filesWritten,
                deleteFilesRemoved,
                bytesRead,
                bytesWritten,
                rowsRead,
                rowsWritten);
    }

    Map<String, Long> toMetrics()
    {
        ImmutableMap.Builder<String, Long> metrics = ImmutableMap.builder();
        if (dryRun) {
            metrics.put("dry_run", 1L);
        }
        metrics.put("groups_planned", (long) plan.groups().size());
        if (sort.isPresent()) {
            metrics.put("groups_sorted", groupsSorted);
        }
        else {
            metrics.put("groups_encoded", groupsEncoded);
            metrics.put("groups_copied", groupsCopied);
        }
        metrics.put("groups_skipped_by_conflict", groupsSkippedByConflict);
        metrics.put("data_files_read", dataFilesRead);
        metrics.put("data_files_written", dataFilesWritten);
        metrics.put("delete_files_removed", deleteFilesRemoved);
        metrics.put("bytes_read", bytesRead);
        if (!dryRun) {
            // only a run can tell
            metrics.put("bytes_written", bytesWritten);
            metrics.put("rows_read", rowsRead);
            metrics.put("rows_removed_by_deletes", rowsRead - rowsWritten);
            metrics.put("rows_written", rowsWritten);
        }
        for (LeftAlone leftAlone : plan.leftAlone()) {
            metrics.put("files_left_alone_" + leftAlone.reason().name().toLowerCase(ENGLISH), (long) leftAlone.files());
        }
        return metrics.buildOrThrow();
    }

    /** For people who never see the rows of ALTER TABLE … EXECUTE, as over JDBC. */
    Map<String, String> toSummary()
    {
        ImmutableMap.Builder<String, String> summary = ImmutableMap.<String, String>builder()
                .put(SUMMARY_PREFIX + "operation", "rewrite_data_files")
                .put(SUMMARY_PREFIX + "strategy", sort.map(SortRequest::strategy).orElse(RewriteStrategy.BINPACK).toString());
        sort.ifPresent(request -> summary.put(SUMMARY_PREFIX + "sort-order", request.text()));
        summary.put(SUMMARY_PREFIX + "groups-planned", Long.toString(plan.groups().size()));
        if (sort.isPresent()) {
            summary.put(SUMMARY_PREFIX + "groups-sorted", Long.toString(groupsSorted));
        }
        else {
            summary
                    .put(SUMMARY_PREFIX + "groups-encoded", Long.toString(groupsEncoded))
                    .put(SUMMARY_PREFIX + "groups-copied", Long.toString(groupsCopied));
        }
        return summary
                .put(SUMMARY_PREFIX + "groups-skipped-by-conflict", Long.toString(groupsSkippedByConflict))
                .put(SUMMARY_PREFIX + "data-files-read", Long.toString(dataFilesRead))
                .put(SUMMARY_PREFIX + "data-files-written", Long.toString(dataFilesWritten))
                .put(SUMMARY_PREFIX + "delete-files-removed", Long.toString(deleteFilesRemoved))
                .put(SUMMARY_PREFIX + "bytes-read", Long.toString(bytesRead))
                .put(SUMMARY_PREFIX + "bytes-written", Long.toString(bytesWritten))
                .put(SUMMARY_PREFIX + "rows-read", Long.toString(rowsRead))
                .put(SUMMARY_PREFIX + "rows-written", Long.toString(rowsWritten))
                .buildOrThrow();
    }
}
