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
package org.lakesteward.stitch;

import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

import java.io.ByteArrayInputStream;

/**
 * A file in memory, for parquet-mr's reader.
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
