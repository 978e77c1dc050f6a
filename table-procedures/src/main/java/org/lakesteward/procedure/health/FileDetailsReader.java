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
package org.lakesteward.procedure.health;

import com.google.common.collect.ImmutableMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ContentFileUtil;
import org.lakesteward.planner.health.FileDetails;
import org.lakesteward.planner.rewrite.DataFileInfo;
import org.lakesteward.planner.rewrite.PartitionKey;
import org.lakesteward.planner.rewrite.RewriteOptions;
import org.lakesteward.planner.rewrite.RewritePlan;
import org.lakesteward.planner.rewrite.RewritePlanner;
import org.lakesteward.planner.sort.SortOverlap;
import org.lakesteward.procedure.rewrite.DataFileInfos;
import org.lakesteward.procedure.rewrite.KeyedFiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.stream.LongStream;

import static java.util.Objects.requireNonNull;

/**
 * Reads the manifests of one snapshot. Data files and delete files are not opened.
 * Keeps eight bytes for each data file, and a record with its path for each one that a rewrite could take. Of a sorted table it keeps such a record, and the
 * bounds of the sort key, for every file.
 */
final class FileDetailsReader
{
    private final Table table;
    private final RewriteOptions options;
    private final Set<PartitionKey> partitions = new HashSet<>();
    private final Map<String, Long> filesPerFormat = new HashMap<>();
    private final List<DataFileInfo> candidates = new ArrayList<>();
    private final LongStream.Builder sizes = LongStream.builder();
    private final int sortOrderId;
    private final boolean hasSortOrder;
    private final Optional<KeyedFiles> keyedFiles;

    private long dataFiles;
    private long dataBytes;
    private long records;
    private long smallFiles;
    private long filesWithDeletes;
    private long deleteHeavyFiles;
    private long unsortedFiles;
    private long unsortedBytes;
    private long positionDeleteFiles;
    private long deletionVectors;
    private long equalityDeleteFiles;
    private long positionDeleteRows;
    private long equalityDeleteRows;

    private FileDetailsReader(Table table, RewriteOptions options)
    {
        this.table = requireNonNull(table, "table is null");
        this.options = requireNonNull(options, "options is null");
        this.sortOrderId = table.sortOrder().orderId();
        this.hasSortOrder = table.sortOrder().isSorted();
        this.keyedFiles = KeyedFiles.byTableOrder(table);
    }

    /**
     * @param options what a rewrite with default arguments would use
     * @param executor reads manifests in parallel
     */
    static FileDetails read(Table table, Snapshot snapshot, RewriteOptions options, ExecutorService executor)
    {
        FileDetailsReader reader = new FileDetailsReader(table, options);
        try {
            reader.readDataFiles(snapshot, executor);
            reader.readDeleteFiles(snapshot);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reader.details();
    }

    private void readDataFiles(Snapshot snapshot, ExecutorService executor)
            throws IOException
    {
        TableScan scan = table.newScan().useSnapshot(snapshot.snapshotId()).planWith(executor);
        if (keyedFiles.isPresent()) {
            scan = scan.includeColumnStats(keyedFiles.get().columnNames());
        }
        try (CloseableIterable<FileScanTask> tasks = scan.planFiles()) {
            tasks.forEach(this::add);
        }
    }

    private void add(FileScanTask task)
    {
        DataFile file = task.file();
        long size = file.fileSizeInBytes();
        sizes.add(size);
        dataFiles++;
        dataBytes += size;
        records += file.recordCount();
        filesPerFormat.merge(file.format().name().toLowerCase(Locale.ROOT), 1L, Long::sum);
        if (size < options.minFileSize()) {
            smallFiles++;
        }
        if (hasSortOrder && (file.sortOrderId() == null || file.sortOrderId() != sortOrderId)) {
            unsortedFiles++;
            unsortedBytes += size;
        }
        DataFileInfo info = DataFileInfos.read(task.file(), DataFileInfos.deletes(task), table.specs().get(file.specId()), Optional.empty());
        partitions.add(info.partitionKey());
        keyedFiles.ifPresent(keyed -> keyed.add(file, info));
        boolean hasDeletes = info.deleteFiles() > 0;
        if (hasDeletes) {
            filesWithDeletes++;
        }
        if (info.deleteFiles() >= options.deleteFileThreshold() || info.deletedRatio() >= options.deleteRatioThreshold()) {
            deleteHeavyFiles++;
        }
        // a file of the right size and without deletes is left alone, and has no influence on what is done with others
        if (hasDeletes || size < options.minFileSize() || size > options.maxFileSize()) {
            candidates.add(info);
        }
    }

    /**
     * The delete manifests themselves are read, because a scan does not tell of delete files that apply to nothing.
     */
    private void readDeleteFiles(Snapshot snapshot)
            throws IOException
    {
        for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
            try (ManifestReader<DeleteFile> deletes = ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
                deletes.forEach(this::add);
            }
        }
    }

    private void add(DeleteFile delete)
    {
        if (delete.content() == FileContent.EQUALITY_DELETES) {
            equalityDeleteFiles++;
            equalityDeleteRows += delete.recordCount();
            return;
        }
        positionDeleteRows += delete.recordCount();
        if (ContentFileUtil.isDV(delete)) {
            deletionVectors++;
        }
        else {
            positionDeleteFiles++;
        }
    }

    private FileDetails details()
    {
        RewritePlan plan = RewritePlanner.plan(options, candidates);
        long rewriteSmallFiles = plan.groups().stream()
                .flatMap(group -> group.files().stream())
                .filter(file -> file.size() < options.minFileSize())
                .count();
        return new FileDetails(
                dataFiles,
                dataBytes,
                records,
                smallFiles,
                median(),
                partitions.size(),
                ImmutableMap.copyOf(filesPerFormat),
                positionDeleteFiles,
                deletionVectors,
                equalityDeleteFiles,
                positionDeleteRows,
                equalityDeleteRows,
                filesWithDeletes,
                deleteHeavyFiles,
                plan.groups().size(),
                plan.inputFiles(),
                plan.inputBytes(),
                rewriteSmallFiles,
                unsortedFiles,
                unsortedBytes,
                keyedFiles.map(keyed -> SortOverlap.of(options, keyed.toList())));
    }

    /**
     * The lower one of the two middle sizes, so that the median is the size of a file.
     */
    private OptionalLong median()
    {
        long[] sorted = sizes.build().sorted().toArray();
        return sorted.length == 0 ? OptionalLong.empty() : OptionalLong.of(sorted[(sorted.length - 1) / 2]);
    }
}
