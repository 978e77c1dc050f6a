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
package org.lakesteward.stitch.io;

import java.io.IOException;
import java.io.OutputStream;

import static java.util.Objects.requireNonNull;

/**
 * A file that is written from its first byte to its last. Used by one thread at a time; the caller closes what lies below it,
 * or gives it up.
 */
public interface ParquetSink
{
    void write(byte[] buffer, int offset, int length)
            throws IOException;

    /**
     * @return bytes written so far
     */
    long position();

    /**
     * @param stream at the first byte of a new file
     */
    static ParquetSink of(OutputStream stream)
    {
        requireNonNull(stream, "stream is null");
        return new ParquetSink()
        {
            private long position;

            @Override
            public void write(byte[] buffer, int offset, int length)
                    throws IOException
            {
                stream.write(buffer, offset, length);
                position += length;
            }

            @Override
            public long position()
            {
                return position;
            }
        };
    }
}
