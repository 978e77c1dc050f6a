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
package org.lakesteward.store.state.embedded;

import org.lakesteward.store.state.StateStoreException;
import org.lakesteward.store.state.StateStoreException.Kind;

import java.io.IOException;
import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * One user of a file among all class loaders of this process. The lock that MVStore takes keeps out other processes only: closing any
 * channel of a file gives up the locks that the process has on it (POSIX), so a second attempt to open it, though it fails, would
 * leave the file to everybody.
 */
final class FileUse
        implements AutoCloseable
{
    private final String name;

    private FileUse(String name)
    {
        this.name = requireNonNull(name, "name is null");
    }

    /**
     * @param file in a folder that exists
     * @throws StateStoreException {@code LOCKED} when this process uses the file already; {@code REFUSED} when its folder cannot be read
     */
    static FileUse begin(Path file)
    {
        Path realFile;
        try {
            realFile = file.getParent().toRealPath().resolve(file.getFileName());
        }
        catch (IOException e) {
            throw new StateStoreException(Kind.REFUSED, "folder %s cannot be read (%s)".formatted(file.getParent(), e), e);
        }
        String name = "org.lakesteward.store.state.embedded:" + realFile;
        // the one map that all class loaders share
        if (System.getProperties().putIfAbsent(name, "in use") != null) {
            throw locked(file, null);
        }
        return new FileUse(name);
    }

    /** @param cause may be null */
    static StateStoreException locked(Path file, Throwable cause)
    {
        return new StateStoreException(Kind.LOCKED, "file %s is in use: only one process can have it, once, and several coordinators need etcd".formatted(file), cause);
    }

    /** Call it after the file was closed, once. */
    @Override
    public void close()
    {
        System.getProperties().remove(name);
    }
}
