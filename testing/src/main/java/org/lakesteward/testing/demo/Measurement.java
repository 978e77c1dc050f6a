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
import io.trino.client.StatementStats;
import org.lakesteward.testing.server.StatementResult;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * What a table looks like on storage and what a query of it costs.
 *
 * @param dataFiles number of data files
 * @param dataBytes their size
 * @param deleteFiles number of delete files
 * @param queryMillis elapsed time of the query, median of its runs
 * @param queryCpuMillis CPU time of that run
 * @param queryBytesRead bytes that it read from storage
 */
record Measurement(long dataFiles, long dataBytes, long deleteFiles, long queryMillis, long queryCpuMillis, long queryBytesRead)
{
    private static final int RUNS = 5;

    static Measurement take(Narrator narrator, Feed feed)
    {
        List<Object> files = narrator.runQuietly(
                """
                SELECT
                    count(*) FILTER (WHERE content = 0),
                    coalesce(sum(file_size_in_bytes) FILTER (WHERE content = 0), 0),
                    count(*) FILTER (WHERE content <> 0)
                FROM "%s$files"
                """.formatted(feed.table())).rows().getFirst();
        // the first run compiles and warms up
        narrator.runQuietly(feed.dashboard());
        StatementStats median = Stream.generate(() -> narrator.runQuietly(feed.dashboard()))
                .limit(RUNS)
                .map(StatementResult::statistics)
                .sorted(Comparator.comparingLong(StatementStats::getElapsedTimeMillis))
                .collect(toImmutableList())
                .get(RUNS / 2);
        return new Measurement(
                ((Number) files.get(0)).longValue(),
                ((Number) files.get(1)).longValue(),
                ((Number) files.get(2)).longValue(),
                median.getElapsedTimeMillis(),
                median.getCpuTimeMillis(),
                median.getPhysicalInputBytes());
    }

    /** Rows of a table that sets two measurements side by side */
    static List<List<Object>> compare(Measurement before, Measurement after)
    {
        return ImmutableList.of(
                row("data files", before.dataFiles(), after.dataFiles()),
                row("data bytes", before.dataBytes(), after.dataBytes()),
                row("delete files", before.deleteFiles(), after.deleteFiles()),
                row("query time, ms", before.queryMillis(), after.queryMillis()),
                row("query CPU, ms", before.queryCpuMillis(), after.queryCpuMillis()),
                row("query bytes read", before.queryBytesRead(), after.queryBytesRead()));
    }

    private static List<Object> row(String name, long before, long after)
    {
        return ImmutableList.of(name, before, after);
    }
}
