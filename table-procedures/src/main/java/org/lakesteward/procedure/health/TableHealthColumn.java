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

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.type.Type;
import org.lakesteward.planner.health.CurrentSnapshot;
import org.lakesteward.planner.health.FileTotals;
import org.lakesteward.planner.health.HealthFinding;
import org.lakesteward.planner.health.ManifestTotals;
import org.lakesteward.planner.health.TableObservation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/**
 * A column of {@code system.table_health}.
 *
 * @param value the value of a row in the engine's own representation; null for SQL's null
 */
record TableHealthColumn(String name, Type type, String comment, Function<TableHealthRow, Object> value)
{
    static final int SCHEMA_CHANNEL = 0;
    static final int TABLE_CHANNEL = 1;

    static final List<TableHealthColumn> ALL = ImmutableList.of(
            new TableHealthColumn("table_schema", VARCHAR, "Schema", row -> utf8Slice(row.table().getSchemaName())),
            new TableHealthColumn("table_name", VARCHAR, "Table", row -> utf8Slice(row.table().getTableName())),
            ofWorst("worst_severity", "Severity of the worst finding; null without findings", finding -> Optional.of(finding.severity().name())),
            ofWorst("worst_finding", "The worst finding", finding -> Optional.of(finding.kind().name())),
            ofWorst("reason", "Reason of the worst finding", finding -> Optional.of(finding.reason())),
            ofWorst("statement", "The statement that mends the worst finding; null when there is none", HealthFinding::statement),
            new TableHealthColumn("findings", BIGINT, "Number of findings, those of severity INFO included", row -> row.health().map(health -> (long) health.findings().size()).orElse(null)),
            text("table_uuid", "UUID of the table", TableObservation::tableUuid),
            number("format_version", "Iceberg format version", observation -> OptionalLong.of(observation.formatVersion())),
            number("sequence_number", "Last sequence number", observation -> OptionalLong.of(observation.sequenceNumber())),
            number("snapshot_id", "Current snapshot; null without one", observation -> toOptionalLong(observation.currentSnapshot().map(CurrentSnapshot::id))),
            time("committed_at", "When the current snapshot was committed", observation -> observation.currentSnapshot().map(CurrentSnapshot::committedAt)),
            number("snapshots", "Number of snapshots", observation -> OptionalLong.of(observation.history().snapshots())),
            time("oldest_snapshot_at", "When the oldest snapshot was committed", observation -> observation.history().oldest()),
            total("data_files", "Data files; null, as the next numbers, when metadata does not tell", FileTotals::dataFiles),
            total("total_bytes", "Bytes of data files, and of delete files unless manifests were read", FileTotals::bytes),
            total("records", "Stored rows, deleted ones included", FileTotals::records),
            total("delete_files", "Delete files and deletion vectors of every kind", FileTotals::deleteFiles),
            total("position_delete_rows", "Positions in position delete files and deletion vectors", FileTotals::positionDeleteRows),
            total("equality_delete_rows", "Rows of equality delete files", FileTotals::equalityDeleteRows),
            number("data_manifests", "Manifests of data files", observation -> toOptionalLong(observation.manifests().map(ManifestTotals::dataManifests))),
            number("delete_manifests", "Manifests of delete files", observation -> toOptionalLong(observation.manifests().map(ManifestTotals::deleteManifests))),
            number("metadata_bytes", "Size of the metadata file", observation -> observation.metadataFile().bytes()),
            new TableHealthColumn("error", VARCHAR, "Why the table could not be read; null when it could", row -> row.error().map(Slices::utf8Slice).orElse(null)));

    TableHealthColumn
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(comment, "comment is null");
        requireNonNull(value, "value is null");
    }

    ColumnMetadata metadata()
    {
        return HealthColumns.column(name, type, comment);
    }

    private static TableHealthColumn ofWorst(String name, String comment, Function<HealthFinding, Optional<String>> value)
    {
        return new TableHealthColumn(name, VARCHAR, comment, row -> row.health()
                .flatMap(TableHealth::worst)
                .flatMap(value)
                .map(text -> (Object) utf8Slice(text))
                .orElse(null));
    }

    private static TableHealthColumn text(String name, String comment, Function<TableObservation, String> value)
    {
        return new TableHealthColumn(name, VARCHAR, comment, row -> row.health()
                .map(health -> (Object) utf8Slice(value.apply(health.observation())))
                .orElse(null));
    }

    private static TableHealthColumn number(String name, String comment, Function<TableObservation, OptionalLong> value)
    {
        return new TableHealthColumn(name, BIGINT, comment, row -> {
            OptionalLong number = row.health().map(health -> value.apply(health.observation())).orElse(OptionalLong.empty());
            return number.isPresent() ? number.getAsLong() : null;
        });
    }

    private static TableHealthColumn total(String name, String comment, Function<FileTotals, OptionalLong> value)
    {
        return number(name, comment, observation -> value.apply(observation.knownTotals()));
    }

    private static TableHealthColumn time(String name, String comment, Function<TableObservation, Optional<Instant>> value)
    {
        return new TableHealthColumn(name, TIMESTAMP_TZ_MILLIS, comment, row -> row.health()
                .flatMap(health -> value.apply(health.observation()))
                .map(time -> (Object) packDateTimeWithZone(time.toEpochMilli(), UTC_KEY))
                .orElse(null));
    }

    private static OptionalLong toOptionalLong(Optional<Long> value)
    {
        return value.map(OptionalLong::of).orElse(OptionalLong.empty());
    }
}
