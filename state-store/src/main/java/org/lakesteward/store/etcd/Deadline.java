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

import java.time.Duration;

/**
 * A moment of this process's own clock after which nobody waits any more.
 */
public final class Deadline
{
    private final long start = System.nanoTime();
    private final long nanos;

    private Deadline(long nanos)
    {
        this.nanos = nanos;
    }

    /** Counted from now. */
    public static Deadline after(Duration duration)
    {
        return new Deadline(duration.toNanos());
    }

    public boolean isOver()
    {
        return left().isNegative() || left().isZero();
    }

    /** Zero or less when it is over. */
    public Duration left()
    {
        return Duration.ofNanos(nanos - (System.nanoTime() - start));
    }
}
