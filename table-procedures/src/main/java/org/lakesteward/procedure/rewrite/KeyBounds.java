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
import io.trino.plugin.iceberg.TrinoSortField;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.lakesteward.planner.sort.KeyRange;
import org.lakesteward.planner.sort.KeyRanges;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Between which keys the rows of data files lie, by the metrics in their manifests. Where metrics are missing, anything is possible. Thread-safe.
 * <p>
 * NaN is the greatest of the numbers, as in Iceberg's sort orders.
 */
final class KeyBounds
{
    private final List<Column> columns;

    KeyBounds(Schema schema, SortRequest request)
    {
        columns = request.fields().stream()
                .map(field -> new Column(schema.findField(field.sourceColumnId()), field))
                .collect(toImmutableList());
    }

    List<String> columnNames()
    {
        return columns.stream().map(column -> column.field.name()).collect(toImmutableList());
    }

    /** One pair of bounds for each column of the key. */
    List<Bounds> read(DataFile file)
    {
        return columns.stream().map(column -> column.read(file)).collect(toImmutableList());
    }

    /**
     * @param files the bounds of all files of a partition
     */
    List<KeyRange> rank(List<List<Bounds>> files)
    {
        List<Map<Point, Long>> ranks = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            TreeSet<Point> points = new TreeSet<>(columns.get(column));
            for (List<Bounds> file : files) {
                points.add(file.get(column).first());
                points.add(file.get(column).last());
            }
            TreeMap<Point, Long> columnRanks = new TreeMap<>(columns.get(column));
            long rank = 0;
            for (Point point : points) {
                columnRanks.put(point, rank);
                rank++;
            }
            ranks.add(columnRanks);
        }
        return KeyRanges.ofColumns(files.stream()
                .map(file -> {
                    ImmutableList.Builder<KeyRange> key = ImmutableList.builder();
                    for (int column = 0; column < columns.size(); column++) {
                        key.add(new KeyRange(ranks.get(column).get(file.get(column).first()), ranks.get(column).get(file.get(column).last())));
                    }
                    return (List<KeyRange>) key.build();
                })
                .collect(toImmutableList()));
    }

    /**
     * The first and the last key of a file in a column, in sort order.
     */
    record Bounds(Point first, Point last) {}

    /**
     * @param value only of {@link Level#VALUE}
     */
    record Point(Level level, Optional<Object> value)
    {
        static Point of(Level level)
        {
            return new Point(level, Optional.empty());
        }
    }

    /** In sort order, whatever the direction. */
    enum Level
    {
        UNKNOWN_FIRST,
        NULL_FIRST,
        NAN_FIRST,
        VALUE,
        NAN_LAST,
        NULL_LAST,
        UNKNOWN_LAST,
    }

    private static final class Column
            implements Comparator<Point>
    {
        private final Types.NestedField field;
        private final boolean ascending;
        private final boolean nullsFirst;
        private final Comparator<Object> values;

        private Column(Types.NestedField field, TrinoSortField sortField)
        {
            this.field = requireNonNull(field, "field is null");
            ascending = sortField.sortOrder().isAscending();
            nullsFirst = sortField.sortOrder().isNullsFirst();
            Comparator<Object> comparator = comparator(field.type());
            values = ascending ? comparator : comparator.reversed();
        }

        /** In the order that Trino sorts by. Iceberg's own of UUIDs is by signed halves, that of their bounds in Parquet by bytes. */
        @SuppressWarnings("unchecked")
        private static Comparator<Object> comparator(Type type)
        {
            if (type.typeId() == Type.TypeID.UUID) {
                Comparator<UUID> unsigned = (left, right) -> {
                    int high = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
                    return high != 0 ? high : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
                };
                return (Comparator<Object>) (Comparator<?>) unsigned;
            }
            return Comparators.forType(type.asPrimitiveType());
        }

        @Override
        public int compare(Point left, Point right)
        {
            if (left.level() != right.level() || left.level() != Level.VALUE) {
                return left.level().compareTo(right.level());
            }
            return values.compare(left.value().orElseThrow(), right.value().orElseThrow());
        }

        Bounds read(DataFile file)
        {
            Long valueCount = count(file.valueCounts());
            Long nullCount = count(file.nullValueCounts());
            Long nanCount = count(file.nanValueCounts());
            boolean mayHaveNulls = field.isOptional() && (nullCount == null || nullCount > 0);
            boolean hasNans = nanCount != null && nanCount > 0;
            Point nulls = Point.of(nullsFirst ? Level.NULL_FIRST : Level.NULL_LAST);
            Point nans = Point.of(ascending ? Level.NAN_LAST : Level.NAN_FIRST);

            ImmutableList.Builder<Point> points = ImmutableList.builder();
            Optional<Object> lower = bound(file.lowerBounds());
            Optional<Object> upper = bound(file.upperBounds());
            // a writer with another order, as of UUIDs, says nothing by its bounds
            boolean inOrder = lower.isPresent() && upper.isPresent() && (ascending ? values : values.reversed()).compare(lower.get(), upper.get()) <= 0;
            if (inOrder) {
                points.add(new Point(Level.VALUE, lower), new Point(Level.VALUE, upper));
            }
            else if (valueCount == null || nullCount == null || lower.isPresent() || valueCount > nullCount + (nanCount == null ? 0 : nanCount)) {
                // there are values, and nobody knows which
                return new Bounds(Point.of(Level.UNKNOWN_FIRST), Point.of(Level.UNKNOWN_LAST));
            }
            if (mayHaveNulls) {
                points.add(nulls);
            }
            if (hasNans) {
                points.add(nans);
            }
            List<Point> all = points.build();
            if (all.isEmpty()) {
                return new Bounds(Point.of(Level.UNKNOWN_FIRST), Point.of(Level.UNKNOWN_LAST));
            }
            return new Bounds(all.stream().min(this).orElseThrow(), all.stream().max(this).orElseThrow());
        }

        private Long count(Map<Integer, Long> counts)
        {
            return counts == null ? null : counts.get(field.fieldId());
        }

        private Optional<Object> bound(Map<Integer, ByteBuffer> bounds)
        {
            ByteBuffer bound = bounds == null ? null : bounds.get(field.fieldId());
            if (bound == null) {
                return Optional.empty();
            }
            Type type = field.type();
            Object value = Conversions.fromByteBuffer(type, bound);
            // a writer that counts NaN among the bounds says nothing by them
            boolean nan = (value instanceof Double number && number.isNaN()) || (value instanceof Float real && real.isNaN());
            return nan ? Optional.empty() : Optional.of(value);
        }
    }
}
