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
import io.trino.plugin.iceberg.IcebergFileFormat;
import io.trino.plugin.iceberg.PartitionData;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The files of a group as workers need them.
 *
 * @param deletes the delete files that apply to any of the files, each once
 */
record GroupFiles(List<GroupFile> files, List<io.trino.plugin.iceberg.delete.DeleteFile> deletes)
{
    GroupFiles
    {
        files = ImmutableList.copyOf(files);
        deletes = ImmutableList.copyOf(deletes);
    }

    static GroupFiles of(List<ScannedFile> files)
    {
        Map<DeleteKey, Integer> deleteIndexes = new LinkedHashMap<>();
        ImmutableList.Builder<io.trino.plugin.iceberg.delete.DeleteFile> deletes = ImmutableList.builder();
        ImmutableList.Builder<GroupFile> groupFiles = ImmutableList.builder();
        for (ScannedFile scanned : files) {
            ImmutableList.Builder<Integer> indexes = ImmutableList.builder();
            for (DeleteFile delete : scanned.deletes()) {
                indexes.add(deleteIndexes.computeIfAbsent(DeleteKey.of(delete), _ -> {
                    deletes.add(io.trino.plugin.iceberg.delete.DeleteFile.fromIceberg(delete));
                    return deleteIndexes.size();
                }));
            }
            groupFiles.add(toGroupFile(scanned, indexes.build()));
        }
        return new GroupFiles(groupFiles.build(), deletes.build());
    }

    /** Those that apply to the file with this number. */
    List<io.trino.plugin.iceberg.delete.DeleteFile> deletes(int file)
    {
        return files.get(file).deletes().stream().map(deletes::get).toList();
    }

    private static GroupFile toGroupFile(ScannedFile scanned, List<Integer> deletes)
    {
        DataFile file = scanned.file();
        return new GroupFile(
                file.location(),
                file.fileSizeInBytes(),
                file.recordCount(),
                IcebergFileFormat.fromIceberg(file.format()),
                file.specId(),
                PartitionData.toJson(file.partition()),
                deletes,
                optional(file.dataSequenceNumber()),
                optional(file.firstRowId()),
                expectedRows(scanned));
    }

    /** Known before reading when no deletes apply, or a deletion vector alone: its cardinality is in the manifest. */
    private static OptionalLong expectedRows(ScannedFile scanned)
    {
        long rows = scanned.file().recordCount();
        if (scanned.deletes().stream().anyMatch(delete -> delete.content() == FileContent.EQUALITY_DELETES)) {
            return OptionalLong.empty();
        }
        List<DeleteFile> vectors = scanned.deletes().stream()
                .filter(delete -> delete.format() == FileFormat.PUFFIN)
                .toList();
        if (vectors.size() == 1) {
            // by the specification a reader ignores position delete files once there is a deletion vector
            return OptionalLong.of(rows - vectors.getFirst().recordCount());
        }
        return scanned.deletes().isEmpty() ? OptionalLong.of(rows) : OptionalLong.empty();
    }

    private static OptionalLong optional(Long value)
    {
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
