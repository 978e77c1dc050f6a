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

import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.state.StoreLimits.checkKey;

/**
 * What a transaction does to a key.
 */
public sealed interface Operation
{
    String key();

    /** How much of a request it takes, approximately. */
    long bytes();

    static Operation put(String key, byte[] value)
    {
        return new Put(key, value, Optional.empty());
    }

    /** The key ends with the lease. */
    static Operation put(String key, byte[] value, Lease lease)
    {
        return new Put(key, value, Optional.of(lease));
    }

    /** Does nothing where the key is absent. */
    static Operation delete(String key)
    {
        return new Delete(key);
    }

    /**
     * The value must not be modified afterwards.
     *
     * @param lease empty for a key that stays; a lease that the key had before no longer matters
     */
    record Put(String key, byte[] value, Optional<Lease> lease)
            implements Operation
    {
        public Put
        {
            checkKey(key);
            requireNonNull(value, "value is null");
            requireNonNull(lease, "lease is null");
        }

        @Override
        public long bytes()
        {
            return (long) key.length() + value.length + StoreLimits.ENTRY_OVERHEAD;
        }

        /** Without the value, which may be long. */
        @Override
        public String toString()
        {
            return "Put[key=%s, bytes=%s]".formatted(key, value.length);
        }
    }

    record Delete(String key)
            implements Operation
    {
        public Delete
        {
            checkKey(key);
        }

        @Override
        public long bytes()
        {
            return (long) key.length() + StoreLimits.ENTRY_OVERHEAD;
        }
    }
}
