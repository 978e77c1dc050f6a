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

import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;

import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/**
 * What the header of a page says, and where the page lies.
 *
 * @param type dictionary page, or data page of version 1 or 2
 * @param position of the header in the file
 * @param headerSize in bytes
 * @param compressedSize of the body as it lies in the file
 * @param uncompressedSize of the body
 * @param encoding of the values
 * @param values nulls included; of a dictionary its entries
 * @param nulls version 2 only, otherwise 0
 * @param rows version 2 only, otherwise 0
 * @param repetitionSize bytes of the repetition levels, version 2 only, otherwise 0
 * @param definitionSize bytes of the definition levels, version 2 only, otherwise 0
 * @param compressed whether the codec was applied; false for some pages of version 2
 * @param crc the checksum of the body as it lies in the file
 */
public record PageInfo(
        PageType type,
        long position,
        int headerSize,
        int compressedSize,
        int uncompressedSize,
        Encoding encoding,
        int values,
        int nulls,
        int rows,
        int repetitionSize,
        int definitionSize,
        boolean compressed,
        OptionalInt crc)
{
    public PageInfo
    {
        requireNonNull(type, "type is null");
        requireNonNull(encoding, "encoding is null");
        requireNonNull(crc, "crc is null");
    }

    public boolean isVersion2()
    {
        return type == PageType.DATA_PAGE_V2;
    }

    public long bodyPosition()
    {
        return position + headerSize;
    }

    /**
     * @return bytes of header and body as they lie in the file
     */
    public int totalSize()
    {
        return headerSize + compressedSize;
    }
}
