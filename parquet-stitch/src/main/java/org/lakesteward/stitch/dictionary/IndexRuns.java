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

import org.lakesteward.stitch.levels.BitPacking;
import org.lakesteward.stitch.levels.MalformedRunsException;
import org.lakesteward.stitch.levels.RunReader;
import org.lakesteward.stitch.levels.RunWriter;

/**
 * Takes over dictionary indices run by run, each replaced by the index of the same value in the united dictionary. Not safe for
 * use by several threads.
 */
public final class IndexRuns
{
    private final RunReader reader = new RunReader();
    private final int[] group = new int[BitPacking.GROUP];

    /**
     * Appends the indices of a page.
     *
     * @param bytes with eight bytes behind the end; the first one is the width (Encodings.md, "Dictionary encoding")
     * @param count indices of the page, which are its values without nulls
     * @param mapping index in the united dictionary by index in the file's
     * @param output wide enough for every mapped index
     * @throws MalformedRunsException when these are not so many indices, or one is not in the dictionary
     */
    public void append(byte[] bytes, int start, int end, int count, int[] mapping, RunWriter output)
            throws MalformedRunsException
    {
        if (!open(reader, bytes, start, end, count)) {
            return;
        }
        int width = bytes[start];
        while (reader.next()) {
            if (reader.isRepeated()) {
                output.repeat(map(reader.value(), mapping), reader.length());
                continue;
            }
            int fullGroups = reader.length() / BitPacking.GROUP;
            int rest = reader.length() % BitPacking.GROUP;
            byte[] packed = reader.packedBytes();
            int position = reader.packedPosition();
            if (fullGroups > 0) {
                output.beginPacked(fullGroups);
                for (int index = 0; index < fullGroups; index++) {
                    BitPacking.unpack(packed, position, width, group);
                    for (int slot = 0; slot < BitPacking.GROUP; slot++) {
                        group[slot] = map(group[slot], mapping);
                    }
                    output.packGroup(group);
                    position += width;
                }
            }
            if (rest > 0) {
                // the padding of the last group may be anything
                BitPacking.unpack(packed, position, width, group);
                for (int slot = 0; slot < rest; slot++) {
                    output.repeat(map(group[slot], mapping), 1);
                }
            }
        }
    }

    private static int map(int index, int[] mapping)
            throws MalformedRunsException
    {
        if (index < 0 || index >= mapping.length) {
            throw new MalformedRunsException("an index is %s, the dictionary has %s entries".formatted(Integer.toUnsignedString(index), mapping.length));
        }
        return mapping[index];
    }

    /**
     * @param output with room for the indices and seven more
     */
    public void readAll(byte[] bytes, int start, int end, int count, int dictionarySize, int[] output)
            throws MalformedRunsException
    {
        if (!open(reader, bytes, start, end, count)) {
            return;
        }
        reader.readAll(output);
        for (int index = 0; index < count; index++) {
            if (output[index] < 0 || output[index] >= dictionarySize) {
                throw new MalformedRunsException("an index is %s, the dictionary has %s entries".formatted(Integer.toUnsignedString(output[index]), dictionarySize));
            }
        }
    }

    /** A page of nulls may lack even the width. */
    private static boolean open(RunReader reader, byte[] bytes, int start, int end, int count)
            throws MalformedRunsException
    {
        if (count == 0) {
            return false;
        }
        if (start >= end) {
            throw new MalformedRunsException("%s indices are missing".formatted(count));
        }
        reader.open(bytes, start + 1, end, bytes[start], count);
        return true;
    }
}
