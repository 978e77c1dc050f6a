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

/**
 * Takes over the levels of pages without writing them anew: runs are copied, and counted on the way. Not safe for use by
 * several threads.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/README.md#nested-encoding">Nested encoding</a>
 */
public final class LevelRuns
{
    private final RunReader reader = new RunReader();
    private final int[] group = new int[BitPacking.GROUP];
    private int counted;
    private int first;

    /**
     * Appends the levels of a page.
     *
     * @param bytes with eight bytes behind the end
     * @param maxLevel at least 1
     * @param count values of the page
     * @param countedLevel see {@link #counted()}
     * @param output of the width that the maximum needs
     * @throws MalformedRunsException when these are not so many levels, or one is above the maximum
     */
    public void append(byte[] bytes, int start, int end, int maxLevel, int count, int countedLevel, RunWriter output)
            throws MalformedRunsException
    {
        walk(bytes, start, end, maxLevel, count, countedLevel, output);
    }

    /**
     * Looks at the levels of a page only.
     */
    public void count(byte[] bytes, int start, int end, int maxLevel, int count, int countedLevel)
            throws MalformedRunsException
    {
        walk(bytes, start, end, maxLevel, count, countedLevel, null);
    }

    private void walk(byte[] bytes, int start, int end, int maxLevel, int count, int countedLevel, RunWriter output)
            throws MalformedRunsException
    {
        int width = BitPacking.width(maxLevel);
        reader.open(bytes, start, end, width, count);
        counted = 0;
        first = -1;
        while (reader.next()) {
            if (reader.isRepeated()) {
                repeated(reader.value(), reader.length(), maxLevel, countedLevel, output);
            }
            else {
                packed(width, maxLevel, countedLevel, output);
            }
        }
    }

    private void repeated(int level, int length, int maxLevel, int countedLevel, RunWriter output)
            throws MalformedRunsException
    {
        look(level, length, maxLevel, countedLevel);
        if (output != null) {
            output.repeat(level, length);
        }
    }

    private void packed(int width, int maxLevel, int countedLevel, RunWriter output)
            throws MalformedRunsException
    {
        int fullGroups = reader.length() / BitPacking.GROUP;
        int rest = reader.length() % BitPacking.GROUP;
        byte[] bytes = reader.packedBytes();
        int position = reader.packedPosition();
        if (fullGroups > 0) {
            if (width == 1) {
                lookAtBits(bytes, position, fullGroups, countedLevel);
            }
            else {
                for (int index = 0; index < fullGroups; index++) {
                    BitPacking.unpack(bytes, position + index * width, width, group);
                    for (int level : group) {
                        look(level, 1, maxLevel, countedLevel);
                    }
                }
            }
            if (output != null) {
                output.beginPacked(fullGroups);
                output.copyGroups(bytes, position, fullGroups);
            }
        }
        if (rest > 0) {
            BitPacking.unpack(bytes, position + fullGroups * width, width, group);
            for (int index = 0; index < rest; index++) {
                repeated(group[index], 1, maxLevel, countedLevel, output);
            }
        }
    }

    private void lookAtBits(byte[] bytes, int position, int groups, int countedLevel)
    {
        if (first < 0) {
            first = bytes[position] & 1;
        }
        int ones = 0;
        for (int index = 0; index < groups; index++) {
            ones += Integer.bitCount(bytes[position + index] & 0xff);
        }
        counted += countedLevel == 1 ? ones : groups * BitPacking.GROUP - ones;
    }

    private void look(int level, int length, int maxLevel, int countedLevel)
            throws MalformedRunsException
    {
        if (level > maxLevel || level < 0) {
            throw new MalformedRunsException("a level is %s, the maximum is %s".formatted(Integer.toUnsignedString(level), maxLevel));
        }
        if (first < 0) {
            first = level;
        }
        if (level == countedLevel) {
            counted += length;
        }
    }

    /**
     * @return how often the counted level was there
     */
    public int counted()
    {
        return counted;
    }

    /**
     * @return the first level, or -1 if there was none
     */
    public int first()
    {
        return first;
    }
}
