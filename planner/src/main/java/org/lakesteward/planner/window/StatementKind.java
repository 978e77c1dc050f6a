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
package org.lakesteward.planner.window;

/**
 * The kinds of statements that Trino tells apart ({@code io.trino.spi.resourcegroups.QueryType}), and the unknown one.
 * EXPLAIN ANALYZE is of the kind of the statement that it runs.
 */
public enum StatementKind
{
    SELECT,
    /** EXPLAIN of anything; it runs the checks of a write and writes nothing. */
    EXPLAIN,
    /** SHOW and DESCRIBE; DESCRIBE INPUT of an INSERT runs the checks of a write and writes nothing. */
    DESCRIBE,
    INSERT,
    UPDATE,
    DELETE,
    MERGE,
    ANALYZE,
    DATA_DEFINITION,
    ALTER_TABLE_EXECUTE,
    /** Trino did not say; judged as a write. */
    UNKNOWN,
}
