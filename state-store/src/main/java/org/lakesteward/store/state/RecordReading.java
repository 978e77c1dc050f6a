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

import com.fasterxml.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/**
 * What a {@link RecordCodec} made of an entry.
 */
public sealed interface RecordReading<T>
{
    StoreEntry entry();

    /**
     * @param document with fields that this version does not know; must not be modified
     */
    record Readable<T>(StoreEntry entry, T value, ObjectNode document)
            implements RecordReading<T>
    {
        public Readable
        {
            requireNonNull(entry, "entry is null");
            requireNonNull(value, "value is null");
            requireNonNull(document, "document is null");
        }
    }

    /**
     * Written by a newer version, to be left as it is.
     *
     * @param problem one sentence
     */
    record TooNew<T>(StoreEntry entry, long schema, String problem)
            implements RecordReading<T>
    {
        public TooNew
        {
            requireNonNull(entry, "entry is null");
            requireNonNull(problem, "problem is null");
        }
    }

    /**
     * No record of any version.
     *
     * @param problem one sentence
     */
    record Damaged<T>(StoreEntry entry, String problem)
            implements RecordReading<T>
    {
        public Damaged
        {
            requireNonNull(entry, "entry is null");
            requireNonNull(problem, "problem is null");
        }
    }
}
