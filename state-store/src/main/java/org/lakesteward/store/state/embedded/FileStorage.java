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

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterators;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.StringDataType;
import org.lakesteward.store.state.StoreEntry;
import org.lakesteward.store.state.local.EntryStorage;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Entries in maps of an MVStore. What is changed is on disk after {@link #save}, all of it or, when the process or the machine
 * dies before, nothing.
 */
final class FileStorage
        implements EntryStorage
{
    private static final String REVISION = "revision";
    private static final String LAST_TRANSACTION = "last_transaction";

    private final MVStore file;
    /** By key: the create revision, the mod revision, the value. */
    private final MVMap<String, byte[]> entries;
    /** Keys that end with a lease, and with the process. */
    private final MVMap<String, byte[]> leased;
    private final MVMap<String, byte[]> state;

    FileStorage(MVStore file)
    {
        this.file = file;
        this.entries = file.openMap("entries", builder());
        this.leased = file.openMap("leased", builder());
        this.state = file.openMap("state", builder());
    }

    private static MVMap.Builder<String, byte[]> builder()
    {
        return new MVMap.Builder<String, byte[]>()
                .keyType(StringDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE);
    }

    void save()
    {
        file.commit();
        file.sync();
    }

    Set<String> leasedKeys()
    {
        return ImmutableSet.copyOf(leased.keySet());
    }

    void setLeased(String key, boolean isLeased)
    {
        if (isLeased) {
            leased.put(key, new byte[0]);
        }
        else {
            leased.remove(key);
        }
    }

    /** The transaction that was saved last, if any was. */
    Optional<String> lastTransaction()
    {
        return Optional.ofNullable(state.get(LAST_TRANSACTION)).map(id -> new String(id, UTF_8));
    }

    void setLastTransaction(String id)
    {
        state.put(LAST_TRANSACTION, id.getBytes(UTF_8));
    }

    @Override
    public Optional<StoreEntry> get(String key)
    {
        return Optional.ofNullable(entries.get(key)).map(stored -> entry(key, stored));
    }

    @Override
    public Iterator<StoreEntry> from(String key)
    {
        var cursor = entries.cursor(key);
        return Iterators.transform(cursor, next -> entry(next, cursor.getValue()));
    }

    @Override
    public void put(StoreEntry entry)
    {
        entries.put(entry.key(), ByteBuffer.allocate(2 * Long.BYTES + entry.value().length)
                .putLong(entry.createRevision())
                .putLong(entry.modRevision())
                .put(entry.value())
                .array());
    }

    private static StoreEntry entry(String key, byte[] stored)
    {
        ByteBuffer buffer = ByteBuffer.wrap(stored);
        long createRevision = buffer.getLong();
        long modRevision = buffer.getLong();
        byte[] value = new byte[buffer.remaining()];
        buffer.get(value);
        return new StoreEntry(key, value, createRevision, modRevision);
    }

    @Override
    public void remove(String key)
    {
        entries.remove(key);
        leased.remove(key);
    }

    @Override
    public long revision()
    {
        byte[] stored = state.get(REVISION);
        return stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
    }

    @Override
    public void setRevision(long revision)
    {
        state.put(REVISION, ByteBuffer.allocate(Long.BYTES).putLong(revision).array());
    }
}
