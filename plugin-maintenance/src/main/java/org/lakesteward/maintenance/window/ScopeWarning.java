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
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.MetadataProvider;
import org.lakesteward.planner.window.OneLine;
import org.lakesteward.planner.window.WindowScope;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Whether the scope of a window exists. A window on something that does not is accepted: it may be created yet, or by another
 * coordinator. Whether a schema exists cannot be asked, only whether its catalog does.
 */
public class ScopeWarning
{
    private final MetadataProvider metadataProvider;

    @Inject
    public ScopeWarning(MetadataProvider metadataProvider)
    {
        this.metadataProvider = requireNonNull(metadataProvider, "metadataProvider is null");
    }

    Optional<String> of(ConnectorSession session, WindowScope scope)
    {
        if (scope.catalog().isEmpty()) {
            return Optional.empty();
        }
        try {
            // every catalog has this table
            if (!exists(session, new CatalogSchemaTableName(scope.catalog().get(), "information_schema", "tables"))) {
                return Optional.of("this coordinator has no catalog %s; the window covers it as soon as there is one".formatted(WindowScope.catalog(scope.catalog().get())));
            }
            if (scope.table().isPresent() && !exists(session, new CatalogSchemaTableName(scope.catalog().get(), scope.schema().orElseThrow(), scope.table().get()))) {
                return Optional.of("no table or view %s exists; the window covers it as soon as there is one".formatted(scope));
            }
            return Optional.empty();
        }
        catch (RuntimeException e) {
            // the window must open even if the catalog is down
            return Optional.of("whether %s exists could not be found out: %s".formatted(scope, OneLine.of(String.valueOf(e.getMessage()), 500)));
        }
    }

    private boolean exists(ConnectorSession session, CatalogSchemaTableName name)
    {
        return metadataProvider.getRelationMetadata(session, name).isPresent();
    }
}
