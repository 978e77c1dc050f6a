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

import org.apache.iceberg.DeleteFile;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;

/**
 * Counts, for each live delete file of a snapshot, the live data files that it applies to.
 * Iceberg's own scan planning assigns deletes to data files, so that scope (partition or table), sequence numbers and bounds count as readers count them.
 * <p>
 * Not thread-safe.
 */
final class DeleteReferences
{
    private final Map<DeleteKey, Entry> entries = new HashMap<>();

    /** Registers a delete file that is live, whether or not any data file needs it. */
    void addLive(DeleteFile file)
    {
        entries.computeIfAbsent(DeleteKey.of(file), _ -> new Entry(file));
    }

    /** Registers that a live data file needs these. */
    void addReferences(Collection<DeleteFile> files)
    {
        for (DeleteFile file : files) {
            entries.computeIfAbsent(DeleteKey.of(file), _ -> new Entry(file)).references++;
        }
    }

    /** Delete files that no live data file needs once {@code rewritten} are gone, in the order of their location. */
    List<DeleteFile> unneededWithout(Collection<ScannedFile> rewritten)
    {
        Map<DeleteKey, Integer> released = new HashMap<>();
        for (ScannedFile file : rewritten) {
            for (DeleteFile delete : file.deletes()) {
                released.merge(DeleteKey.of(delete), 1, Integer::sum);
            }
        }
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().references <= released.getOrDefault(entry.getKey(), 0))
                .sorted(Map.Entry.comparingByKey(comparing(DeleteKey::location).thenComparingLong(DeleteKey::offset)))
                .map(entry -> entry.getValue().file)
                .collect(toImmutableList());
    }

    private static final class Entry
    {
        private final DeleteFile file;
        private int references;

        private Entry(DeleteFile file)
        {
            this.file = file;
        }
    }
}
