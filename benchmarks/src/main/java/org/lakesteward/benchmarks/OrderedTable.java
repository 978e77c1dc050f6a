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

import io.airlift.units.DataSize;

/**
 * A table with an order, as Trino's users make it.
 */
final class OrderedTable
{
    private OrderedTable() {}

    static String create(String table, String like, int formatVersion, String sortedBy, DataSize targetFileSize)
    {
        return "CREATE TABLE %s WITH (format_version = %s, sorted_by = ARRAY['%s'], target_max_file_size = '%sB') AS SELECT * FROM %s WITH NO DATA".formatted(
                table,
                formatVersion,
                sortedBy,
                targetFileSize.toBytes(),
                like);
    }
}
