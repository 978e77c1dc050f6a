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

import com.google.common.collect.ImmutableSet;
import org.lakesteward.planner.health.TableName;

import java.util.Collection;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;

/**
 * The operator's key: the catalogs and schemas in which maintenance may run by itself. Property {@code maintenance.grants}.
 *
 * @param patterns a table is granted when its schema matches one or more
 */
public record Grants(Set<SchemaPattern> patterns)
{
    /** Nothing is granted, which is the default. */
    public static final Grants NONE = new Grants(ImmutableSet.of());

    public Grants
    {
        patterns = ImmutableSet.copyOf(patterns);
    }

    /**
     * @param texts each {@code catalog}, for all of its schemas, or {@code catalog.schema}, with {@code *} for any number of characters.
     *         The first point ends the name of the catalog; further ones belong to the schema, as in the names of nested namespaces
     * @throws IllegalArgumentException when a part is empty
     */
    public static Grants parse(Collection<String> texts)
    {
        return new Grants(texts.stream()
                .map(SchemaPattern::parse)
                .collect(toImmutableSet()));
    }

    public boolean isGranted(TableName table)
    {
        return patterns.stream().anyMatch(pattern -> pattern.matches(table));
    }

    public record SchemaPattern(NameGlob catalog, NameGlob schema)
    {
        public SchemaPattern
        {
            requireNonNull(catalog, "catalog is null");
            requireNonNull(schema, "schema is null");
        }

        private static SchemaPattern parse(String text)
        {
            int point = text.indexOf('.');
            String catalog = point < 0 ? text : text.substring(0, point);
            String schema = point < 0 ? NameGlob.ANY.toString() : text.substring(point + 1);
            checkArgument(!catalog.isBlank() && !schema.isBlank(), "'%s' is no grant: it must be catalog or catalog.schema, with * for any number of characters", text);
            return new SchemaPattern(new NameGlob(catalog.strip()), new NameGlob(schema.strip()));
        }

        private boolean matches(TableName table)
        {
            return catalog.matches(table.catalog()) && schema.matches(table.schema());
        }

        @Override
        public String toString()
        {
            return catalog + "." + schema;
        }
    }
}
