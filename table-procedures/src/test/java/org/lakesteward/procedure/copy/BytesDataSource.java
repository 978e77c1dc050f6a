
package org.lakesteward.procedure.copy;

import io.trino.parquet.AbstractParquetDataSource;
import io.trino.parquet.ParquetDataSourceId;
import io.trino.parquet.ParquetReaderOptions;

import java.io.EOFException;
import java.io.IOException;

/**
 * A file of Trino's Parquet reader in memory.
 */
final class BytesDataSource
        extends AbstractParquetDataSource
{
    private final byte[] bytes;

    BytesDataSource(byte[] bytes, ParquetReaderOptions options)
    {
        super(new ParquetDataSourceId("memory"), bytes.length, options);
        this.bytes = bytes;
    }

    @Override
    protected void readInternal(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (position < 0 || position + length > bytes.length) {
            throw new EOFException("position %s, length %s, size %s".formatted(position, length, bytes.length));
        }
        System.arraycopy(bytes, (int) position, buffer, offset, length);
    }

    @Override
    public void close() {}
}
