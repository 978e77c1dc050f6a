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
package org.lakesteward.procedure.policy;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.TrinoException;
import org.lakesteward.planner.policy.PolicyEntry;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.trino.plugin.iceberg.IcebergTableProperties.EXTRA_PROPERTIES_PROPERTY;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;

/**
 * The properties that a statement sets, those of policies apart from those of the stock connector. Entries may also be given by the stock
 * property {@code extra_properties}, where they are checked like the others.
 *
 * @param set Iceberg properties to set
 * @param removed Iceberg properties to remove
 * @param stock SQL properties of the stock connector, without the entries among {@code extra_properties}
 */
record PolicyChange(Map<String, String> set, Set<String> removed, Map<String, Optional<Object>> stock)
{
    PolicyChange
    {
        set = ImmutableMap.copyOf(set);
        removed = ImmutableSet.copyOf(removed);
        stock = ImmutableMap.copyOf(stock);
    }

    /**
     * @param properties SQL properties with their values, empty for the default
     * @throws TrinoException INVALID_TABLE_PROPERTY when an entry among {@code extra_properties} is wrong, or is given twice
     */
    static PolicyChange of(PolicyProperties kind, Map<String, Optional<Object>> properties)
    {
        Map<String, String> set = new LinkedHashMap<>();
        ImmutableSet.Builder<String> removed = ImmutableSet.builder();
        Map<String, Optional<Object>> stock = new LinkedHashMap<>();
        properties.forEach((name, value) -> {
            Optional<PolicyEntry<?>> entry = kind.find(name);
            if (entry.isEmpty()) {
                stock.put(name, value);
            }
            else if (value.isPresent()) {
                set.put(entry.get().name(), String.valueOf(value.get()));
            }
            else {
                removed.add(entry.get().name());
            }
        });
        Set<String> removedNames = removed.build();

        extraProperties(stock).ifPresent(extraProperties -> {
            Map<String, String> others = new HashMap<>();
            extraProperties.forEach((name, value) -> {
                if (!PolicyEntry.isReserved(name)) {
                    others.put(name, value);
                    return;
                }
                checkExtraProperty(kind, name, value);
                if (removedNames.contains(name) || set.put(name, value) != null) {
                    throw new TrinoException(INVALID_TABLE_PROPERTY, "%s is set twice: by a property and by extra_properties".formatted(name));
                }
            });
            if (others.isEmpty() && !extraProperties.isEmpty()) {
                stock.remove(EXTRA_PROPERTIES_PROPERTY);
            }
            else {
                stock.put(EXTRA_PROPERTIES_PROPERTY, Optional.of(others));
            }
        });
        return new PolicyChange(set, removedNames, stock);
    }

    private static void checkExtraProperty(PolicyProperties kind, String name, String value)
    {
        PolicyEntry<?> entry = PolicyEntry.find(name)
                .filter(kind::has)
                .orElseThrow(() -> new TrinoException(INVALID_TABLE_PROPERTY, "'%s' in extra_properties: there is no entry of that name in the maintenance policies of %s".formatted(name, kind.relations())));
        entry.check(value).ifPresent(problem -> {
            throw new TrinoException(INVALID_TABLE_PROPERTY, problem);
        });
    }

    boolean isEmpty()
    {
        return set.isEmpty() && removed.isEmpty();
    }

    /**
     * What the stock connector understands, with the entries to set among its {@code extra_properties}.
     */
    Map<String, Optional<Object>> stockWithSet()
    {
        // without a value, which is an error that the stock connector finds
        if (set.isEmpty() || stock.containsKey(EXTRA_PROPERTIES_PROPERTY) && extraProperties(stock).isEmpty()) {
            return stock;
        }
        Map<String, Optional<Object>> merged = new LinkedHashMap<>(stock);
        merged.put(EXTRA_PROPERTIES_PROPERTY, Optional.of(ImmutableMap.builder()
                .putAll(extraProperties(stock).orElseGet(ImmutableMap::of))
                .putAll(set)
                .buildOrThrow()));
        return merged;
    }

    @SuppressWarnings("unchecked")
    private static Optional<Map<String, String>> extraProperties(Map<String, Optional<Object>> properties)
    {
        return properties.getOrDefault(EXTRA_PROPERTIES_PROPERTY, Optional.empty())
                .map(value -> (Map<String, String>) value);
    }
}
