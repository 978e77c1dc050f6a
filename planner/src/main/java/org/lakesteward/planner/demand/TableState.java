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
package org.lakesteward.planner.demand;

import com.google.common.collect.Ordering;
import com.google.common.collect.Sets;
import org.lakesteward.planner.health.TableLimit;

import java.util.Comparator;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The newest state of a table that was observed. Times are milliseconds since 1970.
 *
 * @param version of the metadata
 * @param observedMillis when it was observed, by the observer's clock
 * @param metadataLocation where the metadata stands
 * @param source who observed it
 * @param lastCommitMillis when the current snapshot was committed, or the metadata last updated where there is none
 * @param commitIntervalMillis from one snapshot to the next, on average; 0 when there are too few to tell
 * @param limits what keeps Trino from maintaining the table
 */
public record TableState(
        TableVersion version,
        long observedMillis,
        String metadataLocation,
        EventSource source,
        long lastCommitMillis,
        long commitIntervalMillis,
        Set<TableLimit> limits)
{
    /** Total, so that the newer one does not depend on which came first. */
    static final Comparator<TableState> OLDEST_FIRST = Comparator.comparing(TableState::version)
            .thenComparingLong(TableState::observedMillis)
            .thenComparing(TableState::metadataLocation)
            .thenComparing(TableState::source)
            .thenComparingLong(TableState::lastCommitMillis)
            .thenComparingLong(TableState::commitIntervalMillis)
            .thenComparing(TableState::limits, Ordering.<TableLimit>natural().lexicographical());

    public TableState
    {
        requireNonNull(version, "version is null");
        requireNonNull(metadataLocation, "metadataLocation is null");
        requireNonNull(source, "source is null");
        checkArgument(commitIntervalMillis >= 0, "commitIntervalMillis is %s: it must not be negative", commitIntervalMillis);
        limits = Sets.immutableEnumSet(limits);
    }
}
