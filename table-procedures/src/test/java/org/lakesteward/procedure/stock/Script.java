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
package org.lakesteward.procedure.stock;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * SQL statements from a file under {@code src/test/resources/stock}. A statement ends with a semicolon at the end of a line.
 * Comment lines in front of it say what to expect:
 * <ul>
 * <li>{@code -- fails: CODE}: it must be refused with this error code;
 * <li>{@code -- empty}: the query gives no row (every other query must give at least one);
 * <li>{@code -- session: name=value}: a session property of the catalog.
 * </ul>
 * {@link StockComparison} explains the placeholders in braces.
 */
record Script(String name, List<Statement> statements)
{
    record Statement(String sql, Optional<String> errorCode, boolean empty, Map<String, String> sessionProperties)
    {
        Statement
        {
            requireNonNull(sql, "sql is null");
            requireNonNull(errorCode, "errorCode is null");
            sessionProperties = ImmutableMap.copyOf(sessionProperties);
        }

        static Statement of(String sql)
        {
            return new Statement(sql, Optional.empty(), false, ImmutableMap.of());
        }

        boolean isQuery()
        {
            return sql.startsWith("SELECT") || sql.startsWith("TABLE ") || sql.startsWith("WITH ") || sql.startsWith("SHOW") || sql.startsWith("DESCRIBE") || sql.startsWith("EXPLAIN");
        }

        /** The result is one long text, whose type tells its length. */
        boolean isText()
        {
            return sql.startsWith("SHOW CREATE") || sql.startsWith("EXPLAIN");
        }

        boolean isOrdered()
        {
            return sql.contains("ORDER BY") || sql.startsWith("DESCRIBE") || isText();
        }
    }

    Script
    {
        requireNonNull(name, "name is null");
        statements = ImmutableList.copyOf(statements);
    }

    static Script load(String name)
    {
        try (InputStream file = Script.class.getResourceAsStream("/stock/" + name + ".sql")) {
            checkArgument(file != null, "There is no script %s", name);
            return new Script(name, parse(new String(file.readAllBytes(), UTF_8)));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Script with(String newName, Map<String, String> parameters)
    {
        return new Script(newName, statements.stream()
                .map(statement -> {
                    String sql = statement.sql();
                    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                        sql = sql.replace("{" + parameter.getKey() + "}", parameter.getValue());
                    }
                    return new Statement(sql, statement.errorCode(), statement.empty(), statement.sessionProperties());
                })
                .toList());
    }

    @Override
    public String toString()
    {
        // the name of the case in test reports
        return name;
    }

    private static List<Statement> parse(String text)
    {
        ImmutableList.Builder<Statement> statements = ImmutableList.builder();
        StringBuilder sql = new StringBuilder();
        Optional<String> errorCode = Optional.empty();
        boolean empty = false;
        ImmutableMap.Builder<String, String> session = ImmutableMap.builder();
        for (String line : text.lines().map(String::stripTrailing).toList()) {
            if (line.startsWith("-- fails: ")) {
                errorCode = Optional.of(line.substring("-- fails: ".length()));
            }
            else if (line.equals("-- empty")) {
                empty = true;
            }
            else if (line.startsWith("-- session: ")) {
                String[] property = line.substring("-- session: ".length()).split("=", 2);
                session.put(property[0], property[1]);
            }
            else if (!line.startsWith("--") && !line.isEmpty()) {
                sql.append(sql.isEmpty() ? "" : "\n").append(line);
                if (line.endsWith(";")) {
                    sql.setLength(sql.length() - 1);
                    statements.add(new Statement(sql.toString(), errorCode, empty, session.buildOrThrow()));
                    sql.setLength(0);
                    errorCode = Optional.empty();
                    empty = false;
                    session = ImmutableMap.builder();
                }
            }
        }
        checkArgument(sql.isEmpty(), "The last statement has no semicolon: %s", sql);
        return statements.build();
    }
}
