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
package org.lakesteward.testing.server;

import com.google.common.io.MoreFiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;

import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/**
 * Keeps a folder for one cluster: two would share a lake's catalog without knowing of each other. The lock file lies beside
 * the folder and ends with this process.
 */
final class FolderLock
        implements AutoCloseable
{
    private final Path folder;
    private final FileChannel channel;

    private FolderLock(Path folder, FileChannel channel)
    {
        this.folder = requireNonNull(folder, "folder is null");
        this.channel = requireNonNull(channel, "channel is null");
    }

    /**
     * @throws ServerStartException if another cluster has the folder
     */
    static FolderLock acquire(Path folder)
    {
        try {
            Files.createDirectories(folder);
            FileChannel channel = FileChannel.open(folder.resolveSibling(folder.getFileName() + ".lock"), CREATE, WRITE);
            FileLock lock;
            try {
                lock = channel.tryLock();
            }
            catch (OverlappingFileLockException e) {
                lock = null;
            }
            if (lock == null) {
                channel.close();
                throw new ServerStartException("Another cluster is running in %s: stop it first".formatted(folder));
            }
            return new FolderLock(folder, channel);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot lock " + folder, e);
        }
    }

    void emptyFolder()
    {
        try {
            MoreFiles.deleteDirectoryContents(folder, ALLOW_INSECURE);
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot empty " + folder, e);
        }
    }

    @Override
    public void close()
    {
        try {
            channel.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
