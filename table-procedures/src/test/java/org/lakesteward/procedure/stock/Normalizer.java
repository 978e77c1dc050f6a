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
package org.lakesteward.procedure.stock;

import com.google.common.collect.ImmutableList;
import io.trino.spi.type.SqlTimestampWithTimeZone;
import io.trino.testing.MaterializedRow;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Replaces in results what must differ between two runs of one script: catalog, schema, random names, snapshot ids and the time of the run.
 * An id keeps its identity: the first one seen becomes {@code <id1>}, wherever it occurs again. Not thread-safe.
 */
final class Normalizer
{
    // snapshot ids are random positive longs; smaller numbers are data, counts and sizes
    private static final long SMALLEST_ID = 1_000_000_000_000_000L;
    private static final Pattern ID = Pattern.compile("(?<![\\w.])\\d{16,19}(?![\\w.])");
    private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
    private static final Pattern QUERY_ID = Pattern.compile("\\d{8}_\\d{6}_\\d{5}_[0-9a-z]{5}");
    private static final Pattern PLANNING_TIMES = Pattern.compile("Queued: .*, Analysis: .*, Planning: .*, Execution: .*");
    // estimates follow the compressed sizes of files, which hang on the order in which rows reach a partition's writer
    private static final Pattern ESTIMATED_SIZES = Pattern.compile("\\(\\d[\\d.]*[kMG]?B\\), cpu: [^,]*, memory: [^,]*, network: [^}]*|\"(outputSizeInBytes|cpuCost|maxMemory|networkCost)\" : [\\d.E]+");
    private static final Pattern START_TIME = Pattern.compile("trino-query-start-time = [-:.\\dTZ]+");
    private static final Pattern SKETCH = Pattern.compile("\\$?iceberg_(maintained_)?theta_stat");
    // sizes of files with random content: paths in position deletes, query ids in ORC files, order of merged rows
    private static final Pattern TOTAL_SIZES = Pattern.compile("files-size = \\d+");

    private final String catalog;
    private final String otherCatalog;
    private final String schema;
    private final Instant start;
    private final Map<String, String> ids = new HashMap<>();

    Normalizer(String catalog, String otherCatalog, String schema, Instant start)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.otherCatalog = requireNonNull(otherCatalog, "otherCatalog is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.start = requireNonNull(start, "start is null");
    }

    List<String> rows(List<MaterializedRow> rows, boolean ordered)
    {
        List<String> texts = rows.stream().map(this::value).toList();
        if (!ordered) {
            // by everything that is not random
            texts = texts.stream().sorted((first, second) -> ID.matcher(first).replaceAll("<id>").compareTo(ID.matcher(second).replaceAll("<id>"))).toList();
        }
        return texts.stream().map(this::number).collect(ImmutableList.toImmutableList());
    }

    String text(String text)
    {
        return number(mask(text));
    }

    private String value(Object value)
    {
        return switch (value) {
            case null -> "NULL";
            case MaterializedRow row -> row.getFields().stream().map(this::value).collect(joining(" | ", "(", ")"));
            case List<?> list -> list.stream().map(this::value).collect(joining(", ", "[", "]"));
            case Map<?, ?> map -> map.entrySet().stream()
                    .map(entry -> mask(value(entry.getKey()) + " = " + value(entry.getValue())))
                    .sorted()
                    .collect(joining(", ", "{", "}"));
            case byte[] bytes -> "X'" + HexFormat.of().formatHex(bytes) + "'";
            case ZonedDateTime time when !time.toInstant().isBefore(start) -> "<now>";
            case SqlTimestampWithTimeZone time when !time.toZonedDateTime().toInstant().isBefore(start) -> "<now>";
            default -> mask(value.toString());
        };
    }

    private String mask(String text)
    {
        text = RANDOM.matcher(text).replaceAll("<random>");
        text = QUERY_ID.matcher(text).replaceAll("<query>");
        text = PLANNING_TIMES.matcher(text).replaceAll("<planning times>");
        text = TOTAL_SIZES.matcher(text).replaceAll("files-size = <size>");
        text = ESTIMATED_SIZES.matcher(text).replaceAll("<estimate>");
        text = START_TIME.matcher(text).replaceAll("trino-query-start-time = <now>");
        text = SKETCH.matcher(text).replaceAll("<sketch>");
        // also schemas that a script names after its own, with a suffix
        text = text.replaceAll("\\b" + schema + "(?![A-Za-z0-9])", "<schema>");
        text = text.replaceAll("\\b" + catalog + "\\b", "<catalog>");
        return text.replaceAll("\\b" + otherCatalog + "\\b", "<other catalog>");
    }

    private String number(String text)
    {
        Matcher matcher = ID.matcher(text);
        return matcher.replaceAll(match -> Long.parseLong(match.group()) < SMALLEST_ID ? match.group() : ids.computeIfAbsent(match.group(), _ -> "<id" + (ids.size() + 1) + ">"));
    }
}
