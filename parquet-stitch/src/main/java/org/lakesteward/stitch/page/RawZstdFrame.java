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
package org.lakesteward.stitch.page;

import org.lakesteward.stitch.io.GrowableBytes;

import static java.lang.Math.min;

/**
 * A Zstandard frame of raw blocks (RFC 8878, 3.1.1): every decoder reads it, and writing it is copying. It stands for pages
 * that do not compress.
 */
final class RawZstdFrame
{
    private static final int MAGIC = 0xFD2FB528;
    /** A content size of four bytes in one segment, no checksum, no dictionary. */
    private static final int DESCRIPTOR = 0b1010_0000;
    private static final int MAX_BLOCK = 128 << 10;

    private RawZstdFrame() {}

    static void write(byte[] bytes, int offset, int length, GrowableBytes output)
    {
        output.ensureRoom(Integer.BYTES * 2 + 1 + length + (length / MAX_BLOCK + 1) * 3);
        output.writeInt(MAGIC);
        output.write(DESCRIPTOR);
        output.writeInt(length);
        int written = 0;
        do {
            int block = min(MAX_BLOCK, length - written);
            boolean last = written + block == length;
            int header = (last ? 1 : 0) | block << 3;
            output.write(header);
            output.write(header >> 8);
            output.write(header >> 16);
            output.write(bytes, offset + written, block);
            written += block;
        }
        while (written < length);
    }
}
