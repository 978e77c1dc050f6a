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

import org.apache.parquet.format.CompressionCodec;
import org.lakesteward.stitch.io.InputWindow;
import org.lakesteward.stitch.page.PageReader;
import org.lakesteward.stitch.page.PageWriter;

import static java.util.Objects.requireNonNull;

/**
 * What the columns of an output share.
 *
 * @param codec of the output's pages
 * @param window on the current input
 * @param reader of input pages
 * @param writer of output pages
 * @param counters of what became of input pages
 * @param targetPageSize uncompressed size at which a page made of several is ended, in bytes
 * @param targetPageValues values at which such a page is ended
 * @param smallPageValues pages of fewer values are merged
 * @param targetDictionarySize see {@link org.lakesteward.stitch.dictionary.DictionaryMerger}
 * @param maxDictionarySize see {@link org.lakesteward.stitch.dictionary.DictionaryMerger}
 * @param maxPageSize largest page that may be made, in bytes
 */
public record StitchContext(
        CompressionCodec codec,
        InputWindow window,
        PageReader reader,
        PageWriter writer,
        PageCounters counters,
        int targetPageSize,
        int targetPageValues,
        int smallPageValues,
        int targetDictionarySize,
        int maxDictionarySize,
        int maxPageSize)
{
    public StitchContext
    {
        requireNonNull(codec, "codec is null");
        requireNonNull(window, "window is null");
        requireNonNull(reader, "reader is null");
        requireNonNull(writer, "writer is null");
        requireNonNull(counters, "counters is null");
    }
}
