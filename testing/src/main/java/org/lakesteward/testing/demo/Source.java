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
package org.lakesteward.testing.demo;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Streams;
import org.lakesteward.testing.demo.Feed.TimeSpan;
import org.lakesteward.testing.server.StatementResult;

import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Where a feed's records come from.
 *
 * @param relation what stands after FROM in a statement that reads them
 * @param columns their columns
 * @param rows their number
 * @param distinctValues about how many values a column has
 * @param time when the records happened, by their first date or timestamp column
 */
record Source(String relation, List<Column> columns, long rows, Map<Column, Long> distinctValues, Optional<TimeSpan> time)
{
    Source
    {
        requireNonNull(relation, "relation is null");
        columns = ImmutableList.copyOf(columns);
        distinctValues = ImmutableMap.copyOf(distinctValues);
        requireNonNull(time, "time is null");
    }

    /**
     * Reads every column once.
     *
     * @throws org.lakesteward.testing.server.StatementFailedException if Trino cannot read it
     */
    static Source profile(Narrator narrator, String relation)
    {
        StatementResult empty = narrator.runQuietly("SELECT * FROM %s LIMIT 0".formatted(relation));
        List<Column> columns = Streams.zip(empty.columns().stream(), empty.columnTypes().stream(), Source::column)
                .collect(toImmutableList());
        Optional<Column> time = columns.stream()
                .filter(Column::isTime)
                .findFirst();

        String sql = "SELECT count(*), " +
                Feed.wrap(columns, column -> "approx_distinct(%s)".formatted(column.sql())) +
                time.map(column -> ", CAST(CAST(min(%1$s) AS date) AS varchar), CAST(CAST(max(%1$s) AS date) AS varchar)".formatted(column.sql())).orElse("") +
                " FROM " + relation;
        Iterator<Object> values = narrator.runQuietly(sql).rows().getFirst().iterator();
        long rows = ((Number) values.next()).longValue();
        ImmutableMap.Builder<Column, Long> distinctValues = ImmutableMap.builder();
        for (Column column : columns) {
            distinctValues.put(column, ((Number) values.next()).longValue());
        }
        Optional<TimeSpan> span = time.flatMap(column -> timeSpan(column, (String) values.next(), (String) values.next()));
        return new Source(relation, columns, rows, distinctValues.buildOrThrow(), span);
    }

    private static Column column(String name, String type)
    {
        // Iceberg has text of any length only
        return new Column(name, type.startsWith("varchar") ? "varchar" : type);
    }

    private static Optional<TimeSpan> timeSpan(Column column, String first, String last)
    {
        if (first == null) {
            return Optional.empty();
        }
        return Optional.of(new TimeSpan(column, LocalDate.parse(first), LocalDate.parse(last)));
    }
}
