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

/**
 * What one rewrite of one copy cost and left.
 *
 * @param cpuSeconds CPU time of the query's operators on all nodes, by Trino's own account
 * @param processCpuSeconds CPU time that all server processes took while the statement ran: also planning, commit, garbage collection and compilation
 * @param wallSeconds from sending the statement to its end, as the client sees it
 * @param networkBytes bytes that stages of the query sent each other
 * @param peakMemoryBytes peak of the memory that Trino accounts to the query, on all nodes together
 * @param physicalReadBytes bytes of tables read from storage
 * @param filesOut live data files after the run
 * @param bytesOut their size
 * @param deleteFilesOut live delete files after the run
 */
record Run(
        double cpuSeconds,
        double processCpuSeconds,
        double wallSeconds,
        long networkBytes,
        long peakMemoryBytes,
        long physicalReadBytes,
        long filesOut,
        long bytesOut,
        long deleteFilesOut) {}
