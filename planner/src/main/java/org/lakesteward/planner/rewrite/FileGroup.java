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
import com.google.common.collect.Sets;

import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Files of one partition that are rewritten together.
 *
 * @param id 0 to the number of groups of the plan minus 1, in job order
 * @param files the inputs in the order in which their rows are to be written
 * @param inputBytes the size of the inputs
 * @param liveBytes an estimate of the size of the outputs, never above {@code inputBytes}
 * @param outputFiles into how many files of equal size the rows go, at least 1; a group whose rows are all deleted may write none
 * @param pathReason why this path was chosen, in words
 * @param reasons every reason that any of the files is rewritten for
 */
public record FileGroup(
        int id,
        PartitionKey partition,
        List<DataFileInfo> files,
        long inputBytes,
        long liveBytes,
        int outputFiles,
        RewritePath path,
        String pathReason,
        Set<RewriteReason> reasons)
{
    public FileGroup
    {
        requireNonNull(partition, "partition is null");
        files = ImmutableList.copyOf(files);
        requireNonNull(path, "path is null");
        requireNonNull(pathReason, "pathReason is null");
        reasons = Sets.immutableEnumSet(reasons);
        checkArgument(id >= 0, "id is negative: %s", id);
        checkArgument(!files.isEmpty(), "files is empty");
        checkArgument(outputFiles >= 1, "outputFiles is below 1: %s", outputFiles);
        checkArgument(0 <= liveBytes && liveBytes <= inputBytes, "liveBytes %s is not between 0 and inputBytes %s", liveBytes, inputBytes);
    }

    FileGroup withId(int id)
    {
        return new FileGroup(id, partition, files, inputBytes, liveBytes, outputFiles, path, pathReason, reasons);
    }
}
