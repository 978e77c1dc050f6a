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

import org.lakesteward.testing.demo.Feed.TimeSpan;

import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Puts the records of a source into the order in which a stream would bring them: by their time, a few of them late.
 */
final class Staging
{
    /** More would take longer than a demo may */
    private static final long MAX_ROWS = 5_000_000;
    private static final long MIN_ROWS = 1_000;
    private static final long ENOUGH_KEYS = 100;

    private final Narrator narrator;

    Staging(Narrator narrator)
    {
        this.narrator = requireNonNull(narrator, "narrator is null");
    }

    /**
     * Writes the staging table.
     *
     * @param table name of the table that the feed will fill; the staging table is named after it
     * @throws DemoInputException if the source has too few rows, or no column by which records can be found
     */
    Feed stage(Source source, String table, int commits, boolean partitioned)
    {
        if (source.rows() < MIN_ROWS) {
            throw new DemoInputException("the input has %s rows: the demo needs at least %s to make many small commits of them".formatted(source.rows(), MIN_ROWS));
        }
        Column key = key(source);
        Column measure = measure(source, key);
        Optional<TimeSpan> time = source.time();
        String staging = table + "_feed";
        narrator.run(
                """
                CREATE TABLE %s WITH (sorted_by = ARRAY['%s']) AS
                SELECT %s,
                    %s AS %s
                FROM %s%s
                """.formatted(
                        staging,
                        Feed.ARRIVAL,
                        Feed.wrap(source.columns(), Column::sql),
                        arrival(time, commits),
                        Feed.ARRIVAL,
                        source.relation(),
                        sample(source)));
        return new Feed(table, staging, source.columns(), key, measure, time, commits, partitioned);
    }

    private String sample(Source source)
    {
        if (source.rows() <= MAX_ROWS) {
            return "";
        }
        narrator.say("\nThe input has %,d rows; the demo takes a random sample of about %,d.".formatted(source.rows(), MAX_ROWS));
        return " TABLESAMPLE BERNOULLI (%.3f)".formatted(100.0 * MAX_ROWS / source.rows());
    }

    private static String arrival(Optional<TimeSpan> time, int commits)
    {
        if (time.isEmpty()) {
            return "CAST(random(1, %s) AS integer)".formatted(commits + 1);
        }
        TimeSpan span = time.orElseThrow();
        String second = "to_unixtime(CAST(%s AS timestamp))".formatted(span.column().sql());
        if (span.column().type().equals("date")) {
            // a date says nothing about the hour
            second += " + random(86400)";
        }
        return "CAST(greatest(1, least(%1$s, coalesce(width_bucket(%2$s, %3$s, %4$s, %1$s), 1) + if(random() < 0.02, random(%5$s), 0))) AS integer)".formatted(
                commits,
                second,
                span.first().atStartOfDay().toEpochSecond(ZoneOffset.UTC),
                span.last().plusDays(1).atStartOfDay().toEpochSecond(ZoneOffset.UTC),
                Math.max(commits / 5, 1));
    }

    /**
     * The integer column with the most values, if it has many, or else the text column with the most.
     */
    private static Column key(Source source)
    {
        Comparator<Column> byValues = Comparator.comparing(source.distinctValues()::get);
        Optional<Column> integer = source.columns().stream()
                .filter(Column::isInteger)
                .max(byValues);
        Optional<Column> text = source.columns().stream()
                .filter(Column::isText)
                .max(byValues);
        return integer.filter(column -> text.isEmpty() || source.distinctValues().get(column) >= ENOUGH_KEYS)
                .or(() -> text)
                .orElseThrow(() -> new DemoInputException("the input has no column of an integer or text type: the demo corrects records by such a key"));
    }

    /** A column to correct: rather an amount than a number that may be a name */
    private static Column measure(Source source, Column key)
    {
        return source.columns().stream()
                .filter(column -> !column.equals(key))
                .filter(column -> column.isNumber() || column.isText())
                .min(Comparator.comparing(Column::isText).thenComparing(Column::isInteger))
                .orElse(key);
    }
}
