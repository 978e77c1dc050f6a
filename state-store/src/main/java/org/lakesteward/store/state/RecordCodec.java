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
package org.lakesteward.store.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableSet;
import org.lakesteward.store.json.InvalidDocumentException;
import org.lakesteward.store.json.StrictJson;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The JSON form of one kind of record: {@code {"schema": n, ...}}. Fields that this version does not know are kept when a record
 * is replaced, those within nested objects are not: a nested object belongs as a whole to the version that knows its field. A
 * version raises the schema when older ones must not touch its records. Records of a newer schema are neither read nor replaced.
 * Thread-safe.
 */
public final class RecordCodec<T>
{
    private static final String SCHEMA = "schema";

    public interface Reader<T>
    {
        /**
         * @param document of this schema or an older one, which its field {@code schema} tells
         * @throws InvalidDocumentException when it holds no record, as {@link org.lakesteward.store.json.JsonFields} does; also
         * {@link IllegalArgumentException} and {@link DateTimeException}
         */
        T read(JsonNode document);
    }

    public interface Writer<T>
    {
        void write(T value, ObjectNode document);
    }

    private final String kind;
    private final int schema;
    private final Set<String> fields;
    private final Reader<T> reader;
    private final Writer<T> writer;

    /**
     * @param kind for messages, such as "demand"
     * @param schema one or more
     * @param fields all that this version knows: the writer leaves out those that do not apply, and they go when a record is replaced
     */
    public RecordCodec(String kind, int schema, Set<String> fields, Reader<T> reader, Writer<T> writer)
    {
        this.kind = requireNonNull(kind, "kind is null");
        checkArgument(schema >= 1, "schema is %s, it must be one or more", schema);
        this.schema = schema;
        this.fields = ImmutableSet.copyOf(fields);
        checkArgument(!fields.contains(SCHEMA), "fields holds schema, which every record has");
        this.reader = requireNonNull(reader, "reader is null");
        this.writer = requireNonNull(writer, "writer is null");
    }

    public RecordReading<T> read(StoreEntry entry)
    {
        JsonNode node;
        try {
            node = StrictJson.read(entry.value());
        }
        catch (IOException e) {
            return damaged(entry, "is no valid JSON");
        }
        if (!(node instanceof ObjectNode document)) {
            return damaged(entry, "is no JSON object");
        }
        JsonNode version = document.path(SCHEMA);
        if (!version.isIntegralNumber() || version.asLong() < 1) {
            return damaged(entry, "has no valid schema");
        }
        if (!version.canConvertToInt() || version.asInt() > schema) {
            return new RecordReading.TooNew<>(entry, version.asLong(), "the %s record %s was written by a newer version of Lakesteward (schema %s, this one knows %s): it is left as it is".formatted(kind, entry.key(), version.asText(), schema));
        }
        try {
            return new RecordReading.Readable<>(entry, reader.read(document), document);
        }
        catch (InvalidDocumentException | IllegalArgumentException | DateTimeException e) {
            return damaged(entry, "holds what cannot be read (%s)".formatted(e.getMessage()));
        }
    }

    private RecordReading<T> damaged(StoreEntry entry, String problem)
    {
        return new RecordReading.Damaged<>(entry, "the %s record %s %s".formatted(kind, entry.key(), problem));
    }

    /**
     * The value of a record that nobody has written before. To replace one, use {@link #replace}.
     *
     * @throws IllegalArgumentException when a text of the value is no valid Unicode
     */
    public byte[] write(T value)
    {
        return write(value, StrictJson.object());
    }

    /**
     * Replaces a record as it was read, with the fields that this version does not know. A damaged one goes as a whole.
     *
     * @param lease empty for a record that stays
     * @throws IllegalArgumentException when a text of the value is no valid Unicode
     */
    public RecordReplacement replace(RecordReading<T> read, T value, Optional<Lease> lease)
    {
        StoreEntry entry = read.entry();
        return switch (read) {
            case RecordReading.TooNew<T> tooNew -> new RecordReplacement.Forbidden(tooNew.problem());
            case RecordReading.Damaged<T> _ -> allowed(entry, write(value), lease);
            case RecordReading.Readable<T> readable -> allowed(entry, write(value, unknownFields(readable.document())), lease);
        };
    }

    private static RecordReplacement allowed(StoreEntry entry, byte[] value, Optional<Lease> lease)
    {
        return new RecordReplacement.Allowed(Condition.unchanged(entry), new Operation.Put(entry.key(), value, lease));
    }

    private ObjectNode unknownFields(ObjectNode document)
    {
        ObjectNode unknown = document.deepCopy();
        unknown.remove(SCHEMA);
        unknown.remove(fields);
        return unknown;
    }

    private byte[] write(T value, ObjectNode unknown)
    {
        ObjectNode known = StrictJson.object();
        writer.write(value, known);
        checkKnown(known);
        ObjectNode document = StrictJson.object();
        document.put(SCHEMA, schema);
        document.setAll(known);
        document.setAll(unknown);
        try {
            return StrictJson.write(document);
        }
        catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a %s record holds a text that is no valid Unicode".formatted(kind), e);
        }
        catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a %s record cannot be written as JSON".formatted(kind), e);
        }
    }

    private void checkKnown(ObjectNode document)
    {
        for (Iterator<String> names = document.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            checkArgument(fields.contains(name), "a %s record has field %s, which is not among those that it is said to know", kind, name);
        }
    }
}
