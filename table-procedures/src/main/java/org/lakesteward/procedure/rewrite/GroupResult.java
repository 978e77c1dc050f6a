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
import org.lakesteward.planner.rewrite.RewritePath;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What a worker reports of one file group: small, whatever the size of the data.
 *
 * @param path the path that was taken
 * @param fallbackReason why a group that was planned as copy was encoded
 * @param rowsRead rows that the group's files yielded after their deletes
 * @param rowsDeleted rows that deletes removed
 * @param commitTasks one JSON text a written file, as Trino's own Iceberg writer describes it
 */
public record GroupResult(
        int groupId,
        RewritePath path,
        Optional<String> fallbackReason,
        long rowsRead,
        long rowsDeleted,
        long bytesRead,
        long bytesWritten,
        List<String> commitTasks)
{
    public GroupResult
    {
        requireNonNull(path, "path is null");
        requireNonNull(fallbackReason, "fallbackReason is null");
        commitTasks = ImmutableList.copyOf(commitTasks);
    }
}
