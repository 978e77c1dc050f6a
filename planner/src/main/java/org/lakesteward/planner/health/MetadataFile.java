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
package org.lakesteward.planner.health;

import java.util.OptionalLong;

/**
 * The current metadata file of a table.
 *
 * @param bytes its size in storage; empty when unknown
 * @param logEntries earlier metadata files that it lists
 * @param unusedSchemas schemas that it lists and that neither a snapshot nor the table itself refers to
 */
public record MetadataFile(OptionalLong bytes, long logEntries, long unusedSchemas)
{
    public MetadataFile
    {
        Checks.notNegative("bytes", bytes);
        Checks.notNegative("logEntries", logEntries);
        Checks.notNegative("unusedSchemas", unusedSchemas);
    }
}
