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

import org.apache.parquet.format.Type;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.page.PageContent;
import org.lakesteward.stitch.page.PageInfo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

import static org.lakesteward.stitch.footer.LeafColumn.VARIABLE_WIDTH;

/**
 * Decodes the values of pages, in every encoding of the format, and feeds their hashes to a sequence. On purpose it shares
 * nothing with the code that stitches. Not safe for use by several threads.
 */
final class ValueHasher
{
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long TRUE = SequenceHash.mix(2);
    private static final long FALSE = SequenceHash.mix(1);

    private final Type type;
    private final int width;

    ValueHasher(LeafColumn leaf)
    {
        type = leaf.type();
        width = type == Type.BOOLEAN ? 0 : leaf.fixedWidth();
    }

    /**
     * The hashes of a dictionary's entries.
     *
     * @param bytes of which the first {@code length} are the dictionary in PLAIN encoding
     */
    long[] dictionary(byte[] bytes, int length, int entries)
            throws MalformedValuesException
    {
        if (entries > length / Math.max(1, width == VARIABLE_WIDTH ? 4 : width)) {
            throw new MalformedValuesException("%s entries are in %s bytes".formatted(entries, length));
        }
        long[] hashes = new long[entries];
        int position = 0;
        for (int entry = 0; entry < entries; entry++) {
            int size = width;
            if (width == VARIABLE_WIDTH) {
                size = length(bytes, position, length);
                position += 4;
            }
            hashes[entry] = hash(bytes, position, size);
            position += size;
        }
        return hashes;
    }

    /**
     * @param count values without nulls
     * @param dictionary hashes of its entries, or null when there is none
     */
    void add(PageInfo page, PageContent content, int count, long[] dictionary, SequenceHash sequence)
            throws MalformedValuesException
    {
        if (count == 0) {
            return;
        }
        byte[] bytes = content.bytes();
        int start = content.valuesStart();
        int end = content.valuesEnd();
        switch (page.encoding()) {
            case PLAIN -> plain(bytes, start, end, count, sequence);
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> indices(bytes, start, end, count, dictionary, sequence);
            case RLE -> booleans(bytes, start, end, count, sequence);
            case DELTA_BINARY_PACKED -> deltas(bytes, start, end, count, sequence);
            case DELTA_LENGTH_BYTE_ARRAY -> deltaLengths(bytes, start, end, count, sequence);
            case DELTA_BYTE_ARRAY -> deltaStrings(bytes, start, end, count, sequence);
            case BYTE_STREAM_SPLIT -> streams(bytes, start, end, count, sequence);
            case BIT_PACKED -> throw new MalformedValuesException("values in encoding %s".formatted(page.encoding()));
        }
    }

    private void plain(byte[] bytes, int start, int end, int count, SequenceHash sequence)
            throws MalformedValuesException
    {
        if (type == Type.BOOLEAN) {
            checkRoom(start, end, (count + 7L) / 8);
            for (int index = 0; index < count; index++) {
                sequence.add((bytes[start + index / 8] >> index % 8 & 1) != 0 ? TRUE : FALSE);
            }
            return;
        }
        if (width == VARIABLE_WIDTH) {
            int position = start;
            for (int index = 0; index < count; index++) {
                int length = length(bytes, position, end);
                sequence.add(hash(bytes, position + 4, length));
                position += 4 + length;
            }
            return;
        }
        checkRoom(start, end, (long) count * width);
        for (int index = 0; index < count; index++) {
            sequence.add(hash(bytes, start + index * width, width));
        }
    }

    private static void indices(byte[] bytes, int start, int end, int count, long[] dictionary, SequenceHash sequence)
            throws MalformedValuesException
    {
        if (dictionary == null) {
            throw new MalformedValuesException("%s values are in a dictionary that is not there".formatted(count));
        }
        checkRoom(start, end, 1);
        HybridDecoder.decode(bytes, start + 1, end, bytes[start], count, new HybridDecoder.Consumer()
        {
            @Override
            public void repeated(int index, int times)
                    throws MalformedValuesException
            {
                sequence.addRun(hashOf(index), times);
            }

            @Override
            public void packed(int[] indices, int length)
                    throws MalformedValuesException
            {
                for (int position = 0; position < length; position++) {
                    sequence.add(hashOf(indices[position]));
                }
            }

            private long hashOf(int index)
                    throws MalformedValuesException
            {
                if (index < 0 || index >= dictionary.length) {
                    throw new MalformedValuesException("an index is %s, the dictionary has %s entries".formatted(Integer.toUnsignedString(index), dictionary.length));
                }
                return dictionary[index];
            }
        });
    }

    private static void booleans(byte[] bytes, int start, int end, int count, SequenceHash sequence)
            throws MalformedValuesException
    {
        int length = length(bytes, start, end);
        HybridDecoder.decode(bytes, start + 4, start + 4 + length, 1, count, new HybridDecoder.Consumer()
        {
            @Override
            public void repeated(int value, int times)
            {
                sequence.addRun(value != 0 ? TRUE : FALSE, times);
            }

            @Override
            public void packed(int[] values, int length)
            {
                for (int position = 0; position < length; position++) {
                    sequence.add(values[position] != 0 ? TRUE : FALSE);
                }
            }
        });
    }

    private void deltas(byte[] bytes, int start, int end, int count, SequenceHash sequence)
            throws MalformedValuesException
    {
        DeltaDecoder numbers = new DeltaDecoder(bytes, start, end);
        if (numbers.count() != count) {
            throw new MalformedValuesException("%s numbers are given for %s values".formatted(numbers.count(), count));
        }
        for (int index = 0; index < count; index++) {
            long value = numbers.next();
            sequence.add(SequenceHash.mix(type == Type.INT32 ? (int) value & 0xffff_ffffL : value));
        }
    }

    private static void deltaLengths(byte[] bytes, int start, int end, int count, SequenceHash sequence)
            throws MalformedValuesException
    {
        int[] lengths = new int[count];
        int position = readLengths(bytes, start, end, lengths);
        for (int length : lengths) {
            checkRoom(position, end, length);
            sequence.add(hashBytes(bytes, position, length));
            position += length;
        }
    }

    private void deltaStrings(byte[] bytes, int start, int end, int count, SequenceHash sequence)
            throws MalformedValuesException
    {
        int[] prefixes = new int[count];
        int[] suffixes = new int[count];
        int position = readLengths(bytes, start, end, prefixes);
        position = readLengths(bytes, position, end, suffixes);
        byte[] value = new byte[64];
        int previous = 0;
        for (int index = 0; index < count; index++) {
            checkRoom(position, end, suffixes[index]);
            if (prefixes[index] > previous) {
                throw new MalformedValuesException("a prefix of %s bytes is taken from a value of %s".formatted(prefixes[index], previous));
            }
            // no longer than all suffixes together, which are in the page
            int length = prefixes[index] + suffixes[index];
            if (length > value.length) {
                value = Arrays.copyOf(value, Math.max(length, value.length * 2));
            }
            System.arraycopy(bytes, position, value, prefixes[index], suffixes[index]);
            position += suffixes[index];
            previous = length;
            sequence.add(width == VARIABLE_WIDTH ? hashBytes(value, 0, length) : fixed(value, length));
        }
    }

    private long fixed(byte[] value, int length)
            throws MalformedValuesException
    {
        if (length != width) {
            throw new MalformedValuesException("a value of %s bytes is in a column of %s".formatted(length, width));
        }
        return hashBytes(value, 0, length);
    }

    private static int readLengths(byte[] bytes, int start, int end, int[] lengths)
            throws MalformedValuesException
    {
        DeltaDecoder numbers = new DeltaDecoder(bytes, start, end);
        if (numbers.count() != lengths.length) {
            throw new MalformedValuesException("%s lengths are given for %s values".formatted(numbers.count(), lengths.length));
        }
        for (int index = 0; index < lengths.length; index++) {
            long length = numbers.next();
            if (length < 0 || length > end - start) {
                throw new MalformedValuesException("a length is %s in a page of %s bytes".formatted(length, end - start));
            }
            lengths[index] = (int) length;
        }
        return numbers.endPosition();
    }

    private void streams(byte[] bytes, int start, int end, int count, SequenceHash sequence)
            throws MalformedValuesException
    {
        checkRoom(start, end, (long) count * width);
        byte[] value = new byte[width];
        for (int index = 0; index < count; index++) {
            for (int stream = 0; stream < width; stream++) {
                value[stream] = bytes[start + stream * count + index];
            }
            sequence.add(hash(value, 0, width));
        }
    }

    private static int length(byte[] bytes, int position, int end)
            throws MalformedValuesException
    {
        checkRoom(position, end, 4);
        int length = (int) INTS.get(bytes, position);
        if (length < 0) {
            throw new MalformedValuesException("a length is %s".formatted(length));
        }
        checkRoom(position + 4, end, length);
        return length;
    }

    private static void checkRoom(int start, int end, long length)
            throws MalformedValuesException
    {
        if (length < 0 || length > end - start) {
            throw new MalformedValuesException("%s bytes of values are expected where %s are left".formatted(length, end - start));
        }
    }

    private long hash(byte[] bytes, int start, int length)
    {
        return switch (type) {
            case INT32, FLOAT -> SequenceHash.mix((int) INTS.get(bytes, start) & 0xffff_ffffL);
            case INT64, DOUBLE -> SequenceHash.mix((long) LONGS.get(bytes, start));
            default -> hashBytes(bytes, start, length);
        };
    }

    private static long hashBytes(byte[] bytes, int start, int length)
    {
        long hash = length;
        int position = start;
        int end = start + length;
        for (; end - position >= 8; position += 8) {
            hash = SequenceHash.mix(hash + (long) LONGS.get(bytes, position)) + 0x9E3779B97F4A7C15L;
        }
        long rest = 0;
        for (int index = end - 1; index >= position; index--) {
            rest = rest << 8 | bytes[index] & 0xff;
        }
        return SequenceHash.mix(hash + rest);
    }
}
