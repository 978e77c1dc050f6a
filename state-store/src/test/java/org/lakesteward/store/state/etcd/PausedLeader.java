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
import org.lakesteward.store.state.LeaderElection;
import org.lakesteward.store.state.Leadership;
import org.lakesteward.store.state.StateStore;
import org.lakesteward.store.state.Transaction;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.InstantSource;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A leader in a process of its own, which tests pause. Answers one line for each line of its input: what it knows of itself without asking
 * the store, or what became of a write.
 */
public final class PausedLeader
{
    private PausedLeader() {}

    /**
     * @param arguments the endpoint of etcd, the prefix, the time of the lease in seconds
     */
    public static void main(String[] arguments)
            throws IOException
    {
        try (StateStore store = new EtcdStateStore(TestEtcdStateStore.connect(arguments[0], Duration.ofSeconds(5)), arguments[1], Ticker.systemTicker())) {
            LeaderElection election = new LeaderElection(store, "paused", Duration.ofSeconds(Integer.parseInt(arguments[2])), InstantSource.system());
            Leadership.Leading leading = (Leadership.Leading) election.step();
            System.out.println("leads");
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(switch (line) {
                    case "ask" -> election.isLeader() ? "leads" : "follows";
                    case "write guarded" -> store.commit(Transaction.builder().require(leading.guard()).put("guarded", new byte[1]).build()).getClass().getSimpleName();
                    case "write unguarded" -> store.commit(Transaction.builder().put("unguarded", new byte[1]).build()).getClass().getSimpleName();
                    default -> throw new IllegalArgumentException(line);
                });
            }
        }
    }
}
