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

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A range of bytes of a file.
 *
 * @param start the first byte, not negative
 * @param length the number of bytes, not negative
 */
record ByteRange(long start, long length)
{
    ByteRange
    {
        checkArgument(start >= 0, "start is negative: %s", start);
        checkArgument(length >= 0, "length is negative: %s", length);
        checkArgument(start <= Long.MAX_VALUE - length, "range ends past the largest offset: start %s, length %s", start, length);
    }

    /** The first byte after the range. */
    long end()
    {
        return start + length;
    }

    boolean contains(ByteRange other)
    {
        return start <= other.start && other.end() <= end();
    }

    boolean contains(long offset)
    {
        return start <= offset && offset < end();
    }
}
