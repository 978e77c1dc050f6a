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

import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.simulated.SimulatedServer;
import org.lakesteward.store.state.simulated.SimulatedStateStore;
import org.lakesteward.store.state.simulated.SimulatedStateStore.Trouble;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestLeaderElection
{
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration HALF = TTL.dividedBy(2);

    private ManualTicker ticker;
    private SimulatedServer server;
    private SimulatedStateStore oneStore;
    private SimulatedStateStore twoStore;
    private LeaderElection one;
    private LeaderElection two;

    @BeforeMethod
    public void setUp()
    {
        ticker = new ManualTicker();
        server = new SimulatedServer(ticker);
        oneStore = new SimulatedStateStore(server, ticker);
        twoStore = new SimulatedStateStore(server, ticker);
        one = new LeaderElection(oneStore, "one", TTL, InstantSource.fixed(Instant.EPOCH));
        two = new LeaderElection(twoStore, "two", TTL, InstantSource.fixed(Instant.EPOCH));
    }

    @Test
    public void testRenewsAtHalfOfItsTime()
    {
        one.step();
        SimulatedServer.OperationCounts elected = server.operationCounts();
        assertThat(one.untilNextStep()).isEqualTo(HALF);
        ticker.pass(HALF.minusNanos(1));
        one.step();
        assertThat(server.operationCounts()).isEqualTo(elected);
        ticker.pass(one.untilNextStep());
        one.step();
        assertThat(server.operationCounts().leaseOperations()).isEqualTo(elected.leaseOperations() + 1);
        assertThat(server.operationCounts().transactions()).isEqualTo(elected.transactions());
        assertThat(one.untilNextStep()).isEqualTo(HALF);
        assertThat(two.untilNextStep()).isEqualTo(TTL.dividedBy(6));
    }

    @Test
    public void testLeaderOutOfReachGoesOnUntilItsLeaseIsOver()
    {
        one.step();
        oneStore.setReachable(false);
        ticker.pass(HALF);
        assertUnavailable(one);
        assertThat(one.isLeader()).isTrue();
        assertThat(one.untilNextStep()).isPositive().isLessThan(HALF);
        ticker.pass(HALF.minusNanos(1));
        assertUnavailable(one);
        assertThat(one.isLeader()).isTrue();
        assertThat(two.step()).isInstanceOf(Leadership.Following.class);
        ticker.pass(Duration.ofNanos(1));
        assertThat(one.isLeader()).isFalse();
        assertThat(one.guard()).isEmpty();
        assertThat(two.step()).isInstanceOf(Leadership.Leading.class);
        assertUnavailable(one);
        oneStore.setReachable(true);
        assertThat(one.step()).isEqualTo(new Leadership.Following(Optional.of(new LeaderRecord("two", Instant.EPOCH))));
    }

    @Test
    public void testLostAnswerOfTheElection()
    {
        oneStore.plan(Trouble.LOSE_ANSWER);
        assertThat(one.step()).isInstanceOf(Leadership.Leading.class);
        one.stepDown();
        oneStore.plan(Trouble.LOSE_REQUEST);
        assertUnavailable(one);
        assertThat(one.isLeader()).isFalse();
        assertThat(two.step()).isInstanceOf(Leadership.Leading.class);
    }

    /** Elected without knowing: nobody leads until the lease is over, and then somebody does. */
    @Test
    public void testElectionOfUnknownOutcome()
    {
        oneStore.plan(Trouble.LOSE_ANSWER_AND_CONTACT);
        assertThatThrownBy(one::step).isInstanceOf(UnknownOutcomeException.class);
        assertThat(one.isLeader()).isFalse();
        assertThat(two.step()).isEqualTo(new Leadership.Following(Optional.of(new LeaderRecord("one", Instant.EPOCH))));
        oneStore.setReachable(true);
        // it takes itself for another
        assertThat(one.step()).isEqualTo(new Leadership.Following(Optional.of(new LeaderRecord("one", Instant.EPOCH))));
        ticker.pass(TTL);
        assertThat(two.step()).isInstanceOf(Leadership.Leading.class);
    }

    @Test
    public void testStepDownOutOfReach()
    {
        one.step();
        oneStore.setReachable(false);
        assertThatThrownBy(one::stepDown).isInstanceOf(StateStoreException.class);
        assertThat(one.isLeader()).isFalse();
        assertThat(two.step()).isInstanceOf(Leadership.Following.class);
        ticker.pass(TTL);
        assertThat(two.step()).isInstanceOf(Leadership.Leading.class);
    }

    @Test
    public void testLeaderRecordThatCannotBeRead()
    {
        twoStore.commit(Transaction.builder().put(StateKeys.LEADER, "{".getBytes(UTF_8)).build());
        assertThat(one.step()).isEqualTo(new Leadership.Following(Optional.empty()));
    }

    /**
     * Candidates that are paused, cut off, and lose answers at random, and that write under their guards whether or not they believe to
     * lead: terms never overlap, and with clocks that go equally fast no two believe to lead at the same moment.
     */
    @Test
    public void testRandomFailures()
    {
        for (long seed = 1; seed <= 300; seed++) {
            try {
                randomRun(seed);
            }
            catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static void randomRun(long seed)
    {
        Random random = new Random(seed);
        ManualTicker ticker = new ManualTicker();
        SimulatedServer server = new SimulatedServer(ticker);
        SimulatedStateStore witness = new SimulatedStateStore(server, ticker);
        List<SimulatedStateStore> stores = new ArrayList<>();
        List<LeaderElection> candidates = new ArrayList<>();
        List<Leadership.Leading> terms = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            SimulatedStateStore store = new SimulatedStateStore(server, ticker);
            stores.add(store);
            candidates.add(new LeaderElection(store, "candidate " + i, TTL, InstantSource.fixed(Instant.EPOCH)));
        }
        long lastTerm = 0;
        for (int step = 0; step < 200; step++) {
            ticker.pass(Duration.ofMillis(random.nextInt(25_000)));
            int chosen = random.nextInt(3);
            SimulatedStateStore store = stores.get(chosen);
            LeaderElection candidate = candidates.get(chosen);
            store.setReachable(random.nextInt(4) > 0);
            if (random.nextInt(5) == 0) {
                store.plan(Trouble.values()[random.nextInt(Trouble.values().length)]);
            }
            if (random.nextInt(5) == 0) {
                server.deliverDelayed();
            }
            try {
                if (random.nextInt(20) == 0) {
                    candidate.stepDown();
                }
                else if (candidate.step() instanceof Leadership.Leading leading && !terms.contains(leading)) {
                    terms.add(leading);
                }
            }
            catch (StateStoreException e) {
                // goes on with the next step
            }
            assertThat(candidates.stream().filter(LeaderElection::isLeader).count()).isLessThanOrEqualTo(1);
            // everybody who ever led writes, as one would that was paused before
            for (Leadership.Leading leading : terms) {
                TransactionResult result = witness.commit(Transaction.builder().require(leading.guard()).put("work", new byte[0]).build());
                if (result instanceof TransactionResult.Committed) {
                    assertThat(leading.term()).isGreaterThanOrEqualTo(lastTerm);
                    lastTerm = leading.term();
                }
            }
        }
        assertThat(terms).hasSizeGreaterThan(1);
        assertThat(terms).extracting(Leadership.Leading::term).doesNotHaveDuplicates();
    }

    private static void assertUnavailable(LeaderElection election)
    {
        assertThatThrownBy(election::step).isInstanceOfSatisfying(StateStoreException.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE));
    }
}
