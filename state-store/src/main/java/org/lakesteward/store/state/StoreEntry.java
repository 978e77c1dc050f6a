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

import java.util.Arrays;

import static java.util.Objects.requireNonNull;

/**
 * A key as it was at some revision. The value is shared and must not be modified.
 *
 * @param createRevision since when the key has been there without a break
 * @param modRevision of its last change
 */
public record StoreEntry(String key, byte[] value, long createRevision, long modRevision)
{
    public StoreEntry
    {
        requireNonNull(key, "key is null");
        requireNonNull(value, "value is null");
    }

    /** How much of an answer it takes, approximately. */
    public long bytes()
    {
        return (long) key.length() + value.length + StoreLimits.ENTRY_OVERHEAD;
    }

    @Override
    public boolean equals(Object other)
    {
        return other instanceof StoreEntry that &&
                key.equals(that.key) &&
                Arrays.equals(value, that.value) &&
                createRevision == that.createRevision &&
                modRevision == that.modRevision;
    }

    @Override
    public int hashCode()
    {
        return 31 * key.hashCode() + Long.hashCode(modRevision);
    }

    /** Without the value, which may be long. */
    @Override
    public String toString()
    {
        return "StoreEntry[key=%s, bytes=%s, createRevision=%s, modRevision=%s]".formatted(key, value.length, createRevision, modRevision);
    }
}
