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
package org.lakesteward.store.window;

import com.google.common.collect.ImmutableList;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import org.lakesteward.planner.window.InvalidWindowException;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdSettings;
import org.lakesteward.testing.etcd.EtcdProcess;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.store.etcd.EtcdConnection.bytes;

public class TestEtcdWindowStore
        extends WindowStoreContract
{
    private EtcdProcess etcd;
    private Client client;
    private String prefix;
    private int lakes;

    @BeforeClass
    public void start()
    {
        etcd = EtcdProcess.start();
        client = Client.builder().endpoints(etcd.endpoint()).build();
    }

    @AfterClass(alwaysRun = true)
    public void stop()
    {
        if (client != null) {
            client.close();
            client = null;
        }
        if (etcd != null) {
            etcd.close();
            etcd = null;
        }
    }

    @Override
    protected void prepare()
    {
        prefix = "/lakes/" + lakes++;
    }

    @Override
    protected WindowStore create()
    {
        return new EtcdWindowStore(
                new EtcdConnection(new EtcdSettings(ImmutableList.of(URI.create(etcd.endpoint())), Optional.empty(), Optional.empty(), Optional.empty(), Duration.ofSeconds(5))),
                prefix,
                PRESENCE_TIMEOUT);
    }

    @Override
    protected void passPresenceTimeout()
    {
        assertThat(store.read().coordinators()).singleElement().satisfies(state -> assertThat(state.live()).isTrue());
    }

    @Override
    protected void writeRaw(byte[] document)
    {
        put(prefix + "/windows/cluster", document);
    }

    @Override
    protected byte[] readRaw()
    {
        return get(prefix + "/windows/cluster").getFirst().getValue().getBytes();
    }

    @Override
    protected void writeRawReport(byte[] document)
    {
        await(client.getKVClient().delete(bytes(prefix + "/windows/cluster")));
        put(prefix + "/acknowledgements/one", document);
    }

    @Override
    protected byte[] readRawReport()
    {
        return get(prefix + "/acknowledgements/one").getFirst().getValue().getBytes();
    }

    @Override
    protected String idOfUnreadableReport()
    {
        return "one";
    }

    @Test
    public void testKeys()
    {
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        store.change(current -> WindowChange.open(current, window("second/ü", CLUSTER), NOW));
        store.change(current -> WindowChange.end(current, CLUSTER, "ann", NOW));
        store.report(report("one", NOW));
        // markers of changes go with their lease
        awaitTrue(() -> get(prefix + "/changes/").isEmpty(), "the markers are gone");
        assertThat(get(prefix + "/")).extracting(pair -> pair.getKey().toString(UTF_8)).containsExactly(
                prefix + "/acknowledgements/one",
                prefix + "/coordinators/one",
                prefix + "/ended/0001772359200.123456789-second%2F%C3%BC",
                prefix + "/windows/lake.sales");
    }

    @Test
    public void testLakesWithOneEtcdAreApart()
    {
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        String first = prefix;
        prepare();
        // begins with the same text
        prefix = first + "0";
        WindowStore elsewhere = open(create());
        assertThat(elsewhere.read().windows()).isEmpty();
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = elsewhere.watch(listener)) {
            listener.awaitScopes();
            elsewhere.change(current -> WindowChange.open(current, window("other", STOCK), NOW));
            listener.awaitScopes(STOCK);
        }
        assertThat(store.read().windows()).extracting(MaintenanceWindow::id).containsExactly("first");
    }

    @Test
    public void testChangeIsComputedAgain()
    {
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> store.change(current -> {
            if (calls.getAndIncrement() == 0) {
                assertThat(current.windows()).isEmpty();
                other.change(same -> WindowChange.open(same, window("faster", SALES), NOW));
            }
            return WindowChange.open(current, window("slower", SALES), NOW);
        }))
                .isInstanceOf(InvalidWindowException.class);
        assertThat(calls.get()).isEqualTo(2);
        assertThat(store.read().windows()).extracting(MaintenanceWindow::id).containsExactly("faster");
    }

    @Test
    public void testChangeOfAnotherScopeDoesNotDisturb()
    {
        AtomicInteger calls = new AtomicInteger();
        store.change(current -> {
            calls.incrementAndGet();
            other.change(same -> WindowChange.open(same, window("other", STOCK), NOW));
            return WindowChange.open(current, window("mine", SALES), NOW);
        });
        assertThat(calls.get()).isEqualTo(1);
        assertThat(store.read().windows()).hasSize(2);
    }

    /** The window of the scope was ended and opened again meanwhile: the same scope, another window. */
    @Test
    public void testGuardIsTheRevisionNotTheContent()
    {
        store.change(current -> WindowChange.open(current, window("same", SALES), NOW));
        AtomicInteger calls = new AtomicInteger();
        store.change(current -> {
            if (calls.getAndIncrement() == 0) {
                other.change(same -> WindowChange.end(same, SALES, "bob", NOW));
                other.change(same -> WindowChange.open(same, window("same", SALES), NOW));
            }
            return WindowChange.end(current, SALES, "ann", NOW.plusSeconds(1));
        });
        assertThat(calls.get()).isEqualTo(2);
        assertThat(store.read().windows()).isEmpty();
    }

    @Test
    public void testPresenceIsRenewed()
    {
        store.report(report("one", NOW));
        KeyValue first = get(prefix + "/coordinators/one").getFirst();
        store.report(report("one", NOW.plusSeconds(1)));
        assertThat(get(prefix + "/coordinators/one").getFirst().getLease()).isEqualTo(first.getLease());
    }

    @Test
    public void testLostLeaseIsGrantedAnew()
    {
        store.report(report("one", NOW));
        long lease = get(prefix + "/coordinators/one").getFirst().getLease();
        await(client.getLeaseClient().revoke(lease));
        assertThat(store.read().coordinators()).singleElement().satisfies(state -> assertThat(state.live()).isFalse());
        store.report(report("one", NOW.plusSeconds(1)));
        assertThat(store.read().coordinators()).singleElement().satisfies(state -> assertThat(state.live()).isTrue());
        assertThat(get(prefix + "/coordinators/one").getFirst().getLease()).isNotEqualTo(lease);
    }

    @Test
    public void testKeyAndWindowThatDisagree()
    {
        put(prefix + "/windows/cluster", WindowCodec.encode(window("first", SALES)));
        assertThatThrownBy(store::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessage("key %s/windows/cluster holds a window on lake.sales: what was known of windows goes on to hold, and writes are refused where nothing was known; restore it from a backup (removing it forgets that window)", prefix);
    }

    /** The watch is told of a revision that has been compacted before it could ask for it. */
    @Test
    public void testCompactionDuringWatch()
    {
        RecordingListener listener = new RecordingListener();
        try (WindowStore.Watch _ = other.watch(listener)) {
            listener.awaitScopes();
            for (int i = 0; i < 5; i++) {
                MaintenanceWindow window = window("window " + i, SALES);
                store.change(current -> WindowChange.open(current, window, NOW));
                long revision = get(prefix + "/windows/lake.sales").getFirst().getModRevision();
                await(client.getKVClient().compact(revision));
                store.change(current -> WindowChange.end(current, SALES, "ann", NOW));
            }
            store.change(current -> WindowChange.open(current, window("last", STOCK), NOW));
            listener.awaitScopes(STOCK);
        }
        assertThat(store.read().ended()).hasSize(5);
    }

    @Test
    public void testFactory()
    {
        WindowStoreConfig config = new WindowStoreConfig()
                .setStore(WindowStoreKind.ETCD)
                .setEtcdEndpoints(ImmutableList.of(URI.create(etcd.endpoint())))
                .setEtcdPrefix(prefix);
        try (WindowStore made = WindowStores.create(config)) {
            made.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        }
        assertThat(store.read().window(SALES)).isPresent();
    }

    private void put(String key, byte[] value)
    {
        await(client.getKVClient().put(bytes(key), ByteSequence.from(value)));
    }

    private List<KeyValue> get(String start)
    {
        return await(client.getKVClient().get(bytes(start), GetOption.builder().isPrefix(true).withSortField(GetOption.SortTarget.KEY).withSortOrder(GetOption.SortOrder.ASCEND).build())).getKvs();
    }

    private static <T> T await(CompletableFuture<T> future)
    {
        try {
            return future.get(30, TimeUnit.SECONDS);
        }
        catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
