
package org.lakesteward.procedure.copy;

import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

import java.io.ByteArrayOutputStream;

/**
 * A file that parquet-mr writes into memory.
 */
final class BytesOutputFile
        implements OutputFile
{
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    byte[] bytes()
    {
        return bytes.toByteArray();
    }

    @Override
    public PositionOutputStream create(long blockSizeHint)
    {
        return new PositionOutputStream()
        {
            @Override
            public long getPos()
            {
                return bytes.size();
            }

            @Override
            public void write(int value)
            {
                bytes.write(value);
            }

            @Override
            public void write(byte[] buffer, int offset, int length)
            {
                bytes.write(buffer, offset, length);
            }
        };
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint)
    {
        return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize()
    {
        return false;
    }

    @Override
    public long defaultBlockSize()
    {
        return 0;
    }
}
