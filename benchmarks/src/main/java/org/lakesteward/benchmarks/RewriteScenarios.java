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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;

/**
 * The inputs of the benchmarks that rewrite tables. The size given for a file is the one at which Trino's writer begins a new one.
 * Small files come out smaller, since it counts bytes before their last compression.
 */
public final class RewriteScenarios
{
    private RewriteScenarios() {}

    public static List<Scenario> smallFiles(InputSize size)
    {
        double scaleFactor = switch (size) {
            case SMALL -> 0.1;
            case MEDIUM -> 0.33;
            case LARGE -> 2;
        };
        return ImmutableList.of(binPack("small_files", new GeneratedInput(scaleFactor, DataSize.of(1_200, KILOBYTE)), DeleteKind.NONE));
    }

    public static List<Scenario> mediumFiles(InputSize size)
    {
        MediumFilesInput input = switch (size) {
            // as few and as small as a copy takes
            case SMALL -> new MediumFilesInput(5, new BigDecimal("0.075"), new BigDecimal("0.002"));
            case MEDIUM -> new MediumFilesInput(8, new BigDecimal("0.1"), new BigDecimal("0.005"));
            case LARGE -> new MediumFilesInput(32, new BigDecimal("0.1"), new BigDecimal("0.003"));
        };
        return ImmutableList.of(new Scenario("medium_files", input, DeleteKind.NONE, WritePath.COPY, true, Optional.empty()));
    }

    public static List<Scenario> filesWithDeletes(InputSize size)
    {
        double scaleFactor = switch (size) {
            case SMALL -> 0.05;
            case MEDIUM -> 0.25;
            case LARGE -> 1;
        };
        GeneratedInput input = new GeneratedInput(scaleFactor, DataSize.of(1, MEGABYTE));
        return ImmutableList.of(
                binPack("position_deletes", input, DeleteKind.POSITION_DELETES),
                binPack("deletion_vectors", input, DeleteKind.DELETION_VECTORS),
                binPack("equality_deletes", input, DeleteKind.EQUALITY_DELETES));
    }

    public static List<Scenario> tinyTable()
    {
        return ImmutableList.of(binPack("tiny_table", new InsertedInput(5, 2_000), DeleteKind.NONE));
    }

    /**
     * Tables with an order, to which rows came in another order. The target size of their files is small, so that there are several
     * files for the order to divide the rows among.
     *
     * @param flights flights of 2001 as {@link FlightsInput} needs them; where there is no such file, and for inputs that need not be
     * small, there is a table of TPC-H
     */
    public static List<Scenario> sortedTables(InputSize size, Path flights)
    {
        ImmutableList.Builder<Scenario> scenarios = ImmutableList.builder();
        boolean withFlights = Files.isReadable(flights);
        if (withFlights) {
            DataSize targetFileSize = DataSize.of(1, MEGABYTE);
            scenarios.add(sort("sorted_flights", "origin", switch (size) {
                case SMALL -> new FlightsInput(flights, 60, 16, "origin", targetFileSize);
                case MEDIUM, LARGE -> new FlightsInput(flights, FlightsInput.DAYS, 60, "origin", targetFileSize);
            }));
        }
        if (!withFlights || size != InputSize.SMALL) {
            scenarios.add(sort("sorted_lineitem", "shipdate", switch (size) {
                case SMALL -> new OrderedLineItemInput(new BigDecimal("0.1"), 30, "shipdate", DataSize.of(2, MEGABYTE));
                case MEDIUM -> new OrderedLineItemInput(new BigDecimal("0.33"), 60, "shipdate", DataSize.of(4, MEGABYTE));
                case LARGE -> new OrderedLineItemInput(new BigDecimal("2"), 60, "shipdate", DataSize.of(32, MEGABYTE));
            }));
        }
        return scenarios.build();
    }

    private static Scenario sort(String name, String column, TableInput input)
    {
        return new Scenario(name, input, DeleteKind.NONE, WritePath.SORT, false, Optional.of(column));
    }

    private static Scenario binPack(String name, TableInput input, DeleteKind deletes)
    {
        return new Scenario(name, input, deletes, WritePath.ENCODE, false, Optional.empty());
    }
}
