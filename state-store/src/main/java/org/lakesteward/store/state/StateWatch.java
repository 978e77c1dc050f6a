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

import java.time.Duration;
import java.util.Optional;

/**
 * Follows keys. Whoever asks for events drives it: it has no thread of its own, and buffers a bounded amount.
 */
public interface StateWatch
        extends AutoCloseable
{
    /**
     * The next event, for which it waits so long at most; zero for not at all.
     *
     * @throws StateStoreException {@code CLOSED} when the watch or its store was closed
     * @throws IllegalStateException after {@link WatchEvent.RereadRequired}
     */
    Optional<WatchEvent> next(Duration timeout);

    /** May be called from any thread. */
    @Override
    void close();
}
