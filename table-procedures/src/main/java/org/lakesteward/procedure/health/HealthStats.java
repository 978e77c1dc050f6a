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
package org.lakesteward.procedure.health;

import io.airlift.stats.CounterStat;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

/**
 * Counts reads of table metadata for health. Thread-safe.
 */
public class HealthStats
{
    private final CounterStat tablesRead = new CounterStat();
    private final CounterStat tablesReadInDetail = new CounterStat();
    private final CounterStat failures = new CounterStat();

    /**
     * Tables whose metadata was read, whether or not that succeeded.
     */
    @Managed
    @Nested
    public CounterStat getTablesRead()
    {
        return tablesRead;
    }

    /**
     * Tables whose manifests were read too.
     */
    @Managed
    @Nested
    public CounterStat getTablesReadInDetail()
    {
        return tablesReadInDetail;
    }

    /**
     * Tables whose metadata could not be read.
     */
    @Managed
    @Nested
    public CounterStat getFailures()
    {
        return failures;
    }
}
