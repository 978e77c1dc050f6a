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

import io.airlift.log.Logger;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Calls {@link LeaderElection#step} when it is due, in a thread of its own, until it is closed; then it steps down.
 */
public final class LeaderElectionLoop
        implements AutoCloseable
{
    private static final Logger log = Logger.get(LeaderElectionLoop.class);

    private final LeaderElection election;
    private final Consumer<Leadership> listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicBoolean started = new AtomicBoolean();
    private final Thread thread;

    /**
     * @param listener told by the loop's thread when the leadership has changed, and once at first. It must not take long: the lease is not
     * renewed meanwhile
     */
    public LeaderElectionLoop(LeaderElection election, Consumer<Leadership> listener)
    {
        this.election = requireNonNull(election, "election is null");
        this.listener = requireNonNull(listener, "listener is null");
        this.thread = Thread.ofPlatform().daemon().name("leader-election").unstarted(this::run);
    }

    public void start()
    {
        if (started.compareAndSet(false, true)) {
            thread.start();
        }
    }

    /** Waits until the loop has ended, which takes as long as an operation of the store at most. */
    @Override
    public void close()
    {
        closed.countDown();
        if (!started.compareAndSet(false, true)) {
            try {
                thread.join();
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run()
    {
        Leadership told = null;
        boolean failing = false;
        do {
            try {
                election.step();
                failing = false;
            }
            catch (RuntimeException e) {
                if (!failing) {
                    log.warn(e, "The election of a leader cannot go on for now");
                }
                failing = true;
            }
            Leadership current = election.leadership();
            if (!current.equals(told)) {
                told = current;
                tell(current);
            }
        }
        while (!awaitClose());
        try {
            election.stepDown();
        }
        catch (StateStoreException e) {
            log.warn(e, "The place of the leader gets free when its lease is over");
        }
    }

    private void tell(Leadership leadership)
    {
        try {
            listener.accept(leadership);
        }
        catch (RuntimeException e) {
            log.error(e, "A listener of the election failed");
        }
    }

    private boolean awaitClose()
    {
        try {
            return closed.await(election.untilNextStep().toNanos(), NANOSECONDS);
        }
        catch (InterruptedException e) {
            // nobody else knows the thread
            return true;
        }
    }
}
