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
package org.lakesteward.stitch.bloom;

import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Util;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.footer.ThriftGuard;
import org.lakesteward.stitch.footer.ThriftGuard.MalformedThriftException;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.InputWindow;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

import static java.lang.Math.min;

/**
 * Reads the Bloom filters of column chunks (BloomFilter.md).
 */
public final class BloomFilterReader
{
    private static final int MAX_HEADER_SIZE = 256;
    /** Larger filters are dropped. Trino's writer makes 1 MB at most by default, parquet-mr too. */
    static final int MAX_BITSET_SIZE = 4 << 20;
    static final int BLOCK_SIZE = 32;

    private BloomFilterReader() {}

    /**
     * @param window on the footer's file
     * @return the bits; empty when there is no filter, or one of another kind or size than is understood
     * @throws CorruptParquetException when there is no filter where the footer says
     */
    public static Optional<byte[]> read(ColumnMetaData column, ParquetFooter footer, InputWindow window)
            throws IOException
    {
        if (!column.isSetBloom_filter_offset() || column.getBloom_filter_offset() <= 0) {
            return Optional.empty();
        }
        long position = column.getBloom_filter_offset();
        if (position >= footer.fileSize()) {
            throw corrupt(column, footer, "lies behind the end of the file", null);
        }
        int read = (int) min(MAX_HEADER_SIZE, footer.fileSize() - position);
        int offset = window.load(position, read);
        BloomFilterHeader header;
        int headerSize;
        try {
            headerSize = ThriftGuard.structLength(window.bytes(), offset, offset + read);
            if (headerSize == ThriftGuard.INCOMPLETE) {
                throw corrupt(column, footer, "has a header of more than %s bytes".formatted(read), null);
            }
            header = Util.readBloomFilterHeader(new ByteArrayInputStream(window.bytes(), offset, headerSize));
        }
        catch (CorruptParquetException e) {
            throw e;
        }
        catch (MalformedThriftException | IOException | RuntimeException e) {
            throw corrupt(column, footer, "cannot be parsed: " + e.getMessage(), e);
        }
        int size = header.getNumBytes();
        if (!header.getAlgorithm().isSetBLOCK() || !header.getHash().isSetXXHASH() || !header.getCompression().isSetUNCOMPRESSED() || size > MAX_BITSET_SIZE) {
            return Optional.empty();
        }
        if (size <= 0 || size % BLOCK_SIZE != 0 || size > footer.fileSize() - position - headerSize) {
            throw corrupt(column, footer, "is said to have %s bytes".formatted(size), null);
        }
        int bits = window.load(position + headerSize, size);
        return Optional.of(Arrays.copyOfRange(window.bytes(), bits, bits + size));
    }

    private static CorruptParquetException corrupt(ColumnMetaData column, ParquetFooter footer, String problem, Throwable cause)
    {
        return new CorruptParquetException(footer.file(), "the Bloom filter of column %s %s".formatted(String.join(".", column.getPath_in_schema()), problem), cause);
    }
}
