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
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.simulated.SimulatedServer;
import org.lakesteward.store.state.simulated.SimulatedStateStore;
import org.testng.annotations.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestPagedReader
{
    private final SimulatedServer server = new SimulatedServer(new ManualTicker());
    private final StateStore store = new SimulatedStateStore(server, new ManualTicker());

    /** Notes the pages that are asked for. */
    private final class Pages
            implements StateStore
    {
        private final List<Integer> keys = new ArrayList<>();
        private final List<Long> bytes = new ArrayList<>();
        private Runnable between = () -> {};

        @Override
        public Page page(String prefix, Optional<String> after, OptionalLong revision, int maxKeys)
        {
            between.run();
            keys.add(maxKeys);
            try {
                Page page = store.page(prefix, after, revision, maxKeys);
                bytes.add(page.bytes());
                return page;
            }
            catch (StateStoreException e) {
                bytes.add(-1L);
                throw e;
            }
        }

        @Override
        public Optional<StoreEntry> get(String key)
        {
            return store.get(key);
        }

        @Override
        public TransactionResult commit(Transaction transaction)
        {
            return store.commit(transaction);
        }

        @Override
        public Optional<TransactionResult.Committed> resolve(TransactionId transaction)
        {
            return store.resolve(transaction);
        }

        @Override
        public Lease grant(Duration ttl)
        {
            return store.grant(ttl);
        }

        @Override
        public StateWatch watch(String prefix, long fromRevision, Runnable onEvent)
        {
            return store.watch(prefix, fromRevision, onEvent);
        }

        @Override
        public void close() {}
    }

    private void write(String prefix, int count, IntUnaryOperator length)
    {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            operations.add(Operation.put(prefix + "%06d".formatted(i), new byte[length.applyAsInt(i)]));
        }
        new BatchWriter(store, ImmutableList.of()).write(operations);
    }

    private static int read(Pages pages, String prefix)
    {
        List<String> keys = new ArrayList<>();
        new PagedReader(pages).read(prefix, OptionalLong.empty(), entry -> keys.add(entry.key()));
        assertThat(keys).isSorted().doesNotHaveDuplicates();
        return keys.size();
    }

    @Test
    public void testSmallRecordsInGrowingPages()
    {
        write("small/", 30_000, _ -> 20);
        Pages pages = new Pages();
        assertThat(read(pages, "small/")).isEqualTo(30_000);
        assertThat(pages.keys).containsExactly(512, 1024, 2048, 4096, 4096, 4096, 4096, 4096, 4096, 4096);
        assertThat(pages.bytes).allSatisfy(bytes -> assertThat(bytes).isLessThanOrEqualTo(2L * PagedReader.TARGET_PAGE_BYTES));
    }

    /** Even the first page is too large to be sent. */
    @Test
    public void testLargeRecordsInShrinkingPages()
    {
        write("large/", 300, _ -> 100_000);
        Pages pages = new Pages();
        assertThat(read(pages, "large/")).isEqualTo(300);
        assertThat(pages.keys).startsWith(512, 256, 128, 64, 32);
        assertThat(pages.bytes.subList(0, 4)).containsOnly(-1L);
        assertThat(pages.bytes.subList(6, pages.bytes.size())).allSatisfy(bytes -> assertThat(bytes).isPositive().isLessThanOrEqualTo(2L * PagedReader.TARGET_PAGE_BYTES));
    }

    /** Small, then large, then small again. */
    @Test
    public void testMixedRecords()
    {
        write("mixed/", 6000, i -> i >= 2000 && i < 2100 ? 300_000 : 50);
        Pages pages = new Pages();
        assertThat(read(pages, "mixed/")).isEqualTo(6000);
        assertThat(pages.bytes).contains(-1L);
        assertThat(pages.keys.stream().mapToInt(Integer::intValue).min().orElseThrow()).isLessThan(14);
        // grown back
        assertThat(pages.keys.getLast()).isGreaterThan(1000);
    }

    @Test
    public void testCompactedBetweenPages()
    {
        write("compacted/", 2000, _ -> 20);
        Pages pages = new Pages();
        pages.between = () -> {
            store.commit(Transaction.builder().put("elsewhere", new byte[0]).build());
            server.compact(server.revision());
        };
        assertThatThrownBy(() -> read(pages, "compacted/")).isInstanceOfSatisfying(StateStoreException.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.COMPACTED));
        assertThat(pages.keys).hasSize(2);
    }

    /** The store forgets while it is read, for a while: the follower begins anew until it is through. */
    @Test
    public void testFollowerBeginsAnew()
    {
        write("followed/", 2000, _ -> 20);
        Pages pages = new Pages();
        pages.between = () -> {
            if (pages.keys.size() < 5) {
                store.commit(Transaction.builder().put("elsewhere", new byte[0]).build());
                server.compact(server.revision());
            }
        };
        try (Following following = new Following(pages, "followed/")) {
            following.poll();
            assertThat(following.entries()).hasSize(2000);
            assertThat(following.readings()).isEqualTo(1);
        }
    }
}
