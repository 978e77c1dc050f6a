
package org.lakesteward.procedure.copy;

import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

import java.io.ByteArrayInputStream;

/**
 * A file of parquet-mr in memory.
 */
record BytesInputFile(byte[] bytes)
        implements InputFile
{
    @Override
    public long getLength()
    {
        return bytes.length;
    }

    @Override
    public SeekableInputStream newStream()
    {
        PositionedStream stream = new PositionedStream(bytes);
        return new DelegatingSeekableInputStream(stream)
        {
            @Override
            public long getPos()
            {
                return stream.position();
            }

            @Override
            public void seek(long position)
            {
                stream.seek(position);
            }
        };
    }

    private static final class PositionedStream
            extends ByteArrayInputStream
    {
        private PositionedStream(byte[] bytes)
        {
            super(bytes);
        }

        private long position()
        {
            return pos;
        }

        private void seek(long position)
        {
            pos = Math.toIntExact(position);
        }
    }
}
