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

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static org.lakesteward.store.state.StoreLimits.checkKey;

/**
 * What must be so for a transaction to take place.
 */
public sealed interface Condition
{
    String key();

    boolean holds(Optional<StoreEntry> entry);

    /** Nobody has the key. */
    static Condition absent(String key)
    {
        return new Absent(key);
    }

    /** The key is as it was read. */
    static Condition unchanged(StoreEntry entry)
    {
        return new ModifiedAt(entry.key(), entry.modRevision());
    }

    /** The key has been there without a break since it was created then, whatever its value: the guard of a leader. */
    static Condition createdAt(String key, long createRevision)
    {
        return new CreatedAt(key, createRevision);
    }

    record Absent(String key)
            implements Condition
    {
        public Absent
        {
            checkKey(key);
        }

        @Override
        public boolean holds(Optional<StoreEntry> entry)
        {
            return entry.isEmpty();
        }
    }

    record ModifiedAt(String key, long modRevision)
            implements Condition
    {
        public ModifiedAt
        {
            checkKey(key);
            checkArgument(modRevision > 0, "modRevision is %s, it must be more than zero", modRevision);
        }

        @Override
        public boolean holds(Optional<StoreEntry> entry)
        {
            return entry.filter(present -> present.modRevision() == modRevision).isPresent();
        }
    }

    record CreatedAt(String key, long createRevision)
            implements Condition
    {
        public CreatedAt
        {
            checkKey(key);
            checkArgument(createRevision > 0, "createRevision is %s, it must be more than zero", createRevision);
        }

        @Override
        public boolean holds(Optional<StoreEntry> entry)
        {
            return entry.filter(present -> present.createRevision() == createRevision).isPresent();
        }
    }
}
