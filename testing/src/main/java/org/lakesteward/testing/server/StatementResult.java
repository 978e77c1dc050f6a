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
package org.lakesteward.testing.server;

import io.trino.client.StatementStats;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * What a finished statement returned over Trino's HTTP protocol. Immutable.
 *
 * @param queryId Trino's name of the query
 * @param columns names of the result's columns; empty if the statement returns none
 * @param columnTypes their types in Trino's notation
 * @param rows values as the protocol's client decodes them; SQL NULL is {@code null}
 * @param updateType what a statement that is not a query did, such as {@code INSERT}
 * @param updateCount rows that it changed, where that is known
 * @param statistics the server's own account of time, CPU, bytes and memory
 */
public record StatementResult(
        String queryId,
        List<String> columns,
        List<String> columnTypes,
        List<List<Object>> rows,
        Optional<String> updateType,
        OptionalLong updateCount,
        StatementStats statistics)
{
    public StatementResult
    {
        requireNonNull(queryId, "queryId is null");
        columns = List.copyOf(columns);
        columnTypes = List.copyOf(columnTypes);
        // ImmutableList refuses the nulls that rows hold
        rows = Collections.unmodifiableList(rows);
        requireNonNull(updateType, "updateType is null");
        requireNonNull(updateCount, "updateCount is null");
        requireNonNull(statistics, "statistics is null");
    }

    /**
     * The value of a result of one row and one column.
     *
     * @throws IllegalStateException if the result has another shape
     */
    public Object onlyValue()
    {
        checkState(rows.size() == 1 && rows.getFirst().size() == 1, "Expected one row of one column, found %s rows of columns %s", rows.size(), columns);
        return rows.getFirst().getFirst();
    }

    /**
     * The values of one column, in row order.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    public List<Object> column(String name)
    {
        int index = columns.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("Column %s is not one of %s".formatted(name, columns));
        }
        return rows.stream()
                .map(row -> row.get(index))
                .toList();
    }
}
