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
 * How rows of an input are marked as deleted after it was written.
 */
public enum DeleteKind
{
    NONE(2),
    /** Position delete files, one for each data file */
    POSITION_DELETES(2),
    /** Deletion vectors, one for each data file */
    DELETION_VECTORS(3),
    /** Equality delete files that name order keys, all of them later than the data */
    EQUALITY_DELETES(2);

    private final int formatVersion;

    DeleteKind(int formatVersion)
    {
        this.formatVersion = formatVersion;
    }

    /** Of the Iceberg table that has such deletes */
    int formatVersion()
    {
        return formatVersion;
    }
}
