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

import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.LittleEndian;

import java.util.Arrays;

import static org.lakesteward.stitch.footer.LeafColumn.VARIABLE_WIDTH;

/**
 * The dictionary of one column chunk: PLAIN-encoded values and where each one begins.
 */
public final class InputDictionary
{
    private final byte[] bytes;
    private final int[] starts;
    private final int prefix;

    private InputDictionary(byte[] bytes, int[] starts, int prefix)
    {
        this.bytes = bytes;
        this.starts = starts;
        this.prefix = prefix;
    }

    /**
     * @param bytes of which the first {@code length} are the dictionary; copied
     * @param entries that it is said to have
     * @param fixedWidth bytes of each value, or {@link org.lakesteward.stitch.footer.LeafColumn#VARIABLE_WIDTH}
     */
    public static InputDictionary parse(byte[] bytes, int length, int entries, int fixedWidth, String file)
            throws CorruptParquetException
    {
        // an entry takes a byte at least, so that a false number costs no memory
        if (entries > length / Math.max(1, fixedWidth == VARIABLE_WIDTH ? Integer.BYTES : fixedWidth)) {
            throw new CorruptParquetException(file, "a dictionary of %s bytes is said to have %s entries".formatted(length, entries));
        }
        int[] starts = new int[entries + 1];
        int position = 0;
        for (int entry = 0; entry < entries; entry++) {
            starts[entry] = position;
            int size = fixedWidth;
            if (fixedWidth == VARIABLE_WIDTH) {
                int valueLength = length - position < Integer.BYTES ? -1 : LittleEndian.getInt(bytes, position);
                if (valueLength < 0 || valueLength > length - position - Integer.BYTES) {
                    throw new CorruptParquetException(file, "entry %s of %s goes beyond the %s bytes of its dictionary".formatted(entry, entries, length));
                }
                size = Integer.BYTES + valueLength;
            }
            position += size;
        }
        starts[entries] = position;
        return new InputDictionary(Arrays.copyOf(bytes, position), starts, fixedWidth == VARIABLE_WIDTH ? Integer.BYTES : 0);
    }

    public int size()
    {
        return starts.length - 1;
    }

    /**
     * @return the values in PLAIN encoding, not to be modified
     */
    public byte[] bytes()
    {
        return bytes;
    }

    /**
     * @return bytes of all values in PLAIN encoding
     */
    public int byteSize()
    {
        return bytes.length;
    }

    /**
     * @return where an entry begins in PLAIN encoding, with its length in front if it has one
     */
    public int start(int entry)
    {
        return starts[entry];
    }

    /**
     * @return where the bytes of an entry begin, without its length
     */
    public int valueStart(int entry)
    {
        return starts[entry] + prefix;
    }

    /**
     * @return bytes of an entry, without its length
     */
    public int valueLength(int entry)
    {
        return starts[entry + 1] - starts[entry] - prefix;
    }

    /**
     * @return bytes that an entry takes in PLAIN encoding
     */
    public int plainSize(int entry)
    {
        return starts[entry + 1] - starts[entry];
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return bytes.length + (long) starts.length * Integer.BYTES;
    }
}
