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

import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * One pass over a data file of a group that is sorted: its rows go to the writers of their ranges. A group with more ranges than can be written at once takes
 * several passes, each for some of the ranges.
 *
 * @param file the file's number within the group
 * @param files how many files the group has
 * @param deletes the delete files that apply
 * @param byPartition the leading columns of the key are the partition of the row
 * @param boundaries of all ranges of the group
 * @param curve of a z-order, whose places are what the boundaries divide
 * @param firstRange the first range of this pass
 * @param ranges how many ranges this pass is for
 * @param firstBucket the bucket of the group's first range; those of the others follow
 * @param buckets how many buckets there are
 */
public record SortSplit(
        @JsonProperty("groupId") int groupId,
        @JsonProperty("file") int file,
        @JsonProperty("files") int files,
        @JsonProperty("groupFile") GroupFile groupFile,
        @JsonProperty("deletes") List<DeleteFile> deletes,
        @JsonProperty("byPartition") boolean byPartition,
        @JsonProperty("boundaries") KeyBoundaries boundaries,
        @JsonProperty("curve") Optional<ZOrderCurve> curve,
        @JsonProperty("firstRange") int firstRange,
        @JsonProperty("ranges") int ranges,
        @JsonProperty("firstBucket") int firstBucket,
        @JsonProperty("buckets") int buckets,
        @JsonProperty("weight") SplitWeight weight)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(SortSplit.class);

    public SortSplit
    {
        requireNonNull(groupFile, "groupFile is null");
        deletes = ImmutableList.copyOf(deletes);
        requireNonNull(boundaries, "boundaries is null");
        requireNonNull(curve, "curve is null");
        requireNonNull(weight, "weight is null");
    }

    int bucket(int range)
    {
        return (firstBucket + range) % buckets;
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
                + groupFile.retainedSizeInBytes()
                + deletes.stream().mapToLong(DeleteFile::retainedSizeInBytes).sum()
                + boundaries.retainedSizeInBytes()
                + curve.map(ZOrderCurve::retainedSizeInBytes).orElse(0L);
    }
}
