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

import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.lakesteward.stitch.footer.KeyValueMetadata;
import org.lakesteward.stitch.footer.WriterTrust;
import org.lakesteward.stitch.io.GrowableBytes;
import org.lakesteward.stitch.io.LittleEndian;
import org.lakesteward.stitch.io.ParquetSink;
import org.lakesteward.stitch.rowgroup.RowGroupAssembler;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes what follows the row groups: column indexes, offset indexes, the footer, its length and the magic.
 */
final class FileTail
{
    static final byte[] MAGIC = {'P', 'A', 'R', '1'};

    private final ParquetSink sink;
    private final List<RowGroupAssembler.Finished> rowGroups;

    FileTail(ParquetSink sink, List<RowGroupAssembler.Finished> rowGroups)
    {
        this.sink = sink;
        this.rowGroups = rowGroups;
    }

    /** A footer as it was written. */
    record Written(FileMetaData metadata, int footerSize) {}

    Written write(StitchTarget target, int version, long rows, int columns, Map<String, String> keyValues)
            throws IOException
    {
        writeIndexes(RowGroupAssembler.Finished::columnIndexes, (chunk, length) -> chunk.setColumn_index_offset(sink.position()).setColumn_index_length(length));
        writeIndexes(RowGroupAssembler.Finished::offsetIndexes, (chunk, length) -> chunk.setOffset_index_offset(sink.position()).setOffset_index_length(length));

        FileMetaData metadata = new FileMetaData(version, target.schema(), rows, rowGroups.stream().map(RowGroupAssembler.Finished::rowGroup).toList());
        metadata.setCreated_by(WriterTrust.OWN_CREATED_BY);
        metadata.setColumn_orders(Collections.nCopies(columns, ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())));
        if (!keyValues.isEmpty()) {
            metadata.setKey_value_metadata(KeyValueMetadata.toList(keyValues));
        }
        GrowableBytes footer = new GrowableBytes(16 << 10);
        Util.writeFileMetaData(metadata, footer);
        sink.write(footer.array(), 0, footer.size());
        byte[] length = new byte[Integer.BYTES];
        LittleEndian.putInt(length, 0, footer.size());
        sink.write(length, 0, length.length);
        sink.write(MAGIC, 0, MAGIC.length);
        return new Written(metadata, footer.size());
    }

    private interface IndexReference
    {
        void set(ColumnChunk chunk, int length);
    }

    private void writeIndexes(Function<RowGroupAssembler.Finished, List<Optional<byte[]>>> indexesOf, IndexReference reference)
            throws IOException
    {
        for (RowGroupAssembler.Finished rowGroup : rowGroups) {
            List<Optional<byte[]>> indexes = indexesOf.apply(rowGroup);
            for (int column = 0; column < indexes.size(); column++) {
                if (indexes.get(column).isPresent()) {
                    byte[] index = indexes.get(column).get();
                    reference.set(rowGroup.rowGroup().getColumns().get(column), index.length);
                    sink.write(index, 0, index.length);
                }
            }
        }
    }
}
