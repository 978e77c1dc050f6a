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
package org.lakesteward.stitch;

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.RowGroup;

import java.util.List;

/**
 * Where readers may begin a split (Iceberg specification, {@code split_offsets}).
 */
final class SplitOffsets
{
    private SplitOffsets() {}

    /**
     * @param rowGroups in file order
     * @param minDistance in bytes
     * @return the start of the first row group, and of each one that is far enough from the last one taken
     */
    static List<Long> of(List<RowGroup> rowGroups, long minDistance)
    {
        ImmutableList.Builder<Long> offsets = ImmutableList.builder();
        long last = 0;
        for (RowGroup rowGroup : rowGroups) {
            long start = rowGroup.getFile_offset();
            if (last == 0 || start - last >= minDistance) {
                offsets.add(start);
                last = start;
            }
        }
        return offsets.build();
    }
}
