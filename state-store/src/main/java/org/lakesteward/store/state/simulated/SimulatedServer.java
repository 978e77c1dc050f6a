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
import org.lakesteward.store.state.StateStoreException;
import org.lakesteward.store.state.Transaction;
import org.lakesteward.store.state.TransactionId;
import org.lakesteward.store.state.TransactionResult;
import org.lakesteward.store.state.TransactionResult.Committed;
import org.lakesteward.store.state.local.LocalState;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * What the simulated stores of a lake share: the keys, the time of leases, and transactions that are still on their way. For one
 * thread.
 */
public final class SimulatedServer
{
    private static final int MAX_PAST_CHANGES = 20_000;
    private static final long MAX_PAST_BYTES = 64L * 1024 * 1024;

    private final LocalState state = new LocalState(new MemoryStorage(), MAX_PAST_CHANGES, MAX_PAST_BYTES);
    private final Ticker ticker;
    /** What became of transactions; empty for one that was given up. */
    private final Map<TransactionId, Optional<Committed>> marks = new HashMap<>();
    private final Queue<Delayed> delayed = new ArrayDeque<>();
    private long lastTransaction;
    private long reads;
    private long transactions;
    private long leaseOperations;

    private record Delayed(TransactionId id, Transaction transaction) {}

    /**
     * @param reads of keys and pages
     * @param transactions sent, whatever became of them
     * @param leaseOperations grants, renewals and returns
     */
    public record OperationCounts(long reads, long transactions, long leaseOperations) {}

    /**
     * @param ticker the clock of the server
     */
    public SimulatedServer(Ticker ticker)
    {
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    /** What the server was asked since it was made. */
    public OperationCounts operationCounts()
    {
        return new OperationCounts(reads, transactions, leaseOperations);
    }

    public long revision()
    {
        return read(LocalState::revision);
    }

    /** Forgets the past up to a revision. */
    public void compact(long revision)
    {
        state.compact(revision);
    }

    /** Delivers the transactions that were delayed, in their order. */
    public void deliverDelayed()
    {
        for (Delayed next = delayed.poll(); next != null; next = delayed.poll()) {
            try {
                commit(next.id(), next.transaction());
            }
            catch (StateStoreException e) {
                // nobody waits for the answer
            }
        }
    }

    TransactionId newTransaction()
    {
        lastTransaction++;
        return new TransactionId(Long.toString(lastTransaction), 0);
    }

    void delay(TransactionId id, Transaction transaction)
    {
        delayed.add(new Delayed(id, transaction));
    }

    TransactionResult commit(Transaction transaction)
    {
        transactions++;
        return read(state -> state.commit(transaction));
    }

    TransactionResult commit(TransactionId id, Transaction transaction)
    {
        Optional<Committed> mark = marks.get(id);
        if (mark != null) {
            return mark.<TransactionResult>map(committed -> committed).orElseGet(() -> new TransactionResult.Refused(transaction.conditions()));
        }
        TransactionResult result = commit(transaction);
        if (result instanceof Committed committed) {
            marks.put(id, Optional.of(committed));
        }
        return result;
    }

    /** Whether a transaction took place; if not, it never will. */
    Optional<Committed> resolve(TransactionId id)
    {
        return marks.computeIfAbsent(id, _ -> Optional.empty());
    }

    <T> T reading(Function<LocalState, T> action)
    {
        reads++;
        return read(action);
    }

    <T> T leasing(Function<LocalState, T> action)
    {
        leaseOperations++;
        return read(action);
    }

    <T> T read(Function<LocalState, T> action)
    {
        state.expire(ticker.read());
        return action.apply(state);
    }

    long now()
    {
        return ticker.read();
    }
}
