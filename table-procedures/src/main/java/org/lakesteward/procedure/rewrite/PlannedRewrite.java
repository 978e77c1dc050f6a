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
import io.trino.plugin.iceberg.IcebergTableCredentials;
import org.apache.iceberg.DeleteFile;
import org.lakesteward.planner.rewrite.DataFileInfo;
import org.lakesteward.planner.rewrite.FileGroup;
import org.lakesteward.planner.rewrite.PartitionKey;
import org.lakesteward.planner.rewrite.RewritePlan;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * A plan with the Iceberg objects behind it. Immutable but for Iceberg's file objects, which nobody changes.
 *
 * @param credentials the table's own, as its catalog gave them when the rewrite was planned
 * @param snapshotId the snapshot that was planned on
 * @param sequenceNumber its sequence number, which rewritten files carry so that equality deletes committed later still apply to them
 * @param partitionNames the partitions in words
 */
record PlannedRewrite(
        UUID tableUuid,
        IcebergTableCredentials credentials,
        long snapshotId,
        long sequenceNumber,
        RewritePlan plan,
        Map<String, ScannedFile> filesByPath,
        DeleteReferences deleteReferences,
        Map<PartitionKey, String> partitionNames)
{
    PlannedRewrite
    {
        requireNonNull(tableUuid, "tableUuid is null");
        requireNonNull(credentials, "credentials is null");
        requireNonNull(plan, "plan is null");
        filesByPath = ImmutableMap.copyOf(filesByPath);
        requireNonNull(deleteReferences, "deleteReferences is null");
        partitionNames = ImmutableMap.copyOf(partitionNames);
    }

    List<ScannedFile> files(FileGroup group)
    {
        return group.files().stream()
                .map(DataFileInfo::path)
                .map(filesByPath::get)
                .collect(toImmutableList());
    }

    List<ScannedFile> files(Collection<FileGroup> groups)
    {
        return groups.stream()
                .flatMap(group -> files(group).stream())
                .collect(toImmutableList());
    }

    /** Delete files that nothing needs any more once these groups are rewritten. */
    List<DeleteFile> removableDeletes(Collection<FileGroup> groups, boolean removeDangling)
    {
        return removeDangling ? deleteReferences.unneededWithout(files(groups)) : ImmutableList.of();
    }

    String partitionName(FileGroup group)
    {
        return partitionNames.getOrDefault(group.partition(), "");
    }
}
