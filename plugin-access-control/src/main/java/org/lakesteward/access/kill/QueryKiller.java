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
package org.lakesteward.access.kill;

import java.util.concurrent.CompletableFuture;

/**
 * Ends a running statement of this coordinator.
 */
public interface QueryKiller
{
    enum Outcome
    {
        /** The coordinator has begun to end it. */
        REQUESTED,
        /** It had ended before. */
        ENDED,
        /** The coordinator does not know it (any more). */
        UNKNOWN,
    }

    /**
     * Returns at once.
     *
     * @param message what the user of the statement reads
     * @return completes exceptionally, with one sentence as the message, when the coordinator refuses or does not answer in time
     */
    CompletableFuture<Outcome> kill(String queryId, String message);
}
