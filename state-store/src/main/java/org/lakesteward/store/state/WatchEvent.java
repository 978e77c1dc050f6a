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

import com.google.common.collect.ImmutableList;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * What a watch tells.
 */
public sealed interface WatchEvent
{
    /**
     * Changes in their order: all those of each revision.
     *
     * @param revision of the last one
     */
    record Changes(long revision, List<Change> changes)
            implements WatchEvent
    {
        public Changes
        {
            changes = ImmutableList.copyOf(changes);
        }
    }

    /**
     * Changes were missed and cannot be told any more: the watch has ended. Read the keys again, at any revision from
     * {@code oldestRevision} on, and watch from the one after it. {@link PrefixFollower} does.
     *
     * @param oldestRevision zero when it is not known
     */
    record RereadRequired(Reason reason, long oldestRevision)
            implements WatchEvent
    {
        public RereadRequired
        {
            requireNonNull(reason, "reason is null");
        }
    }

    enum Reason
    {
        /** The store has forgotten changes of that time. */
        COMPACTED,
        /** The changes that were missed exceed what the store can send at once. */
        TOO_LARGE,
        /** The store has not come so far: it was restored from a backup, or its data were lost. */
        STORE_WENT_BACK,
    }

    /** The contact is lost; told once for each loss. The watch resumes by itself. */
    record Disconnected(StateStoreException failure)
            implements WatchEvent
    {
        public Disconnected
        {
            requireNonNull(failure, "failure is null");
        }
    }
}
