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

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import io.trino.plugin.iceberg.delete.DeleteFile;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;
import org.lakesteward.planner.rewrite.RewritePath;

import java.util.List;

import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * One file group: the unit of work of a rewrite. A worker reads its files and writes its outputs; no row leaves the worker.
 *
 * @param deletes the delete files that apply to any of the files, each once
 * @param outputFiles how many data files the group is divided into
 */
public record FileGroupSplit(
        @JsonProperty("groupId") int groupId,
        @JsonProperty("path") RewritePath path,
        @JsonProperty("files") List<GroupFile> files,
        @JsonProperty("deletes") List<DeleteFile> deletes,
        @JsonProperty("outputFiles") int outputFiles,
        @JsonProperty("singlePartition") boolean singlePartition,
        @JsonProperty("weight") SplitWeight weight)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(FileGroupSplit.class);

    public FileGroupSplit
    {
        requireNonNull(path, "path is null");
        files = ImmutableList.copyOf(files);
        deletes = ImmutableList.copyOf(deletes);
        requireNonNull(weight, "weight is null");
    }

    @Override
    public SplitWeight getSplitWeight()
    {
        return weight;
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE
                + files.stream().mapToLong(GroupFile::retainedSizeInBytes).sum()
                + deletes.stream().mapToLong(DeleteFile::retainedSizeInBytes).sum();
    }
}
