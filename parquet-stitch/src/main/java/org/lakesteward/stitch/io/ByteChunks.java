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
import java.util.ArrayList;
import java.util.List;

import static java.lang.Math.min;

/**
 * Bytes that are only appended to and written out once: a list of arrays, so that growing copies nothing.
 */
public final class ByteChunks
{
    private static final int FIRST_CHUNK = 16 << 10;
    private static final int LAST_CHUNK = 2 << 20;

    private final List<byte[]> full = new ArrayList<>();
    private byte[] current = new byte[0];
    private int used;
    private long size;
    private long retained;

    public void write(byte[] bytes, int offset, int length)
    {
        size += length;
        while (length > 0) {
            if (used == current.length) {
                if (used > 0) {
                    full.add(current);
                }
                current = new byte[current.length == 0 ? FIRST_CHUNK : min(LAST_CHUNK, current.length * 2)];
                retained += current.length;
                used = 0;
            }
            int part = min(length, current.length - used);
            System.arraycopy(bytes, offset, current, used, part);
            used += part;
            offset += part;
            length -= part;
        }
    }

    /**
     * @return bytes written so far
     */
    public long size()
    {
        return size;
    }

    /**
     * @return memory held, in bytes
     */
    public long retainedBytes()
    {
        return retained;
    }

    public void writeTo(ParquetSink sink)
            throws IOException
    {
        for (byte[] chunk : full) {
            sink.write(chunk, 0, chunk.length);
        }
        sink.write(current, 0, used);
    }

    public void clear()
    {
        full.clear();
        current = new byte[0];
        used = 0;
        size = 0;
        retained = 0;
    }
}
