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
package org.lakesteward.systemtables;

import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slice;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.lakesteward.planner.health.TableName;

import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

/**
 * Which tables a statement asks for, as far as it names them: rows about others need not be made.
 *
 * @param catalogs names, empty when any will do; so with the others
 */
public record TableFilter(Optional<Set<String>> catalogs, Optional<Set<String>> schemas, Optional<Set<String>> tables)
{
    public static final TableFilter ALL = new TableFilter(Optional.empty(), Optional.empty(), Optional.empty());

    public TableFilter
    {
        catalogs = catalogs.map(ImmutableSet::copyOf);
        schemas = schemas.map(ImmutableSet::copyOf);
        tables = tables.map(ImmutableSet::copyOf);
    }

    /**
     * @param constraint on columns by their place, of which the first three are the text columns catalog, schema and table
     */
    public static TableFilter of(TupleDomain<Integer> constraint)
    {
        return new TableFilter(names(constraint, 0), names(constraint, 1), names(constraint, 2));
    }

    private static Optional<Set<String>> names(TupleDomain<Integer> constraint, int column)
    {
        if (constraint.isNone()) {
            return Optional.of(ImmutableSet.of());
        }
        Domain domain = constraint.getDomains().orElseThrow().get(column);
        if (domain == null) {
            return Optional.empty();
        }
        if (domain.getValues().isNone()) {
            // only null is asked for, which no name is; such a set of values does not count as discrete
            return Optional.of(ImmutableSet.of());
        }
        if (!domain.getValues().isDiscreteSet()) {
            return Optional.empty();
        }
        return Optional.of(domain.getValues().getDiscreteSet().stream()
                .map(value -> ((Slice) value).toStringUtf8())
                .collect(toImmutableSet()));
    }

    public boolean matches(TableName name)
    {
        return matches(catalogs, name.catalog()) && matches(schemas, name.schema()) && matches(tables, name.table());
    }

    private static boolean matches(Optional<Set<String>> names, String name)
    {
        return names.isEmpty() || names.get().contains(name);
    }
}
