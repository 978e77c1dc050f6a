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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slice;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.security.AccessDeniedException;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.plugin.iceberg.IcebergTableName.isDataTable;
import static io.trino.plugin.iceberg.IcebergTableName.isIcebergTableName;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

/**
 * {@code system.table_health}: one row a table. Conditions on schema and table decide which tables are looked at at all.
 * Lists the tables whose {@code "t$health"} the user may query; a table that cannot be read is a row with its error.
 */
final class TableHealthList
        implements SystemTable
{
    // beyond that many combinations of given schema and table names, listing is cheaper than trying each
    private static final int MAX_NAMED_TABLES = 1_000;

    static final SchemaTableName NAME = new SchemaTableName("system", "table_health");

    static final ConnectorTableMetadata METADATA = new ConnectorTableMetadata(
            NAME,
            TableHealthColumn.ALL.stream()
                    .map(TableHealthColumn::metadata)
                    .collect(toImmutableList()));

    private static final Set<String> HEALTH_COLUMNS = HealthColumns.COLUMNS.stream()
            .map(ColumnMetadata::getName)
            .collect(toImmutableSet());

    private final HealthReader reader;
    private final ConnectorSession session;
    private final ExecutorService executor;
    private final int concurrency;

    TableHealthList(HealthReader reader, ConnectorSession session, ExecutorService executor, int concurrency)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.session = requireNonNull(session, "session is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.concurrency = concurrency;
    }

    @Override
    public Distribution getDistribution()
    {
        return Distribution.SINGLE_COORDINATOR;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata()
    {
        return METADATA;
    }

    @Override
    public ConnectorPageSource pageSource(ConnectorTransactionHandle transaction, ConnectorSession systemSession, TupleDomain<Integer> constraint, ConnectorAccessControl accessControl)
    {
        TrinoCatalog catalog = reader.catalog(session);
        List<SchemaTableName> candidates = candidates(session, catalog, constraint.getDomain(TableHealthColumn.SCHEMA_CHANNEL, VARCHAR), constraint.getDomain(TableHealthColumn.TABLE_CHANNEL, VARCHAR));
        List<SchemaTableName> tables = accessControl.filterTables(null, ImmutableSet.copyOf(candidates)).stream()
                .filter(table -> maySelectHealth(accessControl, table))
                .sorted(comparing(SchemaTableName::toString))
                .collect(toImmutableList());
        return new TableHealthPageSource(reader, session, catalog, tables, executor, concurrency);
    }

    private static List<SchemaTableName> candidates(ConnectorSession session, TrinoCatalog catalog, Domain schemaDomain, Domain tableDomain)
    {
        Optional<Set<String>> schemas = values(schemaDomain);
        Optional<Set<String>> tables = values(tableDomain);
        Collection<SchemaTableName> names;
        if (schemas.isPresent() && tables.isPresent() && (long) schemas.get().size() * tables.get().size() <= MAX_NAMED_TABLES) {
            names = schemas.get().stream()
                    .flatMap(schema -> tables.get().stream().map(table -> new SchemaTableName(schema, table)))
                    .collect(toImmutableSet());
        }
        else if (schemas.isPresent() && schemas.get().isEmpty()) {
            names = ImmutableSet.of();
        }
        else {
            names = catalog.listIcebergTables(session, schemas.map(ImmutableList::copyOf).orElse(ImmutableList.of()));
        }
        return names.stream()
                .filter(name -> schemaDomain.includesNullableValue(utf8Slice(name.getSchemaName())))
                .filter(name -> tableDomain.includesNullableValue(utf8Slice(name.getTableName())))
                .filter(name -> isIcebergTableName(name.getTableName()) && isDataTable(name.getTableName()))
                .collect(toImmutableList());
    }

    /**
     * The values that the domain allows, when it names them one by one. Names in the catalog are in lower case: others match nothing.
     */
    private static Optional<Set<String>> values(Domain domain)
    {
        if (domain.getValues().isNone()) {
            return Optional.of(ImmutableSet.of());
        }
        if (!domain.getValues().isDiscreteSet()) {
            return Optional.empty();
        }
        Set<String> values = new HashSet<>();
        for (Object value : domain.getValues().getDiscreteSet()) {
            String text = ((Slice) value).toStringUtf8();
            if (!text.isEmpty()) {
                values.add(text);
            }
        }
        return Optional.of(values);
    }

    /**
     * Whoever may not query {@code "t$health"} must not learn the same here.
     */
    private static boolean maySelectHealth(ConnectorAccessControl accessControl, SchemaTableName table)
    {
        try {
            accessControl.checkCanSelectFromColumns(null, HealthTable.healthNameOf(table), Optional.empty(), HEALTH_COLUMNS);
            return true;
        }
        catch (AccessDeniedException e) {
            return false;
        }
    }
}
