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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.iceberg.TrinoSortField;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.lakesteward.planner.rewrite.DataFileInfo;
import org.lakesteward.planner.rewrite.PartitionKey;
import org.lakesteward.planner.sort.KeyRange;
import org.lakesteward.planner.sort.KeyedFile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Collects what manifests tell of the sort keys of data files. Not thread-safe.
 */
public final class KeyedFiles
{
    private final SortRequest sort;
    private final KeyBounds bounds;
    private final Map<PartitionKey, List<Entry>> partitions = new LinkedHashMap<>();

    KeyedFiles(Schema schema, SortRequest sort)
    {
        this.sort = requireNonNull(sort, "sort is null");
        bounds = new KeyBounds(schema, sort);
    }

    /**
     * By the table's own order; empty when it has none, or one by which Trino cannot sort.
     */
    public static Optional<KeyedFiles> byTableOrder(Table table)
    {
        SortOrder order = table.sortOrder();
        boolean supported = order.isSorted() && order.fields().stream()
                .allMatch(field -> field.transform().isIdentity() && table.schema().columns().stream().anyMatch(column -> column.fieldId() == field.sourceId()));
        if (!supported) {
            return Optional.empty();
        }
        List<TrinoSortField> fields = order.fields().stream().map(TrinoSortField::fromIceberg).collect(toImmutableList());
        return Optional.of(new KeyedFiles(table.schema(), new SortRequest(fields, order.orderId(), true, false, order.toString())));
    }

    /** The columns whose metrics {@link #add} looks at. */
    public List<String> columnNames()
    {
        return bounds.columnNames();
    }

    /**
     * @param file with metrics of {@link #columnNames}, of which nothing is kept but the bounds
     */
    public void add(DataFile file, DataFileInfo info)
    {
        Optional<String> run = SortFileNames.run(info.path(), sort.tag());
        // files that were sorted so before the table had the order do not carry it, and writers and readers go by what they carry
        boolean sorted = sort.tableOrder() ? Integer.valueOf(sort.sortOrderId()).equals(file.sortOrderId()) : run.isPresent();
        partitions.computeIfAbsent(info.partitionKey(), _ -> new ArrayList<>()).add(new Entry(info, bounds.read(file), sorted, run));
    }

    public List<KeyedFile> toList()
    {
        ImmutableList.Builder<KeyedFile> files = ImmutableList.builder();
        for (List<Entry> partition : partitions.values()) {
            List<KeyRange> ranges = bounds.rank(partition.stream().map(Entry::bounds).toList());
            for (int index = 0; index < partition.size(); index++) {
                Entry entry = partition.get(index);
                files.add(new KeyedFile(entry.info(), ranges.get(index), entry.sorted(), entry.run()));
            }
        }
        return files.build();
    }

    private record Entry(DataFileInfo info, List<KeyBounds.Bounds> bounds, boolean sorted, Optional<String> run) {}
}
