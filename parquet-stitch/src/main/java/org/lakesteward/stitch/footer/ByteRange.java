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
package org.lakesteward.stitch.footer;

import org.apache.parquet.format.ColumnMetaData;

/**
 * Bytes of a file.
 *
 * @param start offset of the first one
 * @param length how many there are
 */
public record ByteRange(long start, long length)
{
    /**
     * Where a column chunk lies: from its dictionary page on, if it has one, which some writers mark as absent by 0.
     */
    public static ByteRange of(ColumnMetaData column)
    {
        long start = column.getData_page_offset();
        if (column.isSetDictionary_page_offset() && column.getDictionary_page_offset() > 0) {
            start = Math.min(start, column.getDictionary_page_offset());
        }
        return new ByteRange(start, column.getTotal_compressed_size());
    }

    public long end()
    {
        return start + length;
    }

    public boolean contains(long position)
    {
        return position >= start && position < end();
    }
}
