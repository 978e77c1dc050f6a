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
package org.lakesteward.maintenance.policy;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.policy.NameGlob;
import org.lakesteward.planner.policy.NamePattern;
import org.lakesteward.planner.policy.OperatorPolicies;
import org.lakesteward.planner.policy.OperatorPolicies.PatternEntries;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the content of a policy file:
 * <pre>
 * {
 *   "defaults": {"maintenance.snapshots.max-age": "14d"},
 *   "patterns": [
 *     {"catalog": "lake", "schema": "sales_*", "properties": {"maintenance.priority": 8}}
 *   ]
 * }
 * </pre>
 * Both keys may be missing, and so may the parts of a pattern, for any name. Keys that are not listed, keys that stand twice, and values
 * that are no text, number or boolean are refused. Names and values of entries are not looked at here: mistakes in them are the business of
 * the tables that they are about, see {@link OperatorPolicies#problems()}.
 */
final class PolicyFileReader
{
    private static final String DEFAULTS = "defaults";
    private static final String PATTERNS = "patterns";
    private static final String CATALOG = "catalog";
    private static final String SCHEMA = "schema";
    private static final String TABLE = "table";
    private static final String PROPERTIES = "properties";

    private static final Set<String> FILE_KEYS = ImmutableSet.of(DEFAULTS, PATTERNS);
    private static final Set<String> PATTERN_KEYS = ImmutableSet.of(CATALOG, SCHEMA, TABLE, PROPERTIES);

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private PolicyFileReader() {}

    static OperatorPolicies read(byte[] content)
            throws InvalidPolicyFileException
    {
        JsonNode file = parse(content);
        checkKeys(file, "the file", FILE_KEYS);
        try {
            return new OperatorPolicies(
                    file.has(DEFAULTS) ? entries(file.get(DEFAULTS), DEFAULTS) : ImmutableMap.of(),
                    file.has(PATTERNS) ? patterns(file.get(PATTERNS)) : ImmutableList.of());
        }
        catch (IllegalArgumentException e) {
            // two patterns that contradict each other
            throw new InvalidPolicyFileException(e.getMessage());
        }
    }

    private static JsonNode parse(byte[] content)
            throws InvalidPolicyFileException
    {
        try {
            JsonNode file = MAPPER.readTree(content);
            if (file.isMissingNode()) {
                throw new InvalidPolicyFileException("the file is empty: it must be a JSON object");
            }
            return file;
        }
        catch (JacksonException e) {
            JsonLocation location = e.getLocation();
            String place = location == null ? "the file" : "line %s, column %s".formatted(location.getLineNr(), location.getColumnNr());
            throw new InvalidPolicyFileException("%s is no JSON: %s".formatted(place, e.getOriginalMessage()));
        }
        catch (IOException e) {
            throw new InvalidPolicyFileException("the file is no JSON: " + e.getMessage());
        }
    }

    private static List<PatternEntries> patterns(JsonNode patterns)
            throws InvalidPolicyFileException
    {
        if (!patterns.isArray()) {
            throw new InvalidPolicyFileException("%s is %s: it must be an array".formatted(PATTERNS, kind(patterns)));
        }
        ImmutableList.Builder<PatternEntries> list = ImmutableList.builder();
        for (int i = 0; i < patterns.size(); i++) {
            list.add(pattern(patterns.get(i), "%s[%s]".formatted(PATTERNS, i)));
        }
        return list.build();
    }

    private static PatternEntries pattern(JsonNode pattern, String place)
            throws InvalidPolicyFileException
    {
        checkKeys(pattern, place, PATTERN_KEYS);
        if (!pattern.has(PROPERTIES)) {
            throw new InvalidPolicyFileException("%s has no '%s'".formatted(place, PROPERTIES));
        }
        return new PatternEntries(
                new NamePattern(name(pattern, CATALOG, place), name(pattern, SCHEMA, place), name(pattern, TABLE, place)),
                entries(pattern.get(PROPERTIES), place + "." + PROPERTIES));
    }

    private static NameGlob name(JsonNode pattern, String key, String place)
            throws InvalidPolicyFileException
    {
        JsonNode name = pattern.get(key);
        if (name == null) {
            return NameGlob.ANY;
        }
        if (!name.isTextual() || name.textValue().isBlank()) {
            throw new InvalidPolicyFileException("%s.%s is %s: it must be a name, with * for any number of characters".formatted(place, key, name.isTextual() ? "empty" : kind(name)));
        }
        return new NameGlob(name.textValue());
    }

    private static Map<String, String> entries(JsonNode entries, String place)
            throws InvalidPolicyFileException
    {
        if (!entries.isObject()) {
            throw new InvalidPolicyFileException("%s is %s: it must be an object".formatted(place, kind(entries)));
        }
        ImmutableMap.Builder<String, String> texts = ImmutableMap.builder();
        for (Map.Entry<String, JsonNode> entry : entries.properties()) {
            JsonNode value = entry.getValue();
            if (!value.isTextual() && !value.isNumber() && !value.isBoolean()) {
                throw new InvalidPolicyFileException("'%s' in %s is %s: it must be a text, a number, true or false".formatted(entry.getKey(), place, kind(value)));
            }
            texts.put(entry.getKey(), value.asText());
        }
        return texts.buildOrThrow();
    }

    private static void checkKeys(JsonNode object, String place, Set<String> keys)
            throws InvalidPolicyFileException
    {
        if (!object.isObject()) {
            throw new InvalidPolicyFileException("%s is %s: it must be an object".formatted(place, kind(object)));
        }
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            if (!keys.contains(entry.getKey())) {
                throw new InvalidPolicyFileException("'%s' in %s is unknown: there are %s".formatted(entry.getKey(), place, String.join(", ", keys)));
            }
        }
    }

    private static String kind(JsonNode node)
    {
        return switch (node.getNodeType()) {
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            case STRING -> "a text";
            case NUMBER -> "a number";
            case BOOLEAN -> "true or false";
            case NULL -> "null";
            case BINARY, MISSING, POJO -> "nothing of JSON";
        };
    }
}
