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
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import io.etcd.jetcd.options.GetOption;
import org.lakesteward.planner.window.EndedWindow;
import org.lakesteward.planner.window.InvalidWindowException;
import org.lakesteward.planner.window.MaintenanceWindow;
import org.lakesteward.planner.window.WindowChange;
import org.lakesteward.planner.window.WindowScope;
import org.lakesteward.store.etcd.EtcdConnection;
import org.lakesteward.store.etcd.EtcdSettings;
import org.lakesteward.store.etcd.EtcdSettings.ClientCertificate;
import org.lakesteward.store.etcd.EtcdSettings.Credentials;
import org.lakesteward.store.etcd.TroubledProxy;
import org.lakesteward.store.etcd.TroubledProxy.Trouble;
import org.lakesteward.testing.etcd.EtcdProcess;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.Test;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.INVALID_ARGUMENT;
import static org.lakesteward.store.etcd.EtcdConnection.bytes;
import static org.lakesteward.store.window.WindowStoreContract.NOW;
import static org.lakesteward.store.window.WindowStoreContract.SALES;
import static org.lakesteward.store.window.WindowStoreContract.STOCK;
import static org.lakesteward.store.window.WindowStoreContract.awaitTrue;
import static org.lakesteward.store.window.WindowStoreContract.report;
import static org.lakesteward.store.window.WindowStoreContract.window;

/**
 * What becomes of windows when etcd or the way to it fails.
 */
public class TestEtcdWindowStoreFailures
{
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration USUAL = Duration.ofSeconds(5);

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

    @Test
    public void testWatchSurvivesRestart()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        WindowStore store = store(etcd.endpoint(), USUAL);
        WindowStore other = store(etcd.endpoint(), USUAL);
        RecordingListener listener = new RecordingListener();
        opened(other.watch(listener));
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        store.report(report("one", NOW));
        listener.awaitScopes(SALES);

        etcd.stop();
        assertThat(listener.awaitFailure()).hasMessageContaining(etcd.endpoint());
        assertThat(listener.scopes()).containsExactly(SALES);

        etcd.restart();
        store.change(current -> WindowChange.open(current, window("second", STOCK), NOW));
        listener.awaitScopes(SALES, STOCK);
        store.report(report("one", NOW.plusSeconds(1)));
        assertThat(other.read().coordinators()).singleElement().satisfies(state -> assertThat(state.live()).isTrue());
    }

    @Test
    public void testWindowsSurviveKill()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        WindowStore store = store(etcd.endpoint(), USUAL);
        RecordingListener listener = new RecordingListener();
        opened(store.watch(listener));
        for (int round = 0; round < 3; round++) {
            WindowScope scope = WindowScope.catalog("round" + round);
            store.change(current -> WindowChange.open(current, window(scope.toString(), scope), NOW));
            store.report(report("one", NOW.plusSeconds(round)));
            etcd.kill();
            listener.awaitFailure();
            etcd.restart();
            assertThat(store.read().windows()).hasSize(round + 1);
            Instant reportedAt = NOW.plusSeconds(round);
            assertThat(store.read().coordinators()).singleElement().satisfies(state -> assertThat(state.report()).isEqualTo(report("one", reportedAt)));
        }
        listener.awaitScopes(WindowScope.catalog("round0"), WindowScope.catalog("round1"), WindowScope.catalog("round2"));
    }

    @Test
    public void testCompactionWhileDisconnected()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        WindowStore store = store(etcd.endpoint(), USUAL);
        WindowStore other = store(etcd.endpoint(), USUAL);
        RecordingListener listener = new RecordingListener();
        opened(other.watch(listener));
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        listener.awaitScopes(SALES);

        etcd.stop();
        listener.awaitFailure();
        etcd.restart();
        store.change(current -> WindowChange.end(current, SALES, "ann", NOW));
        store.change(current -> WindowChange.open(current, window("second", STOCK), NOW));
        try (Client client = Client.builder().endpoints(etcd.endpoint()).build()) {
            long revision = await(client.getKVClient().get(bytes("/lakesteward/windows/lake.stock"))).getKvs().getFirst().getModRevision();
            await(client.getKVClient().compact(revision));
        }
        listener.awaitScopes(STOCK);
        store.change(current -> WindowChange.end(current, STOCK, "ann", NOW));
        listener.awaitScopes();
    }

    @Test
    public void testUnreachableAtStart()
    {
        EtcdProcess etcd = opened(EtcdProcess.prepare());
        WindowStore store = store(etcd.endpoint(), Duration.ofMillis(300));
        RecordingListener listener = new RecordingListener();
        opened(store.watch(listener));
        assertThat(listener.awaitFailure()).hasMessageStartingWith("reading the windows: etcd at " + etcd.endpoint() + ": ");
        assertThatThrownBy(store::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining(etcd.endpoint());
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> store.change(_ -> {
            calls.incrementAndGet();
            throw new AssertionError("computed from nothing");
        }))
                .isInstanceOf(WindowStoreException.class)
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("unknown"));
        assertThat(calls.get()).isZero();
        assertThatThrownBy(() -> store.report(report("one", NOW)))
                .isInstanceOf(WindowStoreException.class);
        assertThatThrownBy(() -> store.remove("one"))
                .isInstanceOf(WindowStoreException.class);

        etcd.restart();
        listener.awaitScopes();
        store(etcd.endpoint(), USUAL).change(current -> WindowChange.open(current, window("first", SALES), NOW));
        listener.awaitScopes(SALES);
    }

    @Test
    public void testUnknownHost()
    {
        WindowStore store = store("http://no-such-host.invalid:2379", Duration.ofMillis(300));
        RecordingListener listener = new RecordingListener();
        opened(store.watch(listener));
        assertThat(listener.awaitFailure()).hasMessageContaining("no-such-host.invalid");
        assertThatThrownBy(() -> store.report(report("one", NOW)))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("no-such-host.invalid");
    }

    /** Whoever interrupts a change is told that it may have taken place. */
    @Test
    public void testInterruptedChange()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        TroubledProxy proxy = opened(new TroubledProxy(etcd.endpoint()));
        WindowStore store = store(proxy.endpoint().toString(), USUAL);
        proxy.plan("took place", Trouble.LOSE_ANSWERS);
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> failure.complete(catchThrowable(() ->
                store.change(current -> WindowChange.open(current, window("first", SALES), NOW)))));
        WindowStore witness = store(etcd.endpoint(), USUAL);
        awaitTrue(() -> witness.read().window(SALES).isPresent(), "the change has taken place");
        thread.interrupt();
        assertThat(await(failure))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageEndingWith("(the outcome is unknown)");
    }

    /** etcd is there and does nothing: operations end in time, and the watch notices though no connection breaks. */
    @Test
    public void testFrozen()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        WindowStore store = store(etcd.endpoint(), SHORT);
        RecordingListener listener = new RecordingListener();
        opened(store.watch(listener));
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        store.report(report("one", NOW));
        listener.awaitScopes(SALES);

        etcd.freeze();
        assertThat(listener.awaitFailure()).hasMessageContaining(etcd.endpoint());
        assertThatThrownBy(store::read).isInstanceOf(WindowStoreException.class);
        Throwable failure = catchThrowable(() -> store.report(report("one", NOW.plusSeconds(1))));
        assertThat(failure).isInstanceOf(WindowStoreException.class).hasMessageEndingWith("(the outcome is unknown)");
        etcd.thaw();

        // longer than the presence timeout may have passed
        store.report(report("one", NOW.plusSeconds(2)));
        assertThat(store.read().coordinators()).singleElement().satisfies(state -> assertThat(state.report()).isEqualTo(report("one", NOW.plusSeconds(2))));
        store.change(current -> WindowChange.open(current, window("second", STOCK), NOW));
        listener.awaitScopes(SALES, STOCK);
    }

    /** Frozen after the windows were read: whatever the change says of itself is so. */
    @Test
    public void testFrozenDuringChange()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        WindowStore store = store(etcd.endpoint(), SHORT);
        for (int round = 0; round < 3; round++) {
            WindowScope scope = WindowScope.catalog("round" + round);
            AtomicInteger calls = new AtomicInteger();
            CompletableFuture<Void> thawed = new CompletableFuture<>();
            Throwable failure = catchThrowable(() -> store.change(current -> {
                if (calls.getAndIncrement() == 0) {
                    etcd.freeze();
                    CompletableFuture.runAsync(() -> {
                        // for as long as two operations take to fail
                        WindowStore witness = store(etcd.endpoint(), SHORT);
                        assertThatThrownBy(witness::read).isInstanceOf(WindowStoreException.class);
                        etcd.thaw();
                    }).whenComplete((_, problem) -> {
                        if (problem == null) {
                            thawed.complete(null);
                        }
                        else {
                            thawed.completeExceptionally(problem);
                        }
                    });
                }
                return WindowChange.open(current, window("try %s of %s".formatted(calls.get(), scope), scope), NOW);
            }));
            await(thawed);
            Optional<MaintenanceWindow> window = store(etcd.endpoint(), USUAL).read().window(scope);
            if (failure == null) {
                assertThat(window).isPresent();
            }
            else {
                assertThat(failure).isInstanceOf(WindowStoreException.class);
                if (!failure.getMessage().contains("unknown")) {
                    assertThat(window).isEmpty();
                }
            }
        }
    }

    @Test
    public void testChangeWhoseAnswerIsLostTookPlace()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        TroubledProxy proxy = opened(new TroubledProxy(etcd.endpoint()));
        WindowStore store = store(proxy.endpoint().toString(), SHORT);
        AtomicInteger calls = new AtomicInteger();
        proxy.plan("took place", Trouble.LOSE_ANSWERS);
        WindowChange change = store.change(current -> WindowChange.open(current, window("try " + calls.incrementAndGet(), SALES), NOW));
        assertThat(proxy.hasHappened()).isTrue();
        assertThat(calls.get()).isEqualTo(1);
        assertThat(store.read().windows()).containsExactly(change.put().orElseThrow());

        proxy.plan("took place", Trouble.LOSE_ANSWERS);
        store.change(current -> {
            calls.incrementAndGet();
            return WindowChange.end(current, SALES, "ann", NOW);
        });
        assertThat(proxy.hasHappened()).isTrue();
        assertThat(calls.get()).isEqualTo(2);
        assertThat(store.read().windows()).isEmpty();
        assertThat(store.read().ended()).containsExactly(new EndedWindow(change.put().orElseThrow(), Optional.of("ann"), NOW));
    }

    @Test
    public void testChangeThatIsLostIsMadeAgain()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        TroubledProxy proxy = opened(new TroubledProxy(etcd.endpoint()));
        WindowStore store = store(proxy.endpoint().toString(), SHORT);
        AtomicInteger calls = new AtomicInteger();
        proxy.plan("took place", Trouble.HOLD_REQUEST);
        WindowChange change = store.change(current -> WindowChange.open(current, window("try " + calls.incrementAndGet(), SALES), NOW));
        assertThat(proxy.hasHappened()).isTrue();
        assertThat(calls.get()).isEqualTo(2);
        assertThat(change.put().orElseThrow().id()).isEqualTo("try 2");
        assertThat(store.read().windows()).containsExactly(change.put().orElseThrow());
    }

    /** A request that etcd gets after its sender was told that nothing was changed opens no window. */
    @Test
    public void testChangeThatComesLateIsRefused()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        TroubledProxy proxy = opened(new TroubledProxy(etcd.endpoint()));
        WindowStore store = store(proxy.endpoint().toString(), SHORT);
        AtomicInteger calls = new AtomicInteger();
        proxy.plan("took place", Trouble.HOLD_REQUEST);
        assertThatThrownBy(() -> store.change(current -> {
            if (calls.getAndIncrement() > 0) {
                throw new InvalidWindowException(INVALID_ARGUMENT, "the user changed his mind");
            }
            return WindowChange.open(current, window("late", SALES), NOW);
        }))
                .isInstanceOf(InvalidWindowException.class);
        assertThat(calls.get()).isEqualTo(2);
        proxy.release();
        awaitTrue(proxy::answeredAfterRelease, "etcd has taken the late request");
        assertThat(store.read().windows()).isEmpty();
        assertThat(store.read().ended()).isEmpty();
    }

    @Test
    public void testReportWhoseAnswerIsLost()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        TroubledProxy proxy = opened(new TroubledProxy(etcd.endpoint()));
        WindowStore store = store(proxy.endpoint().toString(), SHORT);
        store.report(report("one", NOW));
        for (Trouble trouble : Trouble.values()) {
            Instant reportedAt = NOW.plusSeconds(1 + trouble.ordinal());
            proxy.plan("reported_at", trouble);
            store.report(report("one", reportedAt));
            assertThat(proxy.hasHappened()).isTrue();
            assertThat(store.read().coordinators()).singleElement().satisfies(state -> {
                assertThat(state.report().reportedAt()).isEqualTo(reportedAt);
                assertThat(state.live()).isTrue();
            });
        }
        // the one that was held back comes after a later one
        store.report(report("one", NOW.plusSeconds(10)));
        proxy.release();
        awaitTrue(proxy::answeredAfterRelease, "etcd has taken the late request");
        assertThat(store.read().coordinators()).singleElement().satisfies(state -> assertThat(state.report().reportedAt()).isEqualTo(NOW.plusSeconds(10)));
    }

    @Test
    public void testCredentials()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        try (Client client = Client.builder().endpoints(etcd.endpoint()).build()) {
            Auth auth = client.getAuthClient();
            await(auth.userAdd(bytes("root"), bytes("root-password")));
            await(auth.roleAdd(bytes("root")));
            await(auth.userGrantRole(bytes("root"), bytes("root")));
            await(auth.userAdd(bytes("steward"), bytes("steward-password")));
            await(auth.roleAdd(bytes("lake")));
            await(auth.roleGrantPermission(bytes("lake"), bytes("/lakesteward/"), bytes("/lakesteward0"), Permission.Type.READWRITE));
            await(auth.userGrantRole(bytes("steward"), bytes("lake")));
            await(auth.authEnable());
        }
        WindowStore store = store(etcd, Optional.of(new Credentials("steward", "steward-password")), Optional.empty(), Optional.empty(), USUAL);
        RecordingListener listener = new RecordingListener();
        opened(store.watch(listener));
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        store.report(report("one", NOW));
        listener.awaitScopes(SALES);

        // which makes etcd forget its tokens
        etcd.stop();
        listener.awaitFailure();
        etcd.restart();
        store.change(current -> WindowChange.open(current, window("second", STOCK), NOW));
        store.report(report("one", NOW.plusSeconds(1)));
        listener.awaitScopes(SALES, STOCK);

        assertThatThrownBy(store(etcd, Optional.of(new Credentials("steward", "guessed-password")), Optional.empty(), Optional.empty(), USUAL)::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("authentication failed")
                .satisfies(failure -> assertThat(failure).hasMessageNotContaining("guessed-password"));
        assertThatThrownBy(store(etcd.endpoint(), USUAL)::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining(etcd.endpoint());
        assertThat(new EtcdSettings(ImmutableList.of(URI.create("http://one:1")), Optional.of(new Credentials("steward", "hidden-password")), Optional.empty(), Optional.empty(), USUAL).toString())
                .contains("steward")
                .doesNotContain("hidden-password");
    }

    @Test
    public void testTls()
    {
        SelfSignedCertificate certificate = opened(SelfSignedCertificate.create());
        EtcdProcess etcd = opened(EtcdProcess.startWithTls(certificate.certificateFile(), certificate.keyFile(), certificate.certificateFile()));
        Optional<File> ca = Optional.of(certificate.certificateFile().toFile());
        Optional<ClientCertificate> client = Optional.of(new ClientCertificate(certificate.certificateFile().toFile(), certificate.keyFile().toFile()));
        WindowStore store = store(etcd, Optional.empty(), ca, client, USUAL);
        RecordingListener listener = new RecordingListener();
        opened(store.watch(listener));
        store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
        store.report(report("one", NOW));
        listener.awaitScopes(SALES);

        assertThatThrownBy(store(etcd, Optional.empty(), ca, Optional.empty(), SHORT)::read)
                .isInstanceOf(WindowStoreException.class);
        assertThatThrownBy(store(etcd, Optional.empty(), Optional.empty(), client, SHORT)::read)
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("unable to find valid certification path");
        WindowStoreConfig config = new WindowStoreConfig()
                .setStore(WindowStoreKind.ETCD)
                .setEtcdEndpoints(ImmutableList.of(URI.create(etcd.endpoint())))
                .setEtcdTlsCaFile(Path.of("/dev/null").toFile());
        assertThatThrownBy(() -> WindowStores.create(config))
                .isInstanceOf(WindowStoreException.class)
                .hasMessageContaining("the TLS files for etcd cannot be used");
    }

    /** Of two members, one is away. */
    @Test
    public void testSecondEndpoint()
    {
        EtcdProcess etcd = opened(EtcdProcess.start());
        EtcdProcess away = opened(EtcdProcess.prepare());
        WindowStore store = opened(new EtcdWindowStore(
                new EtcdConnection(new EtcdSettings(ImmutableList.of(URI.create(away.endpoint()), URI.create(etcd.endpoint())), Optional.empty(), Optional.empty(), Optional.empty(), USUAL)),
                "/lakesteward",
                Duration.ofSeconds(2)));
        RecordingListener listener = new RecordingListener();
        opened(store.watch(listener));
        for (int i = 0; i < 10; i++) {
            store.change(current -> WindowChange.open(current, window("first", SALES), NOW));
            store.change(current -> WindowChange.end(current, SALES, "ann", NOW));
        }
        store.change(current -> WindowChange.open(current, window("last", STOCK), NOW));
        listener.awaitScopes(STOCK);
        try (Client client = Client.builder().endpoints(etcd.endpoint()).build()) {
            assertThat(await(client.getKVClient().get(bytes("/lakesteward/windows/"), GetOption.builder().isPrefix(true).build())).getKvs())
                    .extracting(pair -> pair.getKey().toString(UTF_8))
                    .containsExactly("/lakesteward/windows/lake.stock");
        }
    }

    private <T extends AutoCloseable> T opened(T closeable)
    {
        synchronized (opened) {
            opened.add(closeable);
        }
        return closeable;
    }

    private WindowStore store(String endpoint, Duration timeout)
    {
        return opened(new EtcdWindowStore(
                new EtcdConnection(new EtcdSettings(ImmutableList.of(URI.create(endpoint)), Optional.empty(), Optional.empty(), Optional.empty(), timeout)),
                "/lakesteward",
                Duration.ofSeconds(2)));
    }

    private WindowStore store(EtcdProcess etcd, Optional<Credentials> credentials, Optional<File> ca, Optional<ClientCertificate> certificate, Duration timeout)
    {
        return opened(new EtcdWindowStore(
                new EtcdConnection(new EtcdSettings(ImmutableList.of(URI.create(etcd.endpoint())), credentials, ca, certificate, timeout)),
                "/lakesteward",
                Duration.ofSeconds(2)));
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
