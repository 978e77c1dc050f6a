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
package org.lakesteward.store.state.embedded;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import org.lakesteward.store.state.Lease;
import org.lakesteward.store.state.LeaderElection;
import org.lakesteward.store.state.LeaderElectionLoop;
import org.lakesteward.store.state.Leadership;
import org.lakesteward.store.state.ManualTicker;
import org.lakesteward.store.state.PagedReader;
import org.lakesteward.store.state.StateStore;
import org.lakesteward.store.state.StateStoreConfig;
import org.lakesteward.store.state.StateStoreContract;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.StateStores;
import org.lakesteward.store.state.StateWatch;
import org.lakesteward.store.state.StoreEntry;
import org.lakesteward.store.state.Transaction;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static com.google.common.base.Ticker.systemTicker;
import static org.assertj.core.api.Assertions.assertThat;

public class TestEmbeddedStateStore
        extends StateStoreContract
{
    private ManualTicker ticker;
    private Path folder;
    private EmbeddedStateStore embedded;

    @Override
    protected void prepare()
    {
        try {
            folder = Files.createTempDirectory("embedded");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ticker = new ManualTicker();
        embedded = new EmbeddedStateStore(folder.resolve("made/when/needed"), ticker);
    }

    /** There is one in a process. */
    @Override
    protected StateStore create()
    {
        return embedded;
    }

    @Override
    protected void passTime()
    {
        ticker.pass(Duration.ofMillis(100));
    }

    @Override
    protected void compact(long revision)
    {
        embedded.compact(revision);
    }

    @AfterMethod(alwaysRun = true, dependsOnMethods = "tearDown")
    public void deleteFolder()
            throws IOException
    {
        if (folder != null) {
            MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
            folder = null;
        }
    }

    private void reopen()
    {
        store.close();
        embedded = new EmbeddedStateStore(folder.resolve("made/when/needed"), ticker);
        store = embedded;
        other = embedded;
    }

    @Test
    public void testEntriesSurviveAndLeasesDoNot()
    {
        long first = put(store, "k/stays", "1");
        long second = put(store, "k/stays", "2");
        Lease lease = store.grant(SHORT_LEASE);
        committed(store.commit(Transaction.builder().put("k/leased", value("1"), lease).put("k/detached", value("1"), lease).build()));
        put(store, "k/detached", "2");
        reopen();
        assertThat(lease.isHeld()).isFalse();
        assertThat(store.get("k/stays")).contains(new StoreEntry("k/stays", value("2"), first, second));
        assertThat(store.get("k/leased")).isEmpty();
        assertThat(store.get("k/detached")).isPresent();
        // whoever followed the keys before must read them again: the past is gone
        try (StateWatch watch = store.watch("k/", second, () -> {})) {
            assertThat(watch.next(Duration.ZERO)).isPresent();
        }
        assertThat(put(store, "k/stays", "3")).isGreaterThan(second + 2);
        reopen();
        assertThat(store.get("k/stays").orElseThrow().value()).isEqualTo(value("3"));
    }

    @Test
    public void testOneProcess()
            throws Exception
    {
        assertKind(Kind.LOCKED, () -> new EmbeddedStateStore(folder.resolve("made/when/needed"), ticker));
        Process second = start(EmbeddedStoreWriter.class, folder.resolve("made/when/needed").toString(), "safe");
        try (BufferedReader output = second.inputReader()) {
            assertThat(output.readLine()).isEqualTo("LOCKED");
        }
        finally {
            second.destroyForcibly();
        }
        put(store, "k/1", "1");
    }

    /** Each transaction that was answered is there, and each as a whole. */
    @Test
    public void testKill()
            throws Exception
    {
        for (int round = 0; round < 3; round++) {
            Path lake = folder.resolve("killed" + round);
            int answered = writeAndKill(lake, "safe", 60 + 37 * round);
            try (StateStore survivor = new EmbeddedStateStore(lake, ticker)) {
                Map<String, Integer> parts = new HashMap<>();
                Map<Integer, Integer> partsOf = new HashMap<>();
                new PagedReader(survivor).read("part/", OptionalLong.empty(), entry -> {
                    int transaction = ByteBuffer.wrap(entry.value()).getInt();
                    parts.put(entry.key(), transaction);
                    partsOf.merge(transaction, 1, Integer::sum);
                });
                assertThat(partsOf.keySet().stream().mapToInt(Integer::intValue).max().orElseThrow()).isGreaterThanOrEqualTo(answered);
                for (int transaction = 0; transaction <= answered; transaction++) {
                    assertThat(partsOf).containsEntry(transaction, EmbeddedStoreWriter.PARTS);
                }
                assertThat(partsOf.values()).containsOnly(EmbeddedStoreWriter.PARTS);
                int last = ByteBuffer.wrap(survivor.get("last").orElseThrow().value()).getInt();
                assertThat(partsOf).containsKey(last).doesNotContainKey(last + 1);
                put(survivor, "k/1", "1");
            }
        }
    }

    /** Without a save before each answer, as MVStore works by itself, answered writes are lost: what the test before is about. */
    @Test
    public void testKillOfStoreThatDoesNotSave()
            throws Exception
    {
        Path lake = folder.resolve("naive");
        int answered = writeAndKill(lake, "naive", 60);
        assertThat(EmbeddedStoreWriter.naiveTransactions(lake)).isLessThan(answered + 1);
    }

    /**
     * @return the last transaction that was answered
     */
    private static int writeAndKill(Path lake, String mode, int transactions)
            throws Exception
    {
        Process writer = start(EmbeddedStoreWriter.class, lake.toString(), mode);
        int answered = -1;
        try (BufferedReader output = writer.inputReader()) {
            while (answered < transactions) {
                answered = Integer.parseInt(output.readLine());
            }
            writer.destroyForcibly();
            // what it had written before it ended was answered too
            for (String line = output.readLine(); line != null && !line.isEmpty(); line = output.readLine()) {
                answered = Integer.parseInt(line);
            }
        }
        catch (IOException e) {
            // the stream ends with the process
        }
        finally {
            writer.destroyForcibly();
        }
        assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return answered;
    }

    static Process start(Class<?> main, String... arguments)
            throws IOException
    {
        String[] command = new String[6 + arguments.length];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        command[1] = "-Xmx128m";
        command[2] = "-XX:TieredStopAtLevel=1";
        command[3] = "-cp";
        command[4] = System.getProperty("java.class.path");
        command[5] = main.getName();
        System.arraycopy(arguments, 0, command, 6, arguments.length);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Chunks that are no longer needed are used again. */
    @Test
    public void testFileDoesNotGrowForEver()
            throws IOException
    {
        Path file = folder.resolve("made/when/needed/state.mv.db");
        byte[] value = new byte[10_000];
        for (int i = 0; i < 20; i++) {
            committed(store.commit(Transaction.builder().put("k/" + i, value).build()));
        }
        for (int i = 0; i < 1000; i++) {
            committed(store.commit(Transaction.builder().put("k/" + i % 20, value).build()));
        }
        long used = Files.size(file);
        reopen();
        store.close();
        assertThat(Files.size(file)).isLessThanOrEqualTo(used);
    }

    @Test
    public void testTimerEndsLeases()
    {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        Lease lease = store.grant(SHORT_LEASE);
        long revision = committed(store.commit(Transaction.builder().put("k/leased", value("1"), lease).build()));
        try (StateWatch watch = store.watch("k/", revision + 1, () -> told.add("told"))) {
            ticker.pass(SHORT_LEASE);
            // nobody asks the store for anything
            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("told");
            assertThat(watch.next(Duration.ZERO)).isPresent();
        }
        catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void testElectionLoop()
            throws InterruptedException
    {
        try (StateStore shared = new EmbeddedStateStore(folder.resolve("election"), systemTicker())) {
            BlockingQueue<Leadership> one = new LinkedBlockingQueue<>();
            BlockingQueue<Leadership> two = new LinkedBlockingQueue<>();
            LeaderElection firstElection = new LeaderElection(shared, "one", SHORT_LEASE, InstantSource.system());
            try (LeaderElectionLoop first = new LeaderElectionLoop(firstElection, one::add);
                    LeaderElectionLoop second = new LeaderElectionLoop(new LeaderElection(shared, "two", SHORT_LEASE, InstantSource.system()), two::add)) {
                first.start();
                assertThat(one.poll(30, TimeUnit.SECONDS)).isInstanceOf(Leadership.Leading.class);
                second.start();
                assertThat(two.poll(30, TimeUnit.SECONDS)).isInstanceOfSatisfying(Leadership.Following.class, following -> assertThat(following.leader().orElseThrow().candidateId()).isEqualTo("one"));
                first.close();
                assertThat(firstElection.isLeader()).isFalse();
                Leadership next = two.poll(30, TimeUnit.SECONDS);
                while (next instanceof Leadership.Following) {
                    next = two.poll(30, TimeUnit.SECONDS);
                }
                assertThat(next).isInstanceOf(Leadership.Leading.class);
            }
            assertThat(shared.get("leader")).isEmpty();
        }
    }

    @Test
    public void testFactory()
    {
        StateStoreConfig config = new StateStoreConfig().setEmbeddedPath(folder.resolve("factory").toFile());
        try (StateStore made = StateStores.create(config, systemTicker())) {
            put(made, "k/1", "1");
        }
        assertThat(folder.resolve("factory/state.mv.db")).exists();
    }

    @Test
    public void testUnusableFiles()
            throws IOException
    {
        Path file = folder.resolve("damaged/state.mv.db");
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[20_000]);
        assertKind(Kind.REFUSED, () -> new EmbeddedStateStore(file.getParent(), ticker));
        assertKind(Kind.REFUSED, () -> new EmbeddedStateStore(file, ticker));
    }
}
