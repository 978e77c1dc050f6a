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
package org.lakesteward.systemtables;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.InMemoryRecordSet;
import io.trino.spi.connector.RecordCursor;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * A table whose rows are computed anew for each scan, on the coordinator that plans the statement, one by one as they are read.
 * Thread-safe if what gives the rows is.
 *
 * @param <R> what a row is made of
 */
public final class RowsTable<R>
        implements SystemTable
{
    private final ConnectorTableMetadata metadata;
    private final List<Column<R>> columns;
    private final List<Type> types;
    private final Function<TupleDomain<Integer>, Iterable<R>> rows;

    /**
     * A table of few rows: predicates are left to the engine.
     */
    public RowsTable(SchemaTableName name, String comment, List<Column<R>> columns, Supplier<List<R>> rows)
    {
        this(name, comment, columns, _ -> rows.get());
        requireNonNull(rows, "rows is null");
    }

    /**
     * @param rows gives at least the rows that fulfil what is asked of columns, by their place from 0; the engine drops the others
     */
    public RowsTable(SchemaTableName name, String comment, List<Column<R>> columns, Function<TupleDomain<Integer>, Iterable<R>> rows)
    {
        this.columns = ImmutableList.copyOf(columns);
        this.types = this.columns.stream()
                .map(Column::type)
                .collect(toImmutableList());
        this.rows = requireNonNull(rows, "rows is null");
        this.metadata = new ConnectorTableMetadata(
                name,
                this.columns.stream()
                        .map(Column::metadata)
                        .collect(toImmutableList()),
                ImmutableMap.of(),
                Optional.of(comment));
    }

    @Override
    public Distribution getDistribution()
    {
        return Distribution.SINGLE_COORDINATOR;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata()
    {
        return metadata;
    }

    @Override
    public RecordCursor cursor(ConnectorTransactionHandle transactionHandle, ConnectorSession session, TupleDomain<Integer> constraint)
    {
        return new InMemoryRecordSet(types, Iterables.transform(rows.apply(constraint), this::values)).cursor();
    }

    private List<Object> values(R row)
    {
        List<Object> values = new ArrayList<>(columns.size());
        for (Column<R> column : columns) {
            values.add(column.value().apply(row).orElse(null));
        }
        return Collections.unmodifiableList(values);
    }

    /**
     * @param value the value in the engine's own form for the type, empty for null
     */
    public record Column<R>(String name, Type type, String comment, Function<R, Optional<?>> value)
    {
        public Column
        {
            requireNonNull(name, "name is null");
            requireNonNull(type, "type is null");
            requireNonNull(comment, "comment is null");
            requireNonNull(value, "value is null");
        }

        private ColumnMetadata metadata()
        {
            return ColumnMetadata.builder()
                    .setName(name)
                    .setType(type)
                    .setComment(Optional.of(comment))
                    .build();
        }
    }
}
