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
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.InputWindow;
import org.lakesteward.stitch.io.LittleEndian;

import java.io.IOException;
import java.util.zip.CRC32;

import static java.lang.Math.clamp;
import static java.lang.Math.max;

/**
 * Decompresses pages and finds their parts (README.md, "Data pages"; DataPageHeaderV2 in parquet.thrift). Holds the last page,
 * whose size the scan has bounded; asking for it again costs nothing. Not safe for use by several threads.
 */
public final class PageReader
{
    private static final int MIN_CAPACITY = 64 << 10;

    private final Codec codec;
    private final CRC32 crc = new CRC32();
    private byte[] bytes = new byte[0];
    private PageInfo lastPage;
    private PageContent lastContent;

    public PageReader(Codec codec)
    {
        this.codec = codec;
    }

    /**
     * Loads the body as it lies in the file, and checks its checksum if it has one.
     *
     * @return where the body begins in the window's bytes
     */
    public int load(PageInfo page, InputWindow window, String file)
            throws IOException
    {
        int offset = window.load(page.bodyPosition(), page.compressedSize());
        if (page.crc().isPresent()) {
            crc.reset();
            crc.update(window.bytes(), offset, page.compressedSize());
            if ((int) crc.getValue() != page.crc().getAsInt()) {
                throw new CorruptParquetException(file, "the checksum of the page at byte %s is %08x instead of %08x".formatted(page.position(), (int) crc.getValue(), page.crc().getAsInt()));
            }
        }
        return offset;
    }

    /**
     * @throws CorruptParquetException when the body is not what its header says
     */
    public PageContent readData(PageInfo page, LeafColumn leaf, CompressionCodec compression, InputWindow window, String file)
            throws IOException
    {
        // a page is known by the object that its scan made
        if (page == lastPage) {
            return lastContent;
        }
        lastPage = null;
        lastContent = decode(page, leaf, compression, window, file);
        lastPage = page;
        return lastContent;
    }

    private PageContent decode(PageInfo page, LeafColumn leaf, CompressionCodec compression, InputWindow window, String file)
            throws IOException
    {
        int levels = page.repetitionSize() + page.definitionSize();
        int offset = load(page, window, file);
        ensureCapacity(page.uncompressedSize());
        if (levels > 0) {
            System.arraycopy(window.bytes(), offset, bytes, 0, levels);
        }
        decompress(page, page.compressed() ? compression : CompressionCodec.UNCOMPRESSED, window, offset + levels, page.compressedSize() - levels, levels, file);
        if (page.isVersion2()) {
            return new PageContent(bytes, 0, page.repetitionSize(), page.repetitionSize(), levels, levels, page.uncompressedSize());
        }
        int end = page.uncompressedSize();
        int repetitionStart = 0;
        int repetitionEnd = 0;
        if (leaf.maxRepetitionLevel() > 0) {
            repetitionStart = Integer.BYTES;
            repetitionEnd = endOfLevels(page, 0, end, file);
        }
        int definitionStart = repetitionEnd;
        int definitionEnd = repetitionEnd;
        if (leaf.maxDefinitionLevel() > 0) {
            definitionStart = repetitionEnd + Integer.BYTES;
            definitionEnd = endOfLevels(page, repetitionEnd, end, file);
        }
        return new PageContent(bytes, repetitionStart, repetitionEnd, definitionStart, definitionEnd, definitionEnd, end);
    }

    private int endOfLevels(PageInfo page, int start, int end, String file)
            throws CorruptParquetException
    {
        if (end - start >= Integer.BYTES) {
            int length = LittleEndian.getInt(bytes, start);
            if (length >= 0 && length <= end - start - Integer.BYTES) {
                return start + Integer.BYTES + length;
            }
        }
        throw new CorruptParquetException(file, "the levels of the page at byte %s are longer than the page".formatted(page.position()));
    }

    /**
     * @return the dictionary in PLAIN encoding: the first {@link PageInfo#uncompressedSize} bytes of a shared array that has
     *         {@link PageContent#SLACK} bytes more, valid until the next page is read
     */
    public byte[] readDictionary(PageInfo page, CompressionCodec compression, InputWindow window, String file)
            throws IOException
    {
        if (page != lastPage) {
            lastPage = null;
            int offset = load(page, window, file);
            ensureCapacity(page.uncompressedSize());
            decompress(page, compression, window, offset, page.compressedSize(), 0, file);
            lastPage = page;
        }
        return bytes;
    }

    private void decompress(PageInfo page, CompressionCodec compression, InputWindow window, int offset, int length, int outputOffset, String file)
            throws IOException
    {
        try {
            codec.decompress(compression, window.bytes(), offset, length, bytes, outputOffset, page.uncompressedSize() - outputOffset);
        }
        catch (IOException | RuntimeException e) {
            throw new CorruptParquetException(file, "the page at byte %s cannot be decompressed by %s: %s".formatted(page.position(), compression, e.getMessage()), e);
        }
    }

    private void ensureCapacity(int size)
    {
        if (bytes.length < size + PageContent.SLACK) {
            bytes = new byte[clamp(bytes.length * 2L, max(size + PageContent.SLACK, MIN_CAPACITY), Integer.MAX_VALUE - 8)];
        }
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return bytes.length;
    }
}
