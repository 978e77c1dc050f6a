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
package org.lakesteward.benchmarks.peers;

import com.google.common.collect.ImmutableList;
import org.lakesteward.benchmarks.TableInput;

import java.util.List;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A query that shows what a rewrite is worth to readers. Its result does not depend on how rows lie in files.
 *
 * @param name lower-case words joined by underscores
 * @param selective whether few of the rows satisfy its condition
 * @param select what it selects
 * @param condition its WHERE clause, or nothing
 */
record ReadQuery(String name, boolean selective, String select, String condition)
{
    ReadQuery
    {
        requireNonNull(name, "name is null");
        requireNonNull(select, "select is null");
        requireNonNull(condition, "condition is null");
    }

    /**
     * Three selective queries and one full scan of a table with the columns of TPC-H's {@code lineitem}.
     *
     * @param firstKey lowest order key of the table
     * @param middleKey an order key of the table, about in the middle
     * @param lastKey highest order key of the table
     */
    static List<ReadQuery> forKeys(long firstKey, long middleKey, long lastKey)
    {
        String aggregates = "count(*), sum(quantity), max(comment)";
        return ImmutableList.of(
                new ReadQuery("one_order", true, aggregates, "WHERE orderkey = " + middleKey),
                new ReadQuery("order_range", true, aggregates, "WHERE orderkey BETWEEN %s AND %s".formatted(middleKey, middleKey + (lastKey - firstKey) / 100)),
                new ReadQuery("ship_week", true, aggregates, "WHERE shipdate BETWEEN DATE '1995-03-01' AND DATE '1995-03-07'"),
                fullScan(TableInput.LINEITEM));
    }

    /**
     * Three queries of {@code lineitem} that a table sorted by ship date serves well, and one full scan.
     */
    static List<ReadQuery> forShipDates()
    {
        String aggregates = "count(*), sum(quantity), max(comment)";
        return ImmutableList.of(
                new ReadQuery("ship_day", true, aggregates, "WHERE shipdate = DATE '1995-03-01'"),
                new ReadQuery("ship_week", true, aggregates, "WHERE shipdate BETWEEN DATE '1995-03-01' AND DATE '1995-03-07'"),
                new ReadQuery("ship_quarter", true, aggregates, "WHERE shipdate BETWEEN DATE '1995-01-01' AND DATE '1995-03-31'"),
                fullScan(TableInput.LINEITEM));
    }

    /**
     * Three queries of flights that a table sorted by their origin serves well, and one full scan. One flight in 60 leaves from
     * Seattle, one in 320 from Omaha, one in 20 from an airport between Boston and Baltimore.
     */
    static List<ReadQuery> forFlights()
    {
        String aggregates = "count(*), sum(delay), max(destination)";
        return ImmutableList.of(
                new ReadQuery("large_airport", true, aggregates, "WHERE origin = 'SEA'"),
                new ReadQuery("small_airport", true, aggregates, "WHERE origin = 'OMA'"),
                new ReadQuery("airport_range", true, aggregates, "WHERE origin BETWEEN 'BOS' AND 'BWI'"),
                fullScan(ImmutableList.of("date", "delay", "distance", "origin", "destination")));
    }

    private static ReadQuery fullScan(List<String> columns)
    {
        return new ReadQuery("full_scan", false, columns.stream().map("max(%s)"::formatted).collect(joining(", ")), "");
    }

    String sql(String table)
    {
        return "SELECT %s FROM %s %s".formatted(select, table, condition).trim();
    }
}
