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

import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FieldDereference;
import io.trino.spi.expression.StandardFunctions;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.DateType;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Locale.ENGLISH;

/**
 * Tells whether an expression has one value for all times within one hour, day, month or year.
 * Then its value on a partition by that unit is known from any time in it, for instance {@code day_of_week(ts) = 1} on {@code day(ts)}.
 * Holds for times read in UTC, as the Iceberg connector reads {@code timestamp with time zone}.
 */
final class TimeUnitConstancy
{
    enum Unit
    {
        HOUR,
        DAY,
        MONTH,
        YEAR,
        /**/;

        boolean within(Unit other)
        {
            return compareTo(other) <= 0;
        }
    }

    /** Functions of one argument, and the largest unit within which their value does not change. */
    private static final Map<String, Unit> FUNCTIONS = ImmutableMap.<String, Unit>builder()
            .put("hour", Unit.HOUR)
            .put("date", Unit.DAY)
            .put("day", Unit.DAY)
            .put("day_of_month", Unit.DAY)
            .put("day_of_week", Unit.DAY)
            .put("dow", Unit.DAY)
            .put("day_of_year", Unit.DAY)
            .put("doy", Unit.DAY)
            .put("week", Unit.DAY)
            .put("week_of_year", Unit.DAY)
            .put("year_of_week", Unit.DAY)
            .put("yow", Unit.DAY)
            .put("last_day_of_month", Unit.MONTH)
            .put("month", Unit.MONTH)
            .put("quarter", Unit.MONTH)
            .put("year", Unit.YEAR)
            .buildOrThrow();

    private static final Map<String, Unit> TRUNCATIONS = ImmutableMap.<String, Unit>builder()
            .put("hour", Unit.HOUR)
            .put("day", Unit.DAY)
            .put("week", Unit.DAY)
            .put("month", Unit.MONTH)
            .put("quarter", Unit.MONTH)
            .put("year", Unit.YEAR)
            .buildOrThrow();

    private TimeUnitConstancy() {}

    /**
     * Whether {@code expression} has the same value for every value of {@code variable} within one {@code unit}, all other variables fixed.
     */
    static boolean isConstantWithin(ConnectorExpression expression, String variable, Unit unit)
    {
        return switch (expression) {
            case Constant _ -> true;
            case Variable other -> !other.getName().equals(variable);
            case FieldDereference dereference -> isConstantWithin(dereference.getTarget(), variable, unit);
            case Call call -> {
                Optional<Unit> constantWithin = argumentIsVariable(call, variable) ? functionUnit(call) : Optional.empty();
                yield constantWithin.map(unit::within)
                        .orElseGet(() -> call.getArguments().stream().allMatch(argument -> isConstantWithin(argument, variable, unit)));
            }
            default -> false;
        };
    }

    private static boolean argumentIsVariable(Call call, String variable)
    {
        List<ConnectorExpression> arguments = call.getArguments();
        return !arguments.isEmpty() && arguments.getLast() instanceof Variable argument && argument.getName().equals(variable);
    }

    private static Optional<Unit> functionUnit(Call call)
    {
        if (call.getFunctionName().getCatalogSchema().isPresent()) {
            // not Trino's own, whatever its name
            return Optional.empty();
        }
        String name = call.getFunctionName().getName().toLowerCase(ENGLISH);
        if (call.getFunctionName().equals(StandardFunctions.CAST_FUNCTION_NAME) && call.getType().equals(DateType.DATE)) {
            return Optional.of(Unit.DAY);
        }
        if (name.equals("date_trunc") && call.getArguments().size() == 2 && call.getArguments().getFirst() instanceof Constant constant && constant.getValue() instanceof Slice unit) {
            return Optional.ofNullable(TRUNCATIONS.get(unit.toStringUtf8().toLowerCase(ENGLISH)));
        }
        if (call.getArguments().size() == 1) {
            return Optional.ofNullable(FUNCTIONS.get(name));
        }
        return Optional.empty();
    }
}
