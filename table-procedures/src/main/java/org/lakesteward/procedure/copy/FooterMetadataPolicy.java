
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import org.apache.parquet.CorruptDeltaByteArrays;
import org.apache.parquet.CorruptStatistics;
import org.apache.parquet.SemanticVersion;
import org.apache.parquet.VersionParser;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.VersionParser.VersionParseException;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the footer of a copy says beside schema and row groups, when its inputs say different things. Pure.
 * <ul>
 * <li>{@code created_by}: readers choose work-arounds by it. Equal names are kept, whatever they are; different ones are
 *     allowed only for writers whose files need no work-around, and the copy then bears our own name.</li>
 * <li>Key-value metadata by which readers understand values differently must be equal and are kept. Those that describe the
 *     schema are dropped when the copy's schema has columns that the inputs' had not. All others are kept when every input
 *     agrees, and dropped otherwise: no reader of table data needs them.</li>
 * <li>{@code column_orders}: kept when equal, left out otherwise. Without them a reader must take bounds as undefined
 *     (section "ColumnOrder" of parquet.thrift), which costs pruning and is never wrong.</li>
 * </ul>
 */
final class FooterMetadataPolicy
{
    /** The name of a copy whose inputs have different writers. Readers know no work-around for it, and none is needed. */
    static final String OWN_CREATED_BY = "lakesteward version 1.0.0 (build n/a)";

    /** Keys by which Hive, Spark and Trino choose how to understand dates and timestamps. */
    private static final Set<String> READER_KEYS = ImmutableSet.of(
            "writer.time.zone",
            "writer.date.proleptic",
            "writer.zone.conversion.legacy",
            "org.apache.spark.version",
            "org.apache.spark.timeZone",
            "org.apache.spark.legacyDateTime",
            "org.apache.spark.legacyINT96");

    /** Keys that Iceberg writes into delete files only. */
    private static final Set<String> DELETE_FILE_KEYS = ImmutableSet.of("delete-type", "delete-field-ids");

    /** Keys that repeat the schema in another language. */
    private static final Set<String> SCHEMA_KEYS = ImmutableSet.of(
            "iceberg.schema",
            "parquet.avro.schema",
            "avro.schema",
            "ARROW:schema",
            "org.apache.spark.sql.parquet.row.metadata",
            "pandas");

    private static final SemanticVersion PARQUET_MR_MIXABLE = new SemanticVersion(1, 10, 0);
    private static final SemanticVersion PARQUET_CPP_ARROW_MIXABLE = new SemanticVersion(6, 0, 0);

    private FooterMetadataPolicy() {}

    static boolean isDeleteFile(FileMetaData metadata)
    {
        return keyValues(metadata).keySet().stream().anyMatch(DELETE_FILE_KEYS::contains);
    }

    /**
     * Whether readers need no more than the writer's name to read such a file rightly, or the name is missing or unreadable:
     * then statistics are ignored, pages of DELTA_BYTE_ARRAY may depend on each other, and chunk sizes may be too small by
     * the dictionary page's header (PARQUET-246, PARQUET-251, PARQUET-816).
     */
    static boolean isUntrustedWriter(String createdBy)
    {
        return createdBy == null ||
                createdBy.isBlank() ||
                CorruptStatistics.shouldIgnoreStatistics(createdBy, PrimitiveTypeName.BINARY) ||
                CorruptDeltaByteArrays.requiresSequentialReads(createdBy, Encoding.DELTA_BYTE_ARRAY);
    }

    static boolean canShareFile(String firstCreatedBy, String createdBy)
    {
        return Objects.equals(firstCreatedBy, createdBy) || (needsNoWorkaround(firstCreatedBy) && needsNoWorkaround(createdBy));
    }

    private static boolean needsNoWorkaround(String createdBy)
    {
        if (isUntrustedWriter(createdBy)) {
            return false;
        }
        try {
            ParsedVersion version = VersionParser.parse(createdBy);
            return switch (version.application) {
                case "lakesteward", "parquet-mr-trino" -> true;
                case "parquet-mr" -> version.hasSemanticVersion() && version.getSemanticVersion().compareTo(PARQUET_MR_MIXABLE) >= 0;
                case "parquet-cpp-arrow" -> version.hasSemanticVersion() && version.getSemanticVersion().compareTo(PARQUET_CPP_ARROW_MIXABLE) >= 0;
                default -> false;
            };
        }
        catch (VersionParseException e) {
            return false;
        }
    }

    /** The key of the first entry that readers care for and that differs. */
    static Optional<String> differingReaderKey(FileMetaData first, FileMetaData other)
    {
        Map<String, String> firstValues = keyValues(first);
        Map<String, String> otherValues = keyValues(other);
        return READER_KEYS.stream()
                .filter(key -> !Objects.equals(firstValues.get(key), otherValues.get(key)))
                .findFirst();
    }

    /** Entries without a value say nothing (and Trino's reader does not take them). */
    static Map<String, String> keyValues(FileMetaData metadata)
    {
        Map<String, String> values = new TreeMap<>();
        if (metadata.isSetKey_value_metadata()) {
            for (KeyValue entry : metadata.getKey_value_metadata()) {
                if (entry.isSetValue()) {
                    values.put(entry.getKey(), entry.getValue());
                }
            }
        }
        return values;
    }

    /** What the copies' footers have in common so far. Immutable. */
    record Common(int version, String createdBy, Map<String, String> keyValues, Optional<List<ColumnOrder>> columnOrders)
    {
        static Common of(CopyInput input)
        {
            FileMetaData metadata = input.footer().metadata();
            Map<String, String> keyValues = FooterMetadataPolicy.keyValues(metadata);
            Optional<List<ColumnOrder>> orders = metadata.isSetColumn_orders() ? Optional.of(metadata.getColumn_orders()) : Optional.empty();
            if (input.synthesizesLineage()) {
                keyValues.keySet().removeAll(SCHEMA_KEYS);
                orders = orders.map(columns -> ImmutableList.<ColumnOrder>builder()
                        .addAll(columns)
                        .add(ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()), ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()))
                        .build());
            }
            return new Common(metadata.getVersion(), metadata.getCreated_by(), keyValues, orders);
        }

        Common with(CopyInput input)
        {
            Common other = of(input);
            Map<String, String> shared = new TreeMap<>(keyValues);
            shared.entrySet().retainAll(other.keyValues.entrySet());
            return new Common(
                    Math.max(version, other.version),
                    Objects.equals(createdBy, other.createdBy) ? createdBy : OWN_CREATED_BY,
                    shared,
                    columnOrders.equals(other.columnOrders) ? columnOrders : Optional.empty());
        }

        void applyTo(FileMetaData metadata)
        {
            metadata.setVersion(version);
            metadata.setCreated_by(createdBy);
            if (!keyValues.isEmpty()) {
                metadata.setKey_value_metadata(keyValues.entrySet().stream()
                        .map(entry -> new KeyValue(entry.getKey()).setValue(entry.getValue()))
                        .collect(ImmutableList.toImmutableList()));
            }
            columnOrders.ifPresent(metadata::setColumn_orders);
        }
    }
}
