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

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What planning knows of one live data file. Sizes are bytes.
 *
 * @param path the file's location, unique within a plan
 * @param partition the canonical text of the partition values within the file's spec; empty for an unpartitioned spec
 * @param settled the file was written by an earlier rewrite: its file sequence number is above its data sequence number
 * @param positionDeleteFiles position delete files and deletion vectors that apply to this file
 * @param equalityDeleteFiles equality delete files that apply to this file
 * @param knownDeletedRows distinct rows known to be deleted; 0 when unknown
 * @param copyObstacle why the file cannot take the copy path, worded to follow "the file"; empty when it can. Deletes and another spec than the output's need not be
 * named here: the planner knows of them
 */
public record DataFileInfo(
        String path,
        long size,
        long recordCount,
        int specId,
        String partition,
        long dataSequenceNumber,
        boolean settled,
        int positionDeleteFiles,
        int equalityDeleteFiles,
        long knownDeletedRows,
        Optional<String> copyObstacle)
{
    public DataFileInfo
    {
        requireNonNull(path, "path is null");
        requireNonNull(partition, "partition is null");
        requireNonNull(copyObstacle, "copyObstacle is null");
        checkArgument(size >= 0, "size is negative: %s", size);
        checkArgument(recordCount >= 0, "recordCount is negative: %s", recordCount);
        checkArgument(positionDeleteFiles >= 0, "positionDeleteFiles is negative: %s", positionDeleteFiles);
        checkArgument(equalityDeleteFiles >= 0, "equalityDeleteFiles is negative: %s", equalityDeleteFiles);
        checkArgument(knownDeletedRows >= 0, "knownDeletedRows is negative: %s", knownDeletedRows);
    }

    public PartitionKey partitionKey()
    {
        return new PartitionKey(specId, partition);
    }

    /**
     * Delete files of every kind that apply to this file.
     */
    public long deleteFiles()
    {
        return (long) positionDeleteFiles + equalityDeleteFiles;
    }

    /**
     * The share of the rows known to be deleted, 0 to 1; 0 for a file without rows.
     */
    public double deletedRatio()
    {
        if (recordCount == 0) {
            return 0;
        }
        return Math.min(1.0, (double) knownDeletedRows / recordCount);
    }

    /**
     * An estimate of the bytes that the rows not known to be deleted take, 0 to {@link #size()}.
     */
    public long liveBytes()
    {
        if (knownDeletedRows == 0) {
            return size;
        }
        return Math.clamp((long) (size * (1 - deletedRatio())), 0, size);
    }
}
