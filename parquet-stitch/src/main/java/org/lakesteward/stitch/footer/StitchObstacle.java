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

import static java.util.Objects.requireNonNull;

/**
 * Why the pages of a file cannot be taken over as they are.
 *
 * @param reason the kind
 * @param sentence for the user: names the file, what was found and what would have been needed
 */
public record StitchObstacle(Reason reason, String sentence)
{
    public StitchObstacle
    {
        requireNonNull(reason, "reason is null");
        requireNonNull(sentence, "sentence is null");
    }

    /**
     * The kinds of obstacle.
     */
    public enum Reason
    {
        /** The file contradicts itself or the format; the reader of the encode path says whether it can be read at all. */
        CORRUPT_FILE,
        /** The footer or a column is encrypted. */
        ENCRYPTED,
        /** The footer is larger than the limit. */
        FOOTER_TOO_LARGE,
        /** It is a delete file, not a data file. */
        DELETE_FILE,
        /** Names, field ids, repetition, physical or logical types, or their order differ from the target's. */
        SCHEMA_DIFFERS,
        /** The schema or a column chunk uses a part of the format that this version does not know. */
        NOT_UNDERSTOOD,
        /** Pages are compressed by a codec that cannot be read here. */
        CODEC,
        /** Readers treat files of this writer in a way of their own, or the writer is not known. */
        UNTRUSTED_WRITER,
        /** Key-value metadata that decide how readers understand values differ from the target's. */
        METADATA_DIFFERS,
        /** Values of a page are in an encoding that is not known, or that their type cannot have. */
        ENCODING,
        /** Levels are in the BIT_PACKED encoding of old. */
        LEVEL_ENCODING,
        /** The column chunk has pages of a kind that is not known. */
        PAGE_TYPE,
        /** A page is larger than the limit in bytes or values. */
        PAGE_TOO_LARGE,
        /** Row lineage is to be kept, and the file has it for some rows only, or in part. */
        INCOMPLETE_LINEAGE,
        /** Row lineage is to be kept, and neither the file nor its manifest entry has any. */
        NO_LINEAGE,
    }
}
