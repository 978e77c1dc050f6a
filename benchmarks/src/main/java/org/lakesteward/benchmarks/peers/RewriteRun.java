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

import org.lakesteward.benchmarks.QueryStatistics;
import org.lakesteward.benchmarks.TableFiles;

import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * What one rewrite of one copy cost and left.
 *
 * @param wallSeconds from sending the statement to its end, as the client sees it
 * @param processCpuSeconds CPU time that the engine's processes took meanwhile: all of Trino's servers, or Spark's process
 * @param statistics Trino's own account of the statement; Spark has none that compares
 * @param overlappingPairs of data files, by the column that was sorted by
 */
record RewriteRun(double wallSeconds, double processCpuSeconds, Optional<QueryStatistics> statistics, TableFiles after, OptionalLong overlappingPairs)
{
    RewriteRun
    {
        requireNonNull(statistics, "statistics is null");
        requireNonNull(after, "after is null");
        requireNonNull(overlappingPairs, "overlappingPairs is null");
    }
}
