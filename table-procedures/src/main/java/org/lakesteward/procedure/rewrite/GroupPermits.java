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
package org.lakesteward.procedure.rewrite;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Bounds how many file groups a node rewrites at once, first come first served. Thread-safe.
 */
public class GroupPermits
{
    private final int permits;
    @GuardedBy("this")
    private int used;
    @GuardedBy("this")
    private final Queue<Permit> waiting = new ArrayDeque<>();

    @Inject
    public GroupPermits(RewriteConfig config)
    {
        this(config.getMaxGroupsPerNode());
    }

    GroupPermits(int permits)
    {
        checkArgument(permits > 0, "permits is not positive: %s", permits);
        this.permits = permits;
    }

    /** Asks for a permit, which the caller must close whether or not it was granted. */
    Permit acquire()
    {
        Permit permit = new Permit();
        boolean granted;
        synchronized (this) {
            granted = used < permits;
            if (granted) {
                used++;
                permit.holds = true;
            }
            else {
                waiting.add(permit);
            }
        }
        if (granted) {
            permit.granted.complete(null);
        }
        return permit;
    }

    public synchronized int getUsed()
    {
        return used;
    }

    public synchronized int getWaiting()
    {
        return waiting.size();
    }

    final class Permit
            implements AutoCloseable
    {
        private final CompletableFuture<Void> granted = new CompletableFuture<>();
        @GuardedBy("GroupPermits.this")
        private boolean holds;
        @GuardedBy("GroupPermits.this")
        private boolean closed;

        /** Done once the permit is granted. */
        CompletableFuture<Void> granted()
        {
            return granted;
        }

        @Override
        public void close()
        {
            Permit next = null;
            synchronized (GroupPermits.this) {
                if (closed) {
                    return;
                }
                closed = true;
                if (!holds) {
                    waiting.remove(this);
                    return;
                }
                next = waiting.poll();
                if (next == null) {
                    used--;
                }
                else {
                    next.holds = true;
                }
            }
            if (next != null) {
                // outside the lock, because it runs callbacks of the engine
                next.granted.complete(null);
            }
        }
    }
}
