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
package org.lakesteward.testing.server;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The tables of an Iceberg JDBC catalog, which Trino expects to exist: those of Iceberg's {@code JdbcCatalog}, schema version V1.
 */
final class IcebergCatalogTables
{
    private IcebergCatalogTables() {}

    /** Creates what is missing. */
    static void create(Connection connection)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    """
                    CREATE TABLE IF NOT EXISTS iceberg_tables (
                        catalog_name VARCHAR(255) NOT NULL,
                        table_namespace VARCHAR(255) NOT NULL,
                        table_name VARCHAR(255) NOT NULL,
                        metadata_location VARCHAR(1000),
                        previous_metadata_location VARCHAR(1000),
                        iceberg_type VARCHAR(5),
                        PRIMARY KEY (catalog_name, table_namespace, table_name))
                    """);
            statement.execute(
                    """
                    CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (
                        catalog_name VARCHAR(255) NOT NULL,
                        namespace VARCHAR(255) NOT NULL,
                        property_key VARCHAR(255) NOT NULL,
                        property_value VARCHAR(1000),
                        PRIMARY KEY (catalog_name, namespace, property_key))
                    """);
        }
    }
}
