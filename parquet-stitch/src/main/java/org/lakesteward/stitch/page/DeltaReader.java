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

import org.lakesteward.stitch.levels.BitPacking;
import org.lakesteward.stitch.levels.MalformedRunsException;

import static java.lang.Math.min;

/**
 * Reads the lengths that a DELTA_LENGTH_BYTE_ARRAY page begins with (Encodings.md, "Delta-length byte array"). Not safe for use
 * by several threads.
 */
public final class DeltaReader
{
    private static final int MAX_MINIBLOCKS = 1 << 10;
    private static final int MAX_BLOCK = 1 << 20;

    private final int[] group = new int[BitPacking.GROUP];
    private byte[] bytes;
    private int position;
    private int end;

    /**
     * @param bytes with {@link PageContent#SLACK} bytes behind the end
     * @param count lengths that there must be
     * @param output takes the lengths from its beginning on
     * @return where the bytes behind the lengths begin
     * @throws MalformedRunsException when these are not so many lengths, or one cannot be the length of a value in the page
     */
    public int readLengths(byte[] bytes, int start, int end, int count, long[] output)
            throws MalformedRunsException
    {
        this.bytes = bytes;
        this.position = start;
        this.end = end;
        long block = varint();
        long miniblocks = varint();
        long announced = varint();
        long value = zigzag(varint());
        if (miniblocks <= 0 || miniblocks > MAX_MINIBLOCKS || block <= 0 || block > MAX_BLOCK || block % miniblocks != 0 || block / miniblocks % BitPacking.GROUP != 0) {
            throw new MalformedRunsException("blocks of %s differences are in %s parts".formatted(block, miniblocks));
        }
        if (announced != count) {
            throw new MalformedRunsException("%s lengths are given for %s values".formatted(announced, count));
        }
        if (count == 0) {
            return position;
        }
        int read = 0;
        output[read++] = checkLength(value);
        while (read < count) {
            long least = zigzag(varint());
            int widths = position;
            if (end - position < miniblocks) {
                throw new MalformedRunsException("a block of differences is cut off");
            }
            position += (int) miniblocks;
            for (int miniblock = 0; miniblock < miniblocks && read < count; miniblock++) {
                read = readMiniblock(bytes[widths + miniblock], (int) (block / miniblocks), least, read, count, output);
            }
        }
        return position;
    }

    private int readMiniblock(int width, int size, long least, int first, int count, long[] output)
            throws MalformedRunsException
    {
        if (width < 0 || width > Integer.SIZE) {
            throw new MalformedRunsException("differences of lengths are said to have %s bits".formatted(width));
        }
        int values = min(size, count - first);
        // some writers leave the padding of the last part out
        long needed = ((long) values * width + 7) / 8;
        if (needed > end - position) {
            throw new MalformedRunsException("differences of lengths are cut off");
        }
        long value = output[first - 1];
        for (int index = 0; index < values; index++) {
            if (index % BitPacking.GROUP == 0) {
                unpack(position + index / BitPacking.GROUP * width, width);
            }
            value += least + (group[index % BitPacking.GROUP] & 0xffff_ffffL);
            output[first + index] = checkLength(value);
        }
        position += (int) min(end - position, (long) size / BitPacking.GROUP * width);
        return first + values;
    }

    private void unpack(int offset, int width)
    {
        if (offset + width + Long.BYTES <= bytes.length) {
            BitPacking.unpack(bytes, offset, width, group);
            return;
        }
        byte[] padded = new byte[width + Long.BYTES];
        System.arraycopy(bytes, offset, padded, 0, min(width, bytes.length - offset));
        BitPacking.unpack(padded, 0, width, group);
    }

    private long checkLength(long length)
            throws MalformedRunsException
    {
        if (length < 0 || length > end) {
            throw new MalformedRunsException("a length is %s in a page of %s bytes".formatted(length, end));
        }
        return length;
    }

    private long varint()
            throws MalformedRunsException
    {
        long result = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (position >= end) {
                throw new MalformedRunsException("a number is cut off");
            }
            byte next = bytes[position++];
            result |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return result;
            }
        }
        throw new MalformedRunsException("a number takes more than ten bytes");
    }

    private static long zigzag(long encoded)
    {
        return encoded >>> 1 ^ -(encoded & 1);
    }
}
