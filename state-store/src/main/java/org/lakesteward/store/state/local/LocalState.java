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
package org.lakesteward.store.state.local;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import org.lakesteward.store.state.Change;
import org.lakesteward.store.state.Condition;
import org.lakesteward.store.state.Operation;
import org.lakesteward.store.state.Page;
import org.lakesteward.store.state.StateStoreException;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.StoreEntry;
import org.lakesteward.store.state.StoreLimits;
import org.lakesteward.store.state.Transaction;
import org.lakesteward.store.state.TransactionResult;
import org.lakesteward.store.state.TransactionResult.Committed;
import org.lakesteward.store.state.TransactionResult.Refused;
import org.lakesteward.store.state.WatchEvent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Transactions, revisions and leases over a storage of entries. Time is told by whoever calls; nothing happens by itself. The past
 * is kept in memory, as what each revision changed, up to a number of changes and bytes: within it ranges can be read as they were, and
 * changes can be told again. Not thread-safe.
 */
public final class LocalState
{
    private final EntryStorage storage;
    private final int maxPastChanges;
    private final long maxPastBytes;

    /** The last revision that is forgotten: from it on, ranges can be read, and beyond it changes can be told. */
    private long compacted;
    private final NavigableMap<Long, List<PastChange>> past = new TreeMap<>();
    private int pastChanges;
    private long pastBytes;

    private final Map<Long, LeaseState> leases = new HashMap<>();
    private final Map<String, Long> leaseOfKey = new HashMap<>();
    private long lastLease;

    private record PastChange(String key, Optional<StoreEntry> before, Change change)
    {
        private long bytes()
        {
            return before.map(StoreEntry::bytes).orElse(0L) + (change instanceof Change.Put put ? put.entry().bytes() : key.length());
        }
    }

    private record LeaseState(Duration ttl, long end, Set<String> keys) {}

    /**
     * @param storage its past is forgotten
     * @param maxPastChanges more changes than this are forgotten, the oldest first
     * @param maxPastBytes changes that take more than this are forgotten
     */
    public LocalState(EntryStorage storage, int maxPastChanges, long maxPastBytes)
    {
        this.storage = requireNonNull(storage, "storage is null");
        this.maxPastChanges = maxPastChanges;
        this.maxPastBytes = maxPastBytes;
        this.compacted = storage.revision();
    }

    public long revision()
    {
        return storage.revision();
    }

    public Optional<StoreEntry> get(String key)
    {
        return storage.get(key);
    }

    /** As {@link org.lakesteward.store.state.StateStore#page}. */
    public Page page(String prefix, Optional<String> after, OptionalLong revision, int maxKeys)
    {
        checkArgument(maxKeys > 0, "maxKeys is %s, it must be more than zero", maxKeys);
        long at = revision.orElse(storage.revision());
        checkReadable(at);
        // the first possible key beyond it
        String from = after.filter(key -> key.compareTo(prefix) >= 0).map(key -> key + '\0').orElse(prefix);
        ImmutableList.Builder<StoreEntry> entries = ImmutableList.builder();
        long bytes = 0;
        int count = 0;
        EntriesAt range = new EntriesAt(storage.from(from), changedSince(at, from));
        for (Optional<StoreEntry> next = range.next(prefix); next.isPresent(); next = range.next(prefix)) {
            if (count == maxKeys) {
                return new Page(at, entries.build(), true);
            }
            entries.add(next.get());
            count++;
            bytes += next.get().bytes();
            if (bytes > StoreLimits.MAX_ANSWER_BYTES) {
                throw new StateStoreException(Kind.TOO_LARGE, "the first %s keys that begin with '%s' take more than %s bytes".formatted(maxKeys, prefix, StoreLimits.MAX_ANSWER_BYTES));
            }
        }
        return new Page(at, entries.build(), false);
    }

    private void checkReadable(long revision)
    {
        if (revision < compacted || revision > storage.revision()) {
            throw new StateStoreException(Kind.COMPACTED, "revision %s cannot be read, only revisions from %s to %s can".formatted(revision, compacted, storage.revision()));
        }
    }

    /** How keys were at a revision that have changed since. */
    private NavigableMap<String, Optional<StoreEntry>> changedSince(long revision, String from)
    {
        NavigableMap<String, Optional<StoreEntry>> before = new TreeMap<>();
        past.tailMap(revision, false).values().stream()
                .flatMap(Collection::stream)
                .filter(change -> change.key().compareTo(from) >= 0)
                .forEach(change -> before.putIfAbsent(change.key(), change.before()));
        return before;
    }

    /**
     * Entries as they were, made of how they are and how those were that have changed since.
     */
    private static final class EntriesAt
    {
        private final PeekingIterator<StoreEntry> now;
        private final PeekingIterator<Map.Entry<String, Optional<StoreEntry>>> changed;

        private EntriesAt(Iterator<StoreEntry> now, NavigableMap<String, Optional<StoreEntry>> changed)
        {
            this.now = Iterators.peekingIterator(now);
            this.changed = Iterators.peekingIterator(changed.entrySet().iterator());
        }

        private Optional<StoreEntry> next(String prefix)
        {
            while (true) {
                Optional<StoreEntry> next;
                if (changed.hasNext() && (!now.hasNext() || changed.peek().getKey().compareTo(now.peek().key()) <= 0)) {
                    Map.Entry<String, Optional<StoreEntry>> entry = changed.next();
                    if (now.hasNext() && now.peek().key().equals(entry.getKey())) {
                        now.next();
                    }
                    next = entry.getValue();
                    if (next.isEmpty()) {
                        // was not there
                        continue;
                    }
                }
                else {
                    next = now.hasNext() ? Optional.of(now.next()) : Optional.empty();
                }
                return next.filter(entry -> entry.key().startsWith(prefix));
            }
        }
    }

    /**
     * @throws StateStoreException {@code LEASE_LOST} when a lease of the transaction is over
     */
    public TransactionResult commit(Transaction transaction)
    {
        StoreLimits.check(transaction);
        transaction.leases().forEach(lease -> lease(lease.id()));
        List<Condition> failed = transaction.conditions().stream()
                .filter(condition -> !condition.holds(storage.get(condition.key())))
                .collect(toImmutableList());
        if (!failed.isEmpty()) {
            return new Refused(failed);
        }
        return new Committed(apply(transaction.operations()));
    }

    private long apply(Collection<? extends Operation> operations)
    {
        long revision = storage.revision() + 1;
        List<PastChange> changes = new ArrayList<>();
        for (Operation operation : operations) {
            String key = operation.key();
            Optional<StoreEntry> before = storage.get(key);
            detach(key);
            switch (operation) {
                case Operation.Put put -> {
                    StoreEntry entry = new StoreEntry(key, put.value(), before.map(StoreEntry::createRevision).orElse(revision), revision);
                    storage.put(entry);
                    put.lease().ifPresent(lease -> {
                        leaseOfKey.put(key, lease.id());
                        leases.get(lease.id()).keys().add(key);
                    });
                    changes.add(new PastChange(key, before, new Change.Put(entry)));
                }
                case Operation.Delete _ -> {
                    if (before.isPresent()) {
                        storage.remove(key);
                        changes.add(new PastChange(key, before, new Change.Deleted(key, revision)));
                    }
                }
            }
        }
        storage.setRevision(revision);
        remember(revision, changes);
        return revision;
    }

    private void detach(String key)
    {
        Long lease = leaseOfKey.remove(key);
        if (lease != null) {
            leases.get(lease).keys().remove(key);
        }
    }

    private void remember(long revision, List<PastChange> changes)
    {
        past.put(revision, changes);
        pastChanges += changes.size();
        pastBytes += changes.stream().mapToLong(PastChange::bytes).sum();
        while (!past.isEmpty() && (pastChanges > maxPastChanges || pastBytes > maxPastBytes || past.size() > maxPastChanges)) {
            forgetFirst();
        }
    }

    private void forgetFirst()
    {
        Map.Entry<Long, List<PastChange>> first = past.pollFirstEntry();
        compacted = first.getKey();
        pastChanges -= first.getValue().size();
        pastBytes -= first.getValue().stream().mapToLong(PastChange::bytes).sum();
    }

    /** Forgets what was before a revision. */
    public void compact(long revision)
    {
        while (!past.isEmpty() && past.firstKey() <= revision) {
            forgetFirst();
        }
    }

    /**
     * The changes from a revision on, or why they cannot be told; empty when there are none.
     */
    public Optional<WatchEvent> changes(String prefix, long fromRevision)
    {
        if (fromRevision <= compacted) {
            return Optional.of(new WatchEvent.RereadRequired(WatchEvent.Reason.COMPACTED, compacted));
        }
        if (fromRevision > storage.revision() + 1) {
            return Optional.of(new WatchEvent.RereadRequired(WatchEvent.Reason.STORE_WENT_BACK, compacted));
        }
        List<Change> changes = past.tailMap(fromRevision, true).values().stream()
                .flatMap(Collection::stream)
                .map(PastChange::change)
                .filter(change -> change.key().startsWith(prefix))
                .collect(toImmutableList());
        return changes.isEmpty() ? Optional.empty() : Optional.of(new WatchEvent.Changes(storage.revision(), changes));
    }

    /**
     * @param now of a clock that never goes back, in nanoseconds, here and in all methods
     */
    public long grant(Duration ttl, long now)
    {
        lastLease++;
        leases.put(lastLease, new LeaseState(ttl, now + ttl.toNanos(), new LinkedHashSet<>()));
        return lastLease;
    }

    /**
     * @return for how long the lease holds now
     * @throws StateStoreException {@code LEASE_LOST} when it is over
     */
    public Duration renew(long id, long now)
    {
        LeaseState lease = lease(id);
        leases.put(id, new LeaseState(lease.ttl(), now + lease.ttl().toNanos(), lease.keys()));
        return lease.ttl();
    }

    /** Ends a lease. Does nothing when it is over. */
    public void revoke(long id)
    {
        if (leases.containsKey(id)) {
            end(id);
        }
    }

    /**
     * Ends the leases whose time is over.
     *
     * @return whether keys were deleted
     */
    public boolean expire(long now)
    {
        List<Long> over = leases.entrySet().stream()
                .filter(lease -> lease.getValue().end() - now <= 0)
                .map(Map.Entry::getKey)
                .sorted()
                .collect(toImmutableList());
        boolean deleted = false;
        for (long id : over) {
            deleted |= end(id);
        }
        return deleted;
    }

    private boolean end(long id)
    {
        List<Operation> deletions = leases.get(id).keys().stream()
                .map(Operation::delete)
                .collect(toImmutableList());
        if (!deletions.isEmpty()) {
            apply(deletions);
        }
        leases.remove(id);
        return !deletions.isEmpty();
    }

    private LeaseState lease(long id)
    {
        LeaseState lease = leases.get(id);
        if (lease == null) {
            throw new StateStoreException(Kind.LEASE_LOST, "there is no lease %s any more".formatted(Long.toHexString(id)));
        }
        return lease;
    }
}
