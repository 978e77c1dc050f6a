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

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * Neighbouring key ranges of a small group, which one worker sorts by itself: it reads all files of the group and writes these ranges, and no row goes through the exchange.
 *
 * @param files of the group
 * @param deletes the delete files that apply to any of the files, each once
 * @param byPartition the leading columns of the key are the partition of the row
 * @param boundaries of all ranges of the group
 * @param curve of a z-order, whose places are what the boundaries divide
 * @param firstRange the first range of this portion
 * @param ranges how many ranges this portion has
 * @param bucket where the worker sends its result
 * @param buckets how many buckets there are
 * @param bufferSize bytes that each of the ranges sorts in memory before it spills
 */
public record SortPortionSplit(
        @JsonProperty("groupId") int groupId,
        @JsonProperty("files") List<GroupFile> files,
        @JsonProperty("deletes") List<DeleteFile> deletes,
        @JsonProperty("byPartition") boolean byPartition,
        @JsonProperty("boundaries") KeyBoundaries boundaries,
        @JsonProperty("curve") Optional<ZOrderCurve> curve,
        @JsonProperty("firstRange") int firstRange,
        @JsonProperty("ranges") int ranges,
        @JsonProperty("bucket") int bucket,
        @JsonProperty("buckets") int buckets,
        @JsonProperty("bufferSize") long bufferSize,
        @JsonProperty("weight") SplitWeight weight)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(SortPortionSplit.class);

    public SortPortionSplit
    {
        files = ImmutableList.copyOf(files);
        deletes = ImmutableList.copyOf(deletes);
        requireNonNull(boundaries, "boundaries is null");
        requireNonNull(curve, "curve is null");
        checkArgument(bufferSize > 0, "bufferSize is not positive: %s", bufferSize);
        requireNonNull(weight, "weight is null");
    }

    /** A pass over each file. */
    List<SortSplit> passes()
    {
        return IntStream.range(0, files.size())
                .mapToObj(file -> new SortSplit(groupId, file, files.size(), files.get(file), deletes, byPartition, boundaries, curve, firstRange, ranges, bucket, buckets, weight))
                .toList();
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
                + deletes.stream().mapToLong(DeleteFile::retainedSizeInBytes).sum()
                + boundaries.retainedSizeInBytes()
                + curve.map(ZOrderCurve::retainedSizeInBytes).orElse(0L);
    }
}
