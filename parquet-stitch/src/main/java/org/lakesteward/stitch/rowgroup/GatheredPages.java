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
package org.lakesteward.stitch.rowgroup;

import org.lakesteward.stitch.dictionary.IndexRuns;
import org.lakesteward.stitch.dictionary.InputDictionary;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.io.GrowableBytes;
import org.lakesteward.stitch.levels.BitPacking;
import org.lakesteward.stitch.levels.MalformedRunsException;
import org.lakesteward.stitch.levels.RunReader;
import org.lakesteward.stitch.page.PageContent;

/**
 * Turns a page of indices into slices of whole rows with their values. The only place where levels and indices become arrays:
 * 12 bytes for each value of the page. Not safe for use by several threads.
 */
final class GatheredPages
{
    private static final int ROOM = BitPacking.GROUP;
    private static final int[] NONE = new int[0];

    private final LeafColumn leaf;
    private final IndexRuns indexRuns;
    private final RunReader reader = new RunReader();
    private int[] repetition = NONE;
    private int[] definition = NONE;
    private int[] indices = NONE;
    private InputDictionary dictionary;
    private int count;

    private int sliceStart;
    private int sliceEnd;
    private int sliceRows;
    private int sliceFirstIndex;
    private int sliceNonNulls;
    private long sliceSize;

    GatheredPages(LeafColumn leaf, IndexRuns indexRuns)
    {
        this.leaf = leaf;
        this.indexRuns = indexRuns;
    }

    void open(PageContent content, int values, InputDictionary dictionary)
            throws MalformedRunsException
    {
        this.dictionary = dictionary;
        count = values;
        int nonNulls = values;
        if (leaf.maxRepetitionLevel() > 0) {
            repetition = ensureCapacity(repetition, values);
            readLevels(content.bytes(), content.repetitionStart(), content.repetitionEnd(), leaf.maxRepetitionLevel(), repetition);
        }
        if (leaf.maxDefinitionLevel() > 0) {
            definition = ensureCapacity(definition, values);
            readLevels(content.bytes(), content.definitionStart(), content.definitionEnd(), leaf.maxDefinitionLevel(), definition);
            nonNulls = 0;
            for (int index = 0; index < values; index++) {
                nonNulls += definition[index] == leaf.maxDefinitionLevel() ? 1 : 0;
            }
        }
        indices = ensureCapacity(indices, nonNulls);
        indexRuns.readAll(content.bytes(), content.valuesStart(), content.valuesEnd(), nonNulls, dictionary.size(), indices);
        sliceEnd = 0;
        sliceFirstIndex = 0;
        sliceNonNulls = 0;
    }

    private void readLevels(byte[] bytes, int start, int end, int maxLevel, int[] output)
            throws MalformedRunsException
    {
        reader.open(bytes, start, end, BitPacking.width(maxLevel), count);
        reader.readAll(output);
        for (int index = 0; index < count; index++) {
            if (output[index] > maxLevel || output[index] < 0) {
                throw new MalformedRunsException("a level is %s, the maximum is %s".formatted(Integer.toUnsignedString(output[index]), maxLevel));
            }
        }
    }

    private static int[] ensureCapacity(int[] array, int size)
    {
        return array.length < size + ROOM ? new int[size + ROOM] : array;
    }

    /**
     * Goes to the next slice: as many whole rows as fit, one at least.
     *
     * @return false when there are no more
     */
    boolean nextSlice(int maxSize, int maxValues)
    {
        if (sliceEnd == count) {
            return false;
        }
        sliceStart = sliceEnd;
        sliceFirstIndex += sliceNonNulls;
        sliceRows = 0;
        sliceNonNulls = 0;
        sliceSize = 0;
        int position = sliceStart;
        while (position < count) {
            int rowEnd = position;
            int rowNonNulls = 0;
            long rowSize = 0;
            do {
                if (leaf.maxDefinitionLevel() == 0 || definition[rowEnd] == leaf.maxDefinitionLevel()) {
                    rowSize += dictionary.plainSize(indices[sliceFirstIndex + sliceNonNulls + rowNonNulls]);
                    rowNonNulls++;
                }
                rowEnd++;
            }
            while (rowEnd < count && !leaf.isFlat() && repetition[rowEnd] != 0);
            if (position > sliceStart && (sliceSize + rowSize > maxSize || rowEnd - sliceStart > maxValues)) {
                break;
            }
            if (leaf.isFlat() || repetition[position] == 0) {
                sliceRows++;
            }
            sliceNonNulls += rowNonNulls;
            sliceSize += rowSize;
            position = rowEnd;
        }
        sliceEnd = position;
        return true;
    }

    void appendSlice(PendingPage page)
    {
        page.appendLevels(repetition, definition, sliceStart, sliceEnd, sliceRows, sliceNonNulls);
        GrowableBytes output = page.plain();
        for (int index = sliceFirstIndex; index < sliceFirstIndex + sliceNonNulls; index++) {
            output.write(dictionary.bytes(), dictionary.start(indices[index]), dictionary.plainSize(indices[index]));
        }
    }

    int sliceValues()
    {
        return sliceEnd - sliceStart;
    }

    int sliceNonNulls()
    {
        return sliceNonNulls;
    }

    /** Bytes of the values, which may be too many for an array. */
    int sliceSize()
    {
        return (int) Math.min(sliceSize, Integer.MAX_VALUE);
    }

    long retainedBytes()
    {
        return (long) (repetition.length + definition.length + indices.length) * Integer.BYTES;
    }
}
