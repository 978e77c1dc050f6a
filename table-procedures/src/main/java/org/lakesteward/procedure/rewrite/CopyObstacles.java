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
package org.lakesteward.procedure.rewrite;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.TableProperties;
import org.lakesteward.planner.rewrite.RewriteOptions;

import java.util.List;
import java.util.Optional;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * What table metadata alone says against copying a data file's row groups.
 * The worker looks at the Parquet footers as well and encodes the group if they say no.
 */
record CopyObstacles(Optional<String> table, int formatVersion, int outputSpecId)
{
    /** Below this average a copied file is slower to read than an encoded one. */
    static final long LEAST_ROW_GROUP_BYTES = 8L << 20;

    CopyObstacles
    {
        requireNonNull(table, "table is null");
    }

    static CopyObstacles of(BaseTable table, RewriteOptions options)
    {
        return new CopyObstacles(tableObstacle(table, options), table.operations().current().formatVersion(), options.outputSpecId());
    }

    private static Optional<String> tableObstacle(BaseTable table, RewriteOptions options)
    {
        if (!options.copyEnabled()) {
            return Optional.of("copying is turned off by configuration");
        }
        String format = table.properties().getOrDefault(TableProperties.DEFAULT_FILE_FORMAT, TableProperties.DEFAULT_FILE_FORMAT_DEFAULT);
        if (!format.equalsIgnoreCase(FileFormat.PARQUET.name())) {
            return Optional.of("the table writes " + format.toUpperCase(ENGLISH));
        }
        if (table.sortOrder().isSorted()) {
            return Optional.of("the table keeps a sort order");
        }
        return Optional.empty();
    }

    Optional<String> obstacle(DataFile file, List<DeleteFile> deletes)
    {
        if (table.isPresent()) {
            return table;
        }
        if (!deletes.isEmpty()) {
            return Optional.of("has delete files");
        }
        if (file.format() != FileFormat.PARQUET) {
            return Optional.of("is not Parquet");
        }
        if (file.specId() != outputSpecId) {
            return Optional.of("is written with another partition spec");
        }
        if (file.keyMetadata() != null) {
            return Optional.of("is encrypted");
        }
        if (formatVersion >= 3 && file.firstRowId() == null) {
            return Optional.of("has no row ids to keep");
        }
        int rowGroups = file.splitOffsets() == null ? 1 : Math.max(1, file.splitOffsets().size());
        if (file.fileSizeInBytes() / rowGroups < LEAST_ROW_GROUP_BYTES) {
            return Optional.of("has row groups below 8MB");
        }
        return Optional.empty();
    }
}
