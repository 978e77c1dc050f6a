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

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Flights within the United States in the first half of 2001, of the Bureau of Transportation Statistics, in a table with an order.
 * They come by one INSERT for each span of time, as a stream would bring them.
 *
 * @param file Parquet with the columns {@code date}, {@code delay}, {@code distance}, {@code origin} and {@code destination}
 * @param days how many days since the beginning of the year
 * @param commits into how many equal spans they are divided
 * @param sortedBy column of the table's order
 * @param targetFileSize property of the table, for all engines
 */
public record FlightsInput(Path file, int days, int commits, String sortedBy, DataSize targetFileSize)
        implements TableInput
{
    /** How many days the file has, its last being the first minute of the half-year after */
    static final int DAYS = 181;
    private static final LocalDateTime FIRST = LocalDateTime.of(2001, 1, 1, 0, 0);
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    public FlightsInput
    {
        file = file.toAbsolutePath().normalize();
        checkArgument(days >= 1 && days <= DAYS, "days is %s, it must be between 1 and %s", days, DAYS);
        checkArgument(commits >= 1, "commits is %s, it must be at least 1", commits);
        requireNonNull(sortedBy, "sortedBy is null");
        requireNonNull(targetFileSize, "targetFileSize is null");
    }

    @Override
    public Optional<DataSize> writerFileSize()
    {
        return Optional.empty();
    }

    @Override
    public List<String> columns()
    {
        return ImmutableList.of("date", "delay", "distance", "origin", "destination");
    }

    @Override
    public List<String> statements(String table, int formatVersion)
    {
        String source = table + "_source";
        ImmutableList.Builder<String> statements = ImmutableList.builder();
        statements.add("CREATE TABLE %s (date timestamp(6), delay bigint, distance bigint, origin varchar, destination varchar)".formatted(source));
        statements.add("ALTER TABLE %s EXECUTE add_files(location => 'file://%s', format => 'PARQUET')".formatted(source, file.toString().replace("'", "''")));
        statements.add(OrderedTable.create(table, source, formatVersion, sortedBy, targetFileSize));
        Duration span = Duration.ofDays(days).dividedBy(commits);
        for (int commit = 0; commit < commits; commit++) {
            statements.add("INSERT INTO %s SELECT * FROM %s WHERE date >= TIMESTAMP '%s' AND date < TIMESTAMP '%s'".formatted(
                    table,
                    source,
                    FORMAT.format(FIRST.plus(span.multipliedBy(commit))),
                    FORMAT.format(FIRST.plus(span.multipliedBy(commit + 1)))));
        }
        return statements.build();
    }
}
