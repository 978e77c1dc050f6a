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
package org.lakesteward.procedure.health;

import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortField;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.encryption.PlaintextEncryptionManager;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.rewrite.RewriteOptions;

import java.util.EnumSet;
import java.util.Set;

import static io.trino.filesystem.Locations.isS3Tables;
import static org.apache.iceberg.TableProperties.GC_ENABLED;
import static org.apache.iceberg.TableProperties.GC_ENABLED_DEFAULT;
import static org.apache.iceberg.TableProperties.WRITE_LOCATION_PROVIDER_IMPL;
import static org.lakesteward.planner.health.TableLimit.CUSTOM_LOCATION_PROVIDER;
import static org.lakesteward.planner.health.TableLimit.ENCRYPTED;
import static org.lakesteward.planner.health.TableLimit.GARBAGE_COLLECTION_DISABLED;
import static org.lakesteward.planner.health.TableLimit.S3_TABLE;
import static org.lakesteward.planner.health.TableLimit.TARGET_FILE_SIZE_TOO_SMALL;
import static org.lakesteward.planner.health.TableLimit.UNSUPPORTED_FORMAT_VERSION;
import static org.lakesteward.planner.health.TableLimit.UNSUPPORTED_SORT_ORDER;

/**
 * Finds what keeps Trino from mending a table, as the checks of {@code IcebergMetadata} would.
 */
final class TableLimits
{
    private static final int NEWEST_FORMAT_VERSION = 3;

    private TableLimits() {}

    static Set<TableLimit> of(Table table, TableMetadata metadata, long targetFileBytes)
    {
        EnumSet<TableLimit> limits = EnumSet.noneOf(TableLimit.class);
        if (metadata.formatVersion() > NEWEST_FORMAT_VERSION) {
            limits.add(UNSUPPORTED_FORMAT_VERSION);
        }
        if (!(table.encryption() instanceof PlaintextEncryptionManager)) {
            limits.add(ENCRYPTED);
        }
        if (metadata.properties().containsKey(WRITE_LOCATION_PROVIDER_IMPL)) {
            limits.add(CUSTOM_LOCATION_PROVIDER);
        }
        if (!metadata.propertyAsBoolean(GC_ENABLED, GC_ENABLED_DEFAULT)) {
            limits.add(GARBAGE_COLLECTION_DISABLED);
        }
        if (targetFileBytes < RewriteOptions.LEAST_TARGET_FILE_SIZE) {
            limits.add(TARGET_FILE_SIZE_TOO_SMALL);
        }
        if (isS3Tables(metadata.location())) {
            limits.add(S3_TABLE);
        }
        if (!isSupported(metadata.sortOrder(), metadata.schema())) {
            limits.add(UNSUPPORTED_SORT_ORDER);
        }
        return limits;
    }

    private static boolean isSupported(SortOrder sortOrder, Schema schema)
    {
        for (SortField field : sortOrder.fields()) {
            boolean isTopLevel = schema.columns().stream().anyMatch(column -> column.fieldId() == field.sourceId());
            if (!field.transform().isIdentity() || !isTopLevel) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether files may stand in more than one partition.
     */
    static boolean isPartitioned(TableMetadata metadata)
    {
        return metadata.specs().size() > 1 || metadata.specs().stream().anyMatch(PartitionSpec::isPartitioned);
    }
}
