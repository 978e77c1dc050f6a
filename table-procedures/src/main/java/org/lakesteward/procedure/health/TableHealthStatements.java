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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Inject;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import org.lakesteward.planner.health.FileDetails;
import org.lakesteward.planner.health.HealthFinding;
import org.lakesteward.planner.health.ManifestTotals;
import org.lakesteward.planner.health.Severity;
import org.lakesteward.planner.health.TableObservation;
import org.lakesteward.procedure.health.TableObserver.Depth;

import java.util.Locale;
import java.util.Map;

import static io.trino.plugin.iceberg.TableType.DATA;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.MAINTENANCE_NOT_SUPPORTED;

/**
 * {@code ALTER TABLE t EXECUTE table_health}: the numbers of a table's health, exact, as metric rows. Changes nothing. Thread-safe.
 */
public class TableHealthStatements
{
    private final HealthReader reader;

    @Inject
    public TableHealthStatements(HealthReader reader)
    {
        this.reader = requireNonNull(reader, "reader is null");
    }

    public TableHealthExecuteHandle analyze(ConnectorTableHandle tableHandle)
    {
        if (!(tableHandle instanceof IcebergTableHandle table) || table.getTableType() != DATA) {
            throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "table_health works on tables, not on metadata tables");
        }
        return new TableHealthExecuteHandle(table.getSchemaTableName());
    }

    /**
     * @return the numbers in a fixed order; unknown ones are left out
     */
    public Map<String, Long> execute(ConnectorSession session, TableHealthExecuteHandle handle)
    {
        TableHealth health = reader.read(session, reader.catalog(session), handle.table(), Depth.EXACT);
        TableObservation observation = health.observation();
        ImmutableMap.Builder<String, Long> metrics = ImmutableMap.builder();
        addFiles(metrics, observation);
        observation.manifests().ifPresent(manifests -> addManifests(metrics, manifests));
        metrics.put("snapshots", observation.history().snapshots());
        observation.metadataFile().bytes().ifPresent(bytes -> metrics.put("metadata_bytes", bytes));
        for (Severity severity : Severity.values()) {
            metrics.put(severity.name().toLowerCase(Locale.ROOT) + "_findings", count(health, severity));
        }
        return metrics.buildOrThrow();
    }

    private static void addFiles(ImmutableMap.Builder<String, Long> metrics, TableObservation observation)
    {
        FileDetails details = observation.details().orElse(FileDetails.NONE);
        metrics.put("data_files", details.dataFiles());
        metrics.put("data_bytes", details.dataBytes());
        metrics.put("records", details.records());
        metrics.put("partitions", details.partitions());
        metrics.put("small_files", details.smallFiles());
        details.medianFileBytes().ifPresent(bytes -> metrics.put("median_file_bytes", bytes));
        metrics.put("unsorted_files", details.unsortedFiles());
        details.overlap().ifPresent(overlap -> {
            metrics.put("overlapping_files", overlap.files());
            metrics.put("overlap_depth", Math.round(overlap.depth()));
            metrics.put("overlap_deepest", overlap.deepest());
        });
        metrics.put("position_delete_files", details.positionDeleteFiles());
        metrics.put("deletion_vectors", details.deletionVectors());
        metrics.put("equality_delete_files", details.equalityDeleteFiles());
        metrics.put("position_delete_rows", details.positionDeleteRows());
        metrics.put("equality_delete_rows", details.equalityDeleteRows());
        metrics.put("files_with_deletes", details.filesWithDeletes());
        metrics.put("delete_heavy_files", details.deleteHeavyFiles());
        metrics.put("rewrite_groups", details.rewriteGroups());
        metrics.put("rewrite_files", details.rewriteFiles());
        metrics.put("rewrite_bytes", details.rewriteBytes());
    }

    private static void addManifests(ImmutableMap.Builder<String, Long> metrics, ManifestTotals manifests)
    {
        metrics.put("data_manifests", manifests.dataManifests());
        metrics.put("delete_manifests", manifests.deleteManifests());
        metrics.put("manifest_bytes", manifests.dataManifestBytes() + manifests.deleteManifestBytes());
    }

    private static long count(TableHealth health, Severity severity)
    {
        return health.findings().stream()
                .map(HealthFinding::severity)
                .filter(severity::equals)
                .count();
    }
}
