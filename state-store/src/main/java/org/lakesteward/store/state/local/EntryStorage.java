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
package org.lakesteward.store.state.local;

import org.lakesteward.store.state.StoreEntry;

import java.util.Iterator;
import java.util.Optional;

/**
 * Where the entries of a {@link LocalState} are, as they are now. Not thread-safe.
 */
public interface EntryStorage
{
    Optional<StoreEntry> get(String key);

    /** All entries from a key on, in the order of their keys. The storage does not change meanwhile. */
    Iterator<StoreEntry> from(String key);

    void put(StoreEntry entry);

    void remove(String key);

    /** Of the last change. */
    long revision();

    void setRevision(long revision);
}
