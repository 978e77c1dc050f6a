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

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import io.trino.spi.session.PropertyMetadata;
import org.lakesteward.planner.policy.PolicyEntry;
import org.lakesteward.planner.policy.PolicyType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.doubleProperty;
import static io.trino.spi.session.PropertyMetadata.integerProperty;
import static io.trino.spi.session.PropertyMetadata.stringProperty;

/**
 * The entries of a policy as SQL properties of one kind of relation. The property {@code maintenance_rewrite_min_input_files} stands for the
 * entry {@code maintenance.rewrite.min-input-files}, which is stored as the Iceberg table property of that name: Trino allows no points in
 * names of properties.
 * <p>
 * No property has a default, since what is not set on the table is for the operator to say.
 */
public enum PolicyProperties
{
    /** Without what only a view can have. */
    TABLE("tables", PolicyEntry.all().stream()
            .filter(entry -> entry != PolicyEntry.REFRESH_SCHEDULE)
            .collect(toImmutableSet())),
    /** About the storage of the view, which is an Iceberg table. Without what would delete rows: the view's query says which there are. */
    MATERIALIZED_VIEW("materialized views", PolicyEntry.all().stream()
            .filter(entry -> entry != PolicyEntry.RETENTION_COLUMN && entry != PolicyEntry.RETENTION_MAX_AGE && entry != PolicyEntry.RETENTION_ALLOW_ROW_DELETES)
            .collect(toImmutableSet())),
    /**/;

    private static final String ALLOWED_EXTRA_PROPERTIES = "iceberg.allowed-extra-properties";

    private final String relations;
    private final Set<PolicyEntry<?>> entries;
    private final Map<String, PolicyEntry<?>> entriesByProperty;
    private final List<PropertyMetadata<?>> properties;

    PolicyProperties(String relations, Set<PolicyEntry<?>> entries)
    {
        this.relations = relations;
        this.entries = entries;
        this.entriesByProperty = entries.stream().collect(toImmutableMap(PolicyProperties::propertyName, entry -> entry));
        this.properties = entries.stream()
                .<PropertyMetadata<?>>map(PolicyProperties::property)
                .collect(toImmutableList());
    }

    /** Name of the SQL property, in Trino's manner of writing. */
    public static String propertyName(PolicyEntry<?> entry)
    {
        return entry.name().replace('.', '_').replace('-', '_');
    }

    /** In the plural. */
    String relations()
    {
        return relations;
    }

    boolean has(PolicyEntry<?> entry)
    {
        return entries.contains(entry);
    }

    /**
     * @param property name of an SQL property
     */
    Optional<PolicyEntry<?>> find(String property)
    {
        return Optional.ofNullable(entriesByProperty.get(property));
    }

    /**
     * @param stock the stock connector's properties, which come first and unchanged
     */
    public List<PropertyMetadata<?>> with(List<PropertyMetadata<?>> stock)
    {
        return ImmutableList.<PropertyMetadata<?>>builder()
                .addAll(stock)
                .addAll(properties)
                .build();
    }

    /**
     * SQL properties with their values, as far as what stands in the table is valid. What is not, another engine or an older version wrote; no
     * statement could set it, and it must not keep anybody from looking at the table.
     *
     * @param icebergProperties of the table, or of the storage of a view
     */
    Map<String, Object> values(Map<String, String> icebergProperties)
    {
        ImmutableMap.Builder<String, Object> values = ImmutableMap.builder();
        for (PolicyEntry<?> entry : entries) {
            Optional.ofNullable(icebergProperties.get(entry.name()))
                    .flatMap(text -> value(entry.type(), text))
                    .ifPresent(value -> values.put(propertyName(entry), value));
        }
        return values.buildOrThrow();
    }

    private static Optional<Object> value(PolicyType<?> type, String text)
    {
        Optional<?> value = type.parse(text);
        return switch (type) {
            case PolicyType.Flag _, PolicyType.Whole _, PolicyType.Share _ -> value.map(Object.class::cast);
            // these show as they were written
            case PolicyType.Size _, PolicyType.Age _, PolicyType.Choice<?> _, PolicyType.Column _, PolicyType.Schedule _ -> value.map(_ -> text);
        };
    }

    private static PropertyMetadata<?> property(PolicyEntry<?> entry)
    {
        String name = propertyName(entry);
        String description = "%s; %s%s".formatted(
                entry.description(),
                entry.type().range(),
                entry.defaultText().map(", %s if nobody sets it"::formatted).orElse(""));
        return switch (entry.type()) {
            case PolicyType.Flag _ -> booleanProperty(name, description, null, false);
            case PolicyType.Whole _ -> integerProperty(name, description, null, value -> check(entry, value), false);
            case PolicyType.Share _ -> doubleProperty(name, description, null, value -> check(entry, value), false);
            case PolicyType.Size _, PolicyType.Age _, PolicyType.Choice<?> _, PolicyType.Column _, PolicyType.Schedule _ -> stringProperty(name, description, null, value -> check(entry, value), false);
        };
    }

    /** The engine puts the name of the property and the value in front of the message. */
    private static void check(PolicyEntry<?> entry, Object value)
    {
        if (entry.type().parse(String.valueOf(value)).isEmpty()) {
            throw new IllegalArgumentException("it must be " + entry.type().range());
        }
    }

    /**
     * The stock connector stores a property that it does not know only if the operator allowed its name. Entries of policies always are.
     *
     * @param config of the catalog
     */
    public static Map<String, String> allow(Map<String, String> config)
    {
        Set<String> allowed = ImmutableSortedSet.copyOf(Splitter.on(',').trimResults().omitEmptyStrings().split(config.getOrDefault(ALLOWED_EXTRA_PROPERTIES, "")));
        if (allowed.equals(ImmutableSet.of("*"))) {
            return config;
        }
        return ImmutableMap.<String, String>builder()
                .putAll(config)
                .put(ALLOWED_EXTRA_PROPERTIES, Joiner.on(',').join(ImmutableSet.<String>builder()
                        .addAll(allowed)
                        .addAll(PolicyEntry.all().stream().map(PolicyEntry::name).iterator())
                        .build()))
                .buildKeepingLast();
    }
}
