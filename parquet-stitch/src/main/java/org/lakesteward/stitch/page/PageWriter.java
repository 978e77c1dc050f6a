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

import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.lakesteward.stitch.io.GrowableBytes;

import java.io.IOException;
import java.util.zip.CRC32;

/**
 * Makes pages: compresses a body and puts a header in front of it. Holds the last page. Not safe for use by several threads.
 */
public final class PageWriter
{
    private static final int KEPT_CAPACITY = 4 << 20;

    private final Codec codec;
    private final CompressionCodec compression;
    private final CRC32 crc = new CRC32();
    private final GrowableBytes header = new GrowableBytes(256);
    private final GrowableBytes body = new GrowableBytes(64 << 10);

    /**
     * @param compression of all pages
     */
    public PageWriter(Codec codec, CompressionCodec compression)
    {
        this.codec = codec;
        this.compression = compression;
    }

    /**
     * A page of version 1: levels, each with its length, and values are compressed together.
     *
     * @param bytes of which the first {@code length} are the body
     */
    public void makeVersion1(byte[] bytes, int length, Encoding encoding, int values, boolean incompressible, boolean checksum)
            throws IOException
    {
        begin();
        codec.compress(compression, bytes, 0, length, incompressible, body);
        PageHeader page = new PageHeader(PageType.DATA_PAGE, length, body.size());
        page.setData_page_header(new DataPageHeader(values, encoding, Encoding.RLE, Encoding.RLE));
        finish(page, checksum);
    }

    /**
     * A page of version 2: levels lie in front, uncompressed and without their lengths, which the header has.
     *
     * @param bytes of which the first {@code length} are the body, repetition levels first, definition levels next
     */
    public void makeVersion2(byte[] bytes, int repetitionLength, int definitionLength, int length, Encoding encoding, int values, int nulls, int rows, boolean incompressible, boolean checksum)
            throws IOException
    {
        begin();
        int levels = repetitionLength + definitionLength;
        body.write(bytes, 0, levels);
        boolean compressed = compression != CompressionCodec.UNCOMPRESSED && !incompressible && length > levels;
        codec.compress(compressed ? compression : CompressionCodec.UNCOMPRESSED, bytes, levels, length - levels, false, body);
        PageHeader page = new PageHeader(PageType.DATA_PAGE_V2, length, body.size());
        page.setData_page_header_v2(new DataPageHeaderV2(values, nulls, rows, encoding, definitionLength, repetitionLength).setIs_compressed(compressed));
        finish(page, checksum);
    }

    public void makeDictionary(byte[] bytes, int length, int entries, Encoding encoding, boolean checksum)
            throws IOException
    {
        begin();
        codec.compress(compression, bytes, 0, length, false, body);
        PageHeader page = new PageHeader(PageType.DICTIONARY_PAGE, length, body.size());
        page.setDictionary_page_header(new DictionaryPageHeader(entries, encoding));
        finish(page, checksum);
    }

    private void begin()
    {
        header.clear(KEPT_CAPACITY);
        body.clear(KEPT_CAPACITY);
    }

    private void finish(PageHeader page, boolean checksum)
            throws IOException
    {
        if (checksum) {
            crc.reset();
            crc.update(body.array(), 0, body.size());
            page.setCrc((int) crc.getValue());
        }
        Util.writePageHeader(page, header);
    }

    /**
     * @return the header of the page made last
     */
    public GrowableBytes header()
    {
        return header;
    }

    /**
     * @return the body of the page made last, compressed
     */
    public GrowableBytes body()
    {
        return body;
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return header.array().length + body.array().length;
    }
}
