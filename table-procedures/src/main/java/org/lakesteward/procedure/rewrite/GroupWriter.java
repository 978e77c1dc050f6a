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

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Rewrites one file group, a bounded piece of work at a time. Used by one thread at a time.
 */
sealed interface GroupWriter
        permits EncodeGroupWriter, CopyGroupWriter
{
    /**
     * Works until there is something to wait for, the step time is over, or the group is done.
     */
    Progress step()
            throws IOException;

    long rowsRead();

    long bytesRead();

    long readTimeNanos();

    /** Bytes held at this moment, beyond those that the readers report themselves. */
    long retainedBytes();

    /** Ends a group that did not finish: closes everything and deletes what it wrote. */
    void abort();

    sealed interface Progress
    {
        Progress MORE = new More();

        /** Call again. */
        record More()
                implements Progress {}

        /** Call again once the future is done. */
        record Blocked(CompletableFuture<?> future)
                implements Progress {}

        /** The group is written. */
        record Done(GroupResult result)
                implements Progress {}

        /** The group cannot be written this way and nothing was written; encode it instead. */
        record Unsuitable(String reason)
                implements Progress {}
    }
}
