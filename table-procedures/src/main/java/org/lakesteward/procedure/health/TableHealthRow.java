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

import io.trino.spi.connector.SchemaTableName;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A table of {@code system.table_health}.
 *
 * @param health empty when the table could not be read
 * @param error why the table could not be read; empty when it could
 */
record TableHealthRow(SchemaTableName table, Optional<TableHealth> health, Optional<String> error)
{
    TableHealthRow
    {
        requireNonNull(table, "table is null");
        requireNonNull(health, "health is null");
        requireNonNull(error, "error is null");
        checkArgument(health.isPresent() != error.isPresent(), "a table has either its health or an error");
    }
}
