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
import com.google.common.primitives.Ints;
import io.airlift.log.Logger;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Keeps equality deletes that were committed while a rewrite ran.
 * <p>
 * New files carry the sequence number of the planned snapshot, so that such deletes apply to them. But a commit of Iceberg drops delete files that are
 * older than every data file of the table, and counts only the files that were there before, not those that it adds: when a rewrite replaces all older
 * files and somebody has appended a newer one, the deletes are dropped and the rows come back. {@link #check} finds that out in the very metadata that is
 * about to be committed. The next attempt replaces each such file by a copy with the same sequence number. The file itself cannot be added again,
 * because expiring the snapshot would delete it from storage.
 * <p>
 * Used by one thread at a time.
 */
final class LaterEqualityDeletes
{
    private static final Logger log = Logger.get(LaterEqualityDeletes.class);

    private final PlannedRewrite planned;
    private final String queryId;
    private final Map<DeleteKey, Replacement> replacements = new LinkedHashMap<>();

    LaterEqualityDeletes(PlannedRewrite planned, String queryId)
    {
        this.planned = requireNonNull(planned, "planned is null");
        this.queryId = requireNonNull(queryId, "queryId is null");
    }

    /**
     * @throws DroppedException when the commit would drop equality deletes that new files need
     */
    void check(FileIO io, TableMetadata base, TableMetadata metadata)
    {
        Snapshot before = base.currentSnapshot();
        if (before == null || before.snapshotId() == planned.snapshotId()) {
            return;
        }
        Map<DeleteKey, DeleteFile> needed = new LinkedHashMap<>();
        for (ManifestFile manifest : before.deleteManifests(io)) {
            if (manifest.sequenceNumber() > planned.sequenceNumber()) {
                for (DeleteFile file : read(manifest, io, base)) {
                    if (file.content() == FileContent.EQUALITY_DELETES && file.dataSequenceNumber() > planned.sequenceNumber()) {
                        needed.put(DeleteKey.of(file), file);
                    }
                }
            }
        }
        needed.keySet().removeAll(replacements.keySet());
        if (needed.isEmpty()) {
            return;
        }
        Set<DeleteKey> kept = new HashSet<>();
        for (ManifestFile manifest : metadata.currentSnapshot().deleteManifests(io)) {
            read(manifest, io, metadata).forEach(file -> kept.add(DeleteKey.of(file)));
        }
        needed.keySet().removeAll(kept);
        if (!needed.isEmpty()) {
            throw new DroppedException(ImmutableList.copyOf(needed.values()));
        }
    }

    /** Writes copies of the files, for the next attempt to replace them by. */
    void copy(BaseTable table, List<DeleteFile> files)
    {
        for (DeleteFile file : files) {
            String name = "%s-later-%s.%s".formatted(queryId, replacements.size(), file.format().name().toLowerCase(ENGLISH));
            String location = table.locationProvider().newDataLocation(name);
            DeleteFile copy = FileMetadata.deleteFileBuilder(table.specs().get(file.specId()))
                    .copy(file)
                    // which the copy of the builder leaves out
                    .ofEqualityDeletes(Ints.toArray(file.equalityFieldIds()))
                    .withPath(location)
                    .build();
            replacements.put(DeleteKey.of(file), new Replacement(file, copy, table.io()));
            try (InputStream in = table.io().newInputFile(file.location()).newStream();
                    OutputStream out = table.io().newOutputFile(location).create()) {
                in.transferTo(out);
            }
            catch (IOException e) {
                throw new UncheckedIOException("Cannot copy equality delete file " + file.location(), e);
            }
        }
    }

    /** Forgets replacements of files that are no longer in the table, and deletes their copies. */
    void retainLive(BaseTable table)
    {
        if (replacements.isEmpty()) {
            return;
        }
        Set<DeleteKey> live = new HashSet<>();
        if (table.currentSnapshot() != null) {
            RewriteScanner.forEachLiveDelete(table, table.currentSnapshot(), file -> live.add(DeleteKey.of(file)));
        }
        List<DeleteKey> gone = replacements.keySet().stream().filter(key -> !live.contains(key)).collect(toImmutableList());
        gone.forEach(key -> delete(replacements.remove(key)));
    }

    void addTo(RewriteFiles rewrite)
    {
        replacements.values().forEach(replacement -> {
            rewrite.deleteFile(replacement.original());
            rewrite.addFile(replacement.copy(), replacement.original().dataSequenceNumber());
        });
    }

    /** Deletes the copies, which no snapshot refers to. A failure is logged. */
    void discard()
    {
        replacements.values().forEach(this::delete);
        replacements.clear();
    }

    private void delete(Replacement replacement)
    {
        DeleteFile copy = replacement.copy();
        try {
            replacement.io().deleteFile(copy.location());
        }
        catch (RuntimeException e) {
            log.warn(e, "Query %s: cannot delete %s, which it did not commit", queryId, copy.location());
        }
    }

    private static List<DeleteFile> read(ManifestFile manifest, FileIO io, TableMetadata metadata)
    {
        ImmutableList.Builder<DeleteFile> files = ImmutableList.builder();
        try (ManifestReader<DeleteFile> reader = ManifestFiles.readDeleteManifest(manifest, io, metadata.specsById())) {
            reader.forEach(file -> files.add(file.copy()));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.build();
    }

    private record Replacement(DeleteFile original, DeleteFile copy, FileIO io) {}

    /** The commit would lose equality deletes. */
    static final class DroppedException
            extends ValidationException
    {
        private final transient List<DeleteFile> files;

        private DroppedException(List<DeleteFile> files)
        {
            super("%s equality delete files that were committed during the rewrite would be dropped, first: %s", files.size(), files.getFirst().location());
            this.files = ImmutableList.copyOf(files);
        }

        List<DeleteFile> files()
        {
            return files;
        }
    }
}
