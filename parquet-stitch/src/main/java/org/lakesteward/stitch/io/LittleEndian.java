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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers in byte arrays, lowest byte first, as everywhere in Parquet. Out of bounds is an {@link IndexOutOfBoundsException}.
 */
public final class LittleEndian
{
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    public static int getInt(byte[] bytes, int offset)
    {
        return (int) INTS.get(bytes, offset);
    }

    public static long getLong(byte[] bytes, int offset)
    {
        return (long) LONGS.get(bytes, offset);
    }

    public static void putInt(byte[] bytes, int offset, int value)
    {
        INTS.set(bytes, offset, value);
    }

    public static void putLong(byte[] bytes, int offset, long value)
    {
        LONGS.set(bytes, offset, value);
    }
}
