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
import java.util.zip.CRC32;

import static java.util.Objects.requireNonNull;

/**
 * Takes the checksum of what is written through it to another sink, which others write to as well.
 */
public final class ChecksummedSink
        implements ParquetSink
{
    private final ParquetSink delegate;
    private final CRC32 crc = new CRC32();

    public ChecksummedSink(ParquetSink delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    @Override
    public void write(byte[] buffer, int offset, int length)
            throws IOException
    {
        delegate.write(buffer, offset, length);
        crc.update(buffer, offset, length);
    }

    @Override
    public long position()
    {
        return delegate.position();
    }

    /**
     * @return CRC-32 of the bytes written through this sink, in their order
     */
    public int checksum()
    {
        return (int) crc.getValue();
    }
}
