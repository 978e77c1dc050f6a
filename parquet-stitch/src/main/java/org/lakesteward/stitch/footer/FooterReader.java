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

import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.lakesteward.stitch.footer.ThriftGuard.MalformedThriftException;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.LittleEndian;
import org.lakesteward.stitch.io.ParquetSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;

import static java.lang.Math.min;

/**
 * Reads a footer in one read, or two if it is large: {@code PAR1 … footer, length of the footer in 4 bytes, PAR1}
 * (Parquet specification, "File format").
 */
public final class FooterReader
{
    private static final int FIRST_READ = 64 << 10;

    private FooterReader() {}

    /**
     * @param maxSize largest footer that is read, in bytes
     * @throws CorruptParquetException when the file is no Parquet file, or its footer contradicts itself or the file
     * @throws UnsupportedParquetException when the footer is encrypted or larger than {@code maxSize}
     */
    public static ParquetFooter read(ParquetSource source, int maxSize)
            throws IOException
    {
        String file = source.name();
        long fileSize = source.length();
        if (fileSize < ParquetFooter.MAGIC_SIZE + ParquetFooter.TRAILER_SIZE) {
            throw new CorruptParquetException(file, "it has %s bytes only".formatted(fileSize));
        }
        byte[] tail = readTail(source, (int) min(FIRST_READ, fileSize));
        checkMagic(file, tail);
        long size = Integer.toUnsignedLong(LittleEndian.getInt(tail, tail.length - ParquetFooter.TRAILER_SIZE));
        if (size > fileSize - ParquetFooter.MAGIC_SIZE - ParquetFooter.TRAILER_SIZE) {
            throw new CorruptParquetException(file, "its footer is said to have %s of its %s bytes".formatted(size, fileSize));
        }
        if (size > maxSize) {
            throw new UnsupportedParquetException(new StitchObstacle(StitchObstacle.Reason.FOOTER_TOO_LARGE, "the footer of %s has %s bytes, the limit is %s bytes".formatted(file, size, maxSize)));
        }
        int footerSize = (int) size;
        if (footerSize + ParquetFooter.TRAILER_SIZE > tail.length) {
            tail = readTail(source, footerSize + ParquetFooter.TRAILER_SIZE);
        }
        return new ParquetFooter(file, fileSize, footerSize, parse(file, tail, tail.length - ParquetFooter.TRAILER_SIZE - footerSize, footerSize));
    }

    private static byte[] readTail(ParquetSource source, int length)
            throws IOException
    {
        byte[] bytes = new byte[length];
        source.readFully(source.length() - length, bytes, 0, length);
        return bytes;
    }

    private static void checkMagic(String file, byte[] tail)
            throws IOException
    {
        int offset = tail.length - ParquetFooter.MAGIC_SIZE;
        boolean parquet = tail[offset] == 'P' && tail[offset + 1] == 'A' && tail[offset + 2] == 'R';
        if (parquet && tail[offset + 3] == 'E') {
            throw new UnsupportedParquetException(new StitchObstacle(StitchObstacle.Reason.ENCRYPTED, "the footer of %s is encrypted".formatted(file)));
        }
        if (!parquet || tail[offset + 3] != '1') {
            throw new CorruptParquetException(file, "it does not end with PAR1");
        }
    }

    private static FileMetaData parse(String file, byte[] bytes, int start, int size)
            throws CorruptParquetException
    {
        try {
            int length = ThriftGuard.structLength(bytes, start, start + size);
            if (length == ThriftGuard.INCOMPLETE) {
                throw new CorruptParquetException(file, "its footer goes beyond its %s bytes".formatted(size));
            }
            // bytes may follow: the signature of a plain footer in an encrypted file
            return Util.readFileMetaData(new ByteArrayInputStream(bytes, start, length));
        }
        catch (CorruptParquetException e) {
            throw e;
        }
        catch (MalformedThriftException | IOException | RuntimeException e) {
            throw new CorruptParquetException(file, "its footer cannot be parsed: " + e.getMessage(), e);
        }
    }
}
