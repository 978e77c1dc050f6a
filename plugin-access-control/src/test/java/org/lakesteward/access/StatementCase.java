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
package org.lakesteward.access;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One statement of {@code statements.txt}; the file says what the parts mean.
 */
record StatementCase(
        int line,
        boolean refused,
        String sql,
        List<String> before,
        List<String> after,
        Optional<String> fails,
        Optional<String> transaction,
        boolean inView,
        boolean directOnly)
{
    static List<StatementCase> readAll()
    {
        List<String> lines;
        try {
            lines = Resources.readLines(Resources.getResource(StatementCase.class, "statements.txt"), UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<StatementCase> cases = new ArrayList<>();
        for (int index = 0; index < lines.size(); index++) {
            String line = lines.get(index).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int colon = line.indexOf(": ");
            String key = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 2);
            if (key.equals("refused") || key.equals("open")) {
                cases.add(new StatementCase(index + 1, key.equals("refused"), value, ImmutableList.of(), ImmutableList.of(), Optional.empty(), Optional.empty(), false, false));
                continue;
            }
            cases.add(cases.removeLast().with(key, value, index + 1));
        }
        return ImmutableList.copyOf(cases);
    }

    private StatementCase with(String key, String value, int lineNumber)
    {
        return switch (key) {
            case "before" -> new StatementCase(line, refused, sql, append(before, value), after, fails, transaction, inView, directOnly);
            case "after" -> new StatementCase(line, refused, sql, before, append(after, value), fails, transaction, inView, directOnly);
            case "fails" -> new StatementCase(line, refused, sql, before, after, Optional.of(value), transaction, inView, directOnly);
            case "transaction" -> new StatementCase(line, refused, sql, before, after, fails, Optional.of(value), inView, directOnly);
            case "in view" -> new StatementCase(line, refused, sql, before, after, fails, transaction, true, directOnly);
            case "direct" -> new StatementCase(line, refused, sql, before, after, fails, transaction, inView, true);
            default -> throw new IllegalArgumentException("statements.txt line %s: unknown '%s'".formatted(lineNumber, key));
        };
    }

    private static List<String> append(List<String> list, String value)
    {
        return ImmutableList.<String>builder().addAll(list).add(value).build();
    }

    @Override
    public String toString()
    {
        return "line " + line + " " + (refused ? "refused: " : "open: ") + sql;
    }
}
