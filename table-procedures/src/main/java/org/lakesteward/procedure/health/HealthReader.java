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

import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableNotFoundException;
import org.apache.iceberg.BaseTable;
import org.lakesteward.planner.health.HealthRules;
import org.lakesteward.planner.health.HealthThresholds;
import org.lakesteward.planner.health.TableLimit;
import org.lakesteward.planner.health.TableName;
import org.lakesteward.planner.health.TableObservation;
import org.lakesteward.procedure.health.TableObserver.Depth;

import java.util.EnumSet;
import java.util.Set;

import static io.trino.plugin.iceberg.IcebergSessionProperties.getExpireSnapshotMinRetention;
import static io.trino.plugin.iceberg.IcebergSessionProperties.isSortedWritingEnabled;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.health.TableLimit.MATERIALIZED_VIEW;
import static org.lakesteward.planner.health.TableLimit.SORTED_WRITING_DISABLED;
import static org.lakesteward.procedure.LakeErrorCode.TABLE_METADATA_UNREADABLE;

/**
 * Loads a table as the session's user and examines it. Thread-safe.
 */
public class HealthReader
{
    private final CatalogName catalogName;
    private final TrinoCatalogFactory catalogFactory;
    private final TableObserver observer;
    private final HealthStats stats;

    @Inject
    public HealthReader(CatalogName catalogName, TrinoCatalogFactory catalogFactory, TableObserver observer, HealthStats stats)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
        this.observer = requireNonNull(observer, "observer is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    TrinoCatalog catalog(ConnectorSession session)
    {
        return catalogFactory.create(session.getIdentity());
    }

    /**
     * @throws TableNotFoundException when there is no such table
     * @throws TrinoException TABLE_METADATA_UNREADABLE, or what the catalog says, when the table's metadata cannot be read
     */
    TableHealth read(ConnectorSession session, TrinoCatalog catalog, SchemaTableName name, Depth depth)
    {
        return read(session, name, depth, EnumSet.noneOf(TableLimit.class), () -> catalog.loadTable(session, name));
    }

    /**
     * The health of a materialized view's storage.
     */
    TableHealth readMaterializedView(ConnectorSession session, TrinoCatalog catalog, SchemaTableName name, Depth depth)
    {
        return read(session, name, depth, EnumSet.of(MATERIALIZED_VIEW), () -> catalog.getMaterializedViewStorageTable(session, name)
                .orElseThrow(() -> new TableNotFoundException(name)));
    }

    private TableHealth read(ConnectorSession session, SchemaTableName name, Depth depth, EnumSet<TableLimit> limits, TableLoader loader)
    {
        stats.getTablesRead().update(1);
        try {
            if (!isSortedWritingEnabled(session)) {
                limits.add(SORTED_WRITING_DISABLED);
            }
            HealthThresholds thresholds = thresholds(session);
            TableObservation observation = observe(session, loader.load(), limits, depth, name);
            return new TableHealth(
                    observation,
                    HealthRules.examine(new TableName(catalogName.toString(), name.getSchemaName(), name.getTableName()), observation, thresholds, session.getStart()));
        }
        catch (TableNotFoundException e) {
            throw e;
        }
        catch (RuntimeException e) {
            stats.getFailures().update(1);
            throw e;
        }
    }

    private TableObservation observe(ConnectorSession session, BaseTable table, Set<TableLimit> limits, Depth depth, SchemaTableName name)
    {
        try {
            TableObservation observation = observer.observe(table, limits, depth, session.getStart());
            if (observation.details().isPresent()) {
                stats.getTablesReadInDetail().update(1);
            }
            return observation;
        }
        catch (TrinoException e) {
            throw e;
        }
        catch (RuntimeException e) {
            throw new TrinoException(TABLE_METADATA_UNREADABLE, "Cannot read the metadata of table %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    /**
     * Snapshots are old when Trino would expire them: it refuses a retention below the session's minimum.
     */
    private static HealthThresholds thresholds(ConnectorSession session)
    {
        HealthThresholds defaults = HealthThresholds.defaults();
        Duration minRetention = getExpireSnapshotMinRetention(session);
        if (minRetention.toMillis() <= defaults.snapshotMaxAge().toMillis()) {
            return defaults;
        }
        return defaults.withSnapshotMaxAge(minRetention.toJavaTime());
    }

    private interface TableLoader
    {
        BaseTable load();
    }
}
