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
package org.lakesteward.stitch.page;

/**
 * The body of a data page, decompressed and taken apart. At least {@link #SLACK} bytes follow the values in the array, so that
 * bits can be read eight bytes at a time.
 *
 * @param bytes shared with the reader: valid until it reads the next page
 * @param repetitionStart first byte of the repetition levels, an RLE/bit-packed hybrid without its length
 * @param repetitionEnd byte behind them; the same as the start when there are none
 * @param definitionStart first byte of the definition levels
 * @param definitionEnd byte behind them; the same as the start when there are none
 * @param valuesStart first byte of the values
 * @param valuesEnd byte behind them
 */
public record PageContent(byte[] bytes, int repetitionStart, int repetitionEnd, int definitionStart, int definitionEnd, int valuesStart, int valuesEnd)
{
    /** Bytes behind the content that may be read, whatever they are. */
    public static final int SLACK = 16;

    /**
     * @return bytes of the values
     */
    public int valuesSize()
    {
        return valuesEnd - valuesStart;
    }
}
