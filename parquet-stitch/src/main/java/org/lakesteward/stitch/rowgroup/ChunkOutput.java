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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.lakesteward.stitch.index.PageIndexBuilder;
import org.lakesteward.stitch.io.ByteChunks;
import org.lakesteward.stitch.io.ParquetSink;
import org.lakesteward.stitch.page.PageEncodings;
import org.lakesteward.stitch.page.PageWriter;
import org.lakesteward.stitch.statistics.Bounds;
import org.lakesteward.stitch.statistics.ValueOrder;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The data pages of an output column chunk as they will lie in the file, and what the footer has to say about them. Not safe
 * for use by several threads.
 */
final class ChunkOutput
{
    private final ByteChunks pages = new ByteChunks();
    private final PageIndexBuilder index;
    private final Map<PageKind, Integer> counts = new LinkedHashMap<>();
    private long values;
    private long rows;
    private long uncompressedSize;

    ChunkOutput(ValueOrder order)
    {
        index = new PageIndexBuilder(order);
    }

    private record PageKind(PageType type, Encoding encoding) {}

    /**
     * Adds a page with its header.
     *
     * @param pageRows rows that begin in the page; anything once row boundaries are lost
     */
    void add(byte[] bytes, int offset, int length, int uncompressedLength, PageType type, Encoding encoding, int pageValues, long pageRows, Bounds bounds)
    {
        index.add(pages.size(), length, rows, bounds);
        pages.write(bytes, offset, length);
        note(uncompressedLength, type, encoding, pageValues, pageRows);
    }

    /**
     * Adds the page that was made last.
     */
    void add(PageWriter writer, int uncompressedBody, PageType type, Encoding encoding, int pageValues, long pageRows, Bounds bounds)
    {
        int header = writer.header().size();
        index.add(pages.size(), header + writer.body().size(), rows, bounds);
        pages.write(writer.header().array(), 0, header);
        pages.write(writer.body().array(), 0, writer.body().size());
        note(header + uncompressedBody, type, encoding, pageValues, pageRows);
    }

    private void note(int uncompressedLength, PageType type, Encoding encoding, int pageValues, long pageRows)
    {
        uncompressedSize += uncompressedLength;
        values += pageValues;
        rows += pageRows;
        counts.merge(new PageKind(type, encoding), 1, Integer::sum);
    }

    PageIndexBuilder index()
    {
        return index;
    }

    long size()
    {
        return pages.size();
    }

    long uncompressedSize()
    {
        return uncompressedSize;
    }

    long values()
    {
        return values;
    }

    /** Rows of all pages. */
    long rows()
    {
        return rows;
    }

    boolean hasDictionaryPages()
    {
        return counts.keySet().stream().anyMatch(kind -> PageEncodings.isDictionary(kind.encoding()));
    }

    /** The encodings of values and levels. */
    Set<Encoding> encodings()
    {
        ImmutableSet.Builder<Encoding> encodings = ImmutableSet.builder();
        encodings.add(Encoding.RLE);
        counts.keySet().forEach(kind -> encodings.add(kind.encoding()));
        return encodings.build();
    }

    List<PageEncodingStats> encodingStatistics()
    {
        ImmutableList.Builder<PageEncodingStats> statistics = ImmutableList.builder();
        counts.forEach((kind, count) -> statistics.add(new PageEncodingStats(kind.type(), kind.encoding(), count)));
        return statistics.build();
    }

    void writeTo(ParquetSink sink)
            throws IOException
    {
        pages.writeTo(sink);
    }

    void reset()
    {
        pages.clear();
        index.reset();
        counts.clear();
        values = 0;
        rows = 0;
        uncompressedSize = 0;
    }

    long retainedBytes()
    {
        return pages.retainedBytes() + index.retainedBytes();
    }
}
