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
package org.lakesteward.procedure.copy;

/**
 * Walks a struct in Thrift's compact protocol without building anything, so that the generated reader, which allocates what
 * a length field asks for, only ever sees lengths that the bytes can hold: after this check, memory is bounded by a small
 * multiple of the input.
 * <p>
 * Pure; wire format as in "Thrift Compact protocol encoding" of the Thrift specification.
 */
final class CompactThriftGuard
{
    /** Deeper nesting than any structure of the Parquet format has (about 8), well inside any stack. */
    private static final int MAX_DEPTH = 32;

    private final byte[] bytes;
    private final int end;
    private int position;

    private CompactThriftGuard(byte[] bytes, int start, int end)
    {
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    /**
     * @return the number of bytes that the struct at {@code start} takes
     * @throws MalformedThriftException when the bytes before {@code end} hold no complete struct
     */
    static int structLength(byte[] bytes, int start, int end)
            throws MalformedThriftException
    {
        CompactThriftGuard guard = new CompactThriftGuard(bytes, start, end);
        guard.struct(0);
        return guard.position - start;
    }

    private void struct(int depth)
            throws MalformedThriftException
    {
        if (depth > MAX_DEPTH) {
            throw new MalformedThriftException("structures are nested deeper than " + MAX_DEPTH);
        }
        while (true) {
            int header = next();
            int type = header & 0x0f;
            if (type == 0) {
                return;
            }
            if (header >>> 4 == 0) {
                // long form: the field id follows
                varint(3);
            }
            // a boolean field has its value in the type
            if (type != 1 && type != 2) {
                value(type, depth);
            }
        }
    }

    private void value(int type, int depth)
            throws MalformedThriftException
    {
        switch (type) {
            case 1, 2, 3 -> skip(1);
            case 4 -> varint(3);
            case 5 -> varint(5);
            case 6 -> varint(10);
            case 7 -> skip(8);
            case 8 -> skip(varint(5));
            case 9, 10 -> list(depth);
            case 12 -> struct(depth + 1);
            default -> throw new MalformedThriftException("unknown type %s at byte %s".formatted(type, position));
        }
    }

    private void list(int depth)
            throws MalformedThriftException
    {
        if (depth > MAX_DEPTH) {
            throw new MalformedThriftException("lists are nested deeper than " + MAX_DEPTH);
        }
        int header = next();
        int type = header & 0x0f;
        long size = header >>> 4;
        if (size == 15) {
            size = varint(5);
        }
        // every element takes a byte at least
        if (size > end - position) {
            throw new MalformedThriftException("a list of %s elements is announced where %s bytes are left".formatted(size, end - position));
        }
        for (long element = 0; element < size; element++) {
            value(type, depth + 1);
        }
    }

    private int next()
            throws MalformedThriftException
    {
        if (position >= end) {
            throw new MalformedThriftException("it ends inside a structure");
        }
        return bytes[position++] & 0xff;
    }

    private void skip(long length)
            throws MalformedThriftException
    {
        if (length < 0 || length > end - position) {
            throw new MalformedThriftException("a value of %s bytes is announced where %s bytes are left".formatted(length, end - position));
        }
        position += (int) length;
    }

    private long varint(int maxBytes)
            throws MalformedThriftException
    {
        long value = 0;
        for (int index = 0; index < maxBytes; index++) {
            int next = next();
            value |= (long) (next & 0x7f) << (7 * index);
            if (next < 0x80) {
                return value;
            }
        }
        throw new MalformedThriftException("a number takes more than %s bytes".formatted(maxBytes));
    }

    static final class MalformedThriftException
            extends Exception
    {
        private MalformedThriftException(String message)
        {
            super(message);
        }
    }
}
