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
import io.airlift.log.Logger;
import org.lakesteward.planner.window.MaintenanceWindow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Looks at the file of windows several times a second. Polling is used because notifications of the operating system get lost
 * when the folder is replaced, and do not exist on every file system.
 * <p>
 * The store never removes the file. When one that held open windows is missing, somebody else moved it away or the file system
 * is not there, so that is a failure, not the end of the windows.
 */
final class FileWindowWatch
        implements WindowStore.Watch
{
    private static final Logger log = Logger.get(FileWindowWatch.class);

    private static final Duration INTERVAL = Duration.ofMillis(250);
    /** A file that was replaced twice within a tick of the file system's clock may look unchanged: read it now and then anyway. */
    private static final int LOOKS_PER_READ = 8;

    private final Path file;
    private final Supplier<Optional<List<MaintenanceWindow>>> reader;
    private final InstantSource clock;
    private final WindowStore.Listener listener;
    private final Consumer<FileWindowWatch> onClose;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * @param reader gives what the file holds, empty when there is no file
     */
    FileWindowWatch(Path file, Supplier<Optional<List<MaintenanceWindow>>> reader, InstantSource clock, WindowStore.Listener listener, Consumer<FileWindowWatch> onClose)
    {
        this.file = requireNonNull(file, "file is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.clock = requireNonNull(clock, "clock is null");
        this.listener = requireNonNull(listener, "listener is null");
        this.onClose = requireNonNull(onClose, "onClose is null");
    }

    void start()
    {
        Thread.ofPlatform()
                .name("maintenance-window-watch-file")
                .daemon()
                .start(this::run);
    }

    @Override
    public void close()
    {
        closed.countDown();
        onClose.accept(this);
    }

    private void run()
    {
        Optional<Stamp> lastStamp = Optional.empty();
        List<MaintenanceWindow> lastWindows = null;
        int looks = 0;
        do {
            try {
                // taken before the file is read: a change between the two is seen again at the next look
                Optional<Stamp> stamp = Optional.of(Stamp.of(file));
                if (lastWindows == null || !stamp.equals(lastStamp) || looks >= LOOKS_PER_READ) {
                    List<MaintenanceWindow> windows = read(lastWindows == null ? ImmutableList.of() : lastWindows);
                    lastWindows = windows.equals(lastWindows) ? lastWindows : windows;
                    lastStamp = stamp;
                    looks = 0;
                }
                looks++;
                tell(lastWindows);
            }
            catch (WindowStoreException e) {
                lastStamp = Optional.empty();
                tell(e);
            }
            catch (RuntimeException e) {
                lastStamp = Optional.empty();
                tell(new WindowStoreException("file %s cannot be watched".formatted(file), e));
            }
        }
        while (!pause());
    }

    /**
     * @param known what the file held when it was last read
     */
    private List<MaintenanceWindow> read(List<MaintenanceWindow> known)
    {
        return reader.get().orElseGet(() -> {
            Instant now = clock.instant();
            long open = known.stream().filter(window -> !window.isOver(now)).count();
            if (open > 0) {
                throw new WindowStoreException("file %s is missing, though it held %s when it was last read: %s on to hold; put the file back, or write it anew by opening and ending a window with enter_maintenance and exit_maintenance"
                        .formatted(file, open == 1 ? "1 open window" : open + " open windows", open == 1 ? "it goes" : "they go"));
            }
            return ImmutableList.of();
        });
    }

    /** Returns true when the watch was closed. */
    private boolean pause()
    {
        try {
            return closed.await(INTERVAL.toNanos(), NANOSECONDS);
        }
        catch (InterruptedException e) {
            // nobody else knows the thread
            return true;
        }
    }

    private void tell(List<MaintenanceWindow> windows)
    {
        try {
            if (closed.getCount() > 0) {
                listener.onWindows(windows);
            }
        }
        catch (RuntimeException e) {
            log.error(e, "A listener of maintenance windows failed");
        }
    }

    private void tell(WindowStoreException failure)
    {
        try {
            if (closed.getCount() > 0) {
                listener.onFailure(failure);
            }
        }
        catch (RuntimeException e) {
            log.error(e, "A listener of maintenance windows failed");
        }
    }

    /**
     * What changes when a file is replaced.
     *
     * @param file the number of the file on its disk; empty when there is no file
     */
    private record Stamp(Optional<Object> file, long bytes, Optional<FileTime> modified)
    {
        private static Stamp of(Path file)
        {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return new Stamp(Optional.ofNullable(attributes.fileKey()), attributes.size(), Optional.of(attributes.lastModifiedTime()));
            }
            catch (NoSuchFileException e) {
                return new Stamp(Optional.empty(), -1, Optional.empty());
            }
            catch (IOException e) {
                throw FileWindowStore.unreadable(file, e);
            }
        }
    }
}
