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

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * JSON as the stores take it: one value, no field twice, valid Unicode. Whatever can be written can be read.
 */
public final class StrictJson
{
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    // ids can be names of fields: whatever can be written can be read
                    .streamReadConstraints(StreamReadConstraints.builder().maxNameLength(1024 * 1024).build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private StrictJson() {}

    public static ObjectNode object()
    {
        return MAPPER.createObjectNode();
    }

    /**
     * @throws IOException when this is no JSON
     */
    public static JsonNode read(byte[] document)
            throws IOException
    {
        return MAPPER.readTree(document);
    }

    /**
     * @throws CharacterCodingException when a text holds half of a surrogate pair, which Jackson would write as a question mark
     * @throws JsonProcessingException when Jackson cannot write it
     */
    public static byte[] write(ObjectNode node)
            throws CharacterCodingException, JsonProcessingException
    {
        ByteBuffer document = UTF_8.newEncoder().encode(CharBuffer.wrap(MAPPER.writeValueAsString(node)));
        byte[] bytes = new byte[document.remaining()];
        document.get(bytes);
        return bytes;
    }
}
