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
package org.lakesteward.systemtables.window;

import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.SystemTable;
import io.trino.spi.type.TypeManager;
import org.lakesteward.systemtables.ColumnTypes;

/**
 * The tables about maintenance windows. Each scan reads the store once, so that a row never contradicts another one of its table.
 */
public final class WindowTables
{
    public static final String SCHEMA = "system";

    /** The table whose write rights decide who may open and end windows. */
    public static final SchemaTableName WINDOWS = new SchemaTableName(SCHEMA, "maintenance_windows");

    private WindowTables() {}

    public static SystemTable maintenanceWindows(TypeManager typeManager, WindowSource source)
    {
        return MaintenanceWindowRow.table(new ColumnTypes(typeManager), source);
    }

    public static SystemTable writesInFlight(TypeManager typeManager, WindowSource source)
    {
        return WriteInFlightRow.table(new ColumnTypes(typeManager), source);
    }

    public static SystemTable windowAcknowledgements(TypeManager typeManager, WindowSource source)
    {
        return AcknowledgementRow.table(new ColumnTypes(typeManager), source);
    }

    public static SystemTable coordinators(TypeManager typeManager, WindowSource source)
    {
        return CoordinatorRow.table(new ColumnTypes(typeManager), source);
    }
}
