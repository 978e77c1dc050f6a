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
import com.google.common.collect.ImmutableMap;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.SchemaElement;
import org.lakesteward.stitch.footer.KeyValueMetadata;
import org.lakesteward.stitch.footer.LineageColumns;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.page.Codec;

import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * What the output is to be. Every input has to fit it; in a group of which some files must be encoded first, the target is
 * best made of an encoded one, since that is what every encoded file will look like.
 *
 * @param schema elements of the footer, root first, in depth-first order; not to be modified
 * @param codec of all pages; inputs in another codec are compressed anew, which costs far less than encoding
 * @param readerMetadata the key-value metadata that decide how readers understand values
 * @param lineage whether the output keeps row ids and sequence numbers in columns of their own, the last two of the schema
 */
public record StitchTarget(List<SchemaElement> schema, CompressionCodec codec, Map<String, String> readerMetadata, boolean lineage)
{
    /**
     * @throws IllegalArgumentException when pages cannot be written in the codec, or the schema is none
     */
    public StitchTarget
    {
        schema = ImmutableList.copyOf(schema);
        requireNonNull(codec, "codec is null");
        readerMetadata = ImmutableMap.copyOf(readerMetadata);
        if (!Codec.isSupported(codec)) {
            throw new IllegalArgumentException("codec is %s, must be one of %s".formatted(codec, Codec.supported()));
        }
        ParquetFooter.leavesOf(schema);
        if (lineage && (schema.size() <= LineageColumns.COUNT || !schema.subList(schema.size() - LineageColumns.COUNT, schema.size()).stream().allMatch(LineageColumns::isLineage))) {
            throw new IllegalArgumentException("lineage is to be kept, but %s and %s are not the last columns of the schema".formatted(LineageColumns.ROW_ID, LineageColumns.SEQUENCE_NUMBER));
        }
    }

    /**
     * An output like this file.
     */
    public static StitchTarget like(ParquetFooter footer, CompressionCodec codec)
    {
        return new StitchTarget(footer.metadata().getSchema(), codec, KeyValueMetadata.readerEntries(footer.metadata()), false);
    }

    /**
     * The same, with row lineage: as columns that the schema has already, or with new ones.
     */
    public StitchTarget withLineage()
    {
        List<SchemaElement> withColumns = LineageColumns.countIn(schema) == 0 ? LineageColumns.addTo(schema) : schema;
        return new StitchTarget(withColumns, codec, readerMetadata, true);
    }
}
