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

import io.trino.plugin.iceberg.PartitionData;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.util.ContentFileUtil;
import org.lakesteward.planner.rewrite.DataFileInfo;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Turns a data file and its deletes, as Iceberg plans them, into what planning a rewrite knows of it.
 */
public final class DataFileInfos
{
    private DataFileInfos() {}

    /**
     * The delete files that can delete rows of the task's data file.
     * Iceberg assigns a position delete by the file's data sequence number and its path bounds alone. A file that a rewrite made keeps an old
     * data sequence number; what was deleted before the file was there cannot mean it.
     */
    public static List<DeleteFile> deletes(FileScanTask task)
    {
        long fileSequenceNumber = fileSequenceNumber(task.file());
        return task.deletes().stream()
                .filter(delete -> delete.content() == FileContent.EQUALITY_DELETES
                        || delete.dataSequenceNumber() == null
                        || delete.dataSequenceNumber() >= fileSequenceNumber)
                .collect(toImmutableList());
    }

    /**
     * @param deletes what {@link #deletes} says of the file
     * @param spec the partition spec that the file was written with
     * @param copyObstacle why the file cannot be copied; see {@link DataFileInfo#copyObstacle()}
     */
    public static DataFileInfo read(DataFile file, List<DeleteFile> deletes, PartitionSpec spec, Optional<String> copyObstacle)
    {
        long sequenceNumber = Optional.ofNullable(file.dataSequenceNumber()).orElse(0L);
        int positionDeletes = 0;
        int equalityDeletes = 0;
        long knownDeletedRows = 0;
        for (DeleteFile delete : deletes) {
            if (delete.content() == FileContent.EQUALITY_DELETES) {
                equalityDeletes++;
            }
            else {
                positionDeletes++;
                if (delete.format() == FileFormat.PUFFIN || ContentFileUtil.isFileScoped(delete)) {
                    knownDeletedRows += delete.recordCount();
                }
            }
        }
        return new DataFileInfo(
                file.location(),
                file.fileSizeInBytes(),
                file.recordCount(),
                file.specId(),
                spec.isPartitioned() ? PartitionData.toJson(file.partition()) : "",
                sequenceNumber,
                fileSequenceNumber(file) > sequenceNumber,
                positionDeletes,
                equalityDeletes,
                knownDeletedRows,
                copyObstacle);
    }

    private static long fileSequenceNumber(DataFile file)
    {
        return Optional.ofNullable(file.fileSequenceNumber())
                .or(() -> Optional.ofNullable(file.dataSequenceNumber()))
                .orElse(0L);
    }
}
