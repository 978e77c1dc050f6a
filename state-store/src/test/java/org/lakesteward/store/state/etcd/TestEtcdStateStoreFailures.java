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
import com.google.common.collect.ImmutableList;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.lakesteward.store.etcd.Deadline;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdFailure;
import org.lakesteward.store.etcd.TroubledProxy;
import org.lakesteward.store.etcd.TroubledProxy.Trouble;
import org.lakesteward.store.state.BatchWriter;
import org.lakesteward.store.state.Change;
import org.lakesteward.store.state.Condition;
import org.lakesteward.store.state.Following;
import org.lakesteward.store.state.Lease;
import org.lakesteward.store.state.LeaderElection;
import org.lakesteward.store.state.Leadership;
import org.lakesteward.store.state.Operation;
import org.lakesteward.store.state.PagedReader;
import org.lakesteward.store.state.StateStore;
import org.lakesteward.store.state.StateStoreException;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.StateWatch;
import org.lakesteward.store.state.StoreEntry;
import org.lakesteward.store.state.Transaction;
import org.lakesteward.store.state.TransactionResult;
import org.lakesteward.store.state.TransactionResult.Committed;
import org.lakesteward.store.state.UnknownOutcomeException;
import org.lakesteward.store.state.WatchEvent;
import org.lakesteward.testing.etcd.EtcdProcess;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.lakesteward.store.etcd.EtcdConnection.bytes;

/**
 * What the store does when etcd or the way to it fails, and that the plain operations of etcd would not do.
 */
public class TestEtcdStateStoreFailures
{
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration USUAL = Duration.ofSeconds(5);
    private static final String PREFIX = "/lake";

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterMethod(alwaysRun = true)
    public void close()
            throws Exception
    {
        for (AutoCloseable closeable : opened.reversed()) {
            closeable.close();
        }
        opened.clear();
    }

    /** Changes made while a follower was cut off are told afterwards, each once; a watch that begins anew misses them. */
    @Test
    public void testWatchResumesAfterStopAndKill()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        StateStore store = store(etcd.endpoint(), USUAL);
        StateStore other = store(etcd.endpoint(), USUAL);
        Following following = opened(new Following(other, "k/"));
        long revision = put(store, "k/0", "1");
        following.poll();
        for (int round = 1; round <= 2; round++) {
            if (round == 1) {
                etcd.stop();
            }
            else {
                etcd.kill();
            }
            int losses = round;
            awaitTrue(() -> {
                following.poll();
                return following.disconnections() == losses;
            }, "the follower sees that etcd is away");
            assertKind(Kind.UNAVAILABLE, () -> store(etcd.endpoint(), Duration.ofMillis(200)).get("k/0"));
            assertKind(Kind.UNAVAILABLE, () -> put(store(etcd.endpoint(), Duration.ofMillis(200)), "k/0", "2"));
            etcd.restart();
            // an acknowledged transaction survives
            assertThat(store.get("k/0").orElseThrow().modRevision()).isEqualTo(revision);
            put(store, "k/" + round, "1");
            List<Change> missed = new ArrayList<>();
            StateWatch naive = opened(other.watch("k/", put(store, "k/last", "round " + round), () -> {}));
            awaitTrue(() -> {
                following.poll();
                addChanges(naive, missed);
                return following.entries().containsKey("k/last") && !missed.isEmpty() &&
                        new String(following.entries().get("k/last").value(), UTF_8).equals("round " + losses);
            }, "the follower has come so far");
            assertThat(following.entries()).containsKey("k/" + round);
            assertThat(missed).extracting(Change::key).containsExactly("k/last");
        }
        assertThat(following.readings()).isEqualTo(1);
    }

    @Test
    public void testCompactionWhileDisconnected()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        StateStore store = store(etcd.endpoint(), USUAL);
        Following following = opened(new Following(store(etcd.endpoint(), USUAL), "k/"));
        long before = put(store, "k/gone", "1");
        following.poll();
        etcd.stop();
        awaitTrue(() -> {
            following.poll();
            return following.disconnections() == 1;
        }, "the follower sees that etcd is away");
        etcd.restart();
        // a read is repeated until there is a connection again, a transaction is not
        assertThat(store.get("k/gone")).isPresent();
        committed(store.commit(Transaction.builder().delete("k/gone").build()));
        long last = put(store, "k/new", "1");
        EtcdConnection connection = opened(TestEtcdStateStore.connect(etcd.endpoint(), USUAL));
        connection.call("compacting", deadline(), client -> client.getKVClient().compact(last));

        // a watch alone cannot go on, and would leave the key that is gone
        StateWatch naive = opened(store.watch("k/", before + 1, () -> {}));
        List<WatchEvent> events = new ArrayList<>();
        awaitTrue(() -> {
            naive.next(Duration.ZERO).ifPresent(events::add);
            return !events.isEmpty();
        }, "the watch ends");
        assertThat(events).containsExactly(new WatchEvent.RereadRequired(WatchEvent.Reason.COMPACTED, last));

        awaitTrue(() -> {
            following.poll();
            return following.entries().containsKey("k/new");
        }, "the follower has come so far");
        assertThat(following.entries().keySet()).containsExactly("k/new");
        assertThat(following.readings()).isEqualTo(2);
        put(store, "k/newer", "1");
        awaitTrue(() -> {
            following.poll();
            return following.entries().containsKey("k/newer");
        }, "the follower goes on");
    }

    /** etcd sends what a watch has missed at once, and cannot where that is more than an answer takes. */
    @Test
    public void testMissedChangesThatAreTooLarge()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        StateStore store = store(etcd.endpoint(), USUAL);
        long before = put(store, "k/first", "1");
        for (int i = 0; i < 8; i++) {
            committed(store.commit(Transaction.builder().put("k/" + i, new byte[700_000]).build()));
        }
        StateWatch naive = opened(store.watch("k/", before + 1, () -> {}));
        List<WatchEvent> events = new ArrayList<>();
        awaitTrue(() -> {
            naive.next(Duration.ZERO).ifPresent(events::add);
            return !events.isEmpty();
        }, "the watch ends");
        assertThat(events).containsExactly(new WatchEvent.RereadRequired(WatchEvent.Reason.TOO_LARGE, 0));
        Following following = opened(new Following(store, "k/"));
        following.poll();
        assertThat(following.entries()).hasSize(9);
    }

    /** Nobody fetches: what waits is bounded, and nothing is lost. */
    @Test
    public void testFollowerThatIsSlow()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        StateStore store = store(etcd.endpoint(), USUAL);
        Following following = opened(new Following(store(etcd.endpoint(), USUAL), "k/"));
        following.poll();
        following.poll();
        for (int i = 0; i < 20; i++) {
            committed(store.commit(Transaction.builder().put("k/" + i, new byte[700_000]).build()));
        }
        awaitTrue(() -> {
            following.poll();
            return following.entries().size() == 20;
        }, "the follower has come so far");
        put(store, "k/last", "1");
        awaitTrue(() -> {
            following.poll();
            return following.entries().containsKey("k/last");
        }, "the follower goes on");
    }

    /** A leader that is stopped for longer than its lease and then goes on knows by its own clock, and cannot write under its guard. */
    @Test
    public void testLeaderPausedPastItsLease()
            throws Exception
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        Process paused = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                PausedLeader.class.getName(),
                etcd.endpoint(),
                PREFIX,
                "3")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader output = paused.inputReader(); PrintWriter input = new PrintWriter(paused.outputWriter(), true)) {
            assertThat(output.readLine()).isEqualTo("leads");
            StateStore store = store(etcd.endpoint(), USUAL);
            LeaderElection election = new LeaderElection(store, "other", Duration.ofSeconds(60), InstantSource.system());
            signal(paused, "STOP");
            awaitTrue(() -> election.step() instanceof Leadership.Leading, "another leads");
            signal(paused, "CONT");

            assertThat(answer(input, output, "ask")).isEqualTo("follows");
            assertThat(answer(input, output, "write guarded")).isEqualTo("Refused");
            assertThat(store.get("guarded")).isEmpty();
            // without the guard nothing keeps it from writing
            assertThat(answer(input, output, "write unguarded")).isEqualTo("Committed");
            assertThat(store.get("unguarded")).isPresent();
            assertThat(election.isLeader()).isTrue();
        }
        finally {
            paused.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }

    private static String answer(PrintWriter input, BufferedReader output, String question)
            throws IOException
    {
        input.println(question);
        return output.readLine();
    }

    private static void signal(Process process, String name)
            throws Exception
    {
        Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start();
        assertThat(kill.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    @Test
    public void testLimitsOfEtcd()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        StateStore store = store(etcd.endpoint(), USUAL);
        EtcdConnection connection = opened(TestEtcdStateStore.connect(etcd.endpoint(), USUAL));
        ByteSequence large = ByteSequence.from(new byte[1_600_000]);
        assertFailure(EtcdFailure.Kind.INVALID, () -> connection.call("putting", deadline(), client -> client.getKVClient().put(bytes("/lake/large"), large)));
        assertKind(Kind.TOO_LARGE, () -> store.commit(Transaction.builder().put("large", large.getBytes()).build()));

        Op[] puts = IntStream.range(0, 129)
                .mapToObj(i -> Op.put(bytes("/lake/k/" + i), bytes("1"), PutOption.DEFAULT))
                .toArray(Op[]::new);
        assertFailure(EtcdFailure.Kind.INVALID, () -> connection.call("putting", deadline(), client -> client.getKVClient().txn().Then(puts).commit()));
        List<Operation> operations = IntStream.range(0, 129)
                .mapToObj(i -> Operation.put("k/" + i, new byte[40_000]))
                .collect(toImmutableList());
        assertKind(Kind.TOO_LARGE, () -> store.commit(new Transaction(ImmutableList.of(), operations)));
        assertThat(new BatchWriter(store, ImmutableList.of()).write(operations).operations()).isEqualTo(129);

        assertFailure(EtcdFailure.Kind.EXHAUSTED, () -> connection.call("reading", deadline(), client -> client.getKVClient().get(bytes("/lake/k/"), GetOption.builder().isPrefix(true).build())));
        List<StoreEntry> read = new ArrayList<>();
        new PagedReader(store).read("k/", OptionalLong.empty(), read::add);
        assertThat(read).hasSize(129);
    }

    /** An etcd that takes less than the store believes refuses by code, and nothing is changed. */
    @Test
    public void testEtcdWithOtherLimits()
    {
        EtcdProcess etcd = opened(EtcdProcess.startWith("--max-request-bytes=10000", "--max-txn-ops=20"));
        StateStore store = store(etcd.endpoint(), USUAL);
        assertKind(Kind.TOO_LARGE, () -> store.commit(Transaction.builder().put("large", new byte[20_000]).build()));
        assertKind(Kind.TOO_LARGE, () -> store.commit(new Transaction(ImmutableList.of(), IntStream.range(0, 30)
                .mapToObj(i -> Operation.put("k/" + i, new byte[1]))
                .collect(toImmutableList()))));
        assertThat(store.get("large")).isEmpty();
        assertThat(store.get("k/0")).isEmpty();
    }

    /** The answer is lost: the transaction took place, and repeating it as if it had not is refused. */
    @Test
    public void testLostAnswer()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        TroubledProxy proxy = opened(new TroubledProxy(etcd.endpoint()));
        StateStore store = store(proxy.endpoint().toString(), SHORT);
        proxy.plan("lake/lock", Trouble.LOSE_ANSWERS);
        Transaction transaction = Transaction.builder().require(Condition.absent("lock")).put("lock", value("mine")).build();
        long revision = committed(store.commit(transaction));
        assertThat(proxy.hasHappened()).isTrue();
        assertThat(store.get("lock").orElseThrow().createRevision()).isEqualTo(revision);
        assertThat(store.commit(transaction)).isInstanceOf(TransactionResult.Refused.class);

        // the plain way: it failed, and yet it took place
        EtcdConnection connection = opened(TestEtcdStateStore.connect(proxy.endpoint().toString(), SHORT));
        proxy.plan("plain way", Trouble.LOSE_ANSWERS);
        assertFailure(EtcdFailure.Kind.NO_ANSWER, () -> connection.call("putting", deadline(), client -> client.getKVClient().put(bytes("/lake/plain"), bytes("plain way"))));
        assertThat(store.get("plain")).isPresent();
    }

    /** A request that comes after its sender was told that nothing was changed changes nothing. */
    @Test
    public void testLateRequest()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        TroubledProxy proxy = opened(new TroubledProxy(etcd.endpoint()));
        StateStore store = store(proxy.endpoint().toString(), SHORT);
        proxy.plan("late value", Trouble.HOLD_REQUEST);
        assertKind(Kind.UNAVAILABLE, () -> put(store, "k/1", "late value"));
        put(store, "k/1", "next");
        proxy.release();
        awaitTrue(proxy::answeredAfterRelease, "etcd has taken the late request");
        assertThat(store.get("k/1").orElseThrow().value()).isEqualTo(value("next"));

        // the plain way: what was believed to have failed replaces what came after it
        EtcdConnection connection = opened(TestEtcdStateStore.connect(proxy.endpoint().toString(), SHORT));
        TroubledProxy second = opened(new TroubledProxy(etcd.endpoint()));
        EtcdConnection plain = opened(TestEtcdStateStore.connect(second.endpoint().toString(), SHORT));
        second.plan("late value", Trouble.HOLD_REQUEST);
        assertFailure(EtcdFailure.Kind.NO_ANSWER, () -> plain.call("putting", deadline(), client -> client.getKVClient().put(bytes("/lake/k/2"), bytes("late value"))));
        connection.call("putting", deadline(), client -> client.getKVClient().put(bytes("/lake/k/2"), bytes("next")));
        second.release();
        awaitTrue(second::answeredAfterRelease, "etcd has taken the late request");
        assertThat(store.get("k/2").orElseThrow().value()).isEqualTo(value("late value"));
    }

    /** etcd stands still from the moment at which it has the request until the store has given up asking. */
    @Test
    public void testUnknownOutcomeIsResolved()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        TroubledProxy proxy = opened(new TroubledProxy(etcd.endpoint()));
        StateStore store = store(proxy.endpoint().toString(), Duration.ofMillis(300));
        put(store, "k/1", "first");
        proxy.plan("second", Trouble.LOSE_ANSWERS);
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> catchThrowable(() -> put(store, "k/1", "second")));
        awaitTrue(proxy::hasHappened, "the request is sent");
        etcd.freeze();
        Throwable thrown = failure.join();
        etcd.thaw();
        StateStore witness = store(etcd.endpoint(), USUAL);
        if (thrown == null) {
            // it was found out before etcd stood still
            assertThat(witness.get("k/1").orElseThrow().value()).isEqualTo(value("second"));
            return;
        }
        assertThat(thrown).isInstanceOf(UnknownOutcomeException.class);
        Optional<Committed> resolved = witness.resolve(((UnknownOutcomeException) thrown).transaction());
        Optional<StoreEntry> second = witness.get("k/1").filter(entry -> new String(entry.value(), UTF_8).equals("second"));
        assertThat(resolved).isEqualTo(second.map(entry -> new Committed(entry.modRevision())));
        // whoever asks again gets the same
        assertThat(store.resolve(((UnknownOutcomeException) thrown).transaction())).isEqualTo(resolved);
    }

    /** etcd stands still for longer than an operation may take: each operation ends in time, and each says how it was. */
    @Test
    public void testFrozen()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        StateStore store = store(etcd.endpoint(), Duration.ofMillis(300));
        Lease lease = store.grant(Duration.ofSeconds(60));
        put(store, "k/1", "first");
        Following following = opened(new Following(store, "k/"));
        following.poll();
        etcd.freeze();
        assertKind(Kind.UNAVAILABLE, () -> store.get("k/1"));
        assertKind(Kind.UNAVAILABLE, lease::keepAlive);
        assertThat(lease.isHeld()).isTrue();
        UnknownOutcomeException unknown = catchThrowableOfType(UnknownOutcomeException.class, () -> put(store, "k/1", "second"));
        assertThat(unknown).isNotNull();
        awaitTrue(() -> {
            following.poll();
            return following.disconnections() > 0;
        }, "the follower sees that etcd stands still");
        etcd.thaw();

        StateStore witness = store(etcd.endpoint(), USUAL);
        Optional<Committed> resolved = witness.resolve(unknown.transaction());
        assertThat(witness.get("k/1").map(entry -> new String(entry.value(), UTF_8))).contains(resolved.isPresent() ? "second" : "first");
        lease.keepAlive();
        put(store, "k/2", "third");
        awaitTrue(() -> {
            following.poll();
            return following.entries().containsKey("k/2");
        }, "the follower goes on");
        assertThat(following.entries().get("k/1")).isEqualTo(witness.get("k/1").orElseThrow());
    }

    /** Frozen at any moment of many transactions: the sum of what was answered is what is there. */
    @Test
    public void testFrozenAgainAndAgain()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        StateStore store = store(etcd.endpoint(), Duration.ofMillis(300));
        StateStore witness = store(etcd.endpoint(), USUAL);
        put(store, "counter", "0");
        int counted = 0;
        for (int round = 0; round < 4; round++) {
            AtomicBoolean stopped = new AtomicBoolean();
            CompletableFuture<Integer> added = CompletableFuture.supplyAsync(() -> {
                int committed = 0;
                while (!stopped.get()) {
                    try {
                        StoreEntry entry = store.get("counter").orElseThrow();
                        int next = Integer.parseInt(new String(entry.value(), UTF_8)) + 1;
                        committed(store.commit(Transaction.builder().require(Condition.unchanged(entry)).put("counter", value(String.valueOf(next))).build()));
                        committed++;
                    }
                    catch (UnknownOutcomeException e) {
                        return committed + (witness.resolve(e.transaction()).isPresent() ? 1 : 0);
                    }
                    catch (StateStoreException e) {
                        assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
                        return committed;
                    }
                }
                return committed;
            });
            int before = counted;
            awaitTrue(() -> Integer.parseInt(new String(witness.get("counter").orElseThrow().value(), UTF_8)) > before + 5, "some transactions took place");
            etcd.freeze();
            // for as long as an operation takes to fail
            assertKind(Kind.UNAVAILABLE, () -> store(etcd.endpoint(), Duration.ofMillis(700)).get("counter"));
            etcd.thaw();
            stopped.set(true);
            counted += added.join();
            assertThat(Integer.parseInt(new String(witness.get("counter").orElseThrow().value(), UTF_8))).isEqualTo(counted);
        }
    }

    private <T extends AutoCloseable> T opened(T closeable)
    {
        synchronized (opened) {
            opened.add(closeable);
        }
        return closeable;
    }

    private StateStore store(String endpoint, Duration timeout)
    {
        return opened(new EtcdStateStore(TestEtcdStateStore.connect(endpoint, timeout), PREFIX, Ticker.systemTicker()));
    }

    private static Deadline deadline()
    {
        return Deadline.after(Duration.ofSeconds(30));
    }

    private static long committed(TransactionResult result)
    {
        assertThat(result).isInstanceOf(Committed.class);
        return ((Committed) result).revision();
    }

    private static long put(StateStore store, String key, String value)
    {
        return committed(store.commit(Transaction.builder().put(key, value(value)).build()));
    }

    private static byte[] value(String value)
    {
        return value.getBytes(UTF_8);
    }

    private static void addChanges(StateWatch watch, List<Change> changes)
    {
        for (Optional<WatchEvent> event = watch.next(Duration.ZERO); event.isPresent(); event = watch.next(Duration.ZERO)) {
            // one that was cut off goes on by itself; of one that must be read again, the next call fails
            if (event.get() instanceof WatchEvent.Changes told) {
                changes.addAll(told.changes());
            }
        }
    }

    private static void assertKind(Kind kind, ThrowingCallable action)
    {
        assertThatThrownBy(action).isInstanceOfSatisfying(StateStoreException.class, failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind));
    }

    private static void assertFailure(EtcdFailure.Kind kind, ThrowingCallable action)
    {
        assertThatThrownBy(action).isInstanceOfSatisfying(EtcdFailure.class, failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind));
    }

    private static void awaitTrue(BooleanSupplier condition, String what)
    {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as("time until " + what).isLessThan(TimeUnit.SECONDS.toNanos(60));
            LockSupport.parkNanos(20_000_000);
        }
    }
}
