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

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * TPC-H's line items in a table with an order. They come by one INSERT for each range of order keys.
 *
 * @param scaleFactor of TPC-H: 1 are 6 million rows, about 170 MB of Parquet
 * @param commits into how many equal ranges of keys they are divided
 * @param sortedBy column of the table's order
 * @param targetFileSize property of the table, for all engines
 */
public record OrderedLineItemInput(BigDecimal scaleFactor, int commits, String sortedBy, DataSize targetFileSize)
        implements TableInput
{
    /** One in four keys exists */
    private static final BigDecimal KEYS_AT_SCALE_ONE = BigDecimal.valueOf(6_000_000);

    public OrderedLineItemInput
    {
        requireNonNull(scaleFactor, "scaleFactor is null");
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
    public List<String> statements(String table, int formatVersion)
    {
        String source = table + "_source";
        ImmutableList.Builder<String> statements = ImmutableList.builder();
        // the generator makes all rows for whoever asks for some
        statements.add("CREATE TABLE %s AS SELECT * FROM tpch.\"sf%s\".lineitem".formatted(source, scaleFactor.toPlainString()));
        statements.add(OrderedTable.create(table, source, formatVersion, sortedBy, targetFileSize));
        long keys = scaleFactor.multiply(KEYS_AT_SCALE_ONE).longValue();
        for (int commit = 0; commit < commits; commit++) {
            statements.add("INSERT INTO %s SELECT * FROM %s WHERE orderkey > %s AND orderkey <= %s".formatted(
                    table,
                    source,
                    keys * commit / commits,
                    keys * (commit + 1) / commits));
        }
        return statements.build();
    }
}
