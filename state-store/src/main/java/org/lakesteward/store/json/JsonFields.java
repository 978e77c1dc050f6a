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
package org.lakesteward.store.json;

import com.fasterxml.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Reads the fields of a JSON object. A field that is missing or null, or of another type, is an {@link InvalidDocumentException}; times
 * that are none are a {@link java.time.DateTimeException}.
 */
public final class JsonFields
{
    private JsonFields() {}

    public static JsonNode field(JsonNode node, String name)
    {
        JsonNode field = node.path(name);
        if (field.isMissingNode() || field.isNull()) {
            throw new InvalidDocumentException("field %s is missing".formatted(name));
        }
        return field;
    }

    public static JsonNode array(JsonNode node, String name)
    {
        JsonNode array = field(node, name);
        if (!array.isArray()) {
            throw new InvalidDocumentException("field %s is no list".formatted(name));
        }
        return array;
    }

    public static <T> List<T> list(JsonNode node, String name, Function<JsonNode, T> reader)
    {
        return array(node, name).valueStream()
                .map(reader)
                .collect(toImmutableList());
    }

    public static String text(JsonNode node, String name)
    {
        JsonNode field = field(node, name);
        if (!field.isTextual()) {
            throw new InvalidDocumentException("field %s is no text".formatted(name));
        }
        return field.textValue();
    }

    public static Optional<String> optionalText(JsonNode node, String name)
    {
        JsonNode field = node.path(name);
        return field.isMissingNode() || field.isNull() ? Optional.empty() : Optional.of(text(node, name));
    }

    public static Instant instant(JsonNode node, String name)
    {
        return Instant.parse(text(node, name));
    }

    public static boolean flag(JsonNode node, String name)
    {
        JsonNode field = field(node, name);
        if (!field.isBoolean()) {
            throw new InvalidDocumentException("field %s is neither true nor false".formatted(name));
        }
        return field.booleanValue();
    }

    /** A whole number that a {@code long} holds. */
    public static long number(JsonNode node, String name)
    {
        JsonNode field = field(node, name);
        if (!field.isIntegralNumber() || !field.canConvertToLong()) {
            throw new InvalidDocumentException("field %s is no whole number".formatted(name));
        }
        return field.longValue();
    }
}
