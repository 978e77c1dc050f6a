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

import static java.util.Objects.requireNonNull;

/**
 * A change of a key that a watch tells.
 */
public sealed interface Change
{
    String key();

    long revision();

    record Put(StoreEntry entry)
            implements Change
    {
        public Put
        {
            requireNonNull(entry, "entry is null");
        }

        @Override
        public String key()
        {
            return entry.key();
        }

        @Override
        public long revision()
        {
            return entry.modRevision();
        }
    }

    record Deleted(String key, long revision)
            implements Change
    {
        public Deleted
        {
            requireNonNull(key, "key is null");
        }
    }
}
