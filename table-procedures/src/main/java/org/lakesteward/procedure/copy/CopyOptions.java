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
package org.lakesteward.procedure.copy;

import io.airlift.units.DataSize;

import static com.google.common.base.Preconditions.checkArgument;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.Objects.requireNonNull;

/**
 * Limits of the copy path.
 *
 * @param maxStepSize what one step copies at most, and the size of the one reused buffer; 1 kB to 256 MB
 * @param minSplitDistance least distance of two split offsets; positive
 * @param maxFooterSize largest footer that is read or written; readers have limits too (Trino: {@code parquet.max-footer-read-size}, 15 MB); 1 kB to 1 GB
 * @param minAverageRowGroupSize files whose row groups are smaller on average are not worth copying; 0 turns the rule off
 */
public record CopyOptions(DataSize maxStepSize, DataSize minSplitDistance, DataSize maxFooterSize, DataSize minAverageRowGroupSize)
{
    public static final CopyOptions DEFAULT = new CopyOptions(
            DataSize.of(4, MEGABYTE),
            DataSize.of(64, MEGABYTE),
            DataSize.of(15, MEGABYTE),
            DataSize.of(8, MEGABYTE));

    public CopyOptions
    {
        requireNonNull(maxStepSize, "maxStepSize is null");
        requireNonNull(minSplitDistance, "minSplitDistance is null");
        requireNonNull(maxFooterSize, "maxFooterSize is null");
        requireNonNull(minAverageRowGroupSize, "minAverageRowGroupSize is null");
        checkArgument(
                maxStepSize.compareTo(DataSize.of(1, KILOBYTE)) >= 0 && maxStepSize.compareTo(DataSize.of(256, MEGABYTE)) <= 0,
                "maxStepSize is %s, allowed are 1kB to 256MB", maxStepSize);
        checkArgument(minSplitDistance.toBytes() > 0, "minSplitDistance is %s, it must be positive", minSplitDistance);
        checkArgument(
                maxFooterSize.compareTo(DataSize.of(1, KILOBYTE)) >= 0 && maxFooterSize.compareTo(DataSize.of(1024, MEGABYTE)) <= 0,
                "maxFooterSize is %s, allowed are 1kB to 1024MB", maxFooterSize);
    }
}
