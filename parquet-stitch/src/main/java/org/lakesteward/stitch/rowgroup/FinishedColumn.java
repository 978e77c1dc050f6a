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
package org.lakesteward.stitch.rowgroup;

import org.apache.parquet.format.ColumnChunk;
import org.lakesteward.stitch.statistics.Bounds;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A column chunk that is written.
 *
 * @param chunk its part of the footer, to which the offsets of indexes are still to be added
 * @param bounds what is known of its values
 * @param offsetIndex serialized; empty when row boundaries are not known
 * @param columnIndex serialized; empty when bounds are not known
 */
record FinishedColumn(ColumnChunk chunk, Bounds bounds, Optional<byte[]> offsetIndex, Optional<byte[]> columnIndex)
{
    FinishedColumn
    {
        requireNonNull(chunk, "chunk is null");
        requireNonNull(bounds, "bounds is null");
        requireNonNull(offsetIndex, "offsetIndex is null");
        requireNonNull(columnIndex, "columnIndex is null");
    }
}
