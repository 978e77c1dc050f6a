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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/**
 * The lake's catalog and files in one folder: an Iceberg JDBC catalog in an embedded H2 database, and local files.
 */
final class LakeCatalog
{
    private final Path folder;

    LakeCatalog(Path folder)
    {
        this.folder = requireNonNull(folder, "folder is null").toAbsolutePath();
    }

    Path warehouse()
    {
        return folder.resolve("warehouse");
    }

    /**
     * AUTO_SERVER because two catalogs of one server open the file, each with the driver of its own class loader;
     * DATABASE_TO_UPPER because Iceberg looks for its tables by their lower-case names;
     * WRITE_DELAY because H2 otherwise writes half a second after a commit, which a killed server loses.
     */
    String jdbcUrl()
    {
        return "jdbc:h2:file:%s;AUTO_SERVER=TRUE;DATABASE_TO_UPPER=FALSE;WRITE_DELAY=0".formatted(folder.resolve("catalog").toAbsolutePath());
    }

    static Path jdbcDriver()
    {
        try {
            return Path.of(org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        }
        catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Creates what is missing.
     */
    void create()
    {
        try {
            Files.createDirectories(warehouse());
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot create the lake's folder " + warehouse(), e);
        }
        try (Connection connection = DriverManager.getConnection(jdbcUrl())) {
            IcebergCatalogTables.create(connection);
        }
        catch (SQLException e) {
            throw new ServerStartException("Cannot create the lake's catalog in %s: %s".formatted(folder, e.getMessage()), e);
        }
    }
}
