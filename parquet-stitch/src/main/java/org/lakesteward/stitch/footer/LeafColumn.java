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
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.lakesteward.stitch.statistics.ValueOrder;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A column that has values: a leaf of the schema.
 *
 * @param index among the leaves, from 0, which is the column chunk's place in each row group
 * @param path names from below the root
 * @param element its part of the schema, not to be modified
 * @param annotation what the element means; empty when this version does not know it
 * @param maxRepetitionLevel how many of its ancestors and itself are repeated
 * @param maxDefinitionLevel how many of its ancestors and itself are not required
 */
public record LeafColumn(int index, List<String> path, SchemaElement element, Optional<Annotation> annotation, int maxRepetitionLevel, int maxDefinitionLevel)
{
    /** Of {@link #fixedWidth}: the values carry their own lengths. */
    public static final int VARIABLE_WIDTH = 0;

    public LeafColumn
    {
        path = ImmutableList.copyOf(path);
        requireNonNull(element, "element is null");
        requireNonNull(annotation, "annotation is null");
    }

    public Type type()
    {
        return element.getType();
    }

    public String dottedPath()
    {
        return String.join(".", path);
    }

    public boolean isFlat()
    {
        return maxRepetitionLevel == 0;
    }

    /**
     * @return bits that one definition level takes
     */
    public int definitionBits()
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(maxDefinitionLevel);
    }

    /**
     * @return bits that one repetition level takes
     */
    public int repetitionBits()
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(maxRepetitionLevel);
    }

    /**
     * @return bytes of a value in PLAIN encoding, or {@link #VARIABLE_WIDTH}
     * @throws IllegalStateException for booleans, which take one bit
     */
    public int fixedWidth()
    {
        return switch (type()) {
            case INT32, FLOAT -> 4;
            case INT64, DOUBLE -> 8;
            case INT96 -> 12;
            case FIXED_LEN_BYTE_ARRAY -> element.getType_length();
            case BYTE_ARRAY -> VARIABLE_WIDTH;
            case BOOLEAN -> throw new IllegalStateException("booleans have no width in bytes");
        };
    }

    public ValueOrder order()
    {
        return annotation.map(known -> ValueOrder.of(element, known)).orElse(ValueOrder.UNDEFINED);
    }
}
