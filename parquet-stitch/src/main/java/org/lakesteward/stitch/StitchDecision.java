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
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.lakesteward.stitch.footer.Annotation;
import org.lakesteward.stitch.footer.KeyValueMetadata;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.footer.LineageColumns;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.footer.SchemaComparison;
import org.lakesteward.stitch.footer.StitchObstacle;
import org.lakesteward.stitch.footer.StitchObstacle.Reason;
import org.lakesteward.stitch.footer.UnsupportedParquetException;
import org.lakesteward.stitch.footer.WriterTrust;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.page.Codec;
import org.lakesteward.stitch.page.PageEncodings;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Whether the pages of a file can be taken over, or the file has to be encoded first. A pure function of the footer. What only
 * pages tell, {@link Stitcher#append} answers in the same form, before it takes anything over.
 */
public sealed interface StitchDecision
{
    /**
     * The pages can be taken over.
     */
    record Stitch()
            implements StitchDecision {}

    /**
     * The file has to be read and encoded by a writer that follows the target; the result can then be stitched in.
     */
    record EncodeFirst(StitchObstacle obstacle)
            implements StitchDecision
    {
        public EncodeFirst
        {
            requireNonNull(obstacle, "obstacle is null");
        }
    }

    StitchDecision STITCH = new Stitch();

    /**
     * @param lineage what the file's rows inherit; needed when the target keeps lineage and the file has no columns for it
     */
    static StitchDecision of(StitchTarget target, ParquetFooter footer, Optional<RowLineage> lineage)
    {
        requireNonNull(target, "target is null");
        requireNonNull(footer, "footer is null");
        requireNonNull(lineage, "lineage is null");
        return obstacle(target, footer, lineage).<StitchDecision>map(EncodeFirst::new).orElse(STITCH);
    }

    /**
     * What the failure to read a footer means.
     *
     * @return empty when it is an ordinary failure of storage, which says nothing about the file
     */
    static Optional<StitchDecision> ofUnreadable(IOException failure)
    {
        return switch (failure) {
            case CorruptParquetException corrupt -> Optional.of(new EncodeFirst(new StitchObstacle(Reason.CORRUPT_FILE, corrupt.getMessage())));
            case UnsupportedParquetException unsupported -> Optional.of(new EncodeFirst(unsupported.obstacle()));
            default -> Optional.empty();
        };
    }

    private static Optional<StitchObstacle> obstacle(StitchTarget target, ParquetFooter footer, Optional<RowLineage> lineage)
    {
        String file = footer.file();
        if (footer.isEncrypted()) {
            return obstacle(Reason.ENCRYPTED, "columns of %s are encrypted", file);
        }
        if (KeyValueMetadata.isDeleteFile(footer.metadata())) {
            return obstacle(Reason.DELETE_FILE, "%s is a delete file", file);
        }
        String writer = footer.metadata().getCreated_by();
        if (!WriterTrust.isTrusted(writer)) {
            return obstacle(
                    Reason.UNTRUSTED_WRITER,
                    "the writer of %s is %s, whose files readers may treat in a way of their own",
                    file,
                    writer == null || writer.isBlank() ? "not known" : writer);
        }
        return notUnderstood(footer)
                .or(() -> schemaObstacle(target, footer, lineage))
                .or(() -> metadataObstacle(target, footer))
                .or(() -> chunkObstacle(footer));
    }

    private static Optional<StitchObstacle> notUnderstood(ParquetFooter footer)
    {
        for (SchemaElement element : footer.metadata().getSchema()) {
            if (Annotation.of(element).isEmpty()) {
                return obstacle(Reason.NOT_UNDERSTOOD, "the annotation of column %s of %s is not known to this version or contradicts itself", element.getName(), footer.file());
            }
        }
        List<ColumnOrder> orders = footer.metadata().getColumn_orders();
        if (orders != null && (orders.size() != footer.leaves().size() || !orders.stream().allMatch(ColumnOrder::isSetTYPE_ORDER))) {
            return obstacle(Reason.NOT_UNDERSTOOD, "%s gives %s orders for %s columns, of which some may not be known to this version", footer.file(), orders.size(), footer.leaves().size());
        }
        return Optional.empty();
    }

    private static Optional<StitchObstacle> schemaObstacle(StitchTarget target, ParquetFooter footer, Optional<RowLineage> lineage)
    {
        String file = footer.file();
        List<SchemaElement> schema = footer.metadata().getSchema();
        if (target.lineage()) {
            int lineageColumns = LineageColumns.countIn(schema);
            if (lineageColumns == 0 && lineage.isEmpty()) {
                return obstacle(Reason.NO_LINEAGE, "neither %s nor its manifest entry has row ids that could be kept", file);
            }
            if (lineageColumns != 0 && (lineageColumns != LineageColumns.COUNT || !LineageColumns.isComplete(footer))) {
                return obstacle(Reason.INCOMPLETE_LINEAGE, "%s has %s of the two row-lineage columns, or not for every row", file, lineageColumns);
            }
            if (lineageColumns == 0) {
                schema = LineageColumns.addTo(schema);
            }
        }
        return SchemaComparison.difference(target.schema(), schema)
                .map(difference -> new StitchObstacle(Reason.SCHEMA_DIFFERS, "the schema of %s is not the output's: %s".formatted(file, difference)));
    }

    private static Optional<StitchObstacle> metadataObstacle(StitchTarget target, ParquetFooter footer)
    {
        Map<String, String> entries = KeyValueMetadata.readerEntries(footer.metadata());
        return KeyValueMetadata.differingReaderKey(target.readerMetadata(), entries)
                .map(key -> new StitchObstacle(Reason.METADATA_DIFFERS, "%s is %s in %s and %s in the output".formatted(
                        key,
                        entries.getOrDefault(key, "absent"),
                        footer.file(),
                        target.readerMetadata().getOrDefault(key, "absent"))));
    }

    private static Optional<StitchObstacle> chunkObstacle(ParquetFooter footer)
    {
        for (RowGroup rowGroup : footer.rowGroups()) {
            for (LeafColumn leaf : footer.leaves()) {
                ColumnChunk chunk = rowGroup.getColumns().get(leaf.index());
                ColumnMetaData column = chunk.getMeta_data();
                if (!Codec.isSupported(column.getCodec())) {
                    return obstacle(Reason.CODEC, "column %s of %s is compressed by %s, which cannot be read here", leaf.dottedPath(), footer.file(), column.getCodec());
                }
                if (column.isSetIndex_page_offset() && column.getIndex_page_offset() != 0) {
                    return obstacle(Reason.PAGE_TYPE, "column %s of %s has an index page", leaf.dottedPath(), footer.file());
                }
                for (Encoding encoding : column.getEncodings()) {
                    if (!PageEncodings.isPossible(encoding, leaf)) {
                        return obstacle(Reason.ENCODING, "column %s of %s has pages in an encoding that is not known or that %s cannot have: %s", leaf.dottedPath(), footer.file(), leaf.type(), encoding);
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<StitchObstacle> obstacle(Reason reason, String format, Object... arguments)
    {
        return Optional.of(new StitchObstacle(reason, format.formatted(arguments)));
    }
}
