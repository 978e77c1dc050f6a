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
package org.lakesteward.benchmarks;

import static java.util.Objects.requireNonNull;

/**
 * Who rewrites.
 */
enum Contender
{
    OURS("lake", "rewrite_data_files"),
    OPTIMIZE("stock", "optimize");

    private final String catalog;
    private final String procedure;

    Contender(String catalog, String procedure)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.procedure = requireNonNull(procedure, "procedure is null");
    }

    /** Both with their defaults */
    String statement(String schema, String table)
    {
        return "ALTER TABLE %s.%s.%s EXECUTE %s".formatted(catalog, schema, table, procedure);
    }

    String procedure()
    {
        return procedure;
    }
}
