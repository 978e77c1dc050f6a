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

import java.io.EOFException;
import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * A file in memory, such as an input that had to be encoded first. The bytes are not copied and must not change.
 */
public final class ByteArraySource
        implements ParquetSource
{
    private final String name;
    private final byte[] bytes;
    private final int length;

    public ByteArraySource(String name, byte[] bytes)
    {
        this(name, bytes, bytes.length);
    }

    /**
     * @param length of the file, which begins at the array's first byte
     */
    public ByteArraySource(String name, byte[] bytes, int length)
    {
        this.name = requireNonNull(name, "name is null");
        this.bytes = requireNonNull(bytes, "bytes is null");
        if (length < 0 || length > bytes.length) {
            throw new IllegalArgumentException("length is %s, must be between 0 and %s".formatted(length, bytes.length));
        }
        this.length = length;
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public long length()
    {
        return length;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int count)
            throws IOException
    {
        if (position < 0 || position > length - count) {
            throw new EOFException("%s bytes at %s are outside of the %s bytes of %s".formatted(count, position, length, name));
        }
        System.arraycopy(bytes, (int) position, buffer, offset, count);
    }
}
