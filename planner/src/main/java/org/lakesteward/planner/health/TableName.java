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
package org.lakesteward.planner.health;

import com.google.common.collect.ImmutableSet;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The full name of a table, as parts without quotes.
 *
 * @param catalog catalog name, not empty
 * @param schema schema name, not empty
 * @param table table name, not empty
 */
public record TableName(String catalog, String schema, String table)
{
    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_]*");

    // The words that io.trino.sql.ReservedIdentifiers of Trino 483 does not accept as a bare identifier
    private static final Set<String> RESERVED = ImmutableSet.of(
            "alter", "and", "as", "auto", "between", "by", "case", "cast", "constraint", "create", "cross", "cube",
            "current_catalog", "current_date", "current_path", "current_role", "current_schema", "current_time", "current_timestamp", "current_user",
            "deallocate", "delete", "describe", "distinct", "drop", "else", "end", "escape", "except", "exists", "extract",
            "false", "for", "from", "full", "group", "grouping", "having", "in", "inner", "insert", "intersect", "into", "is",
            "join", "json_array", "json_exists", "json_object", "json_query", "json_table", "json_value",
            "left", "like", "listagg", "localtime", "localtimestamp", "natural", "normalize", "not", "null", "on", "or", "order", "outer", "overlaps",
            "prepare", "recursive", "right", "rollup", "select", "skip", "table", "then", "trim", "true",
            "uescape", "union", "unnest", "using", "values", "when", "where", "with");

    public TableName
    {
        checkPart("catalog", catalog);
        checkPart("schema", schema);
        checkPart("table", table);
    }

    /**
     * The name as it stands in an SQL statement. Identifiers that mean the same with and without quotes stay bare;
     * all others are put in double quotes, with a quote inside doubled.
     */
    public String toSql()
    {
        return quoteIfNeeded(catalog) + "." + quoteIfNeeded(schema) + "." + quoteIfNeeded(table);
    }

    /**
     * @return the words, in lower case, that {@link #toSql()} quotes because Trino reserves them
     */
    public static Set<String> reservedWords()
    {
        return RESERVED;
    }

    @Override
    public String toString()
    {
        return toSql();
    }

    private static String quoteIfNeeded(String identifier)
    {
        if (PLAIN.matcher(identifier).matches() && !RESERVED.contains(identifier.toLowerCase(Locale.ROOT))) {
            return identifier;
        }
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private static void checkPart(String name, String value)
    {
        requireNonNull(value, name + " is null");
        checkArgument(!value.isEmpty(), "%s is empty: a full table name has a catalog, a schema and a table", name);
    }
}
