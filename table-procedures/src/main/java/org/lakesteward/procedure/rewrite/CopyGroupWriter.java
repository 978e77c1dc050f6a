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
import io.airlift.json.JsonCodec;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.memory.context.AggregatedMemoryContext;
import io.trino.plugin.iceberg.CommitTaskData;
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.MetricsWrapper;
import io.trino.plugin.iceberg.PartitionData;
import io.trino.spi.TrinoException;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SortOrder;
import org.lakesteward.planner.rewrite.RewritePath;
import org.lakesteward.procedure.copy.CopiedFile;
import org.lakesteward.procedure.copy.CopyCheck;
import org.lakesteward.procedure.copy.CopyInput;
import org.lakesteward.procedure.copy.CopyObstacle;
import org.lakesteward.procedure.copy.CopyOptions;
import org.lakesteward.procedure.copy.CopyVerification;
import org.lakesteward.procedure.copy.CopyVerificationException;
import org.lakesteward.procedure.copy.CorruptParquetException;
import org.lakesteward.procedure.copy.ParquetFooter;
import org.lakesteward.procedure.copy.RowGroupCopier;
import org.lakesteward.procedure.copy.RowGroupCopy;
import org.lakesteward.procedure.copy.RowLineage;
import org.lakesteward.procedure.copy.UnsupportedParquetException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.REWRITE_VERIFICATION_FAILED;

/**
 * Copies the row groups of the group's files byte for byte.
 * All footers are read first; if one of them forbids copying, nothing has been written yet and the group can be encoded.
 */
final class CopyGroupWriter
        implements GroupWriter
{
    private final FileGroupSplit split;
    private final TrinoFileSystem fileSystem;
    private final CopyCheck check;
    private final CopyOptions options;
    private final String partitionSpecJson;
    private final PartitionSpec spec;
    private final boolean lineage;
    private final GroupFileNames names;
    private final JsonCodec<CommitTaskData> commitTaskCodec;
    private final AggregatedMemoryContext memoryContext;
    private final String baseName;
    private final long stepNanos;

    private final List<CopyInput> inputs = new ArrayList<>();
    private long footerBytes;
    private long totalBytes;
    private int currentFile;
    private int nextRowGroup;
    private TrinoInput source;
    private RowGroupCopier copier;
    private RowGroupCopy copy;
    private long copiedBytes;
    private long finishedBytes;
    private final List<CopiedFile> written = new ArrayList<>();
    private long rows;
    private long readNanos;
    private boolean done;

    CopyGroupWriter(
            FileGroupSplit split,
            TrinoFileSystem fileSystem,
            CopyCheck check,
            CopyOptions options,
            PartitionSpec spec,
            boolean lineage,
            GroupFileNames names,
            String baseName,
            JsonCodec<CommitTaskData> commitTaskCodec,
            AggregatedMemoryContext memoryContext,
            long stepNanos)
    {
        this.split = requireNonNull(split, "split is null");
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.check = requireNonNull(check, "check is null");
        this.options = requireNonNull(options, "options is null");
        this.spec = requireNonNull(spec, "spec is null");
        this.lineage = lineage;
        this.names = requireNonNull(names, "names is null");
        this.baseName = requireNonNull(baseName, "baseName is null");
        this.commitTaskCodec = requireNonNull(commitTaskCodec, "commitTaskCodec is null");
        this.memoryContext = requireNonNull(memoryContext, "memoryContext is null");
        this.stepNanos = stepNanos;
        partitionSpecJson = PartitionSpecParser.toJson(spec);
    }

    @Override
    public Progress step()
            throws IOException
    {
        long deadline = System.nanoTime() + stepNanos;
        do {
            if (inputs.size() < split.files().size()) {
                Optional<String> obstacle = readFooter(split.files().get(inputs.size()));
                if (obstacle.isPresent()) {
                    return new Progress.Unsuitable(obstacle.get());
                }
            }
            else if (copy != null) {
                long start = System.nanoTime();
                if (copy.step()) {
                    copy = null;
                }
                readNanos += System.nanoTime() - start;
            }
            else if (!openNextRowGroup()) {
                done = true;
                return new Progress.Done(result());
            }
        }
        while (System.nanoTime() < deadline);
        return Progress.MORE;
    }

    private Optional<String> readFooter(GroupFile file)
            throws IOException
    {
        Location location = Location.of(file.path());
        ParquetFooter footer;
        try (TrinoInput input = fileSystem.newInputFile(location, file.size()).newInput()) {
            footer = ParquetFooter.read(input, location, file.size(), options.maxFooterSize());
        }
        catch (CorruptParquetException | UnsupportedParquetException e) {
            // the reader of the encode path says whether the file can be read at all
            return CopyObstacle.ofUnreadableFooter(e).map(CopyObstacle::sentence);
        }
        CopyInput input = new CopyInput(footer, lineage
                ? Optional.of(new RowLineage(file.firstRowId().orElseThrow(), file.dataSequenceNumber().orElseThrow()))
                : Optional.empty());
        inputs.add(input);
        footerBytes += footer.retainedBytes();
        totalBytes += footer.compressedSize();
        return check.obstacle(inputs.getFirst(), input).map(CopyObstacle::sentence);
    }

    /** False when there is no row group left and the last output is closed. */
    private boolean openNextRowGroup()
            throws IOException
    {
        while (currentFile < inputs.size() && nextRowGroup == inputs.get(currentFile).footer().rowGroupCount()) {
            closeSource();
            currentFile++;
            nextRowGroup = 0;
        }
        if (currentFile == inputs.size()) {
            finishOutput();
            return false;
        }
        CopyInput input = inputs.get(currentFile);
        if (copier != null && (isShareFull() || !copier.hasRoomFor(input, nextRowGroup))) {
            finishOutput();
        }
        if (copier == null) {
            copier = RowGroupCopier.create(fileSystem, nextLocation(), inputs.getFirst(), options, memoryContext);
        }
        if (source == null) {
            GroupFile file = split.files().get(currentFile);
            source = fileSystem.newInputFile(Location.of(file.path()), file.size()).newInput();
        }
        copiedBytes += input.footer().compressedSize(nextRowGroup);
        copy = copier.append(source, input, nextRowGroup++);
        return true;
    }

    /** Row groups cannot be cut, so that each output ends with the row group that fills its share. */
    private boolean isShareFull()
    {
        int outputs = split.outputFiles();
        return written.size() < outputs - 1 && copiedBytes >= totalBytes * (written.size() + 1.0) / outputs;
    }

    private Location nextLocation()
    {
        String path = spec.isPartitioned()
                ? names.newDataLocation(spec, PartitionData.fromJson(split.files().getFirst().partitionJson(), spec), baseName)
                : names.newDataLocation(baseName);
        return Location.of(path);
    }

    private void finishOutput()
            throws IOException
    {
        if (copier == null) {
            return;
        }
        CopiedFile file = copier.finish();
        // from here on the file is ours to delete
        written.add(file);
        copier = null;
        rows += file.rowCount();
        finishedBytes += file.size();
    }

    private void closeSource()
            throws IOException
    {
        if (source != null) {
            source.close();
            source = null;
        }
    }

    private GroupResult result()
            throws IOException
    {
        try {
            if (written.size() == 1) {
                ImmutableList.Builder<CopyVerification.Source> sources = ImmutableList.builder();
                for (int i = 0; i < inputs.size(); i++) {
                    sources.add(new CopyVerification.Source(inputs.get(i).footer(), split.files().get(i).recordCount()));
                }
                CopyVerification.verify(written.getFirst(), sources.build());
            }
            for (CopiedFile file : written) {
                try (TrinoInput input = fileSystem.newInputFile(file.location(), file.size()).newInput()) {
                    CopyVerification.verifyStored(file, input);
                }
            }
        }
        catch (CopyVerificationException e) {
            throw new TrinoException(REWRITE_VERIFICATION_FAILED, e.getMessage() + ": nothing was changed", e);
        }
        long expected = split.files().stream().mapToLong(GroupFile::recordCount).sum();
        if (rows != expected) {
            throw new TrinoException(REWRITE_VERIFICATION_FAILED, "File group %s has %s rows by its manifests, but %s were copied: nothing was changed".formatted(split.groupId(), expected, rows));
        }
        ImmutableList.Builder<String> tasks = ImmutableList.builder();
        for (CopiedFile file : written) {
            tasks.add(commitTaskCodec.toJson(new CommitTaskData(
                    file.location().toString(),
                    IcebergFileFormat.PARQUET,
                    file.size(),
                    new MetricsWrapper(file.metrics()),
                    partitionSpecJson,
                    spec.isPartitioned() ? Optional.of(split.files().getFirst().partitionJson()) : Optional.empty(),
                    FileContent.DATA,
                    Optional.empty(),
                    Optional.of(file.splitOffsets()),
                    SortOrder.unsorted().orderId(),
                    Optional.empty())));
        }
        return new GroupResult(
                split.groupId(),
                RewritePath.COPY,
                Optional.empty(),
                rows,
                0,
                split.files().stream().mapToLong(GroupFile::size).sum(),
                finishedBytes,
                tasks.build());
    }

    @Override
    public long rowsRead()
    {
        return rows + (copier == null ? 0 : copier.rowCount());
    }

    @Override
    public long bytesRead()
    {
        return copiedBytes;
    }

    @Override
    public long readTimeNanos()
    {
        return readNanos;
    }

    @Override
    public long retainedBytes()
    {
        return footerBytes + (copier == null ? 0 : copier.retainedBytes());
    }

    @Override
    public void abort()
    {
        RuntimeException failure = null;
        try {
            closeSource();
        }
        catch (IOException e) {
            failure = new RuntimeException("Closing a data file failed", e);
        }
        if (done) {
            return;
        }
        try {
            if (copier != null) {
                copier.abort();
                copier = null;
            }
            if (!written.isEmpty()) {
                fileSystem.deleteFiles(written.stream().map(CopiedFile::location).toList());
                written.clear();
            }
        }
        catch (IOException | RuntimeException e) {
            RuntimeException deletion = new RuntimeException("Deleting the files of file group %s failed".formatted(split.groupId()), e);
            if (failure != null) {
                deletion.addSuppressed(failure);
            }
            failure = deletion;
        }
        if (failure != null) {
            throw failure;
        }
    }
}
