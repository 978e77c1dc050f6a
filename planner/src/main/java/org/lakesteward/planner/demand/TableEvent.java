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

import com.google.common.collect.Sets;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.health.TableName;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Something that was noticed about a table. Events may be lost, doubled, late, and out of order.
 */
public sealed interface TableEvent
{
    /** Uuid of the table; a new uuid is a new table, whatever its name. */
    String tableUuid();

    /** What the table was called from then on. */
    TableName name();

    /** When this was so, by the observer's clock: before the read began, so that it never vouches for what came after. */
    Instant at();

    EventSource source();

    /**
     * The table's metadata was read.
     *
     * @param version of the metadata
     * @param metadataLocation where it stands; a table whose location is unchanged need not be read again
     * @param lastCommit when the current snapshot was committed, or the metadata last updated where there is none
     * @param commitInterval from one snapshot to the next, on average; zero when there are too few to tell
     * @param limits what keeps Trino from maintaining the table
     * @param debts what the table needs
     */
    record Observed(
            String tableUuid,
            TableName name,
            Instant at,
            EventSource source,
            TableVersion version,
            String metadataLocation,
            Instant lastCommit,
            Duration commitInterval,
            Set<TableLimit> limits,
            TableDebts debts)
            implements TableEvent
    {
        public Observed
        {
            requireNonNull(tableUuid, "tableUuid is null");
            requireNonNull(name, "name is null");
            requireNonNull(at, "at is null");
            requireNonNull(source, "source is null");
            requireNonNull(version, "version is null");
            requireNonNull(metadataLocation, "metadataLocation is null");
            requireNonNull(lastCommit, "lastCommit is null");
            requireNonNull(commitInterval, "commitInterval is null");
            checkArgument(!commitInterval.isNegative(), "commitInterval is %s: it must not be negative", commitInterval);
            limits = Sets.immutableEnumSet(limits);
            requireNonNull(debts, "debts is null");
        }
    }

    /**
     * The table got another name.
     *
     * @param name the new name
     */
    record Renamed(String tableUuid, TableName name, Instant at, EventSource source)
            implements TableEvent
    {
        public Renamed
        {
            requireNonNull(tableUuid, "tableUuid is null");
            requireNonNull(name, "name is null");
            requireNonNull(at, "at is null");
            requireNonNull(source, "source is null");
        }
    }

    /**
     * The table is gone from its catalog.
     *
     * @param name the name that it had
     */
    record Dropped(String tableUuid, TableName name, Instant at, EventSource source)
            implements TableEvent
    {
        public Dropped
        {
            requireNonNull(tableUuid, "tableUuid is null");
            requireNonNull(name, "name is null");
            requireNonNull(at, "at is null");
            requireNonNull(source, "source is null");
        }
    }
}
