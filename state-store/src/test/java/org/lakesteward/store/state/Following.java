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
package org.lakesteward.store.state;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a follower has been told.
 */
public final class Following
        implements PrefixFollower.Receiver, AutoCloseable
{
    private final PrefixFollower follower;
    private final Map<String, StoreEntry> entries = new TreeMap<>();
    private final Set<String> told = new HashSet<>();
    private boolean reading;
    private int readings;
    private int disconnections;

    public Following(StateStore store, String prefix)
    {
        follower = new PrefixFollower(store, prefix, () -> {});
    }

    public void poll()
    {
        follower.poll(this, Duration.ZERO);
    }

    public Map<String, StoreEntry> entries()
    {
        return entries;
    }

    public int readings()
    {
        return readings;
    }

    public int disconnections()
    {
        return disconnections;
    }

    @Override
    public void beginReading()
    {
        reading = true;
        told.clear();
    }

    @Override
    public void put(StoreEntry entry)
    {
        told.add(entry.key());
        StoreEntry before = entries.put(entry.key(), entry);
        if (!reading && before != null && before.modRevision() >= entry.modRevision()) {
            throw new AssertionError("told again: " + entry);
        }
    }

    @Override
    public void delete(String key, long revision)
    {
        if (entries.remove(key) == null) {
            throw new AssertionError("told again that %s is gone".formatted(key));
        }
    }

    @Override
    public void endReading(long revision)
    {
        entries.keySet().retainAll(told);
        reading = false;
        readings++;
    }

    @Override
    public void disconnected(StateStoreException failure)
    {
        disconnections++;
    }

    @Override
    public void close()
    {
        follower.close();
    }
}
