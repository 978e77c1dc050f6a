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
package org.lakesteward.procedure.policy;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.google.inject.Inject;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.connector.ConnectorMaterializedViewDefinition;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableNotFoundException;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.UpdateProperties;

import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.trino.plugin.iceberg.IcebergErrorCode.ICEBERG_COMMIT_ERROR;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.policy.PolicyProperties.MATERIALIZED_VIEW;
import static org.lakesteward.procedure.policy.PolicyProperties.TABLE;

/**
 * What statements do about the properties of policies. What they do about other properties is left to the stock connector, and statements
 * without a property of a policy reach it unchanged. Thread-safe.
 */
public class PolicyStatements
{
    private final TrinoCatalogFactory catalogFactory;

    @Inject
    public PolicyStatements(TrinoCatalogFactory catalogFactory)
    {
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
    }

    /**
     * A table to be made, as the stock connector understands it.
     */
    public ConnectorTableMetadata forCreation(ConnectorTableMetadata table)
    {
        PolicyChange change = PolicyChange.of(TABLE, Maps.transformValues(table.getProperties(), Optional::ofNullable));
        if (change.isEmpty()) {
            return table;
        }
        return withProperties(table, values(change.stockWithSet()));
    }

    private static Map<String, Object> values(Map<String, Optional<Object>> properties)
    {
        return properties.entrySet().stream()
                .filter(property -> property.getValue().isPresent())
                .collect(toImmutableMap(Entry::getKey, property -> property.getValue().orElseThrow()));
    }

    /**
     * A table to be shown, with the properties of its policy.
     */
    public ConnectorTableMetadata forShow(ConnectorTableHandle handle, ConnectorTableMetadata table)
    {
        if (!(handle instanceof IcebergTableHandle icebergTable)) {
            return table;
        }
        Map<String, Object> values = TABLE.values(icebergTable.getStorageProperties());
        if (values.isEmpty()) {
            return table;
        }
        return withProperties(table, ImmutableMap.<String, Object>builder()
                .putAll(table.getProperties())
                .putAll(values)
                .buildOrThrow());
    }

    private static ConnectorTableMetadata withProperties(ConnectorTableMetadata table, Map<String, Object> properties)
    {
        return new ConnectorTableMetadata(table.getTable(), table.getColumns(), properties, table.getComment(), table.getCheckConstraints());
    }

    /**
     * Sets properties of a table with one commit.
     *
     * @throws TrinoException INVALID_TABLE_PROPERTY when an entry is wrong; NOT_SUPPORTED when entries are to be removed and properties of the
     *         stock connector to be set, which would take two commits; ICEBERG_COMMIT_ERROR when the catalog refuses
     */
    public void setTableProperties(ConnectorSession session, ConnectorMetadata stock, ConnectorTableHandle table, Map<String, Optional<Object>> properties)
    {
        PolicyChange change = PolicyChange.of(TABLE, properties);
        if (change.removed().isEmpty()) {
            stock.setTableProperties(session, table, change.stockWithSet());
            return;
        }
        if (!change.stock().isEmpty()) {
            throw new TrinoException(NOT_SUPPORTED, "Properties of maintenance can be set to DEFAULT only in a statement without %s: use one statement for each".formatted(String.join(", ", change.stock().keySet())));
        }
        SchemaTableName name = stock.getTableName(session, table);
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            commit(catalog(session).loadTable(session, name), change);
        }
    }

    /**
     * Makes a materialized view. The stock connector stores no properties that it does not know for one, so that those of the policy take a
     * second commit.
     *
     * @throws TrinoException ICEBERG_COMMIT_ERROR when the view was made and the catalog then refused the properties
     */
    public void createMaterializedView(
            ConnectorSession session,
            ConnectorMetadata stock,
            SchemaTableName view,
            ConnectorMaterializedViewDefinition definition,
            Map<String, Object> properties,
            boolean replace,
            boolean ignoreExisting)
    {
        PolicyChange change = PolicyChange.of(MATERIALIZED_VIEW, Maps.transformValues(properties, Optional::ofNullable));
        boolean exists = !replace && ignoreExisting && !change.isEmpty() && stock.getMaterializedView(session, view).isPresent();
        stock.createMaterializedView(session, view, definition, change.isEmpty() ? properties : values(change.stock()), replace, ignoreExisting);
        if (exists || change.isEmpty()) {
            return;
        }
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            commit(findStorage(session, view).orElseThrow(() -> new TableNotFoundException(view)), change);
        }
        catch (RuntimeException e) {
            throw new TrinoException(ICEBERG_COMMIT_ERROR, "Materialized view %s was made, but without its properties of maintenance; set them with ALTER MATERIALIZED VIEW: %s".formatted(view, e.getMessage()), e);
        }
    }

    /**
     * Sets properties of a materialized view, which the stock connector cannot.
     */
    public void setMaterializedViewProperties(ConnectorSession session, ConnectorMetadata stock, SchemaTableName view, Map<String, Optional<Object>> properties)
    {
        PolicyChange change = PolicyChange.of(MATERIALIZED_VIEW, properties);
        if (change.isEmpty() || !change.stock().isEmpty()) {
            stock.setMaterializedViewProperties(session, view, change.isEmpty() ? properties : change.stock());
            return;
        }
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            commit(findStorage(session, view).orElseThrow(() -> new TableNotFoundException(view)), change);
        }
    }

    /**
     * Properties of a materialized view to be shown.
     *
     * @param stockProperties what the stock connector shows
     */
    public Map<String, Object> forShow(ConnectorSession session, SchemaTableName view, Map<String, Object> stockProperties)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            Map<String, Object> values = findStorage(session, view)
                    .map(storage -> MATERIALIZED_VIEW.values(storage.properties()))
                    .orElseGet(ImmutableMap::of);
            if (values.isEmpty()) {
                return stockProperties;
            }
            return ImmutableMap.<String, Object>builder()
                    .putAll(stockProperties)
                    .putAll(values)
                    .buildOrThrow();
        }
    }

    private Optional<BaseTable> findStorage(ConnectorSession session, SchemaTableName view)
    {
        TrinoCatalog catalog = catalog(session);
        return catalog.getMaterializedView(session, view)
                .flatMap(ConnectorMaterializedViewDefinition::getStorageTable)
                .map(CatalogSchemaTableName::getSchemaTableName)
                .map(storage -> catalog.loadTable(session, storage));
    }

    /** A catalog of its own sees the table as it is now. */
    private TrinoCatalog catalog(ConnectorSession session)
    {
        return catalogFactory.create(session.getIdentity());
    }

    private static void commit(BaseTable table, PolicyChange change)
    {
        UpdateProperties update = table.updateProperties();
        change.set().forEach(update::set);
        change.removed().forEach(update::remove);
        try {
            update.commit();
        }
        catch (RuntimeException e) {
            throw new TrinoException(ICEBERG_COMMIT_ERROR, "Failed to set properties of maintenance: " + e.getMessage(), e);
        }
    }
}
