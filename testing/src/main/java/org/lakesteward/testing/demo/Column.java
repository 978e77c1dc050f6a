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
package org.lakesteward.testing.demo;

import com.google.common.collect.ImmutableSet;

import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * A column of a table.
 *
 * @param name as the table has it, unquoted
 * @param type in Trino's notation, such as {@code decimal(12,2)}
 */
record Column(String name, String type)
{
    /** The reserved words of Trino's grammar, which are names only in quotes */
    private static final Set<String> RESERVED = ImmutableSet.of(
            "alter", "and", "as", "auto", "between", "by", "case", "cast", "constraint", "create", "cross", "cube",
            "current_catalog", "current_date", "current_path", "current_role", "current_schema", "current_time",
            "current_timestamp", "current_user", "deallocate", "delete", "describe", "distinct", "drop", "else", "end",
            "escape", "except", "execute", "exists", "extract", "false", "for", "from", "full", "group", "grouping",
            "having", "in", "inner", "insert", "intersect", "into", "is", "join", "json_array", "json_exists",
            "json_object", "json_query", "json_table", "json_value", "left", "like", "listagg", "localtime",
            "localtimestamp", "natural", "normalize", "not", "null", "on", "or", "order", "outer", "prepare", "recursive",
            "right", "rollup", "select", "skip", "table", "then", "trim", "true", "uescape", "union", "unnest", "using",
            "values", "when", "where", "with");

    Column
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
    }

    /** The name as it is written in SQL: in quotes only where it needs them */
    String sql()
    {
        if (name.matches("[a-z_][a-z0-9_]*") && !RESERVED.contains(name)) {
            return name;
        }
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    boolean isInteger()
    {
        return type.equals("integer") || type.equals("bigint");
    }

    boolean isText()
    {
        return type.startsWith("varchar");
    }

    boolean isDecimal()
    {
        return type.startsWith("decimal");
    }

    boolean isNumber()
    {
        return isInteger() || type.equals("double") || type.equals("real") || isDecimal();
    }

    /** Whether a day can be told from it */
    boolean isTime()
    {
        return type.equals("date") || type.startsWith("timestamp");
    }
}
