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

import java.util.Arrays;

import static java.lang.Math.min;

/**
 * Walks the runs of an RLE/bit-packed hybrid (Encodings.md): {@code run := varint(count << 1), value in whole bytes} for a
 * repeated value, {@code varint(groups << 1 | 1), bit-packed groups of eight} for others. The last group may be padded by
 * anything; only as many values as announced are ever shown. Not safe for use by several threads.
 */
public final class RunReader
{
    /** Bytes that must be readable behind the end. */
    private static final int SLACK = 8;

    private byte[] bytes;
    private int position;
    private int end;
    private int width;
    private int left;

    private boolean repeated;
    private int length;
    private int value;
    private byte[] packedBytes;
    private int packedPosition;

    /**
     * @param bytes with at least eight bytes behind {@code end}
     * @param width bits of a value
     * @param count values to be read
     */
    public void open(byte[] bytes, int start, int end, int width, int count)
            throws MalformedRunsException
    {
        if (width < 0 || width > Integer.SIZE) {
            throw new MalformedRunsException("values are said to have %s bits".formatted(width));
        }
        this.bytes = bytes;
        this.position = start;
        this.end = end;
        this.width = width;
        this.left = count;
    }

    /**
     * Goes to the next run.
     *
     * @return false when all values have been shown
     */
    public boolean next()
            throws MalformedRunsException
    {
        if (left == 0) {
            return false;
        }
        long header = varint();
        long count = header >>> 1;
        if (count == 0) {
            // no writer makes one, and readers do not agree on what it is
            throw new MalformedRunsException("a run has no values");
        }
        repeated = (header & 1) == 0;
        if (repeated) {
            value = readValue();
            length = (int) min(count, left);
        }
        else {
            openPacked(count);
            length = (int) min(count * BitPacking.GROUP, left);
        }
        left -= length;
        return true;
    }

    private int readValue()
            throws MalformedRunsException
    {
        int size = (width + 7) >>> 3;
        if (size > end - position) {
            throw new MalformedRunsException("runs end inside of a value");
        }
        int result = 0;
        for (int index = 0; index < size; index++) {
            result |= (bytes[position + index] & 0xff) << (index * 8);
        }
        position += size;
        if (width < Integer.SIZE && result >>> width != 0) {
            throw new MalformedRunsException("a value of %s bits is %s".formatted(width, Integer.toUnsignedString(result)));
        }
        return result;
    }

    private void openPacked(long groups)
            throws MalformedRunsException
    {
        long size = groups * width;
        if (size <= end - position) {
            packedBytes = bytes;
            packedPosition = position;
            position += (int) size;
            return;
        }
        // some writers leave out the bytes of the padding
        long needed = ((long) width * min(left, groups * BitPacking.GROUP) + 7) / 8;
        if (needed > end - position) {
            throw new MalformedRunsException("runs end inside of a group");
        }
        int groupsNeeded = (left + BitPacking.GROUP - 1) / BitPacking.GROUP;
        packedBytes = new byte[groupsNeeded * width + SLACK];
        System.arraycopy(bytes, position, packedBytes, 0, end - position);
        packedPosition = 0;
        position = end;
    }

    private long varint()
            throws MalformedRunsException
    {
        long result = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            if (position >= end) {
                throw new MalformedRunsException("runs end %s values too early".formatted(left));
            }
            int next = bytes[position++];
            result |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return result;
            }
        }
        throw new MalformedRunsException("the length of a run takes more than five bytes");
    }

    /**
     * @return whether the run is one value repeated
     */
    public boolean isRepeated()
    {
        return repeated;
    }

    /**
     * @return how many values the run has
     */
    public int length()
    {
        return length;
    }

    /**
     * @return the value of a repeated run
     */
    public int value()
    {
        return value;
    }

    /**
     * @return the array that a packed run is in, with eight bytes behind the run
     */
    public byte[] packedBytes()
    {
        return packedBytes;
    }

    /**
     * @return where a packed run begins in {@link #packedBytes()}
     */
    public int packedPosition()
    {
        return packedPosition;
    }

    /**
     * Reads all that is left.
     *
     * @param output with room for the values and seven more
     * @return the number of values
     */
    public int readAll(int[] output)
            throws MalformedRunsException
    {
        int[] group = new int[BitPacking.GROUP];
        int count = 0;
        while (next()) {
            if (repeated) {
                Arrays.fill(output, count, count + length, value);
            }
            else {
                for (int index = 0; index < length; index += BitPacking.GROUP) {
                    BitPacking.unpack(packedBytes, packedPosition + (index >>> 3) * width, width, group);
                    System.arraycopy(group, 0, output, count + index, BitPacking.GROUP);
                }
            }
            count += length;
        }
        return count;
    }
}
