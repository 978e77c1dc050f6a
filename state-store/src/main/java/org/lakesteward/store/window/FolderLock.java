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

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * One user of a folder at a time, among all processes and among all class loaders of a process. The operating system frees the
 * lock of a process that dies. Not reentrant.
 * <p>
 * The lock is one byte of a file, and the right to be the next one to get it is another: a process that gives the lock back and
 * wants it again at once finds that one taken, so that processes which wait do not starve.
 */
final class FolderLock
{
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final String LOCK_FILE = "lock";
    private static final long NEXT = 0;
    private static final long HOLDER = 1;

    private final Path file;
    /**
     * Shared by all class loaders of the process. Needed because closing any channel of a file gives up the locks that the
     * process has on it (POSIX), so no second channel may be opened and closed while one holds the lock.
     */
    private final Object processMonitor;

    FolderLock(Path folder)
    {
        this.file = folder.resolve(LOCK_FILE);
        this.processMonitor = ("org.lakesteward.store.window.FolderLock:" + file).intern();
    }

    /**
     * @throws WindowStoreException when the lock cannot be had within ten seconds, counted from when no other user of this process
     * has it
     */
    <T> T run(Supplier<T> action)
    {
        synchronized (processMonitor) {
            FileChannel channel;
            try {
                channel = FileChannel.open(file, CREATE, WRITE);
            }
            catch (IOException e) {
                throw failed(e);
            }
            return runLocked(channel, action);
        }
    }

    /**
     * For an action that changes nothing. Runs it without the lock where the file of the lock cannot be opened for writing, because
     * permissions or the file system forbid it: files are replaced at once, so each is whole, though two may be of different moments.
     *
     * @throws WindowStoreException as {@link #run}
     */
    <T> T runReading(Supplier<T> action)
    {
        synchronized (processMonitor) {
            FileChannel channel;
            try {
                channel = FileChannel.open(file, CREATE, WRITE);
            }
            catch (IOException e) {
                return action.get();
            }
            return runLocked(channel, action);
        }
    }

    private <T> T runLocked(FileChannel channel, Supplier<T> action)
    {
        try (channel; FileLock _ = lock(channel)) {
            return action.get();
        }
        catch (IOException e) {
            throw failed(e);
        }
    }

    private WindowStoreException failed(IOException e)
    {
        return new WindowStoreException("file %s cannot be locked (%s)".formatted(file, FileWindowStore.reason(e)), e);
    }

    private FileLock lock(FileChannel channel)
            throws IOException
    {
        long start = System.nanoTime();
        try (FileLock _ = lock(channel, NEXT, start)) {
            return lock(channel, HOLDER, start);
        }
    }

    private FileLock lock(FileChannel channel, long position, long start)
            throws IOException
    {
        while (true) {
            try {
                FileLock lock = channel.tryLock(position, 1, false);
                if (lock != null) {
                    return lock;
                }
            }
            catch (OverlappingFileLockException e) {
                // another name of the same folder is in use in this process
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new WindowStoreException("file %s is locked by another process for more than %s seconds".formatted(file, LIMIT.toSeconds()));
            }
            try {
                Thread.sleep(PAUSE);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new WindowStoreException("interrupted while waiting for file %s".formatted(file), e);
            }
        }
    }
}
