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
package org.lakesteward.stitch.footer;

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

import java.util.List;

/**
 * The two columns that keep what rows would inherit from their manifest entry, once files are merged
 * (Iceberg specification, "Row lineage"; ids from "Reserved field IDs").
 */
public final class LineageColumns
{
    public static final String ROW_ID = "_row_id";
    public static final int ROW_ID_FIELD = 2147483540;
    public static final String SEQUENCE_NUMBER = "_last_updated_sequence_number";
    public static final int SEQUENCE_NUMBER_FIELD = 2147483539;
    /** How many columns there are. */
    public static final int COUNT = 2;

    private LineageColumns() {}

    /**
     * @return the elements of the columns, optional longs as Iceberg and Trino write them
     */
    public static List<SchemaElement> elements()
    {
        return ImmutableList.of(element(ROW_ID, ROW_ID_FIELD), element(SEQUENCE_NUMBER, SEQUENCE_NUMBER_FIELD));
    }

    private static SchemaElement element(String name, int fieldId)
    {
        return new SchemaElement(name)
                .setType(Type.INT64)
                .setRepetition_type(FieldRepetitionType.OPTIONAL)
                .setField_id(fieldId);
    }

    /**
     * @return the schema with both columns behind the others
     */
    public static List<SchemaElement> addTo(List<SchemaElement> schema)
    {
        SchemaElement root = new SchemaElement(schema.getFirst());
        root.setNum_children(root.getNum_children() + COUNT);
        return ImmutableList.<SchemaElement>builder()
                .add(root)
                .addAll(schema.subList(1, schema.size()))
                .addAll(elements())
                .build();
    }

    public static boolean isLineage(SchemaElement element)
    {
        return element.isSetField_id() && (element.getField_id() == ROW_ID_FIELD || element.getField_id() == SEQUENCE_NUMBER_FIELD);
    }

    /**
     * @return how many of a schema's columns are lineage columns
     */
    public static int countIn(List<SchemaElement> schema)
    {
        return (int) schema.stream().filter(LineageColumns::isLineage).count();
    }

    /**
     * Whether every row of the file has values in its lineage columns; a null stands for a value that is inherited.
     */
    public static boolean isComplete(ParquetFooter footer)
    {
        for (LeafColumn leaf : footer.leaves()) {
            if (!isLineage(leaf.element()) || leaf.maxDefinitionLevel() == 0) {
                continue;
            }
            for (RowGroup rowGroup : footer.rowGroups()) {
                ColumnMetaData column = rowGroup.getColumns().get(leaf.index()).getMeta_data();
                boolean known = column.isSetStatistics() && column.getStatistics().isSetNull_count();
                if (rowGroup.getNum_rows() > 0 && (!known || column.getStatistics().getNull_count() != 0)) {
                    return false;
                }
            }
        }
        return true;
    }
}
