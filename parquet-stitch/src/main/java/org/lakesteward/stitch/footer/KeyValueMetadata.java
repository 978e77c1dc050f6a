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
package org.lakesteward.stitch.footer;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is known of the key-value metadata of footers. Entries that the inputs have in common go into the output.
 */
public final class KeyValueMetadata
{
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

    /** Keys whose values repeat the schema in another language. */
    private static final Set<String> SCHEMA_KEYS = ImmutableSet.of(
            "iceberg.schema",
            "parquet.avro.schema",
            "avro.schema",
            "ARROW:schema",
            "org.apache.spark.sql.parquet.row.metadata",
            "pandas");

    private KeyValueMetadata() {}

    /**
     * @return entries by key; those without a value say nothing and are left out
     */
    public static Map<String, String> of(FileMetaData metadata)
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

    public static boolean isDeleteFile(FileMetaData metadata)
    {
        return of(metadata).keySet().stream().anyMatch(DELETE_FILE_KEYS::contains);
    }

    /**
     * @return the entries that decide how values are to be understood
     */
    public static Map<String, String> readerEntries(FileMetaData metadata)
    {
        return of(metadata).entrySet().stream()
                .filter(entry -> READER_KEYS.contains(entry.getKey()))
                .collect(ImmutableMap.toImmutableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * @return a key that decides how values are to be understood and that is not the same in both
     */
    public static Optional<String> differingReaderKey(Map<String, String> left, Map<String, String> right)
    {
        return READER_KEYS.stream()
                .filter(key -> !Objects.equals(left.get(key), right.get(key)))
                .findFirst();
    }

    public static Map<String, String> withoutSchemas(Map<String, String> entries)
    {
        Map<String, String> others = new TreeMap<>(entries);
        others.keySet().removeAll(SCHEMA_KEYS);
        return others;
    }

    public static List<KeyValue> toList(Map<String, String> entries)
    {
        return entries.entrySet().stream()
                .map(entry -> new KeyValue(entry.getKey()).setValue(entry.getValue()))
                .collect(ImmutableList.toImmutableList());
    }
}
