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

import com.google.inject.Inject;
import io.trino.plugin.iceberg.ForIcebergPlanning;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.CloseableIterable;
import org.lakesteward.planner.rewrite.FileGroup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * Finds the file groups whose files another commit removed, or gave a position delete or deletion vector that the rewrite did not see.
 * Equality deletes are no conflict: rewritten files keep the planned snapshot's sequence number, so that later ones apply to them. Thread-safe.
 */
public class ConflictFinder
{
    private final ExecutorService planningExecutor;

    @Inject
    public ConflictFinder(@ForIcebergPlanning ExecutorService planningExecutor)
    {
        this.planningExecutor = requireNonNull(planningExecutor, "planningExecutor is null");
    }

    List<FileGroup> conflicting(BaseTable current, PlannedRewrite planned, Collection<FileGroup> groups)
    {
        Set<String> untouched = new HashSet<>();
        Snapshot snapshot = current.currentSnapshot();
        if (snapshot != null) {
            try (CloseableIterable<FileScanTask> tasks = current.newScan().useSnapshot(snapshot.snapshotId()).planWith(planningExecutor).planFiles()) {
                for (FileScanTask task : tasks) {
                    ScannedFile file = planned.filesByPath().get(task.file().location());
                    if (file != null && positionDeletes(file.deletes()).containsAll(positionDeletes(DataFileInfos.deletes(task)))) {
                        untouched.add(task.file().location());
                    }
                }
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return groups.stream()
                .filter(group -> !group.files().stream().allMatch(file -> untouched.contains(file.path())))
                .collect(toImmutableList());
    }

    private static Set<DeleteKey> positionDeletes(Collection<DeleteFile> deletes)
    {
        return deletes.stream()
                .filter(delete -> delete.content() == FileContent.POSITION_DELETES)
                .map(DeleteKey::of)
                .collect(toImmutableSet());
    }
}
