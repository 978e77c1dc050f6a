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

import com.google.common.base.Ticker;

import java.time.Duration;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.state.StateStoreException.Kind.LEASE_LOST;

/**
 * The right to something for a time. Its holder counts the time by its own clock from before the grant or the last renewal was
 * sent, so that for the holder it ends no later than for the store, and from then on it is over for good: whatever the
 * store or its client says later, and however long the process was paused. Clocks must not stand still while time goes by; the
 * monotonic clock of Linux goes on when a process is stopped, and stands still while a machine is suspended, so that only guarded
 * transactions are safe on machines that are.
 * <p>
 * A lease saves wasted work. Whoever writes to the store must guard each transaction besides. Thread-safe; the methods that
 * ask never wait.
 */
public final class Lease
{
    /**
     * What a store does for a lease.
     */
    public interface Backend
    {
        boolean isOpen();

        /**
         * @return for how long the lease now holds, counted from when the store did it
         * @throws StateStoreException {@code LEASE_LOST} when there is no such lease any more
         */
        Duration renew(long id);

        /** Ends the lease and deletes its keys. Does nothing when it is over. */
        void revoke(long id);
    }

    private final long id;
    private final Duration ttl;
    private final Ticker ticker;
    private final Backend backend;
    private volatile Term term;

    private record Term(long from, long nanos, boolean lost) {}

    /**
     * @param sentAt the ticker before the grant was sent
     */
    public Lease(long id, Duration ttl, long sentAt, Ticker ticker, Backend backend)
    {
        this.id = id;
        this.ttl = requireNonNull(ttl, "ttl is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.backend = requireNonNull(backend, "backend is null");
        this.term = new Term(sentAt, ttl.toNanos(), false);
    }

    public long id()
    {
        return id;
    }

    public Duration ttl()
    {
        return ttl;
    }

    public boolean isHeld()
    {
        return left().isPositive();
    }

    /** For how long it holds at least; zero when it is over. */
    public Duration left()
    {
        Term current = term;
        if (current.lost() || !backend.isOpen()) {
            return Duration.ZERO;
        }
        return Duration.ofNanos(Math.max(0, current.nanos() - (ticker.read() - current.from())));
    }

    /**
     * @throws StateStoreException {@code LEASE_LOST} when it is over
     */
    public void checkHeld()
    {
        if (!isHeld()) {
            throw new StateStoreException(LEASE_LOST, "lease %s is over".formatted(Long.toHexString(id)));
        }
    }

    /**
     * Makes it last for its whole time again, counted from now.
     *
     * @throws StateStoreException {@code LEASE_LOST} when it is over, also when the store's answer came too late; with other kinds it holds as
     * long as it did before
     */
    public synchronized void keepAlive()
    {
        checkHeld();
        long sentAt = ticker.read();
        Duration answered;
        try {
            answered = backend.renew(id);
        }
        catch (StateStoreException e) {
            if (e.kind() == LEASE_LOST) {
                end();
            }
            throw e;
        }
        if (!isHeld()) {
            // somebody may have seen it end meanwhile, and acted upon it
            end();
            throw new StateStoreException(LEASE_LOST, "lease %s ended before the answer to its renewal came".formatted(Long.toHexString(id)));
        }
        term = new Term(sentAt, Math.min(ttl.toNanos(), answered.toNanos()), false);
    }

    /**
     * Gives it back: it is over for the holder whether or not the store could be told.
     *
     * @throws StateStoreException when the store could not be told; it ends there by itself
     */
    public synchronized void revoke()
    {
        end();
        backend.revoke(id);
    }

    private void end()
    {
        term = new Term(term.from(), 0, true);
    }
}
