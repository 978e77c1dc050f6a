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
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FieldDereference;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.StandardFunctions;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TinyintType;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import static java.util.stream.Collectors.joining;

/**
 * Writes a pushed-down expression so that a user recognizes it in a message. Not SQL to be run again.
 */
final class ExpressionText
{
    private static final Map<FunctionName, String> INFIX = ImmutableMap.<FunctionName, String>builder()
            .put(StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME, "=")
            .put(StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME, "<>")
            .put(StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME, "<")
            .put(StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, "<=")
            .put(StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME, ">")
            .put(StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, ">=")
            .put(StandardFunctions.AND_FUNCTION_NAME, "AND")
            .put(StandardFunctions.OR_FUNCTION_NAME, "OR")
            .put(StandardFunctions.ADD_FUNCTION_NAME, "+")
            .put(StandardFunctions.SUBTRACT_FUNCTION_NAME, "-")
            .put(StandardFunctions.MULTIPLY_FUNCTION_NAME, "*")
            .put(StandardFunctions.DIVIDE_FUNCTION_NAME, "/")
            .put(StandardFunctions.MODULO_FUNCTION_NAME, "%")
            .put(StandardFunctions.LIKE_FUNCTION_NAME, "LIKE")
            .buildOrThrow();

    private ExpressionText() {}

    static String render(ConnectorExpression expression, Map<String, IcebergColumnHandle> columns)
    {
        return switch (expression) {
            case Variable variable -> columns.containsKey(variable.getName()) ? columns.get(variable.getName()).getQualifiedName() : variable.getName();
            case Constant constant -> renderConstant(constant);
            case FieldDereference dereference -> render(dereference.getTarget(), columns) + "[" + dereference.getField() + "]";
            case Call call -> renderCall(call, columns);
            default -> expression.toString();
        };
    }

    private static String renderCall(Call call, Map<String, IcebergColumnHandle> columns)
    {
        List<String> arguments = call.getArguments().stream()
                .map(argument -> render(argument, columns))
                .toList();
        String infix = INFIX.get(call.getFunctionName());
        if (infix != null && arguments.size() >= 2) {
            return arguments.stream().collect(joining(" " + infix + " ", "(", ")"));
        }
        if (call.getFunctionName().equals(StandardFunctions.CAST_FUNCTION_NAME)) {
            return "CAST(%s AS %s)".formatted(arguments.getFirst(), call.getType().getDisplayName());
        }
        String name = call.getFunctionName().getName();
        return (name.startsWith("$") ? name.substring(1) : name) + arguments.stream().collect(joining(", ", "(", ")"));
    }

    private static String renderConstant(Constant constant)
    {
        Object value = constant.getValue();
        if (value == null) {
            return "NULL";
        }
        if (value instanceof Slice slice) {
            return "'" + slice.toStringUtf8() + "'";
        }
        return switch (constant.getType()) {
            case BigintType _, IntegerType _, SmallintType _, TinyintType _, BooleanType _, DoubleType _ -> value.toString();
            case DateType _ -> "DATE '%s'".formatted(LocalDate.ofEpochDay((long) value));
            default -> constant.getType().getDisplayName() + " " + value;
        };
    }
}
