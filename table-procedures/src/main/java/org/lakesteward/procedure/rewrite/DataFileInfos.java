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

import java.util.Optional;

/**
 * Turns a data file and its deletes, as Iceberg plans them, into what planning a rewrite knows of it.
 */
public final class DataFileInfos
{
    private DataFileInfos() {}

    /**
     * @param spec the partition spec that the file was written with
     * @param copyObstacle why the file cannot be copied; see {@link DataFileInfo#copyObstacle()}
     */
    public static DataFileInfo read(FileScanTask task, PartitionSpec spec, Optional<String> copyObstacle)
    {
        DataFile file = task.file();
        long sequenceNumber = Optional.ofNullable(file.dataSequenceNumber()).orElse(0L);
        long fileSequenceNumber = Optional.ofNullable(file.fileSequenceNumber()).orElse(sequenceNumber);
        int positionDeletes = 0;
        int equalityDeletes = 0;
        long knownDeletedRows = 0;
        for (DeleteFile delete : task.deletes()) {
            if (delete.content() == FileContent.EQUALITY_DELETES) {
                equalityDeletes++;
            }
            // a position delete that is older than the file cannot mean it: Iceberg assigns it by its sequence number and path bounds alone
            else if (delete.dataSequenceNumber() == null || delete.dataSequenceNumber() >= fileSequenceNumber) {
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
                fileSequenceNumber > sequenceNumber,
                positionDeletes,
                equalityDeletes,
                knownDeletedRows,
                copyObstacle);
    }
}
