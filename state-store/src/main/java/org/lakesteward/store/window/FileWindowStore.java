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
package org.lakesteward.store.window;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import org.lakesteward.planner.window.CoordinatorReport;
import org.lakesteward.planner.window.CoordinatorState;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowSnapshot;
import org.lakesteward.store.window.WindowCodec.Windows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/**
 * Windows in a folder of a local file system: for a lake with one coordinator. All processes, and all plugins of one process, that
 * use the folder see the same windows. One file holds the windows, one file each the report of a coordinator; a file is replaced
 * by renaming a complete one over it, so that a process that dies leaves the old or the new one. A folder that is not there
 * holds no windows; one that cannot be read is a failure, never taken for one without windows, and a watch that has seen open
 * windows takes the absence of their file for a failure too.
 * <p>
 * A coordinator is live while its report is less than the presence timeout away, by the clock of this machine. A report that cannot
 * be read counts as a lost coordinator whose identity is the name of the file.
 */
public final class FileWindowStore
        implements WindowStore
{
    /** A coordinator has one identity for ever, so more reports than this are a mistake of configuration. */
    static final int MAX_REPORTS = 1000;

    private static final String WINDOWS_FILE = "windows.json";
    private static final String COORDINATORS_FOLDER = "coordinators";
    private static final String REPORT_SUFFIX = ".json";
    private static final String TEMPORARY_SUFFIX = ".tmp";

    private final Path folder;
    private final Duration presenceTimeout;
    private final InstantSource clock;
    private final FolderLock lock;
    private final UnreadableReports unreadableReports = new UnreadableReports();
    private final Set<FileWindowWatch> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param folder is created when something is stored
     * @param presenceTimeout more than zero
     */
    public FileWindowStore(Path folder, Duration presenceTimeout, InstantSource clock)
    {
        this.folder = folder.toAbsolutePath().normalize();
        this.presenceTimeout = requireNonNull(presenceTimeout, "presenceTimeout is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.lock = new FolderLock(this.folder);
    }

    @Override
    public WindowSnapshot read()
    {
        checkOpen();
        // nothing is created by asking
        return folderExists() ? lock.runReading(this::snapshot) : new WindowSnapshot(ImmutableList.of(), ImmutableList.of(), ImmutableList.of());
    }

    @Override
    public WindowChange change(Function<WindowSnapshot, WindowChange> change)
    {
        requireNonNull(change, "change is null");
        return locked(() -> {
            WindowSnapshot current = snapshot();
            WindowChange result = change.apply(current);
            List<MaintenanceWindow> windows = new ArrayList<>(current.windows());
            windows.removeIf(window -> window.scope().equals(result.scope()));
            result.put().ifPresent(window -> {
                WindowCodec.encode(window);
                windows.add(window);
            });
            List<EndedWindow> ended = new ArrayList<>(current.ended());
            result.ended().ifPresent(window -> {
                WindowCodec.encode(window);
                ended.addFirst(window);
            });
            ended.sort(Comparator.comparing(EndedWindow::endedAt).reversed());
            replace(folder.resolve(WINDOWS_FILE), WindowCodec.encode(new Windows(windows, ended.subList(0, Math.min(ended.size(), MAX_ENDED)))));
            return result;
        });
    }

    @Override
    public void report(CoordinatorReport report)
    {
        byte[] document = WindowCodec.encode(report);
        locked(() -> {
            Path file = reportFile(report.coordinatorId());
            checkReplaceable(file);
            replace(file, document);
            return null;
        });
    }

    @Override
    public void remove(String coordinatorId)
    {
        requireNonNull(coordinatorId, "coordinatorId is null");
        checkOpen();
        if (!folderExists()) {
            return;
        }
        lock.run(() -> {
            Path file = reportFile(coordinatorId);
            if (checkReplaceable(file)) {
                delete(file);
                return null;
            }
            // compared with names that the folder holds: no text leads out of it
            reportFiles().stream()
                    .filter(candidate -> name(candidate).equals(coordinatorId))
                    .filter(candidate -> readReport(candidate).filter(UnreadableReport.class::isInstance).isPresent())
                    .forEach(FileWindowStore::delete);
            return null;
        });
    }

    /**
     * @return whether there is a report
     * @throws WindowStoreException when there is one that must not be replaced
     */
    private static boolean checkReplaceable(Path file)
    {
        try {
            if (WindowCodec.isNewer(Files.readAllBytes(file))) {
                throw WindowCodec.newer("file " + file);
            }
            return true;
        }
        catch (NoSuchFileException _) {
            return false;
        }
        catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static void delete(Path file)
    {
        try {
            Files.deleteIfExists(file);
        }
        catch (IOException e) {
            throw new WindowStoreException("file %s cannot be removed (%s)".formatted(file, reason(e)), e);
        }
    }

    @Override
    public Watch watch(Listener listener)
    {
        requireNonNull(listener, "listener is null");
        checkOpen();
        FileWindowWatch watch = new FileWindowWatch(folder.resolve(WINDOWS_FILE), this::readWindows, clock, listener, watches::remove);
        watches.add(watch);
        watch.start();
        if (closed) {
            watch.close();
        }
        return watch;
    }

    @Override
    public void close()
    {
        closed = true;
        watches.forEach(FileWindowWatch::close);
    }

    private <T> T locked(Supplier<T> action)
    {
        checkOpen();
        try {
            Files.createDirectories(folder.resolve(COORDINATORS_FOLDER));
        }
        catch (IOException e) {
            throw new WindowStoreException("folder %s cannot be created (%s)".formatted(folder, reason(e)), e);
        }
        return lock.run(action);
    }

    private void checkOpen()
    {
        if (closed) {
            throw new WindowStoreException("the store of windows in folder %s is closed".formatted(folder));
        }
    }

    private boolean folderExists()
    {
        // not Files.exists, which says no when it may not look
        try {
            if (!Files.readAttributes(folder, BasicFileAttributes.class).isDirectory()) {
                throw new WindowStoreException("%s is no folder: maintenance windows cannot be kept in it".formatted(folder));
            }
            return true;
        }
        catch (NoSuchFileException e) {
            return false;
        }
        catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    private WindowSnapshot snapshot()
    {
        Windows windows = readFile().orElse(Windows.NONE);
        return new WindowSnapshot(windows.windows(), windows.ended(), coordinators());
    }

    private Optional<List<MaintenanceWindow>> readWindows()
    {
        folderExists();
        return readFile().map(Windows::windows);
    }

    /** Empty when there is no file. */
    private Optional<Windows> readFile()
    {
        Path file = folder.resolve(WINDOWS_FILE);
        byte[] document;
        try {
            document = Files.readAllBytes(file);
        }
        catch (NoSuchFileException e) {
            return Optional.empty();
        }
        catch (IOException e) {
            throw unreadable(file, e);
        }
        Windows windows = WindowCodec.decodeWindows(document, "file " + file);
        return Optional.of(new Windows(
                windows.windows().stream()
                        .sorted(Comparator.comparing(window -> window.scope().toString()))
                        .collect(toImmutableList()),
                windows.ended()));
    }

    private List<CoordinatorState> coordinators()
    {
        Instant now = clock.instant();
        List<Path> files = reportFiles();
        unreadableReports.retain(files.stream().map(FileWindowStore::name).collect(toImmutableSet()));
        return files.stream()
                .map(FileWindowStore::readReport)
                .flatMap(Optional::stream)
                .map(stored -> switch (stored) {
                    case ReadableReport(CoordinatorReport report) -> new CoordinatorState(report, isLive(report, now));
                    case UnreadableReport(Path file, Instant modified, WindowStoreException failure) -> unreadableReports.state(name(file), modified, failure);
                })
                .sorted(Comparator.comparing(state -> state.report().coordinatorId()))
                .collect(toImmutableList());
    }

    /** A date too far in the future comes from a clock that was wrong, and would be there for ever. */
    private boolean isLive(CoordinatorReport report, Instant now)
    {
        return Duration.between(report.reportedAt(), now).abs().compareTo(presenceTimeout) < 0;
    }

    private List<Path> reportFiles()
    {
        Path reports = folder.resolve(COORDINATORS_FOLDER);
        ImmutableList.Builder<Path> files = ImmutableList.builder();
        int count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(reports, "*" + REPORT_SUFFIX)) {
            for (Path file : entries) {
                files.add(file);
                count++;
                if (count > MAX_REPORTS) {
                    throw new WindowStoreException("folder %s holds more than %s reports of coordinators: remove those of coordinators that are gone".formatted(reports, MAX_REPORTS));
                }
            }
        }
        catch (NoSuchFileException e) {
            return ImmutableList.of();
        }
        catch (IOException e) {
            throw unreadable(reports, e);
        }
        return files.build();
    }

    private sealed interface StoredReport {}

    private record ReadableReport(CoordinatorReport report)
            implements StoredReport {}

    private record UnreadableReport(Path file, Instant modified, WindowStoreException failure)
            implements StoredReport {}

    /** Empty when the file is gone, which somebody may remove at any time. */
    private static Optional<StoredReport> readReport(Path file)
    {
        WindowStoreException failure;
        try {
            return Optional.of(new ReadableReport(WindowCodec.decodeReport(Files.readAllBytes(file), "file " + file)));
        }
        catch (NoSuchFileException e) {
            return Optional.empty();
        }
        catch (IOException e) {
            failure = unreadable(file, e);
        }
        catch (WindowStoreException e) {
            failure = e;
        }
        try {
            return Optional.of(new UnreadableReport(file, Files.getLastModifiedTime(file).toInstant(), failure));
        }
        catch (NoSuchFileException e) {
            return Optional.empty();
        }
        catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static String name(Path file)
    {
        return file.getFileName().toString();
    }

    /** Any text is an identity, also one that is no name of a file: the start of it is for people, the hash tells them apart. */
    private Path reportFile(String coordinatorId)
    {
        String readable = coordinatorId.toLowerCase(Locale.ENGLISH).replaceAll("[^a-z0-9_-]", "_");
        String hash = Hashing.sha256().hashString(coordinatorId, UTF_8).toString().substring(0, 32);
        return folder.resolve(COORDINATORS_FOLDER).resolve(readable.substring(0, Math.min(readable.length(), 40)) + "-" + hash + REPORT_SUFFIX);
    }

    /** Callers hold the lock, so the temporary file is theirs; one that a dead process left is overwritten. */
    private static void replace(Path file, byte[] content)
    {
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY_SUFFIX);
        try {
            try (FileChannel channel = FileChannel.open(temporary, CREATE, WRITE, TRUNCATE_EXISTING)) {
                ByteBuffer buffer = ByteBuffer.wrap(content);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
            Files.move(temporary, file, ATOMIC_MOVE);
        }
        catch (AtomicMoveNotSupportedException e) {
            throw new WindowStoreException("folder %s is on a file system that cannot replace a file at once: choose another for window.file.path".formatted(file.getParent()), e);
        }
        catch (IOException e) {
            throw new WindowStoreException("file %s cannot be written (%s)".formatted(file, reason(e)), e);
        }
        try (FileChannel directory = FileChannel.open(file.getParent(), READ)) {
            directory.force(true);
        }
        catch (IOException e) {
            throw new WindowStoreException("file %s was replaced, but it is unknown whether that outlasts a failure of the machine (%s)".formatted(file, reason(e)), e);
        }
    }

    static WindowStoreException unreadable(Path path, IOException e)
    {
        return new WindowStoreException("%s cannot be read (%s)".formatted(path, reason(e)), e);
    }

    /** Exceptions of the file system often have the path alone as their message. */
    static String reason(IOException e)
    {
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }
}
