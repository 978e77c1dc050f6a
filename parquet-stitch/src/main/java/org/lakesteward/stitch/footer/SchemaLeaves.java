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
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.lakesteward.stitch.io.CorruptParquetException;

import java.util.List;

/**
 * Finds the leaves of a schema, which footers carry as a list in depth-first order.
 */
final class SchemaLeaves
{
    private static final int MAX_DEPTH = 128;

    private final String file;
    private final List<SchemaElement> elements;
    private final ImmutableList.Builder<LeafColumn> leaves = ImmutableList.builder();
    private int leafCount;
    private int next;

    private SchemaLeaves(String file, List<SchemaElement> elements)
    {
        this.file = file;
        this.elements = elements;
    }

    static List<LeafColumn> of(String file, List<SchemaElement> elements)
            throws CorruptParquetException
    {
        SchemaLeaves reader = new SchemaLeaves(file, elements);
        reader.check(!elements.isEmpty(), "its schema is empty");
        reader.check(!elements.getFirst().isSetType(), "the root of its schema is a column");
        reader.read(ImmutableList.of(), 0, 0, 0);
        reader.check(reader.next == elements.size(), "its schema has %s elements, of which %s lie below the root".formatted(elements.size(), reader.next));
        return reader.leaves.build();
    }

    private void read(List<String> path, int repetitionLevel, int definitionLevel, int depth)
            throws CorruptParquetException
    {
        check(depth <= MAX_DEPTH, "its schema is nested deeper than %s levels".formatted(MAX_DEPTH));
        SchemaElement element = elements.get(next);
        next++;
        if (element.isSetType()) {
            check(!element.isSetNum_children() || element.getNum_children() == 0, "column %s of its schema has children".formatted(String.join(".", path)));
            check(element.getType() != Type.FIXED_LEN_BYTE_ARRAY || element.getType_length() > 0, "column %s has fixed values of %s bytes".formatted(String.join(".", path), element.getType_length()));
            leaves.add(new LeafColumn(leafCount, path, element, Annotation.of(element), repetitionLevel, definitionLevel));
            leafCount++;
            return;
        }
        check(element.isSetNum_children() && element.getNum_children() >= 0, "element %s of its schema has neither a type nor children".formatted(next - 1));
        for (int child = 0; child < element.getNum_children(); child++) {
            check(next < elements.size(), "its schema announces more than its %s elements".formatted(elements.size()));
            SchemaElement childElement = elements.get(next);
            check(childElement.isSetRepetition_type(), "element %s of its schema has no repetition".formatted(next));
            FieldRepetitionType repetition = childElement.getRepetition_type();
            read(
                    ImmutableList.<String>builder().addAll(path).add(childElement.getName()).build(),
                    repetitionLevel + (repetition == FieldRepetitionType.REPEATED ? 1 : 0),
                    definitionLevel + (repetition == FieldRepetitionType.REQUIRED ? 0 : 1),
                    depth + 1);
        }
    }

    private void check(boolean condition, String problem)
            throws CorruptParquetException
    {
        if (!condition) {
            throw new CorruptParquetException(file, problem);
        }
    }
}
