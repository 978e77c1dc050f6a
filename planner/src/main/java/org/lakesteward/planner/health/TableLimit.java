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

import com.google.common.collect.Sets;
import org.lakesteward.planner.MaintenanceKind;

import java.util.EnumSet;
import java.util.Set;

/**
 * A property of the table or of the catalog for which Trino 483 refuses a statement, or carries it out without effect.
 */
public enum TableLimit
{
    /**
     * The format is newer than the statements support
     * ({@code IcebergMetadata.OPTIMIZE_MAX_SUPPORTED_TABLE_VERSION} and {@code CLEANING_UP_PROCEDURES_MAX_SUPPORTED_TABLE_VERSION} are 3).
     */
    UNSUPPORTED_FORMAT_VERSION("the table's format version is newer than Trino can maintain", EnumSet.allOf(Remedy.class)),
    /**
     * Trino does not write encrypted tables ({@code IcebergMetadata.validateNotEncryptedForWrite}).
     */
    ENCRYPTED("the table is encrypted, and Trino does not write encrypted tables", EnumSet.allOf(Remedy.class)),
    /**
     * The table names a location provider ({@code write.location-provider.impl}).
     */
    CUSTOM_LOCATION_PROVIDER("the table has a location provider of its own (write.location-provider.impl), which Trino does not support", EnumSet.of(Remedy.REWRITE_DATA, Remedy.SORT_DATA, Remedy.EXPIRE_SNAPSHOTS)),
    /**
     * The table's own target size is below what a rewrite accepts.
     */
    TARGET_FILE_SIZE_TOO_SMALL("the table's target file size (write.target-file-size-bytes) is below 1 MB, the least that a rewrite accepts", EnumSet.of(Remedy.REWRITE_DATA, Remedy.SORT_DATA)),
    /**
     * The table forbids deleting files ({@code gc.enabled}); Iceberg then refuses to expire snapshots.
     */
    GARBAGE_COLLECTION_DISABLED("the table property gc.enabled is false, which forbids expiring snapshots because their files may belong to another table", EnumSet.of(Remedy.EXPIRE_SNAPSHOTS)),
    /**
     * A materialized view: its storage is rewritten by refreshing it, and ALTER TABLE does not reach it.
     */
    MATERIALIZED_VIEW("it is a materialized view, whose storage only REFRESH MATERIALIZED VIEW writes", EnumSet.allOf(Remedy.class)),
    /**
     * An Amazon S3 table ({@code IcebergMetadata.beginStatisticsCollection}).
     */
    S3_TABLE("it is an Amazon S3 table, for which Trino does not support ANALYZE", EnumSet.of(Remedy.ANALYZE)),
    /**
     * The catalog or session writes without sorting ({@code iceberg.sorted-writing-enabled}).
     */
    SORTED_WRITING_DISABLED("sorted writing is disabled in this catalog or session (sorted_writing_enabled)", EnumSet.of(Remedy.SORT_DATA)),
    /**
     * The sort order has transforms or nested columns; Trino then does not mark its files as sorted ({@code IcebergMetadata.getSupportedSortFields}).
     */
    UNSUPPORTED_SORT_ORDER("the table's sort order has transforms or nested columns, by which Trino cannot sort", EnumSet.of(Remedy.SORT_DATA));

    private final String description;
    private final Set<Remedy> barred;

    TableLimit(String description, EnumSet<Remedy> barred)
    {
        this.description = description;
        this.barred = Sets.immutableEnumSet(barred);
    }

    /**
     * Why, as half a sentence in lower case.
     */
    public String description()
    {
        return description;
    }

    /**
     * Whether maintenance of this kind is refused, or would have no effect.
     */
    public boolean bars(MaintenanceKind kind)
    {
        return switch (kind) {
            case REWRITE_DATA_FILES -> bars(Remedy.REWRITE_DATA);
            case REWRITE_MANIFESTS -> bars(Remedy.OPTIMIZE_MANIFESTS);
            // gc.enabled forbids both
            case EXPIRE_SNAPSHOTS, REMOVE_ORPHAN_FILES -> bars(Remedy.EXPIRE_SNAPSHOTS);
            case ANALYZE -> bars(Remedy.ANALYZE);
            // deletes write, but take any size of file
            case RETENTION -> bars(Remedy.REWRITE_DATA) && this != TARGET_FILE_SIZE_TOO_SMALL;
            case REFRESH_MATERIALIZED_VIEW -> bars(Remedy.REWRITE_DATA) && this != MATERIALIZED_VIEW && this != TARGET_FILE_SIZE_TOO_SMALL;
        };
    }

    boolean bars(Remedy remedy)
    {
        return barred.contains(remedy);
    }
}
