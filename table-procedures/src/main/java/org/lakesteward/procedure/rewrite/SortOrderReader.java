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
package org.lakesteward.procedure.rewrite;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.iceberg.SortFieldUtils;
import io.trino.plugin.iceberg.TrinoSortField;
import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.TrinoException;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.SortField;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.exceptions.ValidationException;
import org.lakesteward.planner.rewrite.InvalidRewriteArgument;
import org.lakesteward.planner.sort.ZOrder;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.regex.Pattern.DOTALL;
import static java.util.stream.Collectors.joining;

/**
 * Reads {@code sort_order}, in the notation of the table property {@code sorted_by}, or takes the table's own order. Thread-safe.
 */
final class SortOrderReader
{
    private static final String ARGUMENT = "sort_order";

    /** The notation that Iceberg's own procedure has. */
    private static final Pattern Z_ORDER = Pattern.compile("zorder\\s*\\((.*)\\)", CASE_INSENSITIVE | DOTALL);
    private static final Pattern COMMA_OUTSIDE_QUOTES = Pattern.compile(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");

    private final TypeManager typeManager;

    SortOrderReader(TypeManager typeManager)
    {
        this.typeManager = requireNonNull(typeManager, "typeManager is null");
    }

    /**
     * @param texts the elements of the argument, which may be null; empty when it was not given
     * @throws InvalidRewriteArgument when the argument is no order of the table, or is missing and the table has no order that Trino can write
     */
    SortRequest read(Optional<List<?>> texts, BaseTable table)
    {
        SortOrder order = texts.isPresent() ? parse(texts.get(), table) : tableOrder(table);
        boolean tableOrder = table.sortOrder().isSorted() && table.sortOrder().sameOrder(order);
        return new SortRequest(
                order.fields().stream().map(TrinoSortField::fromIceberg).collect(toImmutableList()),
                tableOrder ? table.sortOrder().orderId() : SortOrder.unsorted().orderId(),
                tableOrder,
                false,
                String.join(", ", SortFieldUtils.toSortFields(order)));
    }

    /**
     * The columns of an order that is written as {@code zorder(a, b)}; empty when it is another. No column can be meant by that,
     * since one of such a name has to be quoted.
     */
    static Optional<List<?>> zOrderColumns(List<?> texts)
    {
        if (texts.size() != 1 || texts.getFirst() == null) {
            return Optional.empty();
        }
        Matcher matcher = Z_ORDER.matcher(((String) texts.getFirst()).strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        if (matcher.group(1).isBlank()) {
            return Optional.of(ImmutableList.of());
        }
        return Optional.of(Arrays.stream(COMMA_OUTSIDE_QUOTES.split(matcher.group(1), -1)).map(String::strip).collect(toImmutableList()));
    }

    /**
     * @param texts names of columns without direction
     * @throws InvalidRewriteArgument when there are not two to six columns of the table that have an order
     */
    SortRequest readZOrder(Optional<List<?>> texts, BaseTable table)
    {
        String range = "%s to %s columns for strategy 'zorder'".formatted(ZOrder.LEAST_COLUMNS, ZOrder.MOST_COLUMNS);
        List<?> columns = texts.orElseThrow(() -> new InvalidRewriteArgument(ARGUMENT, "absent", range));
        if (columns.size() < ZOrder.LEAST_COLUMNS || columns.size() > ZOrder.MOST_COLUMNS) {
            throw new InvalidRewriteArgument(ARGUMENT, columns.isEmpty() ? "empty" : quote(columns), range);
        }
        for (Object column : columns) {
            if (column != null) {
                parseField((String) column, table);
                if (!isParsed(column + " ASC NULLS FIRST", table)) {
                    throw new InvalidRewriteArgument(ARGUMENT, "'" + column + "'", "a list of columns without ASC, DESC or NULLS for strategy 'zorder'");
                }
            }
        }
        SortOrder order = parse(columns, table);
        return new SortRequest(
                order.fields().stream().map(TrinoSortField::fromIceberg).collect(toImmutableList()),
                SortOrder.unsorted().orderId(),
                false,
                true,
                columns.stream().map(String.class::cast).collect(joining(", ", "zorder(", ")")));
    }

    private static boolean isParsed(String text, BaseTable table)
    {
        try {
            SortFieldUtils.parseSortFields(table.schema(), ImmutableList.of(text));
            return true;
        }
        catch (TrinoException | ValidationException e) {
            return false;
        }
    }

    private SortOrder tableOrder(BaseTable table)
    {
        SortOrder order = table.sortOrder();
        if (order.isUnsorted()) {
            throw new InvalidRewriteArgument(ARGUMENT, "absent", "given, because the table has no sort order of its own");
        }
        for (SortField field : order.fields()) {
            if (!field.transform().isIdentity()) {
                throw new InvalidRewriteArgument(ARGUMENT, "absent", "given, because the table's own sort order has the transform %s, which Trino cannot sort by".formatted(field.transform()));
            }
            if (table.schema().columns().stream().noneMatch(column -> column.fieldId() == field.sourceId())) {
                throw new InvalidRewriteArgument(ARGUMENT, "absent", "given, because the table's own sort order has the nested field %s, which Trino cannot sort by".formatted(order.schema().findColumnName(field.sourceId())));
            }
        }
        return order;
    }

    private SortOrder parse(List<?> texts, BaseTable table)
    {
        if (texts.isEmpty()) {
            throw new InvalidRewriteArgument(ARGUMENT, "empty", "a list of one column or more");
        }
        ImmutableList.Builder<String> fields = ImmutableList.builder();
        Set<Integer> columns = new HashSet<>();
        for (Object text : texts) {
            if (text == null) {
                throw new InvalidRewriteArgument(ARGUMENT, "null in one place", "a list of columns");
            }
            SortField field = parseField((String) text, table);
            if (!columns.add(field.sourceId())) {
                throw new InvalidRewriteArgument(ARGUMENT, quote(texts), "a list of different columns");
            }
            fields.add((String) text);
        }
        return SortFieldUtils.parseSortFields(table.schema(), fields.build());
    }

    private SortField parseField(String text, BaseTable table)
    {
        SortOrder order;
        try {
            order = SortFieldUtils.parseSortFields(table.schema(), ImmutableList.of(text));
        }
        catch (ValidationException e) {
            throw new InvalidRewriteArgument(ARGUMENT, "'" + text + "'", "a list of columns of the table");
        }
        catch (TrinoException e) {
            // Trino says which: the text, the column or, with a cause, the type
            if (e.getCause() != null) {
                throw new InvalidRewriteArgument(ARGUMENT, "'" + text + "'", "a list of columns that have an order");
            }
            if (e.getMessage().startsWith("Unable to parse")) {
                throw new InvalidRewriteArgument(ARGUMENT, "'" + text + "'", "a list of columns, each with ASC or DESC and with NULLS FIRST or NULLS LAST or without");
            }
            throw new InvalidRewriteArgument(ARGUMENT, "'" + text + "'", "a list of columns that are not nested in others");
        }
        SortField field = order.fields().getFirst();
        if (!TypeConverter.toTrinoType(table.schema().findType(field.sourceId()), typeManager).isOrderable()) {
            throw new InvalidRewriteArgument(ARGUMENT, "'" + text + "'", "a list of columns that have an order");
        }
        return field;
    }

    private static String quote(List<?> texts)
    {
        return texts.stream().map("'%s'"::formatted).collect(joining(", "));
    }
}
