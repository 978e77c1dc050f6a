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
package org.lakesteward.stitch.rowgroup;

import org.apache.parquet.format.Encoding;
import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.io.GrowableBytes;
import org.lakesteward.stitch.io.LittleEndian;
import org.lakesteward.stitch.levels.RunWriter;
import org.lakesteward.stitch.page.DeltaEncoder;
import org.lakesteward.stitch.page.PageWriter;
import org.lakesteward.stitch.statistics.Bounds;
import org.lakesteward.stitch.statistics.Bounds.Range;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.Math.max;
import static java.lang.Math.min;

/**
 * A data page of longs that no input has: row ids and sequence numbers. Not safe for use by several threads.
 */
final class SequencePage
{
    static final Encoding ENCODING = Encoding.DELTA_BINARY_PACKED;

    private final LeafColumn leaf;
    private final GrowableBytes assembled = new GrowableBytes(0);
    private long[] values = new long[0];
    private int size;

    SequencePage(LeafColumn leaf)
    {
        this.leaf = leaf;
    }

    void append(long value, int limit)
    {
        if (size == values.length) {
            values = Arrays.copyOf(values, min(limit, max(1024, size * 2)));
        }
        values[size++] = value;
    }

    int size()
    {
        return size;
    }

    /**
     * Makes the page.
     *
     * @return its uncompressed size in bytes, without the header
     */
    int make(PageWriter writer)
            throws IOException
    {
        assembled.clear(64 << 10);
        if (leaf.maxDefinitionLevel() > 0) {
            RunWriter levels = new RunWriter();
            levels.reset(leaf.definitionBits(), 0);
            levels.repeat(leaf.maxDefinitionLevel(), size);
            GrowableBytes runs = levels.finish();
            assembled.writeInt(runs.size());
            assembled.write(runs.array(), 0, runs.size());
        }
        DeltaEncoder.write(values, size, assembled);
        writer.makeVersion1(assembled.array(), assembled.size(), ENCODING, size, false, false);
        return assembled.size();
    }

    Bounds bounds()
    {
        long least = values[0];
        long greatest = values[0];
        for (int index = 1; index < size; index++) {
            least = min(least, values[index]);
            greatest = max(greatest, values[index]);
        }
        return bounds(size, least, greatest);
    }

    static Bounds bounds(long count, long least, long greatest)
    {
        return new Bounds(count, OptionalLong.of(0), Optional.of(new Range(plain(least), plain(greatest), Optional.of(true), Optional.of(true))));
    }

    private static byte[] plain(long value)
    {
        byte[] bytes = new byte[Long.BYTES];
        LittleEndian.putLong(bytes, 0, value);
        return bytes;
    }

    void clear()
    {
        size = 0;
    }

    long retainedBytes()
    {
        return (long) values.length * Long.BYTES + assembled.array().length;
    }
}
