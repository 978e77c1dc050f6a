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

import com.google.common.base.Strings;
import com.google.common.io.BaseEncoding;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import static java.lang.Math.max;

/**
 * Lays out a result for a terminal: as a table, or field by field where a table would be too wide.
 */
final class TextTable
{
    private static final int MAX_WIDTH = 130;
    private static final String INDENT = "  ";

    private TextTable() {}

    static String format(List<String> columns, List<List<Object>> rows)
    {
        if (rows.isEmpty()) {
            return INDENT + "(no rows)\n";
        }
        List<List<String>> cells = rows.stream()
                .map(row -> row.stream().map(TextTable::text).toList())
                .toList();
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < columns.size(); column++) {
            int width = columns.get(column).length();
            for (List<String> row : cells) {
                width = max(width, row.get(column).length());
            }
            widths.add(width);
        }
        int total = widths.stream().mapToInt(width -> width + INDENT.length()).sum();
        return total <= MAX_WIDTH ? table(columns, rows, cells, widths) : records(columns, cells);
    }

    private static String table(List<String> columns, List<List<Object>> rows, List<List<String>> cells, List<Integer> widths)
    {
        StringBuilder out = new StringBuilder();
        appendLine(out, columns, rows.getFirst(), widths);
        appendLine(out, widths.stream().map("-"::repeat).toList(), rows.getFirst(), widths);
        for (int row = 0; row < cells.size(); row++) {
            appendLine(out, cells.get(row), rows.get(row), widths);
        }
        return out.toString();
    }

    private static void appendLine(StringBuilder out, List<String> cells, List<Object> values, List<Integer> widths)
    {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            line.append(INDENT).append(values.get(column) instanceof Number ? Strings.padStart(cell, widths.get(column), ' ') : Strings.padEnd(cell, widths.get(column), ' '));
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    private static String records(List<String> columns, List<List<String>> cells)
    {
        int width = columns.stream().mapToInt(String::length).max().orElseThrow();
        return cells.stream()
                .map(row -> {
                    StringBuilder out = new StringBuilder();
                    for (int column = 0; column < columns.size(); column++) {
                        out.append(INDENT).append(Strings.padEnd(columns.get(column), width, ' ')).append(INDENT).append(row.get(column)).append('\n');
                    }
                    return out.toString();
                })
                .collect(Collectors.joining("\n"));
    }

    static String text(Object value)
    {
        return switch (value) {
            case null -> "";
            case byte[] bytes -> BaseEncoding.base16().lowerCase().encode(bytes);
            default -> value.toString();
        };
    }
}
