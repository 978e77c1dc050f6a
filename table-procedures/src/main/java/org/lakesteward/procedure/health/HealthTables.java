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
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

import static java.util.Objects.requireNonNull;

/**
 * Finds the tables that show health. Thread-safe.
 * <p>
 * They are found for each session, {@code system.table_health} too: the engine gives a table that a connector registers once for all
 * a session without the catalog's session properties, and without these no table can be loaded.
 */
public class HealthTables
{
    /**
     * The name of {@code system.table_health}.
     */
    public static final SchemaTableName LIST = TableHealthList.NAME;

    public static final List<ColumnMetadata> LIST_COLUMNS = TableHealthList.METADATA.getColumns();

    private final HealthReader reader;
    private final ExecutorService executor;
    private final int metadataReadThreads;

    @Inject
    public HealthTables(HealthReader reader, @ForHealth ExecutorService executor, HealthConfig config)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.metadataReadThreads = config.getMetadataReadThreads();
    }

    /**
     * Whether health is shown under this name, if what it is about exists.
     */
    public boolean isHealthTable(SchemaTableName name)
    {
        return name.equals(LIST) || HealthTable.isHealthTable(name);
    }

    /**
     * Whether {@link #LIST} belongs into a listing.
     *
     * @param schemaName the schema that is listed; empty for all of them
     */
    public static boolean isListedIn(Optional<String> schemaName)
    {
        return schemaName.isEmpty() || schemaName.get().equals(LIST.getSchemaName());
    }

    /**
     * @param stock decides whether a table exists, by the rules of the other metadata tables
     */
    public Optional<SystemTable> find(ConnectorMetadata stock, ConnectorSession session, SchemaTableName name)
    {
        if (name.equals(LIST)) {
            return Optional.of(new TableHealthList(reader, session, executor, metadataReadThreads));
        }
        return HealthTable.find(reader, stock, session, name);
    }
}
