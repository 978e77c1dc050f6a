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
package org.lakesteward.stitch.index;

import org.apache.parquet.format.BoundaryOrder;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.lakesteward.stitch.statistics.Bounds;
import org.lakesteward.stitch.statistics.Bounds.Range;
import org.lakesteward.stitch.statistics.ValueOrder;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects where the pages of a column chunk are and what is known of their values (PageIndex.md). Not safe for use by several
 * threads.
 */
public final class PageIndexBuilder
{
    private static final int BYTES_PER_PAGE = 200;

    private final ValueOrder order;
    private final List<Page> pages = new ArrayList<>();
    private boolean onRowBoundaries = true;
    private long boundsSize;

    public PageIndexBuilder(ValueOrder order)
    {
        this.order = order;
    }

    private record Page(long offset, int size, long firstRow, Bounds bounds) {}

    /**
     * @param offset of the page's header, from the first data page on
     * @param size of header and body
     * @param firstRow of the row group that the page has
     * @param bounds that hold for the page, if looser ones
     */
    public void add(long offset, int size, long firstRow, Bounds bounds)
    {
        pages.add(new Page(offset, size, firstRow, bounds));
        boundsSize += bounds.range().map(range -> range.min().length + range.max().length).orElse(0);
    }

    /**
     * A page begins inside of a row, or it is not known where rows begin. Such a chunk cannot have an index, and readers expect
     * that all columns of a row group have one if any has.
     */
    public void loseRowBoundaries()
    {
        onRowBoundaries = false;
    }

    public boolean isOnRowBoundaries()
    {
        return onRowBoundaries;
    }

    /**
     * @param dataPageOffset where the first data page is in the file
     */
    public OffsetIndex offsetIndex(long dataPageOffset)
    {
        List<PageLocation> locations = new ArrayList<>(pages.size());
        for (Page page : pages) {
            locations.add(new PageLocation(dataPageOffset + page.offset(), page.size(), page.firstRow()));
        }
        return new OffsetIndex(locations);
    }

    /**
     * @return empty when a page has no bounds
     */
    public Optional<ColumnIndex> columnIndex()
    {
        if (order == ValueOrder.UNDEFINED || pages.isEmpty() || pages.stream().anyMatch(page -> page.bounds().isUnbounded())) {
            return Optional.empty();
        }
        List<Boolean> nullPages = new ArrayList<>(pages.size());
        List<ByteBuffer> minimums = new ArrayList<>(pages.size());
        List<ByteBuffer> maximums = new ArrayList<>(pages.size());
        List<Long> nullCounts = new ArrayList<>(pages.size());
        for (Page page : pages) {
            Optional<Range> range = page.bounds().range();
            boolean allNull = page.bounds().isAllNull();
            nullPages.add(allNull);
            minimums.add(ByteBuffer.wrap(allNull ? new byte[0] : range.orElseThrow().min()));
            maximums.add(ByteBuffer.wrap(allNull ? new byte[0] : range.orElseThrow().max()));
            page.bounds().nulls().ifPresent(nullCounts::add);
        }
        ColumnIndex index = new ColumnIndex(nullPages, minimums, maximums, boundaryOrder());
        if (nullCounts.size() == pages.size()) {
            index.setNull_counts(nullCounts);
        }
        return Optional.of(index);
    }

    private BoundaryOrder boundaryOrder()
    {
        boolean ascending = true;
        boolean descending = true;
        Range last = null;
        for (Page page : pages) {
            if (page.bounds().isAllNull()) {
                continue;
            }
            Range range = page.bounds().range().orElseThrow();
            if (last != null) {
                int min = order.compare(last.min(), range.min());
                int max = order.compare(last.max(), range.max());
                ascending &= min <= 0 && max <= 0;
                descending &= min >= 0 && max >= 0;
            }
            last = range;
        }
        if (ascending) {
            return BoundaryOrder.ASCENDING;
        }
        return descending ? BoundaryOrder.DESCENDING : BoundaryOrder.UNORDERED;
    }

    public void reset()
    {
        pages.clear();
        onRowBoundaries = true;
        boundsSize = 0;
    }

    /**
     * @return an estimate of the memory held, in bytes
     */
    public long retainedBytes()
    {
        return (long) pages.size() * BYTES_PER_PAGE + boundsSize;
    }
}
