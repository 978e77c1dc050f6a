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
package org.lakesteward.stitch.verify;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import static java.lang.Math.min;

/**
 * Decodes an RLE/bit-packed hybrid number by number. On purpose it shares nothing with the code that stitches.
 */
final class HybridDecoder
{
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BATCH = 512;

    private HybridDecoder() {}

    interface Consumer
    {
        /** A number that is repeated. */
        void repeated(int value, int times)
                throws MalformedValuesException;

        /** The first {@code count} of these numbers. */
        void packed(int[] values, int count)
                throws MalformedValuesException;
    }

    static void decode(byte[] bytes, int start, int end, int width, int count, Consumer consumer)
            throws MalformedValuesException
    {
        if (width < 0 || width > 32) {
            throw new MalformedValuesException("numbers are said to have %s bits".formatted(width));
        }
        int position = start;
        int left = count;
        while (left > 0) {
            long header = 0;
            int shift = 0;
            while (true) {
                if (position == end || shift > 28) {
                    throw new MalformedValuesException("%s numbers are missing".formatted(left));
                }
                byte next = bytes[position++];
                header |= (next & 0x7fL) << shift;
                if (next >= 0) {
                    break;
                }
                shift += 7;
            }
            if (header >>> 1 == 0) {
                throw new MalformedValuesException("a run is empty");
            }
            if ((header & 1) == 1) {
                int values = (int) min(left, (header >>> 1) * 8);
                long size = min((header >>> 1) * width, end - position);
                if ((long) values * width > size * 8) {
                    throw new MalformedValuesException("a packed run of %s numbers has %s bytes".formatted(values, size));
                }
                unpack(bytes, position, width, values, consumer);
                position += (int) size;
                left -= values;
            }
            else {
                int valueSize = (width + 7) / 8;
                if (end - position < valueSize) {
                    throw new MalformedValuesException("a repeated number is cut off");
                }
                long value = 0;
                for (int index = valueSize - 1; index >= 0; index--) {
                    value = value << 8 | bytes[position + index] & 0xff;
                }
                position += valueSize;
                int times = (int) min(left, header >>> 1);
                consumer.repeated((int) value, times);
                left -= times;
            }
        }
    }

    private static void unpack(byte[] bytes, int start, int width, int count, Consumer consumer)
            throws MalformedValuesException
    {
        int[] values = new int[Math.min(count, BATCH)];
        int filled = 0;
        long mask = (1L << width) - 1;
        long bit = 0;
        for (int index = 0; index < count; index++) {
            values[filled++] = (int) (bits(bytes, start + (int) (bit >>> 3)) >>> (bit & 7) & mask);
            bit += width;
            if (filled == values.length) {
                consumer.packed(values, filled);
                filled = 0;
            }
        }
        if (filled > 0) {
            consumer.packed(values, filled);
        }
    }

    /** 57 bits and more from here on, of which those behind the array are 0. */
    private static long bits(byte[] bytes, int position)
    {
        if (position + Long.BYTES <= bytes.length) {
            return (long) LONGS.get(bytes, position);
        }
        long bits = 0;
        for (int index = bytes.length - 1; index >= position; index--) {
            bits = bits << 8 | bytes[index] & 0xff;
        }
        return bits;
    }
}
