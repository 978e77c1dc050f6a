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
package org.lakesteward.stitch.page;

import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;
import org.lakesteward.stitch.footer.LeafColumn;

/**
 * Which encodings are known, and for which types (Encodings.md). A page in one of them needs nothing outside of it but the
 * dictionary, and can be put into another file as it is.
 */
public final class PageEncodings
{
    private PageEncodings() {}

    public static boolean isDictionary(Encoding encoding)
    {
        return encoding == Encoding.RLE_DICTIONARY || encoding == Encoding.PLAIN_DICTIONARY;
    }

    /**
     * Whether values of a data page can be in this encoding.
     */
    public static boolean isKnown(Encoding encoding, LeafColumn leaf)
    {
        Type type = leaf.type();
        return switch (encoding) {
            case null -> false;
            case PLAIN -> true;
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> type != Type.BOOLEAN;
            case RLE -> type == Type.BOOLEAN;
            case DELTA_BINARY_PACKED -> type == Type.INT32 || type == Type.INT64;
            case DELTA_LENGTH_BYTE_ARRAY -> type == Type.BYTE_ARRAY;
            case DELTA_BYTE_ARRAY -> type == Type.BYTE_ARRAY || type == Type.FIXED_LEN_BYTE_ARRAY;
            case BYTE_STREAM_SPLIT -> type != Type.BOOLEAN && type != Type.BYTE_ARRAY && type != Type.INT96;
            case BIT_PACKED -> false;
        };
    }

    /**
     * Whether a footer may list this encoding. It mixes those of values and levels, and parquet-mr lists BIT_PACKED for levels
     * that are not there.
     */
    public static boolean isPossible(Encoding encoding, LeafColumn leaf)
    {
        return encoding == Encoding.RLE || encoding == Encoding.BIT_PACKED || isKnown(encoding, leaf);
    }
}
