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
package org.lakesteward.planner.demand;

/**
 * Who noticed something about a table.
 */
public enum EventSource
{
    /** The paced scan of the catalogs, which also finds what other engines did. */
    SCAN,
    /** A statement of Trino that committed. */
    TRINO_COMMIT,
    /** A run of ours, after it ended. */
    MAINTENANCE_RUN,
}
