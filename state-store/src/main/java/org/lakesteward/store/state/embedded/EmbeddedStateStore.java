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

import com.google.common.base.Ticker;
import io.airlift.log.Logger;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.lakesteward.store.state.Lease;
import org.lakesteward.store.state.Operation;
import org.lakesteward.store.state.Page;
import org.lakesteward.store.state.StateStore;
import org.lakesteward.store.state.StateStoreException;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.StateWatch;
import org.lakesteward.store.state.StoreEntry;
import org.lakesteward.store.state.Transaction;
import org.lakesteward.store.state.TransactionId;
import org.lakesteward.store.state.TransactionResult;
import org.lakesteward.store.state.TransactionResult.Committed;
import org.lakesteward.store.state.UnknownOutcomeException;
import org.lakesteward.store.state.WatchEvent;
import org.lakesteward.store.state.local.LocalState;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.state.StoreLimits.checkKey;
import static org.lakesteward.store.state.StoreLimits.checkLease;
import static org.lakesteward.store.state.StoreLimits.checkPrefix;

/**
 * The store in a file that one process has at a time. A transaction is on disk before its answer is given, and one that was not answered
 * is there as a whole or not at all, also after {@code kill -9} or a power failure.
 * <p>
 * Leases belong to the process: when the file is opened, those of the process before are over, since it is gone, and so are their
 * keys. They are checked at each operation and twice a second besides. What is past can be read and told again as far as memory for
 * it goes, and not from before the file was opened.
 * <p>
 * After a failure of the disk nothing is answered any more until the file is opened again.
 */
public final class EmbeddedStateStore
        implements StateStore
{
    private static final Logger log = Logger.get(EmbeddedStateStore.class);

    private static final String FILE_NAME = "state.mv.db";
    private static final int CACHE_MEGABYTES = 16;
    private static final int MAX_PAST_CHANGES = 20_000;
    private static final long MAX_PAST_BYTES = 32L * 1024 * 1024;
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);
    /** Of the file, below which chunks are written anew, as far as the last number of checks changed anything. */
    private static final int MIN_FILL_PERCENT = 50;
    private static final int COMPACTED_BYTES = 4 * 1024 * 1024;
    private static final int CHECKS_PER_COMPACTION = 60;

    private final Path path;
    private final Ticker ticker;
    private final FileUse use;
    private final MVStore file;
    private final FileStorage storage;
    private final LocalState state;
    private final Optional<String> lastTransactionBefore;
    private final long revisionBefore;
    private final Backend leases = new Backend();
    private final ScheduledExecutorService timer;
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();
    // guarded by the lock, the flags written only
    private volatile boolean closed;
    private volatile Optional<Throwable> broken = Optional.empty();
    private long toldRevision;
    private long compactedAtRevision;
    private int checks;

    /**
     * @param folder on a local file system; made when needed
     * @param ticker the clock of leases
     * @throws StateStoreException {@code LOCKED} when another process or another store of this one has the file; {@code REFUSED} when it cannot be used
     */
    public EmbeddedStateStore(Path folder, Ticker ticker)
    {
        this.path = folder.toAbsolutePath().resolve(FILE_NAME);
        this.ticker = requireNonNull(ticker, "ticker is null");
        try {
            Files.createDirectories(path.getParent());
        }
        catch (IOException e) {
            throw new StateStoreException(Kind.REFUSED, "folder %s cannot be made (%s)".formatted(path.getParent(), e), e);
        }
        use = FileUse.begin(path);
        try {
            file = open(path);
        }
        catch (RuntimeException e) {
            use.close();
            throw e;
        }
        try {
            storage = new FileStorage(file);
            lastTransactionBefore = storage.lastTransaction();
            revisionBefore = storage.revision();
            endLeasesOfTheProcessBefore(storage);
            state = new LocalState(storage, MAX_PAST_CHANGES, MAX_PAST_BYTES);
        }
        catch (MVStoreException e) {
            file.closeImmediately();
            use.close();
            throw new StateStoreException(Kind.REFUSED, "file %s cannot be read (%s)".formatted(path, e.getMessage()), e);
        }
        compactedAtRevision = state.revision();
        toldRevision = state.revision();
        timer = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("state-store-timer").factory());
        timer.scheduleWithFixedDelay(this::check, CHECK_INTERVAL.toMillis(), CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static MVStore open(Path path)
    {
        try {
            return new MVStore.Builder()
                    .fileName(path.toString())
                    .cacheSize(CACHE_MEGABYTES)
                    // saves are ours alone: one in the midst of a transaction would save a part of it
                    .autoCommitDisabled()
                    .autoCommitBufferSize(0)
                    .open();
        }
        catch (MVStoreException e) {
            if (e.getErrorCode() == DataUtils.ERROR_FILE_LOCKED) {
                throw FileUse.locked(path, e);
            }
            throw new StateStoreException(Kind.REFUSED, "file %s cannot be opened (%s)".formatted(path, e.getMessage()), e);
        }
    }

    private static void endLeasesOfTheProcessBefore(FileStorage storage)
    {
        Set<String> keys = storage.leasedKeys();
        if (!keys.isEmpty()) {
            storage.setRevision(storage.revision() + 1);
            keys.forEach(storage::remove);
            storage.save();
        }
    }

    @Override
    public Optional<StoreEntry> get(String key)
    {
        checkKey(key);
        return reading(() -> state.get(key));
    }

    @Override
    public Page page(String prefix, Optional<String> after, OptionalLong revision, int maxKeys)
    {
        checkPrefix(prefix);
        return reading(() -> state.page(prefix, after, revision, maxKeys));
    }

    @Override
    public TransactionResult commit(Transaction transaction)
    {
        transaction.leases().forEach(Lease::checkHeld);
        TransactionId id = new TransactionId(UUID.randomUUID().toString(), 0);
        return changing(() -> {
            TransactionResult outcome = state.commit(transaction);
            if (outcome instanceof Committed) {
                save(transaction, id);
            }
            return outcome;
        });
    }

    private void save(Transaction transaction, TransactionId id)
    {
        try {
            for (Operation operation : transaction.operations()) {
                storage.setLeased(operation.key(), operation instanceof Operation.Put put && put.lease().isPresent());
            }
            storage.setLastTransaction(id.id());
            storage.save();
        }
        catch (RuntimeException | Error e) {
            fail(e);
            throw new UnknownOutcomeException(id, "file %s cannot be written (%s): the outcome is unknown until it is opened again".formatted(path, e.getMessage()), e);
        }
    }

    /**
     * {@inheritDoc}
     * <p>
     * Outcomes are unknown only after a failure of the disk, and each is that of the last transaction of its process: the one that opens the
     * file next can tell.
     */
    @Override
    public Optional<Committed> resolve(TransactionId transaction)
    {
        synchronized (lock) {
            if (closed || broken.isPresent()) {
                throw new UnknownOutcomeException(transaction, "the outcome is unknown until file %s is opened again".formatted(path), null);
            }
            return lastTransactionBefore
                    .filter(transaction.id()::equals)
                    .map(_ -> new Committed(revisionBefore));
        }
    }

    @Override
    public Lease grant(Duration ttl)
    {
        checkLease(ttl);
        long sentAt = ticker.read();
        long id = reading(() -> state.grant(ttl, ticker.read()));
        return new Lease(id, ttl, sentAt, ticker, leases);
    }

    @Override
    public StateWatch watch(String prefix, long fromRevision, Runnable onEvent)
    {
        checkPrefix(prefix);
        checkArgument(fromRevision > 0, "fromRevision is %s, it must be more than zero", fromRevision);
        synchronized (lock) {
            checkUsable();
            Watch watch = new Watch(prefix, fromRevision, onEvent);
            watches.add(watch);
            return watch;
        }
    }

    @Override
    public void close()
    {
        timer.shutdownNow();
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            lock.notifyAll();
            try (use) {
                if (broken.isPresent()) {
                    file.closeImmediately();
                }
                else {
                    file.close();
                }
            }
        }
    }

    /** Forgets the past up to a revision. */
    void compact(long revision)
    {
        reading(() -> {
            state.compact(revision);
            return true;
        });
    }

    private <T> T reading(Supplier<T> action)
    {
        return locked(() -> {
            try {
                return action.get();
            }
            catch (MVStoreException e) {
                throw fail(e);
            }
        });
    }

    /** What fails in the midst of a change, for whatever reason, must never be saved. */
    private <T> T changing(Supplier<T> action)
    {
        return locked(() -> {
            try {
                return action.get();
            }
            catch (StateStoreException e) {
                throw e;
            }
            catch (RuntimeException | Error e) {
                throw fail(e);
            }
        });
    }

    private <T> T locked(Supplier<T> action)
    {
        T result;
        boolean changed;
        synchronized (lock) {
            checkUsable();
            expire();
            result = action.get();
            changed = takeChanged();
        }
        if (changed) {
            tellWatches();
        }
        return result;
    }

    private boolean takeChanged()
    {
        boolean changed = state.revision() > toldRevision;
        toldRevision = state.revision();
        if (changed) {
            lock.notifyAll();
        }
        return changed;
    }

    private void checkUsable()
    {
        if (closed) {
            throw new StateStoreException(Kind.CLOSED, "the store in file %s is closed".formatted(path));
        }
        broken.ifPresent(failure -> {
            throw new StateStoreException(Kind.UNAVAILABLE, "file %s could not be written and must be opened again (%s)".formatted(path, failure.getMessage()), failure);
        });
    }

    private StateStoreException fail(Throwable failure)
    {
        broken = Optional.of(failure);
        lock.notifyAll();
        return new StateStoreException(Kind.UNAVAILABLE, "file %s cannot be used (%s)".formatted(path, failure.getMessage()), failure);
    }

    private void expire()
    {
        try {
            if (state.expire(ticker.read())) {
                storage.save();
            }
        }
        catch (RuntimeException | Error e) {
            throw fail(e);
        }
    }

    private void check()
    {
        try {
            boolean changed;
            synchronized (lock) {
                if (closed || broken.isPresent()) {
                    return;
                }
                expire();
                changed = takeChanged();
                reclaimSpace();
            }
            if (changed) {
                tellWatches();
            }
        }
        catch (RuntimeException e) {
            log.error(e, "The state store in file %s failed", path);
        }
    }

    /** Chunks of the file that hold little that is still valid are written anew, so that the file does not grow with each change. */
    private void reclaimSpace()
    {
        checks++;
        if (checks % CHECKS_PER_COMPACTION != 0 || state.revision() == compactedAtRevision) {
            return;
        }
        compactedAtRevision = state.revision();
        try {
            file.compact(MIN_FILL_PERCENT, COMPACTED_BYTES);
        }
        catch (MVStoreException e) {
            throw fail(e);
        }
    }

    private void tellWatches()
    {
        watches.forEach(watch -> watch.onEvent.run());
    }

    private final class Watch
            implements StateWatch
    {
        private final String prefix;
        private final Runnable onEvent;
        // guarded by the lock
        private long nextRevision;
        private boolean watchClosed;
        private boolean ended;

        private Watch(String prefix, long fromRevision, Runnable onEvent)
        {
            this.prefix = prefix;
            this.nextRevision = fromRevision;
            this.onEvent = requireNonNull(onEvent, "onEvent is null");
        }

        @Override
        public Optional<WatchEvent> next(Duration timeout)
        {
            long start = System.nanoTime();
            synchronized (lock) {
                while (true) {
                    checkState(!ended, "the watch has ended, the keys must be read again");
                    if (watchClosed) {
                        throw new StateStoreException(Kind.CLOSED, "the watch is closed");
                    }
                    checkUsable();
                    expire();
                    Optional<WatchEvent> event = state.changes(prefix, nextRevision);
                    ended = event.filter(WatchEvent.RereadRequired.class::isInstance).isPresent();
                    if (!ended) {
                        nextRevision = Math.max(nextRevision, state.revision() + 1);
                    }
                    long left = timeout.toNanos() - (System.nanoTime() - start);
                    if (event.isPresent() || left <= 0) {
                        return event;
                    }
                    try {
                        TimeUnit.NANOSECONDS.timedWait(lock, left);
                    }
                    catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return Optional.empty();
                    }
                }
            }
        }

        @Override
        public void close()
        {
            synchronized (lock) {
                watchClosed = true;
                lock.notifyAll();
            }
            watches.remove(this);
        }
    }

    private final class Backend
            implements Lease.Backend
    {
        @Override
        public boolean isOpen()
        {
            return !closed && broken.isEmpty();
        }

        @Override
        public Duration renew(long id)
        {
            return reading(() -> state.renew(id, ticker.read()));
        }

        @Override
        public void revoke(long id)
        {
            changing(() -> {
                long before = state.revision();
                state.revoke(id);
                if (state.revision() > before) {
                    storage.save();
                }
                return true;
            });
        }
    }
}
