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
package org.lakesteward.planner.rewrite;

/**
 * How the rows of a file group get into new files.
 */
public enum RewritePath
{
    /** Rows are read with their deletes applied and written anew; always valid. */
    ENCODE,
    /** Row groups are copied byte for byte. */
    COPY,
    /** Rows are read with their deletes applied, sent to the writer of their key range, sorted and written anew. */
    SORT,
}
