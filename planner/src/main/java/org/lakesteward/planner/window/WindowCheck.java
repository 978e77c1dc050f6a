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
 * What an access control check is about, as far as a maintenance window cares.
 */
public enum WindowCheck
{
    /** Reading, authorization, filters, killing queries, session settings, roles, grants and catalogs: never refused. */
    OPEN,
    /** INSERT, UPDATE, DELETE, MERGE, TRUNCATE, refreshing a materialized view. */
    WRITE_DATA,
    /** DDL on schemas, tables, views, columns, comments, branches and functions. */
    CHANGE_DEFINITION,
    /** CALL of a procedure; the procedures that control windows and kill queries are {@link #OPEN}. */
    CALL_PROCEDURE,
    /** ALTER TABLE … EXECUTE. */
    EXECUTE_TABLE_PROCEDURE,
    /** A table function that passes text to another system, which may write there. */
    PASSTHROUGH_FUNCTION,
}
