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
package org.lakesteward.maintenance.window;

import com.google.inject.Inject;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.security.AccessDeniedException;
import org.lakesteward.systemtables.window.WindowTables;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Who may change windows. The engine itself asks for EXECUTE on the procedure, which many rules give to everyone; what Trino's own
 * administrative calls ask for, write access to system information, a connector cannot ask. So these are the rights to write the table
 * that shows the windows.
 */
public class WindowRights
{
    private final String table;

    @Inject
    public WindowRights(CatalogName catalogName)
    {
        requireNonNull(catalogName, "catalogName is null");
        this.table = catalogName + "." + WindowTables.WINDOWS;
    }

    void checkCanOpenOrChange(ConnectorAccessControl accessControl)
    {
        check("open or change a maintenance window", "INSERT", () -> accessControl.checkCanInsertIntoTable(null, WindowTables.WINDOWS, Optional.empty()));
    }

    void checkCanEnd(ConnectorAccessControl accessControl)
    {
        check("end a maintenance window", "DELETE", () -> accessControl.checkCanDeleteFromTable(null, WindowTables.WINDOWS, Optional.empty()));
    }

    void checkCanForget(ConnectorAccessControl accessControl)
    {
        check("forget a coordinator", "DELETE", () -> accessControl.checkCanDeleteFromTable(null, WindowTables.WINDOWS, Optional.empty()));
    }

    private void check(String action, String privilege, Runnable check)
    {
        try {
            check.run();
        }
        catch (AccessDeniedException e) {
            String why = e.getMessage().startsWith(AccessDeniedException.PREFIX) ? e.getMessage().substring(AccessDeniedException.PREFIX.length()) : e.getMessage();
            throw new AccessDeniedException("Cannot %s, which needs the privilege %s on %s: %s".formatted(action, privilege, table, why), e);
        }
    }
}
