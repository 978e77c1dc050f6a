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
package org.lakesteward.planner.policy;

import org.lakesteward.planner.health.TableName;

import java.util.Comparator;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;

/**
 * A pattern for tables: one for each part of their names.
 */
public record NamePattern(NameGlob catalog, NameGlob schema, NameGlob table)
{
    /**
     * The most specific pattern comes last. The table's part decides, then the schema's, then the catalog's, each by
     * {@link NameGlob#compareTo}: {@code *.*.orders} is more specific than {@code lake.sales.*}, and {@code lake.sales.*} more specific
     * than {@code lake.*.*}.
     */
    public static final Comparator<NamePattern> BY_SPECIFICITY = comparing(NamePattern::table)
            .thenComparing(NamePattern::schema)
            .thenComparing(NamePattern::catalog);

    public NamePattern
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
    }

    public static NamePattern of(String catalog, String schema, String table)
    {
        return new NamePattern(new NameGlob(catalog), new NameGlob(schema), new NameGlob(table));
    }

    public boolean matches(TableName name)
    {
        return catalog.matches(name.catalog()) && schema.matches(name.schema()) && table.matches(name.table());
    }

    /** Whether some table matches both. */
    public boolean intersects(NamePattern other)
    {
        return catalog.intersects(other.catalog) && schema.intersects(other.schema) && table.intersects(other.table);
    }

    @Override
    public String toString()
    {
        return catalog + "." + schema + "." + table;
    }
}
