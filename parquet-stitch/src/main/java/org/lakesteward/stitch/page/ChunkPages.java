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
package org.lakesteward.stitch.page;

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.CompressionCodec;
import org.lakesteward.stitch.footer.LeafColumn;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The pages of a column chunk, after their headers have been checked against each other, the footer and the limits.
 *
 * @param leaf the column
 * @param codec of the pages
 * @param rows of the row group
 * @param dictionary the dictionary page, if there is one
 * @param dataPages in file order
 */
public record ChunkPages(LeafColumn leaf, CompressionCodec codec, long rows, Optional<PageInfo> dictionary, List<PageInfo> dataPages)
{
    public ChunkPages
    {
        requireNonNull(leaf, "leaf is null");
        requireNonNull(codec, "codec is null");
        requireNonNull(dictionary, "dictionary is null");
        dataPages = ImmutableList.copyOf(dataPages);
    }
}
