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

import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.state.StateStoreException.Kind.COMPACTED;

/**
 * Keeps a receiver up to date with the keys of a prefix: reads them in pages at one revision, then tells what changes from the
 * next one on, and reads them again when changes were missed. Driven by whoever calls {@link #poll}; has no thread of its own. Not
 * thread-safe.
 */
public final class PrefixFollower
        implements AutoCloseable
{
    /** As often as the store may forget the revision that is being read before {@link #poll} gives up for now. */
    private static final int MAX_READINGS = 5;

    private final StateStore store;
    private final String prefix;
    private final Runnable onEvent;
    private Optional<StateWatch> watch = Optional.empty();

    /**
     * Called from {@link #poll} alone.
     */
    public interface Receiver
    {
        /** All keys are told now, up to {@link #endReading}: those that are not have been deleted. May come again before that, from the start. */
        void beginReading();

        /** The key has this value. */
        void put(StoreEntry entry);

        /**
         * @param revision since when the key is gone
         */
        void delete(String key, long revision);

        /**
         * @param revision that everything told since {@link #beginReading} belongs to
         */
        void endReading(long revision);

        /** What was told may be out of date until the next call of another method. */
        void disconnected(StateStoreException failure);
    }

    /**
     * @param onEvent called from any thread when {@link #poll} may have something to tell; must not block
     */
    public PrefixFollower(StateStore store, String prefix, Runnable onEvent)
    {
        this.store = requireNonNull(store, "store is null");
        this.prefix = requireNonNull(prefix, "prefix is null");
        this.onEvent = requireNonNull(onEvent, "onEvent is null");
    }

    /**
     * Tells what is new, everything at first.
     *
     * @param timeout how long to wait for something new; zero for not at all. Reading may take longer
     * @return whether something was told
     * @throws StateStoreException when the keys could not be read; the next call reads them anew
     */
    public boolean poll(Receiver receiver, Duration timeout)
    {
        if (watch.isEmpty()) {
            read(receiver);
            return true;
        }
        boolean told = false;
        Optional<WatchEvent> next = watch.get().next(timeout);
        while (next.isPresent()) {
            told = true;
            switch (next.get()) {
                case WatchEvent.Changes changes -> changes.changes().forEach(change -> tell(change, receiver));
                case WatchEvent.Disconnected disconnected -> receiver.disconnected(disconnected.failure());
                case WatchEvent.RereadRequired _ -> {
                    close();
                    read(receiver);
                }
            }
            next = watch.get().next(Duration.ZERO);
        }
        return told;
    }

    private static void tell(Change change, Receiver receiver)
    {
        switch (change) {
            case Change.Put put -> receiver.put(put.entry());
            case Change.Deleted deleted -> receiver.delete(deleted.key(), deleted.revision());
        }
    }

    private void read(Receiver receiver)
    {
        PagedReader reader = new PagedReader(store);
        for (int readings = 1; ; readings++) {
            receiver.beginReading();
            try {
                long revision = reader.read(prefix, OptionalLong.empty(), receiver::put);
                watch = Optional.of(store.watch(prefix, revision + 1, onEvent));
                receiver.endReading(revision);
                return;
            }
            catch (StateStoreException e) {
                if (e.kind() != COMPACTED || readings >= MAX_READINGS) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close()
    {
        watch.ifPresent(StateWatch::close);
        watch = Optional.empty();
    }
}
