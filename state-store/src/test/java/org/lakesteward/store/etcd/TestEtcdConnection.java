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
package org.lakesteward.store.etcd;

import com.google.common.collect.ImmutableList;
import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import org.lakesteward.store.etcd.EtcdFailure.Kind;
import org.lakesteward.testing.etcd.EtcdProcess;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.store.etcd.EtcdConnection.bytes;

public class TestEtcdConnection
{
    private EtcdProcess etcd;
    private EtcdConnection connection;

    @BeforeClass
    public void start()
    {
        etcd = EtcdProcess.start();
        connection = new EtcdConnection(new EtcdSettings(ImmutableList.of(URI.create(etcd.endpoint())), Optional.empty(), Optional.empty(), Optional.empty(), Duration.ofSeconds(5)));
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

    @Test
    public void testPagesBelongToOneRevision()
    {
        for (int i = 0; i < 25; i++) {
            put("/pages/%03d".formatted(i), "old");
        }
        EtcdRange before = connection.range("reading", "/pages/", 10, 100, Optional.empty(), deadline());
        for (int i = 0; i < 25; i++) {
            put("/pages/%03d".formatted(i), "new");
        }
        put("/pages/999", "new");
        EtcdRange then = connection.range("reading", "/pages/", 10, 100, Optional.of(before.revision()), deadline());
        assertThat(then.entries()).hasSize(25).allSatisfy(entry -> assertThat(entry.value()).asString().isEqualTo("old"));
        assertThat(then.entries()).extracting(EtcdEntry::key).startsWith("000", "001").endsWith("024");
        assertThat(connection.range("reading", "/pages/", 10, 100, Optional.empty(), deadline()).entries()).hasSize(26);
        assertThatThrownBy(() -> connection.range("reading", "/pages/", 10, 25, Optional.empty(), deadline()))
                .isInstanceOf(EtcdFailure.class)
                .hasMessageContaining("more than 25 keys that begin with /pages/");
    }

    @Test
    public void testStampTellsEveryChange()
    {
        RangeStamp empty = stamp();
        assertThat(empty).isEqualTo(new RangeStamp(0, 0));
        put("/stamp/a", "1");
        put("/stamp/b", "1");
        RangeStamp two = stamp();
        assertThat(two.count()).isEqualTo(2);
        assertThat(two).isEqualTo(RangeStamp.of(connection.range("reading", "/stamp/", 10, 100, Optional.empty(), deadline())));
        put("/elsewhere", "1");
        assertThat(stamp()).isEqualTo(two);
        put("/stamp/a", "1");
        RangeStamp replaced = stamp();
        assertThat(replaced).isNotEqualTo(two);
        connection.call("deleting", deadline(), client -> client.getKVClient().delete(bytes("/stamp/b")));
        assertThat(stamp()).isNotEqualTo(replaced);
        // one goes and one comes: as many as before
        connection.call("changing", deadline(), client -> client.getKVClient().txn()
                .Then(Op.delete(bytes("/stamp/a"), DeleteOption.DEFAULT), Op.put(bytes("/stamp/c"), bytes("1"), PutOption.DEFAULT))
                .commit());
        assertThat(stamp().count()).isEqualTo(1);
        assertThat(stamp().latestModRevision()).isGreaterThan(replaced.latestModRevision());
    }

    @Test
    public void testCompactedRevision()
            throws InterruptedException
    {
        put("/compacted/a", "1");
        long revision = connection.range("reading", "/compacted/", 10, 100, Optional.empty(), deadline()).revision();
        put("/compacted/a", "2");
        put("/compacted/a", "3");
        connection.call("compacting", deadline(), client -> client.getKVClient().compact(revision + 2));
        assertThatThrownBy(() -> connection.range("reading", "/compacted/", 10, 100, Optional.of(revision), deadline()))
                .isInstanceOfSatisfying(EtcdFailure.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.COMPACTED));
        CountDownLatch ended = new CountDownLatch(1);
        try (EtcdConnection.Following _ = connection.follow("/compacted/", revision, () -> {}, ended::countDown)) {
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A request with a lease that is gone changes nothing, also in a transaction, which late changes of windows rely on. */
    @Test
    public void testLeaseThatIsGone()
    {
        LeaseGrantResponse lease = connection.call("granting", deadline(), client -> client.getLeaseClient().grant(60));
        connection.call("revoking", deadline(), client -> client.getLeaseClient().revoke(lease.getID()));
        assertThatThrownBy(() -> connection.call("changing", deadline(), client -> client.getKVClient().txn()
                .Then(
                        Op.put(bytes("/lease/first"), bytes("1"), PutOption.DEFAULT),
                        Op.put(bytes("/lease/second"), bytes("1"), PutOption.builder().withLeaseId(lease.getID()).build()))
                .commit()))
                .isInstanceOfSatisfying(EtcdFailure.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.LEASE_GONE));
        assertThat(connection.get("reading", "/lease/first", deadline())).isEmpty();
        assertThatThrownBy(() -> connection.call("renewing", deadline(), client -> client.getLeaseClient().keepAliveOnce(lease.getID())))
                .isInstanceOfSatisfying(EtcdFailure.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.LEASE_GONE));
    }

    @Test
    public void testTooLargeValueIsRefused()
    {
        assertThatThrownBy(() -> put("/large", "x".repeat(2_000_000)))
                .isInstanceOfSatisfying(EtcdFailure.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.INVALID))
                .hasMessageContaining("request is too large");
    }

    @Test
    public void testDeadlineThatIsOver()
    {
        Deadline over = Deadline.after(Duration.ZERO);
        assertThat(over.isOver()).isTrue();
        assertThatThrownBy(() -> connection.call("reading", over, client -> client.getKVClient().get(bytes("/any"))))
                .isInstanceOfSatisfying(EtcdFailure.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.NO_ANSWER));
    }

    private void put(String key, String value)
    {
        connection.call("putting", deadline(), client -> client.getKVClient().put(bytes(key), bytes(value)));
    }

    private RangeStamp stamp()
    {
        return connection.stamp("asking", "/stamp/", deadline());
    }

    private static Deadline deadline()
    {
        return Deadline.after(Duration.ofSeconds(30));
    }
}
