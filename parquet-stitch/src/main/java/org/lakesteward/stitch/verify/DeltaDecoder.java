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
package org.lakesteward.stitch.verify;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decodes DELTA_BINARY_PACKED numbers one by one (Encodings.md, "Delta encoding"). Not safe for use by several threads.
 */
final class DeltaDecoder
{
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int end;
    private final int miniblocks;
    private final int miniblockSize;
    private final int count;
    private int position;
    private int read;
    private long value;
    private long least;
    private int miniblock;
    private int miniblockLeft;
    private int widthsPosition;
    private int bitsStart;
    private long bit;

    DeltaDecoder(byte[] bytes, int start, int end)
            throws MalformedValuesException
    {
        this.bytes = bytes;
        this.end = end;
        position = start;
        long blockSize = varint();
        long blocks = varint();
        long values = varint();
        value = zigzag(varint());
        if (blocks <= 0 || blocks > 1024 || blockSize <= 0 || blockSize > 1 << 20 || blockSize % blocks != 0 || blockSize / blocks % 8 != 0) {
            throw new MalformedValuesException("blocks of %s differences are in %s parts".formatted(blockSize, blocks));
        }
        if (values < 0 || values > Integer.MAX_VALUE) {
            throw new MalformedValuesException("%s numbers are announced".formatted(values));
        }
        miniblocks = (int) blocks;
        miniblockSize = (int) (blockSize / blocks);
        count = (int) values;
        miniblock = miniblocks;
    }

    int count()
    {
        return count;
    }

    long next()
            throws MalformedValuesException
    {
        if (read == count) {
            throw new MalformedValuesException("there are only %s numbers".formatted(count));
        }
        if (read++ == 0) {
            return value;
        }
        if (miniblockLeft == 0) {
            nextMiniblock();
        }
        int width = bytes[widthsPosition + miniblock];
        long difference;
        int at = bitsStart + (int) (bit >>> 3);
        if (width <= 56 && at + Long.BYTES <= bytes.length) {
            difference = (long) LONGS.get(bytes, at) >>> (bit & 7) & (1L << width) - 1;
            bit += width;
        }
        else {
            difference = slowDifference(width);
        }
        miniblockLeft--;
        value += least + difference;
        return value;
    }

    private long slowDifference(int width)
    {
        long difference = 0;
        for (int done = 0; done < width; ) {
            int offset = (int) (bit & 7);
            int taken = Math.min(8 - offset, width - done);
            long part = (bytes[bitsStart + (int) (bit >>> 3)] & 0xffL) >>> offset & (1L << taken) - 1;
            difference |= part << done;
            done += taken;
            bit += taken;
        }
        return difference;
    }

    private void nextMiniblock()
            throws MalformedValuesException
    {
        miniblock++;
        if (miniblock >= miniblocks) {
            least = zigzag(varint());
            if (end - position < miniblocks) {
                throw new MalformedValuesException("a block is cut off");
            }
            widthsPosition = position;
            position += miniblocks;
            miniblock = 0;
        }
        int width = bytes[widthsPosition + miniblock];
        long size = (long) width * miniblockSize / 8;
        if (width < 0 || width > 64) {
            throw new MalformedValuesException("differences are said to have %s bits".formatted(width));
        }
        bitsStart = position;
        bit = 0;
        miniblockLeft = miniblockSize;
        if (size > end - position) {
            // the padding of the last one may be left out
            long needed = ((long) width * Math.min(miniblockSize, count - read + 1) + 7) / 8;
            if (needed > end - position) {
                throw new MalformedValuesException("a part of a block is cut off");
            }
            size = end - position;
        }
        position += (int) size;
    }

    /**
     * Where the bytes behind the numbers begin, once all have been read.
     */
    int endPosition()
    {
        return position;
    }

    private long varint()
            throws MalformedValuesException
    {
        long result = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (position >= end) {
                throw new MalformedValuesException("a number is cut off");
            }
            byte next = bytes[position++];
            result |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return result;
            }
        }
        throw new MalformedValuesException("a number takes more than ten bytes");
    }

    private static long zigzag(long encoded)
    {
        return encoded >>> 1 ^ -(encoded & 1);
    }
}
