
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;
import org.apache.parquet.format.RowGroup;

import java.util.List;

/**
 * Where readers may split a file. Engines that plan by split offsets (Iceberg specification, field 132
 * {@code split_offsets}) make a task of each, so offsets of many small row groups would make many small tasks.
 */
final class SplitOffsets
{
    private SplitOffsets() {}

    /**
     * @param rowGroups in file order, with rows
     * @return the start of the first row group and of each that lies at least {@code minDistance} after the last one taken
     */
    static List<Long> of(List<RowGroup> rowGroups, DataSize minDistance)
    {
        ImmutableList.Builder<Long> offsets = ImmutableList.builder();
        long last = 0;
        boolean first = true;
        for (RowGroup rowGroup : rowGroups) {
            long start = ParquetFooter.chunkStart(rowGroup.getColumns().getFirst().getMeta_data());
            if (first || start - last >= minDistance.toBytes()) {
                offsets.add(start);
                last = start;
                first = false;
            }
        }
        return offsets.build();
    }
}
