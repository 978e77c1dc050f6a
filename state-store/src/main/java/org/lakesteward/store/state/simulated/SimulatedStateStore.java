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
package org.lakesteward.store.state.simulated;

import com.google.common.base.Ticker;
import org.lakesteward.store.state.Lease;
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

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.state.StoreLimits.checkKey;
import static org.lakesteward.store.state.StoreLimits.checkLease;
import static org.lakesteward.store.state.StoreLimits.checkPrefix;

/**
 * One process's way to a {@link SimulatedServer}, by its own clock. Fails when it is asked to. Nothing waits: a watch that is asked to
 * wait for an event answers at once. For one thread.
 */
public final class SimulatedStateStore
        implements StateStore
{
    /**
     * What happens to the next transaction.
     */
    public enum Trouble
    {
        /** It never arrives. The store finds that out. */
        LOSE_REQUEST,
        /** It takes place, the answer is lost. The store finds that out. */
        LOSE_ANSWER,
        /** It arrives when {@link SimulatedServer#deliverDelayed} is called, and the store has given it up before. */
        DELAY_REQUEST,
        /** As {@code LOSE_REQUEST}, and the server is not reached from then on: the outcome is unknown. */
        LOSE_REQUEST_AND_CONTACT,
        /** As {@code LOSE_ANSWER}, and the server is not reached from then on: the outcome is unknown. */
        LOSE_ANSWER_AND_CONTACT,
        /** As {@code DELAY_REQUEST}, and the server is not reached from then on: the outcome is unknown. */
        DELAY_REQUEST_AND_CONTACT,
    }

    private final SimulatedServer server;
    private final Ticker ticker;
    private final Backend leases = new Backend();
    private boolean reachable = true;
    private boolean closed;
    private Optional<Trouble> trouble = Optional.empty();

    /**
     * @param ticker the clock of the process, perhaps another than the server's
     */
    public SimulatedStateStore(SimulatedServer server, Ticker ticker)
    {
        this.server = requireNonNull(server, "server is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    /** Whether the server is reached from now on. */
    public void setReachable(boolean reachable)
    {
        this.reachable = reachable;
    }

    public void plan(Trouble trouble)
    {
        this.trouble = Optional.of(trouble);
    }

    @Override
    public Optional<StoreEntry> get(String key)
    {
        checkKey(key);
        checkReachable();
        return server.reading(state -> state.get(key));
    }

    @Override
    public Page page(String prefix, Optional<String> after, OptionalLong revision, int maxKeys)
    {
        checkPrefix(prefix);
        checkReachable();
        return server.reading(state -> state.page(prefix, after, revision, maxKeys));
    }

    @Override
    public TransactionResult commit(Transaction transaction)
    {
        checkReachable();
        transaction.leases().forEach(Lease::checkHeld);
        if (trouble.isEmpty()) {
            return server.commit(transaction);
        }
        TransactionId id = server.newTransaction();
        Trouble current = trouble.get();
        trouble = Optional.empty();
        switch (current) {
            case LOSE_REQUEST, LOSE_REQUEST_AND_CONTACT -> {}
            case LOSE_ANSWER, LOSE_ANSWER_AND_CONTACT -> server.commit(id, transaction);
            case DELAY_REQUEST, DELAY_REQUEST_AND_CONTACT -> server.delay(id, transaction);
        }
        switch (current) {
            case LOSE_REQUEST, LOSE_ANSWER, DELAY_REQUEST -> {}
            case LOSE_REQUEST_AND_CONTACT, LOSE_ANSWER_AND_CONTACT, DELAY_REQUEST_AND_CONTACT -> reachable = false;
        }
        Optional<Committed> committed = resolve(id);
        if (committed.isEmpty()) {
            throw new StateStoreException(Kind.UNAVAILABLE, "the simulated server did not answer (nothing was changed)");
        }
        return committed.get();
    }

    @Override
    public Optional<Committed> resolve(TransactionId transaction)
    {
        checkOpen();
        if (!reachable) {
            throw new UnknownOutcomeException(transaction, "the simulated server is not reached (the outcome is unknown)", null);
        }
        return server.resolve(transaction);
    }

    @Override
    public Lease grant(Duration ttl)
    {
        checkLease(ttl);
        checkReachable();
        long sentAt = ticker.read();
        long id = server.leasing(state -> state.grant(ttl, server.now()));
        return new Lease(id, ttl, sentAt, ticker, leases);
    }

    @Override
    public StateWatch watch(String prefix, long fromRevision, Runnable onEvent)
    {
        checkPrefix(prefix);
        checkArgument(fromRevision > 0, "fromRevision is %s, it must be more than zero", fromRevision);
        requireNonNull(onEvent, "onEvent is null");
        checkOpen();
        return new Watch(prefix, fromRevision);
    }

    /** As a process that dies: leases end by themselves. */
    @Override
    public void close()
    {
        closed = true;
    }

    private void checkOpen()
    {
        if (closed) {
            throw new StateStoreException(Kind.CLOSED, "the simulated store is closed");
        }
    }

    private void checkReachable()
    {
        checkOpen();
        if (!reachable) {
            throw new StateStoreException(Kind.UNAVAILABLE, "the simulated server is not reached");
        }
    }

    private final class Watch
            implements StateWatch
    {
        private final String prefix;
        private long nextRevision;
        private boolean disconnected;
        private boolean ended;
        private boolean watchClosed;

        private Watch(String prefix, long fromRevision)
        {
            this.prefix = prefix;
            this.nextRevision = fromRevision;
        }

        @Override
        public Optional<WatchEvent> next(Duration timeout)
        {
            checkState(!ended, "the watch has ended, the keys must be read again");
            if (closed || watchClosed) {
                throw new StateStoreException(Kind.CLOSED, "the watch is closed");
            }
            if (!reachable) {
                if (disconnected) {
                    return Optional.empty();
                }
                disconnected = true;
                return Optional.of(new WatchEvent.Disconnected(new StateStoreException(Kind.UNAVAILABLE, "the simulated server is not reached")));
            }
            disconnected = false;
            Optional<WatchEvent> event = server.read(state -> state.changes(prefix, nextRevision));
            ended = event.filter(WatchEvent.RereadRequired.class::isInstance).isPresent();
            if (!ended) {
                nextRevision = Math.max(nextRevision, server.read(LocalState::revision) + 1);
            }
            return event;
        }

        @Override
        public void close()
        {
            watchClosed = true;
        }
    }

    private final class Backend
            implements Lease.Backend
    {
        @Override
        public boolean isOpen()
        {
            return !closed;
        }

        @Override
        public Duration renew(long id)
        {
            checkReachable();
            return server.leasing(state -> state.renew(id, server.now()));
        }

        @Override
        public void revoke(long id)
        {
            checkReachable();
            server.leasing(state -> {
                state.revoke(id);
                return true;
            });
        }
    }
}
