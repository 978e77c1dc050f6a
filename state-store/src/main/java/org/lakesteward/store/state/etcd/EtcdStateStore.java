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
package org.lakesteward.store.state.etcd;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableMap;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import org.lakesteward.store.etcd.Deadline;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdFailure;
import org.lakesteward.store.state.Condition;
import org.lakesteward.store.state.Lease;
import org.lakesteward.store.state.Operation;
import org.lakesteward.store.state.Page;
import org.lakesteward.store.state.StateStore;
import org.lakesteward.store.state.StateStoreException;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.StateWatch;
import org.lakesteward.store.state.StoreEntry;
import org.lakesteward.store.state.StoreLimits;
import org.lakesteward.store.state.Transaction;
import org.lakesteward.store.state.TransactionId;
import org.lakesteward.store.state.TransactionResult;
import org.lakesteward.store.state.TransactionResult.Committed;
import org.lakesteward.store.state.TransactionResult.Refused;
import org.lakesteward.store.state.UnknownOutcomeException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.store.etcd.EtcdConnection.bytes;
import static org.lakesteward.store.etcd.EtcdConnection.prefixEnd;
import static org.lakesteward.store.state.StoreLimits.checkKey;
import static org.lakesteward.store.state.StoreLimits.checkLease;
import static org.lakesteward.store.state.StoreLimits.checkPrefix;

/**
 * The store in etcd. Reads are linearizable.
 * <p>
 * Each transaction puts a mark of its own, {@code transactions/<uuid>}, on the condition that it is not there. When the answer to it is
 * lost, a second transaction asks for the mark and, if it is not there, puts one that says that the first was given up: that
 * one, which may still be on its way, is refused from then on. So the first either took place for certain or never will. Marks
 * have a lease that outlives every such question, is never renewed, and is replaced at half of its time: marks go with it, and
 * transactions that come later still are refused because it is gone.
 * <p>
 * Leases are renewed one request at a time, by whoever holds them. jetcd's own keep-alive goes on after an error and ends
 * without one when a process was paused for too long, which says nothing that a holder could rely on.
 * <p>
 * No method waits longer than about ten times the timeout of an operation.
 */
public final class EtcdStateStore
        implements StateStore
{
    private static final Duration MIN_MARK_LIFE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String TOOK_PLACE = "took place";
    private static final String GIVEN_UP = "given up";

    private final EtcdConnection connection;
    private final String prefix;
    private final String marks;
    private final Ticker ticker;
    private final Duration markLife;
    private final LeaseBackend leases = new LeaseBackend();
    private final Set<EtcdStateWatch> watches = ConcurrentHashMap.newKeySet();
    private final Object markLock = new Object();
    private Optional<MarkLease> markLease = Optional.empty();
    private volatile boolean closed;

    /**
     * Connects when it is first used.
     *
     * @param connection takes answers of {@link StoreLimits#MAX_ANSWER_BYTES} at least; closed with the store
     * @param prefix what all keys of the lake begin with; begins with a slash and does not end with one
     * @param ticker the clock that leases are counted by
     */
    public EtcdStateStore(EtcdConnection connection, String prefix, Ticker ticker)
    {
        this.connection = requireNonNull(connection, "connection is null");
        checkArgument(prefix.startsWith("/") && !prefix.endsWith("/"), "prefix is '%s', it must begin with a slash and not end with one", prefix);
        this.prefix = checkPrefix(prefix) + "/";
        this.marks = this.prefix + "transactions/";
        this.ticker = requireNonNull(ticker, "ticker is null");
        Duration twentyOperations = Duration.ofSeconds(connection.timeout().multipliedBy(20).toSeconds() + 1);
        this.markLife = MIN_MARK_LIFE.compareTo(twentyOperations) > 0 ? MIN_MARK_LIFE : twentyOperations;
    }

    @Override
    public Optional<StoreEntry> get(String key)
    {
        ByteSequence bytes = bytes(prefix + checkKey(key));
        GetResponse response = reading(() -> connection.repeat("reading key " + key, readDeadline(), client -> client.getKVClient().get(bytes)));
        return response.getKvs().stream()
                .map(this::entry)
                .findAny();
    }

    @Override
    public Page page(String keyPrefix, Optional<String> after, OptionalLong revision, int maxKeys)
    {
        checkArgument(maxKeys > 0, "maxKeys is %s, it must be more than zero", maxKeys);
        String whole = prefix + checkPrefix(keyPrefix);
        ByteSequence from = after
                // the first possible key beyond it
                .map(key -> bytes(prefix + checkKey(key)).concat(ByteSequence.from(new byte[1])))
                .orElseGet(() -> bytes(whole));
        GetOption option = GetOption.builder()
                .withRange(prefixEnd(whole))
                .withRevision(revision.orElse(0))
                .withLimit(maxKeys)
                .build();
        GetResponse response = reading(() -> connection.repeat("reading keys " + keyPrefix, readDeadline(), client -> client.getKVClient().get(from, option)));
        return new Page(
                revision.orElse(response.getHeader().getRevision()),
                response.getKvs().stream()
                        .map(this::entry)
                        .collect(toImmutableList()),
                response.isMore());
    }

    @Override
    public TransactionResult commit(Transaction transaction)
    {
        checkOpen();
        StoreLimits.check(transaction);
        transaction.leases().forEach(Lease::checkHeld);
        boolean again = false;
        while (true) {
            MarkLease lease = reading(this::markLease);
            TransactionId id = new TransactionId(UUID.randomUUID().toString(), lease.id());
            try {
                return send(transaction, id);
            }
            catch (EtcdFailure e) {
                switch (e.kind()) {
                    case NO_ANSWER, EXHAUSTED -> {
                        Optional<Committed> committed = settled(id, Optional.of(e));
                        if (committed.isPresent()) {
                            return committed.get();
                        }
                        throw new StateStoreException(e.kind() == EtcdFailure.Kind.NO_ANSWER ? Kind.UNAVAILABLE : Kind.REFUSED, e.getMessage() + " (nothing was changed)", e);
                    }
                    case LEASE_GONE -> {
                        // that of the transaction or that of the mark: with a new one for the mark it shows which
                        forget(lease);
                        if (again) {
                            throw new StateStoreException(Kind.LEASE_LOST, e.getMessage(), e);
                        }
                        again = true;
                    }
                    case INVALID -> throw new StateStoreException(Kind.TOO_LARGE, e.getMessage(), e);
                    case COMPACTED, REFUSED -> throw new StateStoreException(closed ? Kind.CLOSED : Kind.REFUSED, e.getMessage(), e);
                }
            }
        }
    }

    private TransactionResult send(Transaction transaction, TransactionId id)
    {
        ByteSequence mark = bytes(marks + id.id());
        List<Cmp> comparisons = new ArrayList<>();
        comparisons.add(absent(mark));
        transaction.conditions().forEach(condition -> comparisons.add(comparison(condition)));
        List<Op> operations = new ArrayList<>();
        operations.add(putMark(id, TOOK_PLACE));
        transaction.operations().forEach(operation -> operations.add(operation(operation)));
        // what a refusal tells belongs to one revision: who holds what was asked for
        List<Op> questions = new ArrayList<>();
        questions.add(Op.get(mark, GetOption.DEFAULT));
        Set<String> conditionKeys = new LinkedHashSet<>();
        transaction.conditions().forEach(condition -> conditionKeys.add(condition.key()));
        conditionKeys.forEach(key -> questions.add(Op.get(bytes(prefix + key), GetOption.builder().withKeysOnly(true).build())));
        TxnResponse response = connection.call("changing keys", Deadline.after(connection.timeout()), client -> client.getKVClient().txn()
                .If(comparisons.toArray(Cmp[]::new))
                .Then(operations.toArray(Op[]::new))
                .Else(questions.toArray(Op[]::new))
                .commit());
        if (response.isSucceeded()) {
            return new Committed(response.getHeader().getRevision());
        }
        // gRPC repeats requests by itself at times, so that this may be the refusal of a repetition
        Optional<Committed> before = committed(response);
        if (before.isPresent()) {
            return before.get();
        }
        ImmutableMap.Builder<String, StoreEntry> present = ImmutableMap.builder();
        response.getGetResponses().stream()
                .skip(1)
                .flatMap(answer -> answer.getKvs().stream())
                .map(this::entry)
                .forEach(entry -> present.put(entry.key(), entry));
        Map<String, StoreEntry> entries = present.buildOrThrow();
        return new Refused(transaction.conditions().stream()
                .filter(condition -> !condition.holds(Optional.ofNullable(entries.get(condition.key()))))
                .collect(toImmutableList()));
    }

    @Override
    public Optional<Committed> resolve(TransactionId transaction)
    {
        checkOpen();
        return settled(transaction, Optional.empty());
    }

    /**
     * Whether a transaction took place; if not, it never will.
     *
     * @param lost why its outcome is not known; empty when it was not lost here
     */
    private Optional<Committed> settled(TransactionId id, Optional<EtcdFailure> lost)
    {
        ByteSequence mark = bytes(marks + id.id());
        Deadline deadline = Deadline.after(connection.timeout().multipliedBy(5));
        while (true) {
            try {
                TxnResponse response = connection.call("finding out what became of a transaction", deadline, client -> client.getKVClient().txn()
                        .If(absent(mark))
                        .Then(putMark(id, GIVEN_UP))
                        .Else(Op.get(mark, GetOption.DEFAULT))
                        .commit());
                return response.isSucceeded() ? Optional.empty() : committed(response);
            }
            catch (EtcdFailure e) {
                // without the lease the mark is gone too
                if (e.kind() != EtcdFailure.Kind.NO_ANSWER || !connection.mayRepeat(deadline) || closed) {
                    throw unknown(id, lost, e);
                }
            }
            try {
                connection.pause(PAUSE, "finding out what became of a transaction");
            }
            catch (EtcdFailure interrupted) {
                throw unknown(id, lost, interrupted);
            }
        }
    }

    private static UnknownOutcomeException unknown(TransactionId id, Optional<EtcdFailure> lost, EtcdFailure failure)
    {
        UnknownOutcomeException unknown = new UnknownOutcomeException(id, lost.orElse(failure).getMessage() + " (the outcome is unknown)", lost.orElse(failure));
        lost.ifPresent(_ -> unknown.addSuppressed(failure));
        return unknown;
    }

    /** What the mark says, which is the first answer. */
    private static Optional<Committed> committed(TxnResponse response)
    {
        return response.getGetResponses().getFirst().getKvs().stream()
                .filter(mark -> mark.getValue().toString(UTF_8).equals(TOOK_PLACE))
                .map(mark -> new Committed(mark.getCreateRevision()))
                .findAny();
    }

    @Override
    public Lease grant(Duration ttl)
    {
        checkLease(ttl);
        long sentAt = ticker.read();
        // one that was granted without an answer ends by itself
        long id = reading(() -> connection.repeat("granting a lease", readDeadline(), client -> client.getLeaseClient().grant(ttl.toSeconds()))).getID();
        return new Lease(id, ttl, sentAt, ticker, leases);
    }

    @Override
    public StateWatch watch(String keyPrefix, long fromRevision, Runnable onEvent)
    {
        checkArgument(fromRevision > 0, "fromRevision is %s, it must be more than zero", fromRevision);
        checkOpen();
        EtcdStateWatch watch = new EtcdStateWatch(connection, prefix, prefix + checkPrefix(keyPrefix), fromRevision, onEvent, watches::remove);
        watches.add(watch);
        if (closed) {
            watch.close();
        }
        return watch;
    }

    @Override
    public void close()
    {
        closed = true;
        watches.forEach(EtcdStateWatch::close);
        synchronized (markLock) {
            markLease = Optional.empty();
        }
        connection.close();
    }

    private void checkOpen()
    {
        if (closed) {
            throw new StateStoreException(Kind.CLOSED, "the store in etcd is closed");
        }
    }

    /** Runs what changes nothing, or nothing that matters when its answer is lost. */
    private <T> T reading(Supplier<T> action)
    {
        checkOpen();
        try {
            return action.get();
        }
        catch (EtcdFailure e) {
            throw failure(e, closed);
        }
    }

    static StateStoreException failure(EtcdFailure e, boolean closed)
    {
        Kind kind = switch (e.kind()) {
            case NO_ANSWER -> Kind.UNAVAILABLE;
            case COMPACTED -> Kind.COMPACTED;
            case LEASE_GONE -> Kind.LEASE_LOST;
            case EXHAUSTED -> Kind.TOO_LARGE;
            case INVALID, REFUSED -> Kind.REFUSED;
        };
        return new StateStoreException(closed ? Kind.CLOSED : kind, e.getMessage(), e);
    }

    private Deadline readDeadline()
    {
        return Deadline.after(connection.timeout().multipliedBy(3));
    }

    private MarkLease markLease()
    {
        synchronized (markLock) {
            if (markLease.isPresent() && !markLease.get().replaceAt().isOver()) {
                return markLease.get();
            }
            // from before it is granted: whoever uses it has half of its time left to ask what became of a transaction
            Deadline replaceAt = Deadline.after(markLife.dividedBy(2));
            long id = connection.repeat("changing keys", readDeadline(), client -> client.getLeaseClient().grant(markLife.toSeconds())).getID();
            MarkLease granted = new MarkLease(id, replaceAt);
            markLease = Optional.of(granted);
            return granted;
        }
    }

    private void forget(MarkLease lease)
    {
        synchronized (markLock) {
            markLease = markLease.filter(current -> current.id() != lease.id());
        }
    }

    private record MarkLease(long id, Deadline replaceAt) {}

    private Op putMark(TransactionId id, String text)
    {
        return Op.put(bytes(marks + id.id()), bytes(text), PutOption.builder().withLeaseId(id.lease()).build());
    }

    private Op operation(Operation operation)
    {
        ByteSequence key = bytes(prefix + operation.key());
        return switch (operation) {
            case Operation.Put put -> Op.put(key, ByteSequence.from(put.value()), PutOption.builder().withLeaseId(put.lease().map(Lease::id).orElse(0L)).build());
            case Operation.Delete _ -> Op.delete(key, DeleteOption.DEFAULT);
        };
    }

    private Cmp comparison(Condition condition)
    {
        ByteSequence key = bytes(prefix + condition.key());
        return switch (condition) {
            case Condition.Absent _ -> absent(key);
            case Condition.ModifiedAt modified -> new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(modified.modRevision()));
            case Condition.CreatedAt created -> new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(created.createRevision()));
        };
    }

    private static Cmp absent(ByteSequence key)
    {
        return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0));
    }

    private StoreEntry entry(KeyValue pair)
    {
        return entry(pair, prefix);
    }

    static StoreEntry entry(KeyValue pair, String prefix)
    {
        return new StoreEntry(pair.getKey().toString(UTF_8).substring(prefix.length()), pair.getValue().getBytes(), pair.getCreateRevision(), pair.getModRevision());
    }

    private final class LeaseBackend
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
            return Duration.ofSeconds(reading(() -> connection.call("renewing a lease", Deadline.after(connection.timeout()), client -> client.getLeaseClient().keepAliveOnce(id))).getTTL());
        }

        @Override
        public void revoke(long id)
        {
            try {
                reading(() -> connection.repeat("giving back a lease", readDeadline(), client -> client.getLeaseClient().revoke(id)));
            }
            catch (StateStoreException e) {
                if (e.kind() != Kind.LEASE_LOST) {
                    throw e;
                }
            }
        }
    }
}
