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
package org.lakesteward.store.state.simulated;

import org.lakesteward.store.state.Condition;
import org.lakesteward.store.state.Following;
import org.lakesteward.store.state.Lease;
import org.lakesteward.store.state.ManualTicker;
import org.lakesteward.store.state.StateStore;
import org.lakesteward.store.state.StateStoreContract;
import org.lakesteward.store.state.StateStoreException.Kind;
import org.lakesteward.store.state.StoreEntry;
import org.lakesteward.store.state.Transaction;
import org.lakesteward.store.state.TransactionId;
import org.lakesteward.store.state.TransactionResult;
import org.lakesteward.store.state.UnknownOutcomeException;
import org.lakesteward.store.state.simulated.SimulatedStateStore.Trouble;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

public class TestSimulatedStateStore
        extends StateStoreContract
{
    private ManualTicker ticker;
    private SimulatedServer server;

    @Override
    protected void prepare()
    {
        ticker = new ManualTicker();
        server = new SimulatedServer(ticker);
    }

    @Override
    protected StateStore create()
    {
        return new SimulatedStateStore(server, ticker);
    }

    @Override
    protected void passTime()
    {
        ticker.pass(Duration.ofMillis(100));
    }

    @Override
    protected void compact(long revision)
    {
        server.compact(revision);
    }

    @Test
    public void testLostAnswersAreFoundOut()
    {
        SimulatedStateStore troubled = (SimulatedStateStore) store;
        troubled.plan(Trouble.LOSE_ANSWER);
        long revision = put(troubled, "a", "1");
        assertThat(other.get("a").orElseThrow().modRevision()).isEqualTo(revision);

        troubled.plan(Trouble.LOSE_REQUEST);
        assertKind(Kind.UNAVAILABLE, () -> put(troubled, "a", "2"));
        assertThat(other.get("a").orElseThrow().modRevision()).isEqualTo(revision);

        troubled.plan(Trouble.DELAY_REQUEST);
        assertKind(Kind.UNAVAILABLE, () -> put(troubled, "a", "3"));
        server.deliverDelayed();
        assertThat(other.get("a").orElseThrow().modRevision()).isEqualTo(revision);
    }

    @DataProvider
    public static Object[][] lastingTroubles()
    {
        return new Object[][] {
                {Trouble.LOSE_ANSWER_AND_CONTACT, false, true},
                {Trouble.LOSE_REQUEST_AND_CONTACT, false, false},
                {Trouble.DELAY_REQUEST_AND_CONTACT, false, false},
                {Trouble.DELAY_REQUEST_AND_CONTACT, true, true},
        };
    }

    @Test(dataProvider = "lastingTroubles")
    public void testUnknownOutcome(Trouble trouble, boolean deliveredBefore, boolean tookPlace)
    {
        SimulatedStateStore troubled = (SimulatedStateStore) store;
        troubled.plan(trouble);
        TransactionId id = catchThrowableOfType(UnknownOutcomeException.class, () -> put(troubled, "a", "1")).transaction();
        assertThat(catchThrowableOfType(UnknownOutcomeException.class, () -> troubled.resolve(id)).transaction()).isEqualTo(id);
        assertKind(Kind.UNAVAILABLE, () -> troubled.get("a"));
        if (deliveredBefore) {
            server.deliverDelayed();
        }
        troubled.setReachable(true);
        assertThat(troubled.resolve(id).isPresent()).isEqualTo(tookPlace);
        server.deliverDelayed();
        assertThat(other.get("a").isPresent()).isEqualTo(tookPlace);
        assertThat(troubled.resolve(id).map(TransactionResult.Committed::revision)).isEqualTo(other.get("a").map(StoreEntry::modRevision));
    }

    @Test
    public void testFollowerOutOfReach()
    {
        SimulatedStateStore troubled = (SimulatedStateStore) store;
        try (Following following = new Following(troubled, "k/")) {
            troubled.setReachable(false);
            assertKind(Kind.UNAVAILABLE, following::poll);
            troubled.setReachable(true);
            following.poll();
            troubled.setReachable(false);
            put(other, "k/1", "1");
            following.poll();
            following.poll();
            assertThat(following.disconnections()).isEqualTo(1);
            assertThat(following.entries()).isEmpty();
            troubled.setReachable(true);
            following.poll();
            assertThat(following.entries().keySet()).containsExactly("k/1");
        }
    }

    /** The clock of a process that goes too slowly keeps a lease longer than the server does: only the guard helps. */
    @Test
    public void testSlowClock()
    {
        ManualTicker slow = new ManualTicker();
        StateStore late = new SimulatedStateStore(server, slow);
        Lease lease = late.grant(SHORT_LEASE);
        long created = committed(late.commit(Transaction.builder().put("leader", value("late"), lease).build()));
        ticker.pass(SHORT_LEASE);
        assertThat(lease.isHeld()).isTrue();
        assertThat(late.commit(Transaction.builder().require(Condition.createdAt("leader", created)).put("a", value("late")).build())).isInstanceOf(TransactionResult.Refused.class);
        assertKind(Kind.LEASE_LOST, lease::keepAlive);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    public void testOperationsAreCounted()
    {
        put(store, "a", "1");
        store.get("a");
        store.grant(SHORT_LEASE).keepAlive();
        assertThat(server.operationCounts()).isEqualTo(new SimulatedServer.OperationCounts(1, 1, 2));
    }
}
