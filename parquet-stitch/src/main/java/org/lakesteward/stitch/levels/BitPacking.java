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
package org.lakesteward.stitch.levels;

import org.lakesteward.stitch.io.LittleEndian;

/**
 * Groups of eight numbers of 0 to 32 bits, lowest bit first (Encodings.md, "RLE/bit-packing hybrid"). A group takes as many
 * bytes as a number has bits. Both directions touch up to eight bytes behind a group.
 */
public final class BitPacking
{
    /** Numbers of a group. */
    public static final int GROUP = 8;

    private BitPacking() {}

    /**
     * @param output gets eight numbers from its beginning on
     */
    public static void unpack(byte[] input, int offset, int width, int[] output)
    {
        if (width <= 8) {
            // the whole group is in one long
            long bits = LittleEndian.getLong(input, offset);
            int mask = (1 << width) - 1;
            for (int index = 0; index < GROUP; index++) {
                output[index] = (int) (bits >>> index * width) & mask;
            }
            return;
        }
        long mask = (1L << width) - 1;
        for (int index = 0; index < GROUP; index++) {
            int bit = index * width;
            output[index] = (int) (LittleEndian.getLong(input, offset + (bit >>> 3)) >>> (bit & 7) & mask);
        }
    }

    /**
     * @param input eight numbers of at most {@code width} bits
     */
    public static void pack(int[] input, int width, byte[] output, int offset)
    {
        long bits = 0;
        int pending = 0;
        int position = offset;
        for (int index = 0; index < GROUP; index++) {
            bits |= (input[index] & 0xffff_ffffL) << pending;
            pending += width;
            if (pending >= Integer.SIZE) {
                LittleEndian.putInt(output, position, (int) bits);
                position += Integer.BYTES;
                bits >>>= Integer.SIZE;
                pending -= Integer.SIZE;
            }
        }
        // what lies behind the group is overwritten by what follows it
        LittleEndian.putInt(output, position, (int) bits);
    }

    /**
     * @return bits that the numbers up to this one need
     */
    public static int width(int max)
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(max);
    }
}
