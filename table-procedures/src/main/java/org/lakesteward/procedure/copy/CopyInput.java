
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.SchemaElement;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static org.apache.iceberg.MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER;
import static org.apache.iceberg.MetadataColumns.ROW_ID;

/**
 * A file to be copied. Immutable.
 *
 * @param footer the file's footer
 * @param lineage what its rows inherit from its manifest entry; empty below format version 3 and for entries without {@code first_row_id}
 */
public record CopyInput(ParquetFooter footer, Optional<RowLineage> lineage)
{
    public CopyInput
    {
        requireNonNull(footer, "footer is null");
        requireNonNull(lineage, "lineage is null");
    }

    /** The row-lineage columns that the file itself has, in file order. */
    List<ParquetNode> lineageColumns()
    {
        return footer.root().children().stream()
                .filter(node -> isLineage(node.element()))
                .collect(ImmutableList.toImmutableList());
    }

    private static boolean isLineage(SchemaElement element)
    {
        return element.isSetField_id() && (element.getField_id() == ROW_ID.fieldId() || element.getField_id() == LAST_UPDATED_SEQUENCE_NUMBER.fieldId());
    }

    /** Whether the copy gets row-lineage columns that the file does not have. */
    boolean synthesizesLineage()
    {
        return lineage.isPresent() && lineageColumns().isEmpty();
    }

    /** The schema of the copy, depth first, without the root. */
    List<SchemaElement> outputColumns()
    {
        List<SchemaElement> elements = footer.metadata().getSchema();
        ImmutableList.Builder<SchemaElement> columns = ImmutableList.builder();
        columns.addAll(elements.subList(1, elements.size()));
        if (synthesizesLineage()) {
            columns.add(LineageChunk.schemaElement(ROW_ID));
            columns.add(LineageChunk.schemaElement(LAST_UPDATED_SEQUENCE_NUMBER));
        }
        return columns.build();
    }

    /** The schema of the copy with its root. */
    List<SchemaElement> outputSchema()
    {
        SchemaElement root = new SchemaElement(footer.root().element());
        if (synthesizesLineage()) {
            root.setNum_children(root.getNum_children() + 2);
        }
        return ImmutableList.<SchemaElement>builder()
                .add(root)
                .addAll(outputColumns())
                .build();
    }
}
