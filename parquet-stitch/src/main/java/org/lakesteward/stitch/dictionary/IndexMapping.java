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

/**
 * What becomes of the indices of a column chunk.
 */
public sealed interface IndexMapping
{
    /**
     * They are replaced.
     *
     * @param indices index in the output's dictionary by index in the chunk's
     * @param max the largest index in the output's dictionary
     * @param identity whether nothing changes, so that pages can be copied
     */
    record Remap(int[] indices, int max, boolean identity)
            implements IndexMapping
    {
        static Remap of(int[] indices)
        {
            int max = 0;
            boolean identity = true;
            for (int index = 0; index < indices.length; index++) {
                max = Math.max(max, indices[index]);
                identity &= indices[index] == index;
            }
            return new Remap(indices, max, identity);
        }
    }

    /**
     * The values take their place, since a common dictionary does not pay any more.
     *
     * @param dictionary of the chunk
     */
    record Gather(InputDictionary dictionary)
            implements IndexMapping {}
}
