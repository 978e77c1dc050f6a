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
import org.lakesteward.store.etcd.Deadline;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdSettings;
import org.lakesteward.store.state.StateStore;
import org.lakesteward.store.state.StateStoreConfig;
import org.lakesteward.store.state.StateStoreContract;
import org.lakesteward.store.state.StateStoreKind;
import org.lakesteward.store.state.StateStores;
import org.lakesteward.store.state.StoreLimits;
import org.lakesteward.testing.etcd.EtcdProcess;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

public class TestEtcdStateStore
        extends StateStoreContract
{
    private EtcdProcess etcd;
    private EtcdConnection connection;
    private String prefix;
    private int lakes;

    @BeforeClass
    public void start()
    {
        etcd = EtcdProcess.start();
        connection = connect(etcd.endpoint(), Duration.ofSeconds(5));
    }

    @AfterClass(alwaysRun = true)
    public void stop()
    {
        if (connection != null) {
            connection.close();
            connection = null;
        }
        if (etcd != null) {
            etcd.close();
            etcd = null;
        }
    }

    static EtcdConnection connect(String endpoint, Duration timeout)
    {
        return new EtcdConnection(
                new EtcdSettings(ImmutableList.of(URI.create(endpoint)), Optional.empty(), Optional.empty(), Optional.empty(), timeout),
                StoreLimits.MAX_ANSWER_BYTES);
    }

    @Override
    protected void prepare()
    {
        prefix = "/lakes/" + lakes++;
    }

    @Override
    protected StateStore create()
    {
        return new EtcdStateStore(connect(etcd.endpoint(), Duration.ofSeconds(5)), prefix, Ticker.systemTicker());
    }

    @Override
    protected void passTime()
    {
        LockSupport.parkNanos(20_000_000);
    }

    @Override
    protected void compact(long revision)
    {
        connection.call("compacting", Deadline.after(Duration.ofSeconds(30)), client -> client.getKVClient().compact(revision));
    }

    @Test
    public void testLakesAreApart()
    {
        put(store, "a", "1");
        prepare();
        try (StateStore elsewhere = create()) {
            assertThat(elsewhere.get("a")).isEmpty();
        }
    }

    @Test
    public void testFactory()
    {
        StateStoreConfig config = new StateStoreConfig()
                .setType(StateStoreKind.ETCD)
                .setEtcdEndpoints(ImmutableList.of(URI.create(etcd.endpoint())))
                .setEtcdPrefix(prefix);
        try (StateStore made = StateStores.create(config, Ticker.systemTicker())) {
            put(made, "a", "1");
        }
        assertThat(store.get("a")).isPresent();
    }
}
