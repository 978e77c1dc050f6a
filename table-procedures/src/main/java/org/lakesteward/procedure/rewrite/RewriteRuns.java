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

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rewrite_data_files statements that this coordinator plans or runs, by query id. Thread-safe.
 */
public class RewriteRuns
{
    private final Map<String, RewriteRun> runs = new ConcurrentHashMap<>();

    void put(String queryId, RewriteRun run)
    {
        runs.put(queryId, run);
    }

    Optional<RewriteRun> get(String queryId)
    {
        return Optional.ofNullable(runs.get(queryId));
    }

    RewriteRun require(String queryId)
    {
        return get(queryId).orElseThrow(() -> new IllegalStateException("No rewrite is known for query " + queryId));
    }

    Optional<RewriteRun> remove(String queryId)
    {
        return Optional.ofNullable(runs.remove(queryId));
    }

    public int size()
    {
        return runs.size();
    }
}
