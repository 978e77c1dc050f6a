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

import org.lakesteward.stitch.io.GrowableBytes;

import static java.lang.Math.min;

/**
 * Appends runs to an RLE/bit-packed hybrid of any number of values. Because runs may always follow, a group of eight is packed
 * only when it is full; values left over become short repeated runs. Not safe for use by several threads.
 */
public final class RunWriter
{
    /** Repeated runs shorter than a group are larger than the group. */
    private static final int MIN_REPEATED = BitPacking.GROUP;

    private final GrowableBytes output = new GrowableBytes(0);
    private final int[] group = new int[BitPacking.GROUP];
    private int width;
    private int repeatedValue;
    private long repeatedCount;

    /**
     * Begins anew.
     *
     * @param width bits of a value
     * @param keptCapacity bytes of memory that are kept from before, at most
     */
    public void reset(int width, int keptCapacity)
    {
        this.width = width;
        output.clear(keptCapacity);
        repeatedCount = 0;
    }

    public int width()
    {
        return width;
    }

    /**
     * Appends a value so many times. Equal runs are joined.
     */
    public void repeat(int value, int count)
    {
        if (value != repeatedValue || repeatedCount + count > Integer.MAX_VALUE) {
            flushRepeated();
            repeatedValue = value;
        }
        repeatedCount += count;
    }

    private void flushRepeated()
    {
        if (repeatedCount == 0) {
            return;
        }
        output.writeVarint(repeatedCount << 1);
        for (int shift = 0; shift < width; shift += 8) {
            output.write(repeatedValue >>> shift);
        }
        repeatedCount = 0;
    }

    /**
     * Begins a packed run, whose groups must follow by {@link #packGroup} or {@link #copyGroups}.
     *
     * @param groups at least 1
     */
    public void beginPacked(int groups)
    {
        flushRepeated();
        output.writeVarint((long) groups << 1 | 1);
        output.ensureRoom(Math.addExact(Math.multiplyExact(groups, width), Long.BYTES));
    }

    /**
     * @param values eight of them
     */
    public void packGroup(int[] values)
    {
        BitPacking.pack(values, width, output.array(), output.size());
        output.advance(width);
    }

    public void copyGroups(byte[] packed, int position, int groups)
    {
        output.write(packed, position, groups * width);
    }

    /**
     * Appends values, repeated or packed as is shorter.
     */
    public void write(int[] values, int start, int end)
    {
        int position = start;
        while (position < end) {
            int repeatedEnd = endOfRepeated(values, position, end);
            if (repeatedEnd - position >= MIN_REPEATED || end - position < BitPacking.GROUP) {
                repeat(values[position], repeatedEnd - position);
                position = repeatedEnd;
                continue;
            }
            int packedEnd = position + BitPacking.GROUP;
            while (packedEnd + BitPacking.GROUP <= end && endOfRepeated(values, packedEnd, min(end, packedEnd + MIN_REPEATED)) < packedEnd + MIN_REPEATED) {
                packedEnd += BitPacking.GROUP;
            }
            beginPacked((packedEnd - position) / BitPacking.GROUP);
            for (; position < packedEnd; position += BitPacking.GROUP) {
                System.arraycopy(values, position, group, 0, BitPacking.GROUP);
                packGroup(group);
            }
        }
    }

    private static int endOfRepeated(int[] values, int start, int end)
    {
        int position = start + 1;
        while (position < end && values[position] == values[start]) {
            position++;
        }
        return position;
    }

    /**
     * @return the bytes so far, complete; more may be appended afterwards
     */
    public GrowableBytes finish()
    {
        flushRepeated();
        return output;
    }

    /**
     * @return bytes so far, without a run that is still being joined
     */
    public int size()
    {
        return output.size();
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return output.array().length;
    }
}
