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

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * One input and what is compared on it.
 *
 * @param name lower-case words joined by underscores: the table's name, and a prefix of result fields
 * @param path how our rewrite must have written the files; a run that took another path would measure something else and fails
 * @param compareWithCp whether copying the same files with {@code cp} is timed too
 * @param sortedBy the column to sort by, which is the table's order; files are packed as they are where there is none
 */
public record Scenario(String name, TableInput input, DeleteKind deletes, WritePath path, boolean compareWithCp, Optional<String> sortedBy)
{
    public Scenario
    {
        requireNonNull(name, "name is null");
        requireNonNull(input, "input is null");
        requireNonNull(deletes, "deletes is null");
        requireNonNull(path, "path is null");
        requireNonNull(sortedBy, "sortedBy is null");
    }
}
