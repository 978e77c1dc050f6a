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

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Records on their way into a lake table: what is known of them, and the statements that a stream's writer and those who
 * correct it later would run. Immutable; it only makes text.
 *
 * @param table the table they go to
 * @param staging the table that holds all of them, with the number of the commit that each arrives in
 * @param columns the table's columns
 * @param key the column by which corrections find records: an integer or text
 * @param measure the column that corrections change
 * @param time when each record happened; absent if there is no such column
 * @param commits how many commits the records arrive in
 * @param partitioned whether the table is partitioned, by time if it has one and else by the key
 */
record Feed(
        String table,
        String staging,
        List<Column> columns,
        Column key,
        Column measure,
        Optional<TimeSpan> time,
        int commits,
        boolean partitioned)
{
    /** Column of the staging table: the number of the commit, from 1 */
    static final String ARRIVAL = "arrival";

    /**
     * @param column a date or timestamp
     * @param first the first day
     * @param last the last day
     */
    record TimeSpan(Column column, LocalDate first, LocalDate last)
    {
        TimeSpan
        {
            requireNonNull(column, "column is null");
            checkArgument(column.isTime(), "column %s has type %s, it must be a date or timestamp", column.name(), column.type());
            checkArgument(!last.isBefore(first), "last day %s is before first day %s", last, first);
        }

        long days()
        {
            return last.toEpochDay() - first.toEpochDay() + 1;
        }

        /** The largest unit that still cuts the span into several partitions of many commits each */
        String partitionUnit()
        {
            if (days() <= 16) {
                return "day";
            }
            return days() <= 500 ? "month" : "year";
        }
    }

    Feed
    {
        requireNonNull(table, "table is null");
        requireNonNull(staging, "staging is null");
        columns = ImmutableList.copyOf(columns);
        requireNonNull(key, "key is null");
        requireNonNull(measure, "measure is null");
        requireNonNull(time, "time is null");
        checkArgument(commits >= 1, "commits is %s, it must be at least 1", commits);
    }

    String createTable()
    {
        String definition = "CREATE TABLE %s (\n    %s)".formatted(
                table,
                String.join(",\n    ", columns.stream().map(column -> column.sql() + " " + column.type()).toList()));
        return definition + partitioning()
                .map(value -> "\nWITH (partitioning = ARRAY['%s'])".formatted(value.replace("'", "''")))
                .orElse("");
    }

    private Optional<String> partitioning()
    {
        if (!partitioned) {
            return Optional.empty();
        }
        return Optional.of(time
                .map(span -> "%s(%s)".formatted(span.partitionUnit(), span.column().sql()))
                .orElseGet(() -> "bucket(%s, 4)".formatted(key.sql())));
    }

    String insert(int commit)
    {
        return "INSERT INTO %s\nSELECT %s\nFROM %s WHERE %s = %s".formatted(table, columnList(), staging, ARRIVAL, commit);
    }

    /**
     * @param part which part of the time span is corrected, from 0
     * @param parts into how many parts the span is cut
     */
    String update(int part, int parts)
    {
        return "UPDATE %s SET %s = %s\nWHERE %s".formatted(
                table,
                measure.sql(),
                changed(measure.sql()),
                condition("", part, parts, 20, 7));
    }

    /**
     * @param part which part of the time span is corrected, from 0
     * @param parts into how many parts the span is cut
     */
    String delete(int part, int parts)
    {
        return "DELETE FROM %s\nWHERE %s".formatted(table, condition("", part, parts, 25, 3));
    }

    /**
     * Late records of one commit: known keys are updated, unknown ones are added. The source has one record for each key,
     * as MERGE demands.
     *
     * @param part which part of the time span is corrected, from 0
     * @param parts into how many parts the span is cut
     */
    String merge(int commit, int part, int parts)
    {
        return
                """
                MERGE INTO %s t
                USING (
                    SELECT *, row_number() OVER (PARTITION BY %s) AS version
                    FROM %s WHERE %s = %s AND %s) late
                ON t.%s = late.%s AND late.version = 1 AND %s
                WHEN MATCHED THEN UPDATE SET %s = %s
                WHEN NOT MATCHED AND late.version = 1 THEN INSERT (%s)
                    VALUES (%s)
                """.formatted(
                        table,
                        key.sql(),
                        staging, ARRIVAL, commit, keyCondition("", 10, 1),
                        key.sql(), key.sql(), condition("t.", part, parts, 10, 1),
                        measure.sql(), changed("t." + measure.sql()),
                        columnList(),
                        String.join(", ", columns.stream().map(column -> "late." + column.sql()).toList())).strip();
    }

    private String changed(String value)
    {
        if (measure.isDecimal()) {
            return "CAST(%s + 1 AS %s)".formatted(value, measure.type());
        }
        return measure.isNumber() ? value + " + 1" : "reverse(%s)".formatted(value);
    }

    private String condition(String prefix, int part, int parts, int divisor, int remainder)
    {
        return time
                .map(span -> "%1$s%2$s >= DATE '%3$s' AND %1$s%2$s < DATE '%4$s' AND ".formatted(
                        prefix,
                        span.column().sql(),
                        span.first().plusDays(span.days() * part / parts),
                        span.first().plusDays(Math.max(span.days() * (part + 1) / parts, span.days() * part / parts + 1))))
                .orElse("") + keyCondition(prefix, divisor, remainder);
    }

    private String keyCondition(String prefix, int divisor, int remainder)
    {
        if (key.isInteger()) {
            return "%s%s %% %s = %s".formatted(prefix, key.sql(), divisor, remainder);
        }
        return "from_big_endian_64(xxhash64(to_utf8(%s%s))) %% %s = %s".formatted(prefix, key.sql(), divisor, remainder);
    }

    /**
     * Checksums that do not depend on the order of the rows: one for each column, and one over whole rows, which also
     * notices values that changed places between rows.
     *
     * @param catalog the catalog to read through
     */
    String checksums(String catalog)
    {
        return "SELECT count(*) AS rows, %s,\n    checksum(ROW(%s)) AS whole_rows\nFROM %s.demo.%s".formatted(
                String.join(", ", columns.stream().map(column -> "checksum(%1$s) AS %1$s".formatted(column.sql())).toList()),
                columnList(),
                catalog,
                table);
    }

    /** What a dashboard would ask */
    String dashboard()
    {
        String values = "count(*) AS records, count(DISTINCT %s) AS keys, %s AS value".formatted(
                key.sql(),
                measure.isNumber() ? "sum(%s)".formatted(measure.sql()) : "max(%s)".formatted(measure.sql()));
        return time
                .map(span -> "SELECT date_trunc('month', %s) AS month, %s\nFROM %s GROUP BY 1 ORDER BY 1".formatted(span.column().sql(), values, table))
                .orElseGet(() -> "SELECT %s\nFROM %s".formatted(values, table));
    }

    private String columnList()
    {
        return String.join(", ", columns.stream().map(Column::sql).toList());
    }
}
