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

import org.lakesteward.stitch.io.GrowableBytes;
import org.lakesteward.stitch.levels.BitPacking;

import java.util.Arrays;

import static java.lang.Math.min;

/**
 * Writes longs in DELTA_BINARY_PACKED encoding (Encodings.md, "Delta encoding"): blocks of 128 differences, four miniblocks
 * each. Sequences of one step take about a bit for every 16 values.
 */
public final class DeltaEncoder
{
    private static final int BLOCK = 128;
    private static final int MINIBLOCKS = 4;
    private static final int MINIBLOCK = BLOCK / MINIBLOCKS;

    private DeltaEncoder() {}

    /**
     * @param count values, of which there may be none; readers expect the header even then
     */
    public static void write(long[] values, int count, GrowableBytes output)
    {
        output.writeVarint(BLOCK);
        output.writeVarint(MINIBLOCKS);
        output.writeVarint(count);
        output.writeVarint(count == 0 ? 0 : zigzag(values[0]));
        long[] differences = new long[BLOCK];
        for (int start = 1; start < count; start += BLOCK) {
            int length = min(BLOCK, count - start);
            long least = Long.MAX_VALUE;
            for (int index = 0; index < length; index++) {
                differences[index] = values[start + index] - values[start + index - 1];
                least = min(least, differences[index]);
            }
            for (int index = 0; index < BLOCK; index++) {
                // the padding of the last miniblock is 0
                differences[index] = index < length ? differences[index] - least : 0;
            }
            writeBlock(differences, length, least, output);
        }
    }

    private static void writeBlock(long[] differences, int length, long least, GrowableBytes output)
    {
        output.writeVarint(zigzag(least));
        int[] widths = new int[MINIBLOCKS];
        for (int miniblock = 0; miniblock < MINIBLOCKS; miniblock++) {
            long bits = 0;
            for (int index = 0; index < MINIBLOCK; index++) {
                bits |= differences[miniblock * MINIBLOCK + index];
            }
            widths[miniblock] = Long.SIZE - Long.numberOfLeadingZeros(bits);
            output.write(widths[miniblock]);
        }
        for (int miniblock = 0; miniblock * MINIBLOCK < length; miniblock++) {
            pack(differences, miniblock * MINIBLOCK, widths[miniblock], output);
        }
    }

    private static void pack(long[] values, int start, int width, GrowableBytes output)
    {
        int size = width * MINIBLOCK / 8;
        output.ensureRoom(size + Long.BYTES);
        if (width <= Integer.SIZE) {
            int[] group = new int[BitPacking.GROUP];
            for (int index = 0; index < MINIBLOCK; index += BitPacking.GROUP) {
                for (int slot = 0; slot < BitPacking.GROUP; slot++) {
                    group[slot] = (int) values[start + index + slot];
                }
                BitPacking.pack(group, width, output.array(), output.size());
                output.advance(width);
            }
            return;
        }
        byte[] bytes = output.array();
        int first = output.size();
        Arrays.fill(bytes, first, first + size, (byte) 0);
        int bit = 0;
        for (int index = 0; index < MINIBLOCK; index++) {
            for (int shift = 0; shift < width; shift++, bit++) {
                bytes[first + (bit >>> 3)] |= (byte) ((values[start + index] >>> shift & 1) << (bit & 7));
            }
        }
        output.advance(size);
    }

    private static long zigzag(long value)
    {
        return value << 1 ^ value >> 63;
    }
}
