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

import com.google.common.collect.ImmutableList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.TransactionResult.Committed;
import org.lakesteward.store.state.TransactionResult.Refused;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What every state store does.
 */
public abstract class StateStoreContract
{
    protected static final Duration SHORT_LEASE = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    protected StateStore store;
    protected StateStore other;

    /** Makes an empty lake. */
    protected abstract void prepare();

    /** A store of the lake, for another user than the one before where there can be several. */
    protected abstract StateStore create();

    /** Lets some time pass. */
    protected abstract void passTime();

    /** Forgets what was before a revision. */
    protected abstract void compact(long revision);

    @BeforeMethod
    public void setUp()
    {
        prepare();
        store = create();
        other = create();
    }

    @AfterMethod(alwaysRun = true)
    public void tearDown()
    {
        if (store != null) {
            store.close();
        }
        if (other != null) {
            other.close();
        }
        store = null;
        other = null;
    }

    @Test
    public void testRevisions()
    {
        assertThat(store.get("a")).isEmpty();
        long first = put(store, "a", "1");
        assertThat(other.get("a")).contains(new StoreEntry("a", value("1"), first, first));
        long second = put(other, "a", "2");
        assertThat(second).isGreaterThan(first);
        assertThat(store.get("a")).contains(new StoreEntry("a", value("2"), first, second));
        delete(store, "a");
        assertThat(other.get("a")).isEmpty();
        long third = put(other, "a", "");
        assertThat(store.get("a")).contains(new StoreEntry("a", new byte[0], third, third));
    }

    @Test
    public void testTransactionIsWholeOrNothing()
    {
        long first = put(store, "k/a", "1");
        long second = put(store, "k/b", "1");
        Transaction transaction = Transaction.builder()
                .require(Condition.createdAt("k/a", first))
                .require(new Condition.ModifiedAt("k/b", second))
                .require(Condition.absent("k/c"))
                .put("k/b", value("2"))
                .put("k/c", value("1"))
                .delete("k/a")
                .delete("k/absent")
                .build();
        long revision = committed(store.commit(transaction));
        assertThat(other.page("k/", Optional.empty(), OptionalLong.empty(), 10).entries()).containsExactly(
                new StoreEntry("k/b", value("2"), second, revision),
                new StoreEntry("k/c", value("1"), revision, revision));
        // none of the conditions holds any more
        assertThat(other.commit(transaction)).isEqualTo(new Refused(transaction.conditions()));
        assertThat(store.get("k/b")).contains(new StoreEntry("k/b", value("2"), second, revision));
    }

    @Test
    public void testRefusalTellsWhatFailed()
    {
        long created = put(store, "leader", "1");
        put(store, "leader", "2");
        Transaction taken = Transaction.builder()
                .require(Condition.createdAt("leader", created))
                .require(Condition.absent("lock"))
                .put("lock", value("mine"))
                .build();
        committed(store.commit(taken));
        assertThat(other.commit(taken)).isEqualTo(new Refused(ImmutableList.of(Condition.absent("lock"))));
        delete(store, "lock");
        delete(store, "leader");
        assertThat(other.commit(taken)).isEqualTo(new Refused(ImmutableList.of(Condition.createdAt("leader", created))));
        put(store, "leader", "3");
        assertThat(other.commit(taken)).isEqualTo(new Refused(ImmutableList.of(Condition.createdAt("leader", created))));
        assertThat(store.get("lock")).isEmpty();
    }

    @Test
    public void testPages()
    {
        for (String key : ImmutableList.of("a", "a/", "a/1", "a/1/x", "a/2", "a/3", "a0", "b/1")) {
            put(store, key, key);
        }
        assertThat(keys(store.page("a/", Optional.empty(), OptionalLong.empty(), 10))).containsExactly("a/", "a/1", "a/1/x", "a/2", "a/3");
        Page first = store.page("a/", Optional.empty(), OptionalLong.empty(), 2);
        assertThat(keys(first)).containsExactly("a/", "a/1");
        assertThat(first.more()).isTrue();
        Page second = store.page("a/", Optional.of("a/1"), OptionalLong.of(first.revision()), 3);
        assertThat(keys(second)).containsExactly("a/1/x", "a/2", "a/3");
        assertThat(second.more()).isFalse();
        assertThat(second.revision()).isEqualTo(first.revision());
        assertThat(keys(store.page("a/", Optional.of("a/3"), OptionalLong.empty(), 3))).isEmpty();
        assertThat(keys(store.page("none", Optional.empty(), OptionalLong.empty(), 3))).isEmpty();
        assertThat(keys(store.page("a/1", Optional.empty(), OptionalLong.empty(), 3))).containsExactly("a/1", "a/1/x");
        assertThatThrownBy(() -> store.page("a/", Optional.empty(), OptionalLong.empty(), 0)).isInstanceOf(IllegalArgumentException.class).hasMessage("maxKeys is 0, it must be more than zero");
    }

    @Test
    public void testPagesOfThePast()
    {
        put(store, "a/kept", "old");
        put(store, "a/replaced", "old");
        put(store, "a/deleted", "old");
        Page then = store.page("a/", Optional.empty(), OptionalLong.empty(), 10);
        put(store, "a/replaced", "new");
        put(store, "a/afirst", "new");
        delete(store, "a/deleted");
        put(store, "a/z", "new");
        put(store, "a/replaced", "newer");
        assertThat(other.page("a/", Optional.empty(), OptionalLong.of(then.revision()), 10)).isEqualTo(then);
        assertThat(keys(other.page("a/", Optional.empty(), OptionalLong.of(then.revision()), 2))).containsExactly("a/deleted", "a/kept");
        assertThat(keys(other.page("a/", Optional.of("a/deleted"), OptionalLong.of(then.revision()), 2))).containsExactly("a/kept", "a/replaced");
        assertThat(keys(other.page("a/", Optional.empty(), OptionalLong.empty(), 10))).containsExactly("a/afirst", "a/kept", "a/replaced", "a/z");
    }

    @Test
    public void testCompactedAndFutureRevisions()
    {
        long first = put(store, "a", "1");
        put(store, "a", "2");
        long last = put(store, "a", "3");
        compact(last);
        assertKind(Kind.COMPACTED, () -> store.page("a", Optional.empty(), OptionalLong.of(first), 10));
        assertKind(Kind.COMPACTED, () -> store.page("a", Optional.empty(), OptionalLong.of(last + 1000), 10));
        assertThat(keys(store.page("a", Optional.empty(), OptionalLong.of(last), 10))).containsExactly("a");
        try (StateWatch watch = store.watch("a", first + 1, () -> {})) {
            assertThat(awaitEvent(watch)).isEqualTo(new WatchEvent.RereadRequired(WatchEvent.Reason.COMPACTED, last));
            assertThatThrownBy(() -> watch.next(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
        }
        try (StateWatch watch = store.watch("a", last + 1000, () -> {})) {
            assertThat(awaitEvent(watch)).isInstanceOfSatisfying(WatchEvent.RereadRequired.class, event -> assertThat(event.reason()).isEqualTo(WatchEvent.Reason.STORE_WENT_BACK));
        }
    }

    @Test
    public void testLimits()
    {
        byte[] large = new byte[1_400_000];
        committed(store.commit(Transaction.builder().put("large/1", large).build()));
        assertKind(Kind.TOO_LARGE, () -> store.commit(Transaction.builder().put("large/2", new byte[1_600_000]).build()));
        committed(store.commit(new Transaction(ImmutableList.of(), puts("many/", StoreLimits.MAX_OPERATIONS))));
        assertKind(Kind.TOO_LARGE, () -> store.commit(new Transaction(ImmutableList.of(), puts("more/", StoreLimits.MAX_OPERATIONS + 1))));
        assertThat(store.page("more/", Optional.empty(), OptionalLong.empty(), 10).entries()).isEmpty();

        for (int i = 2; i < 5; i++) {
            committed(store.commit(Transaction.builder().put("large/" + i, large).build()));
        }
        assertKind(Kind.TOO_LARGE, () -> store.page("large/", Optional.empty(), OptionalLong.empty(), 4));
        List<String> keys = new ArrayList<>();
        new PagedReader(store).read("large/", OptionalLong.empty(), entry -> {
            assertThat(entry.value()).hasSize(large.length);
            keys.add(entry.key());
        });
        assertThat(keys).containsExactly("large/1", "large/2", "large/3", "large/4");
    }

    @DataProvider
    public static Object[][] invalidKeys()
    {
        return new Object[][] {{""}, {"a b"}, {"a\n"}, {"é"}, {"x".repeat(1001)}};
    }

    @Test(dataProvider = "invalidKeys")
    public void testInvalidKeys(String key)
    {
        assertThatThrownBy(() -> store.get(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Operation.put(key, new byte[0])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Condition.absent(key)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A lake of 13,405 tables with two records each: more than an answer takes. */
    @Test
    public void testManyRecords()
    {
        int records = 26_810;
        byte[] record = new byte[180];
        BatchWriter.Result result = new BatchWriter(store, ImmutableList.of()).write(IntStream.range(0, records)
                .mapToObj(i -> Operation.put("demand/%05d".formatted(i), record))
                .collect(toImmutableList()));
        assertThat(result).isEqualTo(new BatchWriter.Result((records + 99) / 100, records, Optional.empty()));
        assertKind(Kind.TOO_LARGE, () -> other.page("demand/", Optional.empty(), OptionalLong.empty(), records));

        List<StoreEntry> entries = new ArrayList<>();
        long revision = new PagedReader(other).read("demand/", OptionalLong.empty(), entry -> {
            if (entries.isEmpty()) {
                // pages of one revision do not show it
                delete(store, "demand/26000");
                put(store, "demand/26001", "new");
                put(store, "demand/26001x", "new");
            }
            entries.add(entry);
        });
        assertThat(entries).hasSize(records).allSatisfy(entry -> {
            assertThat(entry.value()).hasSize(record.length);
            assertThat(entry.modRevision()).isLessThanOrEqualTo(revision);
        });
        assertThat(entries).extracting(StoreEntry::key).isSorted().doesNotHaveDuplicates();
        List<StoreEntry> now = new ArrayList<>();
        new PagedReader(other).read("demand/", OptionalLong.empty(), now::add);
        assertThat(now).hasSize(records).extracting(StoreEntry::key).contains("demand/26001x").doesNotContain("demand/26000");
    }

    @Test
    public void testBatchStopsWhenGuardFails()
    {
        long guard = put(store, "leader", "me");
        BatchWriter writer = new BatchWriter(store, ImmutableList.of(Condition.createdAt("leader", guard)));
        List<Operation> operations = puts("a/", 250);
        assertThat(writer.write(operations)).isEqualTo(new BatchWriter.Result(3, 250, Optional.empty()));
        // by bytes, and a key twice in its order
        byte[] large = new byte[400_000];
        assertThat(writer.write(ImmutableList.of(
                Operation.put("b/1", large), Operation.put("b/2", large), Operation.put("b/3", new byte[1_000_000]), Operation.put("b/4", value("1")), Operation.put("b/4", value("2")))))
                .isEqualTo(new BatchWriter.Result(5, 5, Optional.empty()));
        assertThat(store.get("b/4").orElseThrow().value()).isEqualTo(value("2"));

        delete(other, "leader");
        put(other, "leader", "you");
        assertThat(writer.write(ImmutableList.of(Operation.delete("a/0"))))
                .isEqualTo(new BatchWriter.Result(0, 0, Optional.of(new Refused(ImmutableList.of(Condition.createdAt("leader", guard))))));
        assertThat(store.get("a/0")).isPresent();
        assertThat(writer.write(ImmutableList.of())).isEqualTo(new BatchWriter.Result(0, 0, Optional.empty()));
        assertThatThrownBy(() -> writer.write(ImmutableList.of(Operation.delete("leader")))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    public void testKeysEndWithTheirLease()
    {
        Lease lease = store.grant(SHORT_LEASE);
        assertThat(lease.isHeld()).isTrue();
        long revision = committed(store.commit(Transaction.builder()
                .put("k/leased/1", value("1"), lease)
                .put("k/leased/2", value("1"), lease)
                .put("k/stays", value("1"), lease)
                .build()));
        put(store, "k/stays", "2");
        try (StateWatch watch = other.watch("k/", revision + 1, () -> {})) {
            List<Change> changes = new ArrayList<>();
            awaitTrue(() -> {
                addChanges(watch, changes);
                return changes.size() == 3;
            }, "the lease ends");
            assertThat(changes).extracting(Change::key).containsExactlyInAnyOrder("k/stays", "k/leased/1", "k/leased/2");
            assertThat(changes.getLast().revision()).isEqualTo(changes.get(1).revision());
        }
        assertThat(lease.isHeld()).isFalse();
        assertThat(keys(store.page("k/", Optional.empty(), OptionalLong.empty(), 10))).containsExactly("k/stays");
        assertKind(Kind.LEASE_LOST, lease::keepAlive);
        assertKind(Kind.LEASE_LOST, () -> store.commit(Transaction.builder().put("other", value("1")).put("k/leased/3", value("1"), lease).build()));
        assertThat(store.get("other")).isEmpty();
        lease.revoke();
    }

    @Test
    public void testLeaseThatIsKeptAlive()
    {
        Lease kept = store.grant(Duration.ofSeconds(3));
        Lease left = store.grant(SHORT_LEASE);
        committed(store.commit(Transaction.builder().put("kept", value("1"), kept).put("left", value("1"), left).build()));
        awaitTrue(() -> {
            kept.keepAlive();
            return store.get("left").isEmpty();
        }, "the other lease ends");
        assertThat(kept.isHeld()).isTrue();
        assertThat(store.get("kept")).isPresent();
        kept.revoke();
        assertThat(kept.isHeld()).isFalse();
        assertThat(store.get("kept")).isEmpty();
        assertKind(Kind.LEASE_LOST, kept::keepAlive);
    }

    @Test
    public void testInvalidLeases()
    {
        assertThatThrownBy(() -> store.grant(Duration.ofSeconds(1))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("ttl is PT1S, it must be between PT2S and PT24H");
        assertThatThrownBy(() -> store.grant(Duration.ofMillis(2500))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("whole seconds");
    }

    @Test
    public void testWatchTellsEveryChange()
    {
        long first = put(store, "a/1", "1");
        AtomicInteger told = new AtomicInteger();
        try (StateWatch watch = other.watch("a/", first, told::incrementAndGet)) {
            put(store, "b/1", "1");
            long second = put(store, "a/1", "2");
            long third = committed(store.commit(Transaction.builder().put("a/2", value("1")).put("b/2", value("1")).delete("a/1").delete("a/0").build()));
            List<Change> changes = new ArrayList<>();
            awaitTrue(() -> {
                addChanges(watch, changes);
                return changes.size() == 4;
            }, "all changes are told");
            assertThat(changes.subList(0, 2)).containsExactly(
                    new Change.Put(new StoreEntry("a/1", value("1"), first, first)),
                    new Change.Put(new StoreEntry("a/1", value("2"), first, second)));
            assertThat(changes.subList(2, 4)).containsExactlyInAnyOrder(
                    new Change.Put(new StoreEntry("a/2", value("1"), third, third)),
                    new Change.Deleted("a/1", third));
            assertThat(watch.next(Duration.ZERO)).isEmpty();
            watch.close();
            assertKind(Kind.CLOSED, () -> watch.next(Duration.ZERO));
        }
    }

    /** Whatever happens, and in whatever order, all stores say the same; the model here is a map. */
    @Test
    public void testRandomTransactionsAgainstModel()
    {
        long seed = 20261130;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<String, StoreEntry> model = new TreeMap<>();
        Map<Long, Map<String, StoreEntry>> past = new HashMap<>();
        try (Following following = new Following(other, "k/")) {
            for (int step = 0; step < 300; step++) {
                Transaction transaction = randomTransaction(random, model);
                boolean holds = transaction.conditions().stream().allMatch(condition -> condition.holds(Optional.ofNullable(model.get(condition.key()))));
                TransactionResult result = store.commit(transaction);
                if (holds) {
                    long revision = committed(result);
                    apply(transaction, revision, model);
                    past.put(revision, new TreeMap<>(model));
                }
                else {
                    assertThat(result).as("step %s of seed %s", step, seed).isInstanceOf(Refused.class);
                }
                if (step % 50 == 17) {
                    following.poll();
                    long oldest = past.keySet().stream().skip(random.nextInt(past.size())).findFirst().orElseThrow();
                    compact(oldest);
                    past.keySet().removeIf(revision -> revision < oldest);
                }
                if (step % 10 == 3) {
                    past.forEach((revision, entries) -> {
                        Map<String, StoreEntry> read = new TreeMap<>();
                        new PagedReader(other).read("k/", OptionalLong.of(revision), entry -> read.put(entry.key(), entry));
                        assertThat(read).as("revision %s of seed %s", revision, seed).isEqualTo(entries);
                    });
                    past.keySet().removeIf(_ -> random.nextInt(3) > 0);
                }
                if (random.nextInt(4) == 0) {
                    following.poll();
                }
            }
            awaitTrue(() -> {
                following.poll();
                return following.entries().equals(model);
            }, "the follower has come so far");
        }
    }

    private static Transaction randomTransaction(Random random, Map<String, StoreEntry> model)
    {
        Transaction.Builder builder = Transaction.builder();
        if (random.nextBoolean()) {
            String key = randomKey(random);
            StoreEntry entry = model.get(key);
            long revision = entry == null ? 1 + random.nextInt(100) : random.nextInt(4) == 0 ? entry.createRevision() : entry.modRevision();
            switch (random.nextInt(3)) {
                case 0 -> builder.require(Condition.absent(key));
                case 1 -> builder.require(new Condition.ModifiedAt(key, revision));
                default -> builder.require(Condition.createdAt(key, entry == null ? revision : entry.createRevision()));
            }
        }
        random.ints(1 + random.nextInt(5), 0, 40).distinct().forEach(key -> {
            if (random.nextInt(3) == 0) {
                builder.delete("k/" + key);
            }
            else {
                builder.put("k/" + key, value("value " + random.nextInt()));
            }
        });
        return builder.build();
    }

    private static String randomKey(Random random)
    {
        return "k/" + random.nextInt(40);
    }

    private static void apply(Transaction transaction, long revision, Map<String, StoreEntry> model)
    {
        for (Operation operation : transaction.operations()) {
            switch (operation) {
                case Operation.Put put -> model.compute(put.key(), (key, before) -> new StoreEntry(key, put.value(), before == null ? revision : before.createRevision(), revision));
                case Operation.Delete delete -> model.remove(delete.key());
            }
        }
    }

    @Test
    public void testFollowerReadsAnewAfterCompaction()
    {
        put(store, "a/1", "1");
        put(store, "a/2", "1");
        try (Following following = new Following(other, "a/")) {
            following.poll();
            assertThat(following.entries().keySet()).containsExactly("a/1", "a/2");
            delete(store, "a/1");
            compact(put(store, "a/3", "1"));
            put(store, "a/4", "1");
            awaitTrue(() -> {
                following.poll();
                return following.entries().containsKey("a/4");
            }, "the follower has come so far");
            assertThat(following.entries().keySet()).containsExactly("a/2", "a/3", "a/4");
        }
    }

    @Test
    public void testSchema()
    {
        StoreSchema first = StoreSchema.claim(store, 1);
        assertThat(StoreSchema.claim(other, 1)).isEqualTo(first);
        Condition guard = ((StoreSchema.Usable) first).guard();
        committed(store.commit(Transaction.builder().require(guard).put("demand/1", value("old")).build()));

        StoreSchema second = StoreSchema.claim(other, 2);
        assertThat(second).isInstanceOf(StoreSchema.Usable.class).isNotEqualTo(first);
        assertThat(store.commit(Transaction.builder().require(guard).put("demand/1", value("older")).build())).isEqualTo(new Refused(ImmutableList.of(guard)));
        assertThat(StoreSchema.claim(store, 1)).isInstanceOfSatisfying(StoreSchema.Unusable.class, unusable -> assertThat(unusable.problem()).contains("schema 2, this one knows 1"));
        put(store, StateKeys.SCHEMA, "{");
        assertThat(StoreSchema.claim(store, 2)).isInstanceOf(StoreSchema.Unusable.class);
    }

    @Test
    public void testElection()
    {
        LeaderElection one = new LeaderElection(store, "one", SHORT_LEASE, InstantSource.fixed(Instant.EPOCH));
        LeaderElection two = new LeaderElection(other, "two", SHORT_LEASE, InstantSource.fixed(Instant.EPOCH));
        assertThat(one.leadership()).isEqualTo(new Leadership.Following(Optional.empty()));
        Leadership.Leading first = (Leadership.Leading) one.step();
        assertThat(two.step()).isEqualTo(new Leadership.Following(Optional.of(new LeaderRecord("one", Instant.EPOCH))));
        assertThat(two.guard()).isEmpty();
        committed(store.commit(guarded(first)));

        // one does nothing any more, as if it were paused
        awaitTrue(() -> two.step() instanceof Leadership.Leading, "the other leads");
        assertThat(one.isLeader()).isFalse();
        Leadership.Leading second = (Leadership.Leading) two.leadership();
        assertThat(second.term()).isGreaterThan(first.term());
        // it writes all the same
        assertThat(store.commit(guarded(first))).isEqualTo(new Refused(ImmutableList.of(first.guard())));
        committed(other.commit(guarded(second)));
        assertThat(one.step()).isEqualTo(new Leadership.Following(Optional.of(new LeaderRecord("two", Instant.EPOCH))));

        two.stepDown();
        assertThat(two.isLeader()).isFalse();
        assertThat(other.commit(guarded(second))).isInstanceOf(Refused.class);
        assertThat(one.step()).isInstanceOf(Leadership.Leading.class);
        one.stepDown();
    }

    @Test
    public void testLeaderStays()
    {
        LeaderElection one = new LeaderElection(store, "one", Duration.ofSeconds(4), InstantSource.system());
        LeaderElection two = new LeaderElection(other, "two", Duration.ofSeconds(4), InstantSource.system());
        Leadership leading = one.step();
        Lease clock = store.grant(SHORT_LEASE);
        committed(store.commit(Transaction.builder().put("clock", new byte[0], clock).build()));
        awaitTrue(() -> {
            assertThat(one.step()).isEqualTo(leading);
            assertThat(two.step()).isInstanceOf(Leadership.Following.class);
            return store.get("clock").isEmpty();
        }, "time goes by");
        // somebody removes the key: the leader notices when it renews, and its writes are refused at once
        delete(other, StateKeys.LEADER);
        assertThat(store.commit(guarded((Leadership.Leading) leading))).isInstanceOf(Refused.class);
        assertThat(two.step()).isInstanceOf(Leadership.Leading.class);
        awaitTrue(() -> {
            two.step();
            return one.step() instanceof Leadership.Following;
        }, "the leader sees that it is none");
        assertThat(two.isLeader()).isTrue();
    }

    private static Transaction guarded(Leadership.Leading leading)
    {
        return Transaction.builder().require(leading.guard()).put("work", value(leading.leader().candidateId())).build();
    }

    @Test
    public void testClosed()
    {
        Lease lease = other.grant(SHORT_LEASE);
        StateWatch watch = other.watch("a", 1, () -> {});
        other.close();
        other.close();
        assertThat(lease.isHeld()).isFalse();
        assertKind(Kind.CLOSED, () -> other.get("a"));
        assertKind(Kind.CLOSED, () -> other.commit(Transaction.builder().delete("a").build()));
        assertKind(Kind.CLOSED, () -> other.grant(SHORT_LEASE));
        assertKind(Kind.CLOSED, () -> other.watch("a", 1, () -> {}));
        assertKind(Kind.CLOSED, () -> watch.next(Duration.ZERO));
    }

    protected static long committed(TransactionResult result)
    {
        assertThat(result).isInstanceOf(Committed.class);
        return ((Committed) result).revision();
    }

    protected static long put(StateStore store, String key, String value)
    {
        return committed(store.commit(Transaction.builder().put(key, value(value)).build()));
    }

    protected static long delete(StateStore store, String key)
    {
        return committed(store.commit(Transaction.builder().delete(key).build()));
    }

    protected static byte[] value(String value)
    {
        return value.getBytes(UTF_8);
    }

    protected static void assertKind(Kind kind, ThrowingCallable action)
    {
        assertThatThrownBy(action).isInstanceOfSatisfying(StateStoreException.class, failure -> assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind));
    }

    private static List<Operation> puts(String prefix, int count)
    {
        return IntStream.range(0, count)
                .mapToObj(i -> Operation.put(prefix + i, value("1")))
                .collect(toImmutableList());
    }

    private static List<String> keys(Page page)
    {
        return page.entries().stream().map(StoreEntry::key).collect(toImmutableList());
    }

    private static void addChanges(StateWatch watch, List<Change> changes)
    {
        for (Optional<WatchEvent> event = watch.next(Duration.ZERO); event.isPresent(); event = watch.next(Duration.ZERO)) {
            changes.addAll(((WatchEvent.Changes) event.get()).changes());
        }
    }

    private WatchEvent awaitEvent(StateWatch watch)
    {
        List<WatchEvent> events = new ArrayList<>();
        awaitTrue(() -> {
            watch.next(Duration.ZERO).ifPresent(events::add);
            return !events.isEmpty();
        }, "there is an event");
        return events.getFirst();
    }

    protected void awaitTrue(BooleanSupplier condition, String what)
    {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as("time until " + what).isLessThan(LIMIT.toNanos());
            passTime();
        }
    }
}
