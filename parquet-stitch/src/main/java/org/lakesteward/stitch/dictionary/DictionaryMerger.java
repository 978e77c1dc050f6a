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

import java.util.Optional;

/**
 * Unites the dictionaries of the chunks that become one. A dictionary that no longer pays is closed for good, until the row
 * group ends: chunks that need values that are not in it then go on in PLAIN encoding, as the writer's own fall-back does.
 *
 * <p>It pays as long as the new values and the indices of a chunk together are smaller than all the values would be. Both sides
 * are compared before compression, which does to values much the same wherever they stand; indices of many different values
 * hardly compress. Up to {@code targetSize} nothing is compared, above {@code maxSize} the answer is no.
 */
public final class DictionaryMerger
{
    private final int fixedWidth;
    private final int targetSize;
    private final int maxSize;
    private UnitedDictionary dictionary;
    private boolean closed;

    public DictionaryMerger(int fixedWidth, int targetSize, int maxSize)
    {
        this.fixedWidth = fixedWidth;
        this.targetSize = targetSize;
        this.maxSize = maxSize;
    }

    /**
     * @param input dictionary of the next chunk
     * @param values of that chunk
     */
    public IndexMapping add(InputDictionary input, long values)
    {
        if (dictionary == null) {
            dictionary = new UnitedDictionary(fixedWidth);
        }
        if (closed) {
            int[] found = dictionary.find(input);
            return found == null ? new IndexMapping.Gather(input) : IndexMapping.Remap.of(found);
        }
        int sizeBefore = dictionary.size();
        int bytesBefore = dictionary.byteSize();
        // a row group begins with whatever its first chunk has: its writer found that it pays
        boolean first = sizeBefore == 0;
        if (!first && (long) bytesBefore + input.byteSize() > Integer.MAX_VALUE - 64) {
            closed = true;
            return new IndexMapping.Gather(input);
        }
        int[] mapping = dictionary.add(input);
        if (!first && dictionary.byteSize() > targetSize && dictionary.size() > sizeBefore && !pays(input, values, bytesBefore)) {
            dictionary.truncate(sizeBefore);
            closed = true;
            return new IndexMapping.Gather(input);
        }
        return IndexMapping.Remap.of(mapping);
    }

    private boolean pays(InputDictionary input, long values, int bytesBefore)
    {
        if (dictionary.byteSize() > maxSize) {
            return false;
        }
        double newBytes = dictionary.byteSize() - bytesBefore;
        double indexBytes = values * (double) BitPacking.width(dictionary.size() - 1) / 8;
        double plainBytes = values * (double) input.byteSize() / input.size();
        return newBytes + indexBytes < plainBytes;
    }

    /**
     * Whether values that are not in a dictionary can join this one without making it larger than its target.
     *
     * @param bytes of the values in PLAIN encoding
     */
    public boolean hasRoomFor(int bytes)
    {
        return !closed && dictionary != null && dictionary.size() > 0 && (long) dictionary.byteSize() + bytes <= targetSize;
    }

    /**
     * Adds values for which {@link #hasRoomFor} is true.
     *
     * @param values in PLAIN encoding, as they come
     * @return the index of each
     */
    public int[] addValues(InputDictionary values)
    {
        return dictionary.add(values);
    }

    /**
     * @return the dictionary so far, empty when it has no values
     */
    public Optional<UnitedDictionary> dictionary()
    {
        return Optional.ofNullable(dictionary).filter(united -> united.size() > 0);
    }

    /**
     * Begins a new row group.
     */
    public void reset()
    {
        dictionary = null;
        closed = false;
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return dictionary == null ? 0 : dictionary.retainedBytes();
    }
}
