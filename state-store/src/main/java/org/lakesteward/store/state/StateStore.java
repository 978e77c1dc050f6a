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
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A small store that all coordinators of a lake share: keys with values and revisions, changed by transactions. What one
 * transaction changes has one revision, and revisions rise by time.
 * <p>
 * Keys are printable ASCII without blanks, see {@link StateKeys}. Every store holds to the limits of {@link StoreLimits}. Every
 * method ends within a bounded time or throws {@link StateStoreException}, whose kind tells whether something may have been changed.
 * Thread-safe, except for watches, each of which belongs to one thread at a time.
 */
public interface StateStore
        extends AutoCloseable
{
    /** As of now, or later than now: whatever was committed before the call is seen. */
    Optional<StoreEntry> get(String key);

    /**
     * Reads the first keys of a range in the order of their bytes. Use {@link PagedReader} for a whole range.
     *
     * @param prefix what the keys begin with, not empty
     * @param after only keys beyond this one
     * @param revision as the keys were at this revision; empty for now
     * @param maxKeys one or more
     * @throws StateStoreException {@code TOO_LARGE} when the answer would exceed {@link StoreLimits#MAX_ANSWER_BYTES}, {@code COMPACTED}
     * when the revision can no longer be read
     */
    Page page(String prefix, Optional<String> after, OptionalLong revision, int maxKeys);

    /**
     * Takes place as a whole, when all conditions hold, or not at all. When the answer is lost, the store finds out what happened
     * before it returns; it throws {@link UnknownOutcomeException} only when it cannot. With any other exception nothing was
     * changed and never will be, so that the transaction may be tried again.
     */
    TransactionResult commit(Transaction transaction);

    /**
     * Finds out what became of a transaction whose outcome was unknown.
     *
     * @return empty when it did not take place; it never will
     * @throws UnknownOutcomeException when this cannot be found out now, or not any more because the store has forgotten the transaction:
     * then only reading the keys helps
     */
    Optional<TransactionResult.Committed> resolve(TransactionId transaction);

    /**
     * A lease that ends unless it is kept alive. Keys that are put with it end with it.
     *
     * @param ttl whole seconds, between {@link StoreLimits#MIN_LEASE} and {@link StoreLimits#MAX_LEASE}
     */
    Lease grant(Duration ttl);

    /**
     * Follows the keys with a prefix. Connects when it is first asked for an event, and resumes by itself after a lost connection,
     * without losing or repeating a change.
     *
     * @param fromRevision the first revision whose changes are told; one more than that of a reading
     * @param onEvent called from any thread when there may be something to fetch; must not block
     */
    StateWatch watch(String prefix, long fromRevision, Runnable onEvent);

    /** Ends watches; leases end by themselves. */
    @Override
    void close();
}
