
package org.lakesteward.procedure.copy;

import io.airlift.units.DataSize;
import org.apache.iceberg.Schema;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.DELETE_FILE;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.ENCRYPTED;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.FORMAT_VERSION;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.INCOMPLETE_LINEAGE;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.METADATA_DIFFERS;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.NOT_UNDERSTOOD;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.NO_FIRST_ROW_ID;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.SCHEMA_DIFFERS;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.SMALL_ROW_GROUPS;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.TOO_MANY_ROW_GROUPS;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.UNTRUSTED_WRITER;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.WRITER_DIFFERS;

/**
 * Decides whether a file may be copied row group by row group, or has to be encoded. Anything that is not understood is an
 * obstacle. Deletes, partition spec and sort order are not looked at: they are no property of the file.
 * <p>
 * Different codecs, encodings, page versions, page indexes, Bloom filters, sorting columns and {@code total_compressed_size}
 * of row groups are no obstacle, since all of them belong to one column chunk or row group.
 * <p>
 * Pure; immutable and thread-safe.
 */
public final class CopyCheck
{
    /** Ordinals of row groups are 16 bits wide (RowGroup.ordinal in parquet.thrift). */
    public static final int MAX_ROW_GROUPS = Short.MAX_VALUE;

    private static final int FIRST_LINEAGE_VERSION = 3;

    private final Schema tableSchema;
    private final int formatVersion;
    private final DataSize minAverageRowGroupSize;

    /**
     * @param tableSchema the table's current schema
     * @param formatVersion of the table
     * @param minAverageRowGroupSize files whose row groups are smaller on average are to be encoded
     */
    public CopyCheck(Schema tableSchema, int formatVersion, DataSize minAverageRowGroupSize)
    {
        this.tableSchema = requireNonNull(tableSchema, "tableSchema is null");
        this.formatVersion = formatVersion;
        this.minAverageRowGroupSize = requireNonNull(minAverageRowGroupSize, "minAverageRowGroupSize is null");
    }

    /**
     * Whether a file may be copied into an output that another file begins.
     *
     * @param first a file for which {@link #obstacle(CopyInput)} is empty
     * @return empty when it may
     */
    public Optional<CopyObstacle> obstacle(CopyInput first, CopyInput input)
    {
        return obstacle(input).or(() -> difference(first, input));
    }

    /**
     * Whether a file may be copied at all.
     *
     * @return empty when it may
     */
    public Optional<CopyObstacle> obstacle(CopyInput input)
    {
        ParquetFooter footer = input.footer();
        FileMetaData metadata = footer.metadata();
        String file = footer.location().toString();
        if (formatVersion < 1 || formatVersion > FIRST_LINEAGE_VERSION) {
            return obstacle(FORMAT_VERSION, "the table has format version %s, known are 1 to %s", formatVersion, FIRST_LINEAGE_VERSION);
        }
        checkArgument(formatVersion >= FIRST_LINEAGE_VERSION || input.lineage().isEmpty(), "row lineage is given for format version %s", formatVersion);
        if (footer.isEncrypted()) {
            return obstacle(ENCRYPTED, "columns of %s are encrypted", file);
        }
        if (FooterMetadataPolicy.isDeleteFile(metadata)) {
            return obstacle(DELETE_FILE, "%s is a delete file", file);
        }
        if (FooterMetadataPolicy.isUntrustedWriter(metadata.getCreated_by())) {
            return obstacle(
                    UNTRUSTED_WRITER,
                    "the writer of %s is %s, whose pages and statistics need a reader's work-arounds",
                    file,
                    metadata.isSetCreated_by() && !metadata.getCreated_by().isBlank() ? metadata.getCreated_by() : "not known");
        }
        Optional<CopyObstacle> unknown = notUnderstood(footer);
        if (unknown.isPresent()) {
            return unknown;
        }
        if (footer.rowGroupCount() > MAX_ROW_GROUPS) {
            return obstacle(TOO_MANY_ROW_GROUPS, "%s has %s row groups, at most %s can be numbered", file, footer.rowGroupCount(), MAX_ROW_GROUPS);
        }
        List<ParquetNode> columns = footer.root().children();
        if (formatVersion >= FIRST_LINEAGE_VERSION) {
            Optional<CopyObstacle> lineage = lineageObstacle(input);
            if (lineage.isPresent()) {
                return lineage;
            }
            List<ParquetNode> lineageColumns = input.lineageColumns();
            columns = columns.stream().filter(column -> !lineageColumns.contains(column)).collect(toImmutableList());
        }
        Optional<CopyObstacle> mismatch = SchemaMatch.obstacle(file, columns, tableSchema);
        if (mismatch.isPresent()) {
            return mismatch;
        }
        if (footer.rowGroupCount() > 0) {
            long average = footer.compressedSize() / footer.rowGroupCount();
            if (average < minAverageRowGroupSize.toBytes()) {
                return obstacle(
                        SMALL_ROW_GROUPS,
                        "the %s row groups of %s have %s bytes on average, fewer than %s",
                        footer.rowGroupCount(), file, average, minAverageRowGroupSize.toBytes());
            }
        }
        return Optional.empty();
    }

    private static Optional<CopyObstacle> notUnderstood(ParquetFooter footer)
    {
        FileMetaData metadata = footer.metadata();
        String file = footer.location().toString();
        for (SchemaElement element : metadata.getSchema()) {
            if (element.isSetLogicalType() && !element.getLogicalType().isSet()) {
                return obstacle(NOT_UNDERSTOOD, "column %s of %s has an annotation that this version does not know", element.getName(), file);
            }
            if (element.getType() == Type.INT96) {
                return obstacle(NOT_UNDERSTOOD, "column %s of %s is INT96, whose meaning depends on the reader", element.getName(), file);
            }
        }
        if (metadata.isSetColumn_orders() &&
                (metadata.getColumn_ordersSize() != footer.leaves().size() || !metadata.getColumn_orders().stream().allMatch(ColumnOrder::isSet))) {
            return obstacle(NOT_UNDERSTOOD, "%s orders its %s columns in %s ways, some of which may not be known to this version", file, footer.leaves().size(), metadata.getColumn_ordersSize());
        }
        for (RowGroup rowGroup : metadata.getRow_groups()) {
            for (ColumnChunk chunk : rowGroup.getColumns()) {
                ColumnMetaData column = chunk.getMeta_data();
                if (column.isSetIndex_page_offset() && column.getIndex_page_offset() != 0) {
                    return obstacle(NOT_UNDERSTOOD, "column %s of %s has an index page", String.join(".", column.getPath_in_schema()), file);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<CopyObstacle> lineageObstacle(CopyInput input)
    {
        ParquetFooter footer = input.footer();
        String file = footer.location().toString();
        List<ParquetNode> columns = input.lineageColumns();
        if (columns.isEmpty()) {
            if (input.lineage().isEmpty()) {
                return obstacle(NO_FIRST_ROW_ID, "the manifest entry of %s has no first row id, so its rows have no ids that could be kept", file);
            }
            return Optional.empty();
        }
        if (columns.size() != 2 || columns.getFirst().element().getField_id() == columns.getLast().element().getField_id()) {
            return obstacle(INCOMPLETE_LINEAGE, "%s has %s of the two row-lineage columns, _row_id and _last_updated_sequence_number", file, columns.size());
        }
        for (ParquetNode column : columns) {
            if (!column.isLeaf() || column.isRepeated() || column.element().getType() != Type.INT64) {
                return obstacle(INCOMPLETE_LINEAGE, "column %s of %s is not a long", column.name(), file);
            }
            if (column.element().getRepetition_type() == FieldRepetitionType.REQUIRED) {
                continue;
            }
            int index = footer.leaves().indexOf(column);
            for (int rowGroup = 0; rowGroup < footer.rowGroupCount(); rowGroup++) {
                ColumnMetaData chunk = footer.rowGroup(rowGroup).getColumns().get(index).getMeta_data();
                boolean known = chunk.isSetStatistics() && chunk.getStatistics().isSetNull_count();
                if (!known && footer.rowGroup(rowGroup).getNum_rows() > 0) {
                    return obstacle(INCOMPLETE_LINEAGE, "row group %s of %s does not say how many nulls column %s has", rowGroup, file, column.name());
                }
                if (known && chunk.getStatistics().getNull_count() != 0) {
                    return obstacle(INCOMPLETE_LINEAGE, "column %s of %s has %s nulls in row group %s, which stand for inherited values", column.name(), file, chunk.getStatistics().getNull_count(), rowGroup);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<CopyObstacle> difference(CopyInput first, CopyInput input)
    {
        FileMetaData metadata = input.footer().metadata();
        FileMetaData firstMetadata = first.footer().metadata();
        String file = input.footer().location().toString();
        String firstFile = first.footer().location().toString();
        List<SchemaElement> firstColumns = first.outputColumns();
        List<SchemaElement> columns = input.outputColumns();
        if (!firstColumns.equals(columns)) {
            int index = 0;
            while (index < columns.size() && index < firstColumns.size() && columns.get(index).equals(firstColumns.get(index))) {
                index++;
            }
            return obstacle(
                    SCHEMA_DIFFERS,
                    "the schema of %s differs from that of %s at %s",
                    file, firstFile, index < columns.size() ? columns.get(index).getName() : "its end");
        }
        if (!FooterMetadataPolicy.canShareFile(firstMetadata.getCreated_by(), metadata.getCreated_by())) {
            return obstacle(WRITER_DIFFERS, "the writer of %s is %s, that of %s is %s, and readers may treat them differently", file, metadata.getCreated_by(), firstFile, firstMetadata.getCreated_by());
        }
        Optional<String> key = FooterMetadataPolicy.differingReaderKey(firstMetadata, metadata);
        if (key.isPresent()) {
            return obstacle(
                    METADATA_DIFFERS,
                    "%s is %s in %s and %s in %s",
                    key.get(),
                    FooterMetadataPolicy.keyValues(metadata).getOrDefault(key.get(), "absent"), file,
                    FooterMetadataPolicy.keyValues(firstMetadata).getOrDefault(key.get(), "absent"), firstFile);
        }
        return Optional.empty();
    }

    private static Optional<CopyObstacle> obstacle(CopyObstacle.Reason reason, String format, Object... arguments)
    {
        return Optional.of(new CopyObstacle(reason, format.formatted(arguments)));
    }
}
