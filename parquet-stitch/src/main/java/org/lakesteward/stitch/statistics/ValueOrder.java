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
package org.lakesteward.stitch.statistics;

import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.lakesteward.stitch.footer.Annotation;
import org.lakesteward.stitch.io.LittleEndian;

import java.util.Arrays;

/**
 * The order that bounds of a column are in (ColumnOrder.TypeDefinedOrder in parquet.thrift). Bounds are single values in PLAIN
 * encoding, without the length of byte arrays.
 */
public enum ValueOrder
{
    BOOLEAN(1),
    SIGNED_INT32(4),
    UNSIGNED_INT32(4),
    SIGNED_INT64(8),
    UNSIGNED_INT64(8),
    FLOAT(4),
    DOUBLE(8),
    /** Byte by byte, unsigned. */
    BYTES(-1),
    /** Two's complement, highest byte first, of any length: decimals. */
    SIGNED_BYTES(-1),
    /** The format defines none, or readers do not agree on it: there are no bounds. */
    UNDEFINED(-1);

    private final int width;

    ValueOrder(int width)
    {
        this.width = width;
    }

    public static ValueOrder of(SchemaElement element, Annotation annotation)
    {
        LogicalType logical = annotation.logicalType().orElse(null);
        return switch (element.getType()) {
            case BOOLEAN -> BOOLEAN;
            case INT32 -> isUnsigned(logical) ? UNSIGNED_INT32 : SIGNED_INT32;
            case INT64 -> isUnsigned(logical) ? UNSIGNED_INT64 : SIGNED_INT64;
            case FLOAT -> FLOAT;
            case DOUBLE -> DOUBLE;
            case INT96 -> UNDEFINED;
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> {
                if (logical == null) {
                    yield annotation.onlyConverted().isPresent() ? UNDEFINED : BYTES;
                }
                if (logical.isSetDECIMAL()) {
                    yield SIGNED_BYTES;
                }
                yield logical.isSetSTRING() || logical.isSetENUM() || logical.isSetJSON() || logical.isSetBSON() || logical.isSetUUID() ? BYTES : UNDEFINED;
            }
        };
    }

    private static boolean isUnsigned(LogicalType logical)
    {
        return logical != null && logical.isSetINTEGER() && !logical.getINTEGER().isIsSigned();
    }

    /**
     * Whether these bytes can be a bound: they have the right length and are a number.
     */
    public boolean isBound(byte[] value)
    {
        if (this == UNDEFINED || width >= 0 && value.length != width) {
            return false;
        }
        return switch (this) {
            case FLOAT -> !Float.isNaN(Float.intBitsToFloat(LittleEndian.getInt(value, 0)));
            case DOUBLE -> !Double.isNaN(Double.longBitsToDouble(LittleEndian.getLong(value, 0)));
            case SIGNED_BYTES -> value.length > 0;
            default -> true;
        };
    }

    /**
     * Whether the bounds of old, which compare signed, mean the same as those of today.
     */
    public boolean isSigned()
    {
        return switch (this) {
            case BOOLEAN, SIGNED_INT32, SIGNED_INT64, FLOAT, DOUBLE -> true;
            case UNSIGNED_INT32, UNSIGNED_INT64, BYTES, SIGNED_BYTES, UNDEFINED -> false;
        };
    }

    /**
     * Compares two values of which {@link #isBound} is true. Negative zero is below zero.
     */
    public int compare(byte[] left, byte[] right)
    {
        return switch (this) {
            case BOOLEAN -> Boolean.compare(left[0] != 0, right[0] != 0);
            case SIGNED_INT32 -> Integer.compare(LittleEndian.getInt(left, 0), LittleEndian.getInt(right, 0));
            case UNSIGNED_INT32 -> Integer.compareUnsigned(LittleEndian.getInt(left, 0), LittleEndian.getInt(right, 0));
            case SIGNED_INT64 -> Long.compare(LittleEndian.getLong(left, 0), LittleEndian.getLong(right, 0));
            case UNSIGNED_INT64 -> Long.compareUnsigned(LittleEndian.getLong(left, 0), LittleEndian.getLong(right, 0));
            case FLOAT -> Float.compare(Float.intBitsToFloat(LittleEndian.getInt(left, 0)), Float.intBitsToFloat(LittleEndian.getInt(right, 0)));
            case DOUBLE -> Double.compare(Double.longBitsToDouble(LittleEndian.getLong(left, 0)), Double.longBitsToDouble(LittleEndian.getLong(right, 0)));
            case BYTES -> Arrays.compareUnsigned(left, right);
            case SIGNED_BYTES -> compareSigned(left, right);
            case UNDEFINED -> throw new IllegalStateException("the column has no order");
        };
    }

    private static int compareSigned(byte[] left, byte[] right)
    {
        boolean negative = left[0] < 0;
        if (negative != right[0] < 0) {
            return negative ? -1 : 1;
        }
        int length = Math.max(left.length, right.length);
        int filler = negative ? 0xff : 0;
        for (int index = 0; index < length; index++) {
            int leftByte = digit(left, index - (length - left.length), filler);
            int rightByte = digit(right, index - (length - right.length), filler);
            if (leftByte != rightByte) {
                return Integer.compare(leftByte, rightByte);
            }
        }
        return 0;
    }

    private static int digit(byte[] value, int index, int filler)
    {
        return index < 0 ? filler : value[index] & 0xff;
    }
}
