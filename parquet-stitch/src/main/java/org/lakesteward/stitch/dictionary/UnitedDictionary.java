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
package org.lakesteward.stitch.dictionary;

import org.lakesteward.stitch.io.GrowableBytes;
import org.lakesteward.stitch.io.LittleEndian;

import java.util.Arrays;

import static org.lakesteward.stitch.footer.LeafColumn.VARIABLE_WIDTH;

/**
 * The dictionary of an output column chunk: distinct values in the order in which they came, PLAIN-encoded, found by an
 * open-addressing table. Values are compared by their bytes, so that 0.0 and -0.0, or two NaNs, stay apart. Not safe for use by
 * several threads.
 */
public final class UnitedDictionary
{
    private static final int ABSENT = -1;
    private static final int FIRST_CAPACITY = 256;

    private final int fixedWidth;
    private final int prefix;
    private final GrowableBytes bytes = new GrowableBytes(1024);
    private int[] starts = new int[FIRST_CAPACITY];
    private int size;
    /** In the upper half of a slot the upper half of the hash, in the lower one the index and 1; 0 is free. */
    private long[] table = new long[FIRST_CAPACITY * 2];

    /**
     * @param fixedWidth bytes of each value, or {@link org.lakesteward.stitch.footer.LeafColumn#VARIABLE_WIDTH}
     */
    public UnitedDictionary(int fixedWidth)
    {
        this.fixedWidth = fixedWidth;
        this.prefix = fixedWidth == VARIABLE_WIDTH ? Integer.BYTES : 0;
    }

    /**
     * Adds the values of a chunk's dictionary that are new.
     *
     * @return index here by index there
     */
    public int[] add(InputDictionary input)
    {
        int[] mapping = new int[input.size()];
        for (int entry = 0; entry < mapping.length; entry++) {
            mapping[entry] = findOrAdd(input.bytes(), input.valueStart(entry), input.valueLength(entry), true);
        }
        return mapping;
    }

    /**
     * Looks the values of a chunk's dictionary up.
     *
     * @return index here by index there, or null when one of them is not here
     */
    public int[] find(InputDictionary input)
    {
        int[] mapping = new int[input.size()];
        for (int entry = 0; entry < mapping.length; entry++) {
            mapping[entry] = findOrAdd(input.bytes(), input.valueStart(entry), input.valueLength(entry), false);
            if (mapping[entry] == ABSENT) {
                return null;
            }
        }
        return mapping;
    }

    private int findOrAdd(byte[] values, int start, int length, boolean add)
    {
        long hash = hash(values, start, length);
        int mask = table.length - 1;
        int slot = (int) hash & mask;
        long tag = hash & 0xffff_ffff_0000_0000L;
        while (table[slot] != 0) {
            if ((table[slot] & 0xffff_ffff_0000_0000L) == tag) {
                int index = (int) table[slot] - 1;
                if (isEqual(index, values, start, length)) {
                    return index;
                }
            }
            slot = slot + 1 & mask;
        }
        if (!add) {
            return ABSENT;
        }
        append(values, start, length);
        table[slot] = tag | size;
        if (size * 2 > table.length) {
            rebuild(table.length * 2);
        }
        return size - 1;
    }

    private void append(byte[] values, int start, int length)
    {
        if (size + 1 == starts.length) {
            starts = Arrays.copyOf(starts, starts.length * 2);
        }
        if (prefix > 0) {
            bytes.writeInt(length);
        }
        bytes.write(values, start, length);
        size++;
        starts[size] = bytes.size();
    }

    private boolean isEqual(int index, byte[] values, int start, int length)
    {
        int from = starts[index] + prefix;
        int to = starts[index + 1];
        if (to - from != length) {
            return false;
        }
        if (fixedWidth == Long.BYTES) {
            return LittleEndian.getLong(bytes.array(), from) == LittleEndian.getLong(values, start);
        }
        if (fixedWidth == Integer.BYTES) {
            return LittleEndian.getInt(bytes.array(), from) == LittleEndian.getInt(values, start);
        }
        return Arrays.equals(bytes.array(), from, to, values, start, start + length);
    }

    private void rebuild(int capacity)
    {
        table = new long[capacity];
        int mask = capacity - 1;
        for (int index = 0; index < size; index++) {
            int from = starts[index] + prefix;
            long hash = hash(bytes.array(), from, starts[index + 1] - from);
            int slot = (int) hash & mask;
            while (table[slot] != 0) {
                slot = slot + 1 & mask;
            }
            table[slot] = hash & 0xffff_ffff_0000_0000L | (index + 1);
        }
    }

    private static long hash(byte[] values, int start, int length)
    {
        long hash = length * 0x9E3779B97F4A7C15L;
        int position = start;
        int end = start + length;
        for (; position + Long.BYTES <= end; position += Long.BYTES) {
            hash = mix(hash ^ LittleEndian.getLong(values, position));
        }
        long rest = 0;
        for (; position < end; position++) {
            rest = rest << 8 | values[position] & 0xff;
        }
        return mix(hash ^ rest);
    }

    private static long mix(long value)
    {
        long mixed = value * 0xBF58476D1CE4E5B9L;
        mixed ^= mixed >>> 32;
        mixed *= 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 29;
    }

    /**
     * Forgets all values but the first ones.
     */
    public void truncate(int newSize)
    {
        if (newSize == size) {
            return;
        }
        size = newSize;
        bytes.truncate(starts[newSize]);
        rebuild(table.length);
    }

    /**
     * @return how many values there are
     */
    public int size()
    {
        return size;
    }

    /**
     * @return the values in PLAIN encoding: the first {@link #byteSize()} bytes of the array
     */
    public byte[] bytes()
    {
        return bytes.array();
    }

    public int byteSize()
    {
        return bytes.size();
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return bytes.array().length + (long) starts.length * Integer.BYTES + (long) table.length * Long.BYTES;
    }
}
