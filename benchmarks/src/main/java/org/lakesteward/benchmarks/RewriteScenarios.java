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

import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;

/**
 * The inputs of the benchmarks that rewrite tables, small ones for quick runs. The size given for a file is the one at which
 * Trino's writer begins a new one. Small files come out smaller, since it counts bytes before their last compression.
 */
public final class RewriteScenarios
{
    private RewriteScenarios() {}

    public static List<Scenario> smallFiles(boolean quick)
    {
        return ImmutableList.of(new Scenario(
                "small_files",
                quick ? new GeneratedInput(0.33, DataSize.of(1_200, KILOBYTE)) : new GeneratedInput(2, DataSize.of(1_200, KILOBYTE)),
                DeleteKind.NONE,
                WritePath.ENCODE,
                false));
    }

    public static List<Scenario> mediumFiles(boolean quick)
    {
        return ImmutableList.of(new Scenario(
                "medium_files",
                new MediumFilesInput(quick ? 8 : 32, new BigDecimal("0.1"), new BigDecimal(quick ? "0.005" : "0.003")),
                DeleteKind.NONE,
                WritePath.COPY,
                true));
    }

    public static List<Scenario> filesWithDeletes(boolean quick)
    {
        GeneratedInput input = quick ? new GeneratedInput(0.25, DataSize.of(1, MEGABYTE)) : new GeneratedInput(1, DataSize.of(1, MEGABYTE));
        return ImmutableList.of(
                new Scenario("position_deletes", input, DeleteKind.POSITION_DELETES, WritePath.ENCODE, false),
                new Scenario("deletion_vectors", input, DeleteKind.DELETION_VECTORS, WritePath.ENCODE, false),
                new Scenario("equality_deletes", input, DeleteKind.EQUALITY_DELETES, WritePath.ENCODE, false));
    }

    public static List<Scenario> tinyTable(boolean quick)
    {
        return ImmutableList.of(new Scenario("tiny_table", new InsertedInput(5, 2_000), DeleteKind.NONE, WritePath.ENCODE, false));
    }
}
