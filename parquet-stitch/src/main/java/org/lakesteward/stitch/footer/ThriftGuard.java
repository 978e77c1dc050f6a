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
package org.lakesteward.stitch.footer;

/**
 * Walks a structure of Thrift's compact protocol without building it. The generated parsers believe announced sizes: a few
 * bytes can make them allocate gigabytes or recurse without end. What passes here takes no more of either than its own bytes
 * justify.
 *
 * @see <a href="https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md">Thrift compact protocol</a>
 */
public final class ThriftGuard
{
    /** Result of {@link #structLength} for a structure that goes on behind the bytes at hand. */
    public static final int INCOMPLETE = -1;

    /** Deeper than any structure of parquet.thrift (about 8), well inside of any stack. */
    private static final int MAX_DEPTH = 32;

    private final byte[] bytes;
    private final int end;
    private int position;

    private ThriftGuard(byte[] bytes, int start, int end)
    {
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    /**
     * @return the number of bytes of the structure at {@code start}, or {@link #INCOMPLETE}
     * @throws MalformedThriftException when no continuation could make it well-formed, or it is nested beyond any Parquet structure
     */
    public static int structLength(byte[] bytes, int start, int end)
            throws MalformedThriftException
    {
        ThriftGuard guard = new ThriftGuard(bytes, start, end);
        try {
            guard.struct(0);
        }
        catch (EndOfBytesException e) {
            return INCOMPLETE;
        }
        return guard.position - start;
    }

    private void struct(int depth)
            throws MalformedThriftException, EndOfBytesException
    {
        checkDepth(depth);
        while (true) {
            int header = next();
            int type = header & 0x0f;
            if (type == 0) {
                return;
            }
            if (header >>> 4 == 0) {
                // the long form: the field's number follows
                varint(3);
            }
            // the value of a boolean field is its type
            if (type != 1 && type != 2) {
                value(type, depth);
            }
        }
    }

    private void value(int type, int depth)
            throws MalformedThriftException, EndOfBytesException
    {
        switch (type) {
            case 1, 2, 3 -> skip(1);
            case 4 -> varint(3);
            case 5 -> varint(5);
            case 6 -> varint(10);
            case 7 -> skip(Double.BYTES);
            case 8 -> skip(varint(5));
            case 9, 10 -> list(depth);
            case 12 -> struct(depth + 1);
            default -> throw new MalformedThriftException("type %s is not known".formatted(type));
        }
    }

    private void list(int depth)
            throws MalformedThriftException, EndOfBytesException
    {
        checkDepth(depth);
        int header = next();
        int type = header & 0x0f;
        long size = header >>> 4;
        if (size == 15) {
            size = varint(5);
        }
        // every element takes one byte at least
        if (size > end - position) {
            throw new EndOfBytesException();
        }
        for (long element = 0; element < size; element++) {
            value(type, depth + 1);
        }
    }

    private static void checkDepth(int depth)
            throws MalformedThriftException
    {
        if (depth > MAX_DEPTH) {
            throw new MalformedThriftException("it is nested deeper than %s levels".formatted(MAX_DEPTH));
        }
    }

    private int next()
            throws EndOfBytesException
    {
        if (position >= end) {
            throw new EndOfBytesException();
        }
        return bytes[position++] & 0xff;
    }

    private void skip(long length)
            throws EndOfBytesException
    {
        if (length > end - position) {
            throw new EndOfBytesException();
        }
        position += (int) length;
    }

    private long varint(int maxBytes)
            throws MalformedThriftException, EndOfBytesException
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

    /**
     * No structure begins where one should.
     */
    public static final class MalformedThriftException
            extends Exception
    {
        private MalformedThriftException(String message)
        {
            super(message);
        }
    }

    private static final class EndOfBytesException
            extends Exception
    {
        private EndOfBytesException()
        {
            super(null, null, false, false);
        }
    }
}
