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
package org.lakesteward.benchmarks;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * How the rows of an input come into files.
 */
public sealed interface TableInput
        permits FlightsInput, GeneratedInput, InsertedInput, MediumFilesInput, OrderedLineItemInput
{
    List<String> LINEITEM = ImmutableList.of(
            "orderkey", "partkey", "suppkey", "linenumber", "quantity", "extendedprice", "discount", "tax",
            "returnflag", "linestatus", "shipdate", "commitdate", "receiptdate", "shipinstruct", "shipmode", "comment");

    /** Size at which Trino's writer begins a new file, if the input needs one */
    Optional<DataSize> writerFileSize();

    /** The table's columns: those of TPC-H's {@code lineitem} unless told otherwise */
    default List<String> columns()
    {
        return LINEITEM;
    }

    /**
     * @param table the qualified table to create
     */
    List<String> statements(String table, int formatVersion);
}

/**
 * Written by one statement, whose writer begins a new file very often.
 *
 * @param scaleFactor of TPC-H: 1 are 6 million rows, about 170 MB of Parquet
 * @param fileSize size at which the writer begins a new file
 */
record GeneratedInput(double scaleFactor, DataSize fileSize)
        implements TableInput
{
    @Override
    public Optional<DataSize> writerFileSize()
    {
        return Optional.of(fileSize);
    }

    @Override
    public List<String> statements(String table, int formatVersion)
    {
        return ImmutableList.of("CREATE TABLE %s WITH (format_version = %s) AS SELECT * FROM tpch.\"sf%s\".lineitem".formatted(table, formatVersion, scaleFactor));
    }
}

/**
 * Written by one INSERT for each file.
 *
 * @param ordersPerFile range of order keys of a file; one in four keys exists and has four rows on average
 */
record InsertedInput(int files, int ordersPerFile)
        implements TableInput
{
    @Override
    public Optional<DataSize> writerFileSize()
    {
        return Optional.empty();
    }

    @Override
    public List<String> statements(String table, int formatVersion)
    {
        ImmutableList.Builder<String> statements = ImmutableList.builder();
        statements.add("CREATE TABLE %s WITH (format_version = %s) AS SELECT * FROM tpch.tiny.lineitem WITH NO DATA".formatted(table, formatVersion));
        for (int file = 0; file < files; file++) {
            statements.add("INSERT INTO %s SELECT * FROM tpch.tiny.lineitem WHERE orderkey > %s AND orderkey <= %s".formatted(table, file * ordersPerFile, (file + 1) * ordersPerFile));
        }
        return statements.build();
    }
}

/**
 * Written by one INSERT for each file, each of a TPC-H data set of its own, so that no file is a small rest: one row group below
 * 8 MB keeps a file group from being copied.
 *
 * @param scaleFactor of the first file: 0.1 are 600,000 rows, about 15 MB of Parquet
 * @param step by how much the scale factor grows from file to file
 */
record MediumFilesInput(int files, BigDecimal scaleFactor, BigDecimal step)
        implements TableInput
{
    @Override
    public Optional<DataSize> writerFileSize()
    {
        return Optional.empty();
    }

    @Override
    public List<String> statements(String table, int formatVersion)
    {
        ImmutableList.Builder<String> statements = ImmutableList.builder();
        statements.add("CREATE TABLE %s WITH (format_version = %s) AS SELECT * FROM tpch.tiny.lineitem WITH NO DATA".formatted(table, formatVersion));
        for (int file = 0; file < files; file++) {
            BigDecimal scale = scaleFactor.add(step.multiply(BigDecimal.valueOf(file)));
            statements.add("INSERT INTO %s SELECT * FROM tpch.\"sf%s\".lineitem".formatted(table, scale.toPlainString()));
        }
        return statements.build();
    }
}
