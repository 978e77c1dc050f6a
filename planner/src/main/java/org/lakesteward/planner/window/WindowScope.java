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
package org.lakesteward.planner.window;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.planner.window.InvalidWindowException.Reason.INVALID_ARGUMENT;

/**
 * A part of the lake: everything, a catalog, a schema or a table. A window has one as its scope, a check has one as its target.
 * Names are lower-case, as Trino's own names in access control checks are. The parts that are missing are null inside,
 * because one of these is made for every check of a write.
 */
public final class WindowScope
{
    /** What users write for the whole cluster. */
    public static final String CLUSTER_WORD = "cluster";

    /** So much of a wrong text is repeated, in characters. */
    private static final int SHOWN_LENGTH = 200;

    private static final WindowScope CLUSTER = new WindowScope(null, null, null);

    private final String catalog;
    private final String schema;
    private final String table;

    private WindowScope(String catalog, String schema, String table)
    {
        this.catalog = catalog;
        this.schema = schema;
        this.table = table;
    }

    public static WindowScope cluster()
    {
        return CLUSTER;
    }

    public static WindowScope catalog(String catalog)
    {
        return new WindowScope(name(catalog, "catalog"), null, null);
    }

    public static WindowScope schema(String catalog, String schema)
    {
        return new WindowScope(name(catalog, "catalog"), name(schema, "schema"), null);
    }

    public static WindowScope table(String catalog, String schema, String table)
    {
        return new WindowScope(name(catalog, "catalog"), name(schema, "schema"), name(table, "table"));
    }

    private static String name(String name, String what)
    {
        requireNonNull(name, what);
        checkArgument(!name.isEmpty(), "%s is empty", what);
        return name.toLowerCase(Locale.ENGLISH);
    }

    /**
     * Reads {@code cluster}, {@code catalog}, {@code catalog.schema} or {@code catalog.schema.table}; a name that is no plain
     * identifier, and a catalog called {@code cluster}, stand in double quotes, with a double quote inside doubled.
     *
     * @throws InvalidWindowException with {@link InvalidWindowException.Reason#INVALID_ARGUMENT} when the text is none of these
     */
    public static WindowScope parse(String text)
    {
        requireNonNull(text, "text is null");
        if (text.equalsIgnoreCase(CLUSTER_WORD)) {
            return CLUSTER;
        }
        List<String> names = split(text);
        return switch (names.size()) {
            case 1 -> catalog(names.get(0));
            case 2 -> schema(names.get(0), names.get(1));
            case 3 -> table(names.get(0), names.get(1), names.get(2));
            default -> throw invalid(text);
        };
    }

    private static List<String> split(String text)
    {
        List<String> names = new ArrayList<>();
        int position = 0;
        while (true) {
            StringBuilder name = new StringBuilder();
            if (position < text.length() && text.charAt(position) == '"') {
                position = quoted(text, position + 1, name);
            }
            else {
                while (position < text.length() && isPlain(text.charAt(position))) {
                    name.append(text.charAt(position++));
                }
            }
            if (name.isEmpty()) {
                throw invalid(text);
            }
            names.add(name.toString());
            if (position == text.length()) {
                return names;
            }
            if (text.charAt(position) != '.') {
                throw invalid(text);
            }
            position++;
        }
    }

    private static int quoted(String text, int start, StringBuilder name)
    {
        int position = start;
        while (position < text.length()) {
            char character = text.charAt(position++);
            if (character != '"') {
                name.append(character);
            }
            else if (position < text.length() && text.charAt(position) == '"') {
                name.append('"');
                position++;
            }
            else {
                return position;
            }
        }
        throw invalid(text);
    }

    private static boolean isPlain(char character)
    {
        return character == '_' || Character.isLetterOrDigit(character);
    }

    private static InvalidWindowException invalid(String text)
    {
        return new InvalidWindowException(
                INVALID_ARGUMENT,
                "scope is '%s', it must be cluster, catalog, catalog.schema or catalog.schema.table, with names that are no plain identifiers in double quotes".formatted(OneLine.of(text, SHOWN_LENGTH)));
    }

    public Optional<String> catalog()
    {
        return Optional.ofNullable(catalog);
    }

    public Optional<String> schema()
    {
        return Optional.ofNullable(schema);
    }

    public Optional<String> table()
    {
        return Optional.ofNullable(table);
    }

    /**
     * Whether the two have a table in common: one of them lies in the other. So dropping a schema is judged by a window on one
     * of its tables, and a procedure of a catalog, which may touch any table, by any window in the catalog.
     */
    public boolean intersects(WindowScope other)
    {
        return agree(catalog, other.catalog) && agree(schema, other.schema) && agree(table, other.table);
    }

    private static boolean agree(String one, String other)
    {
        return one == null || other == null || one.equals(other);
    }

    @Override
    public boolean equals(Object object)
    {
        return object instanceof WindowScope other && catalog().equals(other.catalog()) && schema().equals(other.schema()) && table().equals(other.table());
    }

    @Override
    public int hashCode()
    {
        return catalog == null ? 0 : 31 * (31 * catalog.hashCode() + (schema == null ? 0 : schema.hashCode())) + (table == null ? 0 : table.hashCode());
    }

    /** The canonical text: {@link #parse} of it gives an equal scope, and equal scopes have equal texts. */
    @Override
    public String toString()
    {
        if (catalog == null) {
            return CLUSTER_WORD;
        }
        StringBuilder text = new StringBuilder();
        append(text, catalog);
        if (schema != null) {
            append(text.append('.'), schema);
            if (table != null) {
                append(text.append('.'), table);
            }
        }
        return text.toString();
    }

    private void append(StringBuilder text, String name)
    {
        boolean plain = name.chars().allMatch(character -> isPlain((char) character));
        boolean isWord = schema == null && name.equals(CLUSTER_WORD);
        if (plain && !isWord) {
            text.append(name);
        }
        else {
            text.append('"').append(name.replace("\"", "\"\"")).append('"');
        }
    }
}
