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

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import org.lakesteward.planner.sort.SortOverlap;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Reads an observation from words such as {@code files=100 bytes=1GiB}. What is not named is healthy; {@code ?} is unknown.
 */
final class ObservationText
{
    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static final Map<String, Long> UNITS = ImmutableMap.of(
            "KiB", 1L << 10,
            "MiB", 1L << 20,
            "GiB", 1L << 30,
            "TiB", 1L << 40);

    private final Map<String, String> words = new HashMap<>();

    private ObservationText(String text)
    {
        for (String word : Splitter.onPattern("\\s+").omitEmptyStrings().split(text)) {
            int equals = word.indexOf('=');
            checkArgument(equals > 0, "Not of the form name=value: %s", word);
            checkArgument(words.put(word.substring(0, equals), word.substring(equals + 1)) == null, "Given twice: %s", word);
        }
    }

    static TableObservation parse(String text)
    {
        ObservationText reader = new ObservationText(text);
        TableObservation observation = reader.observation();
        checkArgument(reader.words.isEmpty(), "Unknown words: %s", reader.words);
        return observation;
    }

    private TableObservation observation()
    {
        Optional<CurrentSnapshot> snapshot = word("snapshot").orElse("yes").equals("no") ? Optional.empty() : Optional.of(new CurrentSnapshot(7, NOW));
        FileTotals totals = new FileTotals(
                optional("files", "0"),
                optional("bytes", "0"),
                optional("records", "0"),
                optional("delete-files", "0"),
                optional("position-rows", "0"),
                optional("equality-rows", "0"));
        return new TableObservation(
                "6cd4a4a1-7b4a-4a8d-9d3c-0d5a1f4c0001",
                number("sequence", "12"),
                (int) number("version", "2"),
                snapshot,
                word("partitioned").isPresent(),
                number("target", "512MiB"),
                word("sorted").isPresent(),
                totals,
                manifests(),
                new SnapshotHistory(number("snapshots", "1"), ago("oldest"), ago("removable")),
                new MetadataFile(optional("metadata", "10KiB"), number("log", "0"), number("unused-schemas", "0")),
                statistics(),
                limits(),
                details());
    }

    private Optional<ManifestTotals> manifests()
    {
        if (words.getOrDefault("manifests", "").equals("?")) {
            words.remove("manifests");
            return Optional.empty();
        }
        return Optional.of(new ManifestTotals(
                number("manifests", "0"),
                number("manifest-bytes", "0"),
                number("delete-manifests", "0"),
                number("delete-manifest-bytes", "0"),
                number("manifest-target", "8MiB")));
    }

    private StatisticsState statistics()
    {
        if (word("statistics").orElse("yes").equals("no")) {
            return StatisticsState.ABSENT;
        }
        return new StatisticsState(true, optional("snapshots-behind", "0"), optional("rows-changed", "0"));
    }

    private Set<TableLimit> limits()
    {
        EnumSet<TableLimit> limits = EnumSet.noneOf(TableLimit.class);
        word("limits").ifPresent(names -> Splitter.on(',').split(names).forEach(name -> limits.add(TableLimit.valueOf(name))));
        return limits;
    }

    private Optional<FileDetails> details()
    {
        if (words.keySet().stream().noneMatch(name -> name.startsWith("d."))) {
            return Optional.empty();
        }
        return Optional.of(new FileDetails(
                number("d.files", "0"),
                number("d.bytes", "0"),
                number("d.records", "0"),
                number("d.small", "0"),
                optional("d.median", "?"),
                number("d.partitions", "1"),
                ImmutableMap.of(),
                number("d.position-files", "0"),
                number("d.vectors", "0"),
                number("d.equality-files", "0"),
                number("d.position-rows", "0"),
                number("d.equality-rows", "0"),
                number("d.with-deletes", "0"),
                number("d.delete-heavy", "0"),
                number("d.groups", "0"),
                number("d.group-files", "0"),
                number("d.group-bytes", "0"),
                number("d.group-small", "0"),
                number("d.unsorted", "0"),
                number("d.unsorted-bytes", "0"),
                overlap()));
    }

    private Optional<SortOverlap> overlap()
    {
        long deepest = number("d.deepest", "0");
        long files = number("d.overlapping", "0");
        long bytes = number("d.overlapping-bytes", "0");
        return word("d.depth").map(depth -> new SortOverlap(depth.contains(".") ? Double.parseDouble(depth) : parseNumber(depth), deepest, files, bytes));
    }

    private Optional<String> word(String name)
    {
        return Optional.ofNullable(words.remove(name));
    }

    private long number(String name, String defaultValue)
    {
        return parseNumber(word(name).orElse(defaultValue));
    }

    private OptionalLong optional(String name, String defaultValue)
    {
        String value = word(name).orElse(defaultValue);
        return value.equals("?") ? OptionalLong.empty() : OptionalLong.of(parseNumber(value));
    }

    private Optional<Instant> ago(String name)
    {
        return word(name).map(age -> NOW.minus(Duration.parse(age)));
    }

    /**
     * Reads 1,000 and 8MiB and 8MiB-1.
     */
    private static long parseNumber(String text)
    {
        int minus = text.indexOf('-');
        if (minus > 0) {
            return parseNumber(text.substring(0, minus)) - parseNumber(text.substring(minus + 1));
        }
        int plus = text.indexOf('+');
        if (plus > 0) {
            return parseNumber(text.substring(0, plus)) + parseNumber(text.substring(plus + 1));
        }
        for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
            if (text.endsWith(unit.getKey())) {
                return Long.parseLong(text.substring(0, text.length() - unit.getKey().length())) * unit.getValue();
            }
        }
        return Long.parseLong(text.replace(",", ""));
    }
}
