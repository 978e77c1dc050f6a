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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.PartitionTransforms;
import io.trino.plugin.iceberg.TrinoSortField;
import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.RowBlock;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeManager;
import io.trino.spi.type.TypeOperators;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static java.util.Objects.requireNonNull;

/**
 * The columns by whose values the rows of a file group are divided: those of the sort order; before them, where rows go to several partitions, the values of the
 * partition. Thread-safe.
 */
final class SortKey
{
    private final List<Part> parts;
    private final int partitionParts;
    private final Optional<ZOrderCurve> curve;
    private final TypeOperators typeOperators;
    private final KeyOrder order;

    /** @param curve when present, the key has the place on it instead of the parts after those of the partition */
    private SortKey(List<Part> parts, int partitionParts, Optional<ZOrderCurve> curve, TypeOperators typeOperators)
    {
        this.parts = ImmutableList.copyOf(parts);
        this.partitionParts = partitionParts;
        this.curve = requireNonNull(curve, "curve is null");
        this.typeOperators = requireNonNull(typeOperators, "typeOperators is null");
        order = new KeyOrder(types(), orders(), typeOperators);
    }

    /**
     * @param output the spec of the files to write, empty when all rows of the group belong to one partition
     */
    static SortKey create(Schema schema, PartitionSpec output, boolean byPartition, SortRequest request, TypeManager typeManager)
    {
        List<Part> parts = new ArrayList<>();
        if (byPartition) {
            for (PartitionField field : output.fields()) {
                if (!field.transform().isVoid()) {
                    parts.add(partitionPart(schema, field, typeManager));
                }
            }
        }
        int partitionParts = parts.size();
        for (TrinoSortField field : request.fields()) {
            Type type = TypeConverter.toTrinoType(schema.findType(field.sourceColumnId()), typeManager);
            parts.add(new Part(field.sourceColumnId(), block -> block, type, field.sortOrder()));
        }
        return new SortKey(parts, partitionParts, Optional.empty(), typeManager.getTypeOperators());
    }

    /** The key of a z-order by the columns of this one. */
    SortKey along(ZOrderCurve curve)
    {
        return new SortKey(parts, partitionParts, Optional.of(curve), typeOperators);
    }

    /** How many columns of the key come before those of the order. */
    int partitionParts()
    {
        return partitionParts;
    }

    private static Part partitionPart(Schema schema, PartitionField field, TypeManager typeManager)
    {
        Type sourceType = TypeConverter.toTrinoType(schema.findType(field.sourceId()), typeManager);
        PartitionTransforms.ColumnTransform transform = PartitionTransforms.getColumnTransform(field, sourceType);
        // from the source column out to the column of the table that it lies in
        Types.NestedField column = null;
        List<Integer> path = new ArrayList<>();
        for (Types.NestedField candidate : schema.columns()) {
            if (findPath(candidate, field.sourceId(), path)) {
                column = candidate;
                break;
            }
        }
        requireNonNull(column, "column is null");
        return new Part(column.fieldId(), block -> transform.blockTransform().apply(dereference(block, path)), transform.type(), SortOrder.ASC_NULLS_FIRST);
    }

    private static boolean findPath(Types.NestedField field, int id, List<Integer> path)
    {
        if (field.fieldId() == id) {
            return true;
        }
        if (field.type().isStructType()) {
            List<Types.NestedField> children = field.type().asStructType().fields();
            for (int index = 0; index < children.size(); index++) {
                path.add(index);
                if (findPath(children.get(index), id, path)) {
                    return true;
                }
                path.removeLast();
            }
        }
        return false;
    }

    private static Block dereference(Block block, List<Integer> path)
    {
        Block current = block;
        for (int index : path) {
            current = RowBlock.getRowFieldsFromBlock(current).get(index);
        }
        return current;
    }

    KeyOrder order()
    {
        return order;
    }

    List<Type> types()
    {
        return withPlace(parts.stream().map(Part::type).collect(toImmutableList()), BIGINT);
    }

    private List<SortOrder> orders()
    {
        return withPlace(parts.stream().map(Part::order).collect(toImmutableList()), SortOrder.ASC_NULLS_FIRST);
    }

    private <T> List<T> withPlace(List<T> all, T place)
    {
        if (curve.isEmpty()) {
            return all;
        }
        return ImmutableList.<T>builder().addAll(all.subList(0, partitionParts)).add(place).build();
    }

    /** Whether NaNs come among the values of the leading column, after or before all others. */
    boolean leadsWithFloatingPoint()
    {
        Type type = types().getFirst();
        return type == DOUBLE || type == RealType.REAL;
    }

    boolean leadsAscending()
    {
        return orders().getFirst().isAscending();
    }

    /** Columns of the table that the key is read from, each once. */
    List<IcebergColumnHandle> sourceColumns(List<IcebergColumnHandle> tableColumns)
    {
        var ids = parts.stream().map(Part::columnId).collect(toImmutableSet());
        return tableColumns.stream().filter(column -> ids.contains(column.getId())).collect(toImmutableList());
    }

    /**
     * Computes keys of pages with these columns.
     */
    Function<Page, List<Block>> reader(List<IcebergColumnHandle> columns)
    {
        List<Integer> ids = columns.stream().map(IcebergColumnHandle::getId).collect(toImmutableList());
        List<Integer> channels = parts.stream().map(part -> ids.indexOf(part.columnId())).collect(toImmutableList());
        Function<List<Block>, List<Block>> places = places();
        return page -> {
            ImmutableList.Builder<Block> key = ImmutableList.builder();
            for (int index = 0; index < parts.size(); index++) {
                key.add(parts.get(index).value().apply(page.getBlock(channels.get(index))));
            }
            return places.apply(key.build());
        };
    }

    /**
     * Computes keys from values of the partition and of the columns, as keys without a curve have them.
     */
    Function<List<Block>, List<Block>> places()
    {
        if (curve.isEmpty()) {
            return key -> key;
        }
        List<KeyOrder> columnOrders = parts.subList(partitionParts, parts.size()).stream()
                .map(part -> new KeyOrder(ImmutableList.of(part.type()), ImmutableList.of(part.order()), typeOperators))
                .collect(toImmutableList());
        return key -> {
            List<Block> columns = key.subList(partitionParts, key.size());
            return ImmutableList.<Block>builder()
                    .addAll(key.subList(0, partitionParts))
                    .add(curve.get().places(columns, columnOrders, columns.getFirst().getPositionCount()))
                    .build();
        };
    }

    private record Part(int columnId, Function<Block, Block> value, Type type, SortOrder order) {}
}
