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

import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.InMemoryRecordSet;
import io.trino.spi.connector.RecordPageSource;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.TupleDomain;
import org.lakesteward.planner.health.HealthFinding;
import org.lakesteward.procedure.health.TableObserver.Depth;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * {@code "t$health"}: one row a finding, the worst first. Metadata is read when the table is queried, not when it is described.
 */
final class HealthTable
        implements SystemTable
{
    private static final String SUFFIX = "$health";

    private final HealthReader reader;
    private final ConnectorSession session;
    private final SchemaTableName baseName;
    private final boolean materializedView;
    private final ConnectorTableMetadata metadata;

    private HealthTable(HealthReader reader, ConnectorSession session, SchemaTableName name, SchemaTableName baseName, boolean materializedView)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.session = requireNonNull(session, "session is null");
        this.baseName = requireNonNull(baseName, "baseName is null");
        this.materializedView = materializedView;
        this.metadata = new ConnectorTableMetadata(name, HealthColumns.COLUMNS);
    }

    /**
     * @param session of the catalog itself: the one that the engine passes when rows are read lacks the catalog's session properties
     * @param stock decides whether the table exists, by the rules of the other metadata tables
     * @return empty when the name is not that of a health table, or the table does not exist or is a view
     */
    static Optional<SystemTable> find(HealthReader reader, ConnectorMetadata stock, ConnectorSession session, SchemaTableName name)
    {
        if (!isHealthTable(name)) {
            return Optional.empty();
        }
        SchemaTableName baseName = new SchemaTableName(name.getSchemaName(), name.getTableName().substring(0, name.getTableName().length() - SUFFIX.length()));
        if (stock.getSystemTable(session, new SchemaTableName(baseName.getSchemaName(), baseName.getTableName() + "$properties")).isEmpty()) {
            return Optional.empty();
        }
        boolean materializedView = stock.getMaterializedView(session, baseName).isPresent();
        return Optional.of(new HealthTable(reader, session, name, baseName, materializedView));
    }

    /**
     * Whether the name is {@code t$health} of a name that is not itself one of a metadata table. Trino's names are in lower case.
     */
    static boolean isHealthTable(SchemaTableName name)
    {
        String table = name.getTableName();
        return table.endsWith(SUFFIX) && table.indexOf('$') == table.length() - SUFFIX.length() && table.length() > SUFFIX.length();
    }

    /**
     * The name under which the health of a table is queried.
     */
    static SchemaTableName healthNameOf(SchemaTableName table)
    {
        return new SchemaTableName(table.getSchemaName(), table.getTableName() + SUFFIX);
    }

    @Override
    public Distribution getDistribution()
    {
        return Distribution.SINGLE_COORDINATOR;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata()
    {
        return metadata;
    }

    @Override
    public ConnectorPageSource pageSource(ConnectorTransactionHandle transaction, ConnectorSession systemSession, TupleDomain<Integer> constraint)
    {
        TableHealth health = materializedView ?
                reader.readMaterializedView(session, reader.catalog(session), baseName, Depth.AS_NEEDED) :
                reader.read(session, reader.catalog(session), baseName, Depth.AS_NEEDED);
        InMemoryRecordSet.Builder rows = InMemoryRecordSet.builder(metadata);
        for (HealthFinding finding : health.findings()) {
            rows.addRow(
                    finding.kind().name(),
                    finding.severity().name(),
                    finding.measured().isPresent() ? finding.measured().getAsDouble() : null,
                    finding.kind().unit(),
                    finding.threshold(),
                    finding.reason(),
                    finding.statement().orElse(null));
        }
        return new RecordPageSource(rows.build());
    }
}
