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
import java.time.InstantSource;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.state.StateKeys.LEADER;

/**
 * Elects one leader among the candidates of a lake: whoever puts the key {@code leader}, with a lease, while nobody has it. The
 * leader renews the lease at half of its time. Whether it leads it knows by its own clock, see {@link Lease}; that saves work
 * and proves nothing, as a process can be paused between asking and acting. What proves it is the guard: a transaction under
 * {@link #guard} is refused once another leads. Nothing guards what the leader does outside the store.
 * <p>
 * Has no thread: {@link #step} does what is due, and {@link LeaderElectionLoop} calls it. Thread-safe.
 */
public final class LeaderElection
{
    private final StateStore store;
    private final String candidateId;
    private final Duration ttl;
    private final InstantSource clock;
    private volatile Optional<Term> term = Optional.empty();
    private volatile Optional<LeaderRecord> other = Optional.empty();

    private record Term(Leadership.Leading leading, Lease lease) {}

    /**
     * @param candidateId of this process, for others to see
     * @param ttl how long the lease lasts: a leader that vanishes is replaced after it
     * @param clock for the time of the election, which is shown and decides nothing
     */
    public LeaderElection(StateStore store, String candidateId, Duration ttl, InstantSource clock)
    {
        this.store = requireNonNull(store, "store is null");
        this.candidateId = requireNonNull(candidateId, "candidateId is null");
        this.ttl = StoreLimits.checkLease(ttl);
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** As far as is known without asking the store. */
    public Leadership leadership()
    {
        return held()
                .<Leadership>map(Term::leading)
                .orElseGet(() -> new Leadership.Following(other));
    }

    public boolean isLeader()
    {
        return held().isPresent();
    }

    /** Belongs into every transaction of the leader; empty when this candidate does not lead. */
    public Optional<Condition> guard()
    {
        return held().map(held -> held.leading().guard());
    }

    /** How long {@link #step} has nothing to do, unless the leader steps down. */
    public Duration untilNextStep()
    {
        return held()
                .map(held -> held.lease().left().minus(ttl.dividedBy(2)))
                .map(left -> left.isPositive() ? left : ttl.dividedBy(10))
                .orElseGet(() -> ttl.dividedBy(6));
    }

    /**
     * Does what is due: renews the lease of the leader, takes the place when it is free, looks who has it otherwise.
     *
     * @throws StateStoreException when the store could not be asked. A leader goes on to lead until its lease is over
     */
    public synchronized Leadership step()
    {
        if (term.isPresent()) {
            renew(term.get());
        }
        if (term.isEmpty()) {
            stand();
        }
        return leadership();
    }

    /**
     * Leaves the place to others at once. They get it when the lease is over if the store could not be told.
     *
     * @throws StateStoreException when the store could not be told
     */
    public synchronized void stepDown()
    {
        Optional<Term> last = term;
        term = Optional.empty();
        last.ifPresent(held -> held.lease().revoke());
    }

    private Optional<Term> held()
    {
        return term.filter(current -> current.lease().isHeld());
    }

    private void renew(Term current)
    {
        if (!current.lease().isHeld()) {
            term = Optional.empty();
            return;
        }
        if (current.lease().left().compareTo(ttl.dividedBy(2)) > 0) {
            return;
        }
        try {
            current.lease().keepAlive();
        }
        catch (StateStoreException e) {
            if (e.kind() == StateStoreException.Kind.LEASE_LOST) {
                term = Optional.empty();
                return;
            }
            throw e;
        }
        // the lease alone says nothing when somebody has removed the key
        Optional<StoreEntry> entry = store.get(LEADER);
        if (!current.leading().guard().holds(entry)) {
            term = Optional.empty();
            giveBack(current.lease());
        }
    }

    private void stand()
    {
        Optional<StoreEntry> present = store.get(LEADER);
        if (present.isPresent()) {
            other = leader(present.get());
            return;
        }
        other = Optional.empty();
        Lease lease = store.grant(ttl);
        LeaderRecord leader = new LeaderRecord(candidateId, clock.instant());
        TransactionResult result;
        try {
            result = store.commit(Transaction.builder()
                    .require(Condition.absent(LEADER))
                    .put(LEADER, LeaderRecord.CODEC.write(leader), lease)
                    .build());
        }
        catch (StateStoreException e) {
            // where it is not known whether the key was put, it goes with the lease
            giveBack(lease);
            throw e;
        }
        switch (result) {
            case TransactionResult.Committed committed -> term = Optional.of(new Term(new Leadership.Leading(leader, committed.revision()), lease));
            case TransactionResult.Refused _ -> {
                giveBack(lease);
                other = store.get(LEADER).flatMap(LeaderElection::leader);
            }
        }
    }

    private static Optional<LeaderRecord> leader(StoreEntry entry)
    {
        return LeaderRecord.CODEC.read(entry) instanceof RecordReading.Readable<LeaderRecord> readable ? Optional.of(readable.value()) : Optional.empty();
    }

    private static void giveBack(Lease lease)
    {
        try {
            lease.revoke();
        }
        catch (StateStoreException e) {
            // it ends by itself
        }
    }
}
