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
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A node of a Parquet schema, whose elements the footer lists depth first (section "Metadata" of the Parquet format).
 *
 * @param element the element as the footer has it; not to be modified
 * @param path names from below the root down to this node
 * @param children empty for a leaf
 * @param maxRepetitionLevel number of repeated nodes on the path, 0 for a flat column
 */
record ParquetNode(SchemaElement element, List<String> path, List<ParquetNode> children, int maxRepetitionLevel)
{
    ParquetNode
    {
        requireNonNull(element, "element is null");
        path = ImmutableList.copyOf(path);
        children = ImmutableList.copyOf(children);
    }

    boolean isLeaf()
    {
        return element.isSetType();
    }

    boolean isRepeated()
    {
        return element.getRepetition_type() == FieldRepetitionType.REPEATED;
    }

    String name()
    {
        return element.getName();
    }

    /** The path for messages, with dots. */
    String dottedPath()
    {
        return String.join(".", path);
    }

    /** The leaves below this node in the order of the column chunks of a row group. */
    List<ParquetNode> leaves()
    {
        ImmutableList.Builder<ParquetNode> leaves = ImmutableList.builder();
        collectLeaves(leaves);
        return leaves.build();
    }

    private void collectLeaves(ImmutableList.Builder<ParquetNode> leaves)
    {
        if (isLeaf()) {
            leaves.add(this);
            return;
        }
        children.forEach(child -> child.collectLeaves(leaves));
    }
}
