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

import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * The part of one file that is in memory. Files are read in steps of the window's size, so that a small file costs one read
 * however many pages it has. Not safe for use by several threads.
 */
public final class InputWindow
{
    private final int size;
    private byte[] bytes = new byte[0];
    private ParquetSource source;
    private long start;
    private int length;

    /**
     * @param size bytes that are read at once, at least; more are held only while something larger was asked for
     */
    public InputWindow(int size)
    {
        this.size = size;
    }

    /**
     * Goes on with another file.
     */
    public void open(ParquetSource source)
    {
        this.source = requireNonNull(source, "source is null");
        start = 0;
        length = 0;
    }

    public void close()
    {
        source = null;
        bytes = new byte[0];
        length = 0;
    }

    /**
     * Makes a range of the file available.
     *
     * @return where the range begins in {@link #bytes()}, until the next call
     * @throws CorruptParquetException when the range is not inside of the file
     */
    public int load(long position, int count)
            throws IOException
    {
        if (position < 0 || count < 0 || position > source.length() - count) {
            throw new CorruptParquetException(source.name(), "%s bytes at %s are outside of its %s bytes".formatted(count, position, source.length()));
        }
        if (position < start || position + count > start + length) {
            int wanted = (int) min(source.length() - position, max(size, count));
            if (bytes.length < wanted || bytes.length > size && wanted <= size) {
                bytes = new byte[wanted];
            }
            length = 0;
            source.readFully(position, bytes, 0, wanted);
            start = position;
            length = wanted;
        }
        return (int) (position - start);
    }

    public byte[] bytes()
    {
        return bytes;
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return bytes.length;
    }
}
