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
import io.trino.plugin.iceberg.IcebergFileFormat;

import java.util.List;
import java.util.OptionalLong;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * A data file of a file group as a worker needs it.
 *
 * @param deletes indexes into {@link FileGroupSplit#deletes()} of the delete files that apply
 * @param expectedRows rows that the file must yield after its deletes, empty where only reading can tell (equality deletes, position delete files)
 */
public record GroupFile(
        String path,
        long size,
        long recordCount,
        IcebergFileFormat format,
        int specId,
        String partitionJson,
        List<Integer> deletes,
        OptionalLong dataSequenceNumber,
        OptionalLong firstRowId,
        OptionalLong expectedRows)
{
    private static final int INSTANCE_SIZE = instanceSize(GroupFile.class);

    public GroupFile
    {
        requireNonNull(path, "path is null");
        requireNonNull(format, "format is null");
        requireNonNull(partitionJson, "partitionJson is null");
        deletes = ImmutableList.copyOf(deletes);
        requireNonNull(dataSequenceNumber, "dataSequenceNumber is null");
        requireNonNull(firstRowId, "firstRowId is null");
        requireNonNull(expectedRows, "expectedRows is null");
    }

    long retainedSizeInBytes()
    {
        return INSTANCE_SIZE + estimatedSizeOf(path) + estimatedSizeOf(partitionJson) + 16L * deletes.size();
    }
}
