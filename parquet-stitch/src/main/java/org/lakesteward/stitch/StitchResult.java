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
import org.apache.parquet.format.FileMetaData;
import org.lakesteward.stitch.verify.ColumnChecksum;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A file that is written.
 *
 * @param fileSize in bytes
 * @param footerSize of the serialized footer in bytes, without length and magic
 * @param rowCount rows
 * @param inputs files that went in
 * @param metadata the footer, not to be modified
 * @param splitOffsets where readers may begin a split, as an Iceberg manifest entry has it
 * @param columns metrics by column, in the order of column chunks
 * @param pagesCopied data pages of inputs that are in the file as they were
 * @param pagesMerged data pages whose indices were mapped, or which were joined with others
 * @param pagesGathered data pages whose indices were replaced by values
 * @param pagesRecompressed data pages that were only compressed by another codec
 * @param auxiliaryChecksum CRC-32 of all that is not pages: Bloom filters, page indexes and the footer
 * @param inputSums what the inputs' columns were made of; empty when that was not asked for
 */
public record StitchResult(
        long fileSize,
        int footerSize,
        long rowCount,
        int inputs,
        FileMetaData metadata,
        List<Long> splitOffsets,
        List<ColumnMetrics> columns,
        long pagesCopied,
        long pagesMerged,
        long pagesGathered,
        long pagesRecompressed,
        int auxiliaryChecksum,
        Optional<List<ColumnChecksum.Sum>> inputSums)
{
    public StitchResult
    {
        requireNonNull(metadata, "metadata is null");
        splitOffsets = ImmutableList.copyOf(splitOffsets);
        columns = ImmutableList.copyOf(columns);
        inputSums = inputSums.map(ImmutableList::copyOf);
    }
}
