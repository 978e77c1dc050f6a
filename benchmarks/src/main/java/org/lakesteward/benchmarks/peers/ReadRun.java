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

import static java.util.Objects.requireNonNull;

/**
 * What one query of one table cost in Trino.
 *
 * @param wallSeconds from sending the statement to its end, as the client sees it
 */
record ReadRun(double wallSeconds, QueryStatistics statistics)
{
    ReadRun
    {
        requireNonNull(statistics, "statistics is null");
    }
}
