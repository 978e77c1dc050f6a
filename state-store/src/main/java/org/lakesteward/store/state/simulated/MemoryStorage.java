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
package org.lakesteward.store.state.simulated;

import org.lakesteward.store.state.StoreEntry;
import org.lakesteward.store.state.local.EntryStorage;

import java.util.Iterator;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

final class MemoryStorage
        implements EntryStorage
{
    private final NavigableMap<String, StoreEntry> entries = new TreeMap<>();
    private long revision;

    @Override
    public Optional<StoreEntry> get(String key)
    {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public Iterator<StoreEntry> from(String key)
    {
        return entries.tailMap(key, true).values().iterator();
    }

    @Override
    public void put(StoreEntry entry)
    {
        entries.put(entry.key(), entry);
    }

    @Override
    public void remove(String key)
    {
        entries.remove(key);
    }

    @Override
    public long revision()
    {
        return revision;
    }

    @Override
    public void setRevision(long revision)
    {
        this.revision = revision;
    }
}
