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

import java.io.OutputStream;
import java.util.Arrays;

import static java.lang.Math.addExact;
import static java.lang.Math.clamp;
import static java.lang.Math.max;

/**
 * Bytes in one array that grows. Writers that know what they do may write into {@link #array()} up to what
 * {@link #ensureRoom} made sure of, and then {@link #advance}.
 */
public final class GrowableBytes
        extends OutputStream
{
    private byte[] array;
    private int size;

    public GrowableBytes(int capacity)
    {
        array = new byte[capacity];
    }

    /**
     * Makes sure that this many bytes can follow without another growth. The array may be another one afterwards.
     *
     * @throws ArithmeticException beyond the size of an array
     */
    public void ensureRoom(int bytes)
    {
        int needed = addExact(size, bytes);
        if (needed > array.length) {
            array = Arrays.copyOf(array, max(needed, clamp(array.length * 2L, 64, Integer.MAX_VALUE - 16)));
        }
    }

    public byte[] array()
    {
        return array;
    }

    public int size()
    {
        return size;
    }

    public void advance(int bytes)
    {
        size += bytes;
    }

    /**
     * Forgets all bytes after this many.
     */
    public void truncate(int newSize)
    {
        size = newSize;
    }

    /**
     * Forgets all bytes, and the array if it is larger than this.
     */
    public void clear(int keptCapacity)
    {
        size = 0;
        if (array.length > keptCapacity) {
            array = new byte[keptCapacity];
        }
    }

    @Override
    public void write(int value)
    {
        ensureRoom(1);
        array[size++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int offset, int length)
    {
        ensureRoom(length);
        System.arraycopy(bytes, offset, array, size, length);
        size += length;
    }

    public void writeInt(int value)
    {
        ensureRoom(Integer.BYTES);
        LittleEndian.putInt(array, size, value);
        size += Integer.BYTES;
    }

    /**
     * An unsigned number in seven bits a byte (ULEB128).
     */
    public void writeVarint(long value)
    {
        ensureRoom(10);
        while ((value & ~0x7fL) != 0) {
            array[size++] = (byte) (value & 0x7f | 0x80);
            value >>>= 7;
        }
        array[size++] = (byte) value;
    }

    public byte[] toByteArray()
    {
        return Arrays.copyOf(array, size);
    }
}
