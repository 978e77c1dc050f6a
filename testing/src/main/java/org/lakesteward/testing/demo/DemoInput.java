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
import org.lakesteward.testing.server.StatementFailedException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import static java.util.Objects.requireNonNull;

/**
 * Brings the demo's records into the lake: a Parquet file of the user's, or a part of Trino's TPC-H generator.
 */
final class DemoInput
{
    private static final int PARTITIONED_COMMITS = 200;
    private static final int PLAIN_COMMITS = 120;

    private final Narrator narrator;

    DemoInput(Narrator narrator)
    {
        this.narrator = requireNonNull(narrator, "narrator is null");
    }

    /**
     * A year of TPC-H: line items into a table partitioned by month, orders into one without partitions.
     */
    List<Feed> generate()
    {
        narrator.heading("Records to come: a year of TPC-H orders and line items, numbered by the commit that each arrives in");
        Staging staging = new Staging(narrator);
        return ImmutableList.of(
                staging.stage(generated("lineitem", "shipdate"), "lineitem", PARTITIONED_COMMITS, true),
                staging.stage(generated("orders", "orderdate"), "orders", PLAIN_COMMITS, false));
    }

    private Source generated(String table, String time)
    {
        return Source.profile(narrator, "(SELECT * FROM tpch.\"sf0.2\".%s WHERE %s BETWEEN DATE '1995-01-01' AND DATE '1995-12-31')".formatted(table, time));
    }

    /**
     * A Parquet file: into a table partitioned by its first time column, and into one without partitions.
     *
     * @param columns the file's columns
     * @param warehouse the folder that {@code local:///} names
     * @throws DemoInputException if the file cannot be used
     */
    List<Feed> load(Path file, ParquetColumns columns, Path warehouse)
    {
        String name = tableName(file);
        narrator.heading("Records to come: %s, numbered by the commit that each arrives in".formatted(file.getFileName()));
        if (!columns.leftOut().isEmpty()) {
            narrator.say("\nLeft out, because their types are not those of an Iceberg table in Trino or they are nested: " + String.join(", ", columns.leftOut()));
        }
        Path copy = warehouse.resolve("input").resolve(name + ".parquet");
        try {
            Files.createDirectories(copy.getParent());
            place(file, copy);
        }
        catch (IOException e) {
            throw new DemoInputException("%s cannot be copied to the lake: %s".formatted(file, e.getMessage()));
        }
        String input = name + "_input";
        narrator.run(createInput(input, columns.columns()));
        narrator.run("ALTER TABLE %s EXECUTE add_files(\n    location => 'local:///input/%s.parquet',\n    format => 'PARQUET')".formatted(input, name));
        Source source;
        try {
            source = Source.profile(narrator, input);
        }
        catch (StatementFailedException e) {
            throw new DemoInputException("Trino cannot read %s: %s".formatted(file, e.getMessage()));
        }
        Staging staging = new Staging(narrator);
        return ImmutableList.of(
                staging.stage(source, name + "_partitioned", PARTITIONED_COMMITS, true),
                staging.stage(source, name, PLAIN_COMMITS, false));
    }

    /** The lake owns what is added to it, so it gets a name of its own for the file's content, not the file */
    private static void place(Path file, Path copy)
            throws IOException
    {
        try {
            Files.createLink(copy, file.toRealPath());
        }
        catch (IOException | UnsupportedOperationException e) {
            Files.copy(file, copy);
        }
    }

    private static String createInput(String table, List<Column> columns)
    {
        return "CREATE TABLE %s (\n    %s)".formatted(
                table,
                String.join(",\n    ", columns.stream().map(column -> column.sql() + " " + column.type()).toList()));
    }

    static String tableName(Path file)
    {
        String name = file.getFileName().toString()
                .replaceFirst("(?i)\\.(parquet|parq|pq)$", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "_");
        return name.matches("[a-z].*") ? name : "t_" + name;
    }
}
