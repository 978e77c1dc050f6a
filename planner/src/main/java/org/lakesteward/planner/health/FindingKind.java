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

/**
 * What can be wrong with a table. The order is the order of findings of one severity.
 */
public enum FindingKind
{
    /**
     * Many data files far below the target size. Measured in files that a rewrite would merge.
     */
    SMALL_FILES("files"),
    /**
     * Position delete files and deletion vectors. Measured in delete files per data file.
     */
    POSITION_DELETES("delete files per data file"),
    /**
     * Equality delete files, each of which a reader has to match against every older file of the partition. Measured in files.
     */
    EQUALITY_DELETES("files"),
    /**
     * Rows that are stored and read, and then thrown away. Measured as a share of the stored rows, 0 to 1.
     */
    DELETED_ROWS("share of rows"),
    /**
     * Manifests far below their target size, all of which a query plan may have to read. Measured in manifests.
     */
    MANIFESTS("manifests"),
    /**
     * Snapshots past their age that keep files from being deleted. Measured in days.
     */
    SNAPSHOTS("days"),
    /**
     * A large metadata file, which every query reads and every commit writes anew. Measured in bytes.
     */
    METADATA_SIZE("bytes"),
    /**
     * No column statistics, or outdated ones. Measured as the share of rows that they do not cover, 0 to 1.
     */
    MISSING_STATISTICS("share of rows"),
    /**
     * Data files that were not written in the table's sort order. Measured as a share of the bytes, 0 to 1.
     */
    SORT_ORDER("share of bytes"),
    /**
     * Data files of a sorted table whose keys overlap. Measured in files that may hold a key, on average.
     */
    OVERLAPPING_FILES("files per key");

    private final String unit;

    FindingKind(String unit)
    {
        this.unit = unit;
    }

    /**
     * Unit of the measured value and of the threshold.
     */
    public String unit()
    {
        return unit;
    }
}
