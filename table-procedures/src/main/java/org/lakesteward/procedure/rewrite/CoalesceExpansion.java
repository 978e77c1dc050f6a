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
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.COALESCE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static io.trino.spi.type.BooleanType.BOOLEAN;

/**
 * States a condition without COALESCE, which the engine's evaluator for connectors leaves as it is (Trino 483, IrExpressionOptimizer.newPartialEvaluator):
 * {@code f(coalesce(a, b))} is {@code (a IS NOT NULL AND f(a)) OR (a IS NULL AND f(b))}.
 */
final class CoalesceExpansion
{
    /** Each one doubles the condition. */
    private static final int MOST_EXPANSIONS = 6;

    private CoalesceExpansion() {}

    static ConnectorExpression expand(ConnectorExpression condition)
    {
        return expand(condition, MOST_EXPANSIONS);
    }

    private static ConnectorExpression expand(ConnectorExpression condition, int expansions)
    {
        if (expansions == 0) {
            return condition;
        }
        if (condition instanceof Call call && (call.getFunctionName().equals(OR_FUNCTION_NAME) || call.getFunctionName().equals(AND_FUNCTION_NAME))) {
            return withArguments(call, call.getArguments().stream().map(argument -> expand(argument, expansions)).collect(toImmutableList()));
        }
        Optional<Call> found = find(condition);
        if (found.isEmpty()) {
            return condition;
        }
        Call coalesce = found.get();
        ConnectorExpression first = coalesce.getArguments().getFirst();
        List<ConnectorExpression> others = coalesce.getArguments().subList(1, coalesce.getArguments().size());
        ConnectorExpression rest = others.size() == 1 ? others.getFirst() : withArguments(coalesce, others);
        ConnectorExpression isNull = new Call(BOOLEAN, IS_NULL_FUNCTION_NAME, ImmutableList.of(first));
        return new Call(BOOLEAN, OR_FUNCTION_NAME, ImmutableList.of(
                new Call(BOOLEAN, AND_FUNCTION_NAME, ImmutableList.of(
                        new Call(BOOLEAN, NOT_FUNCTION_NAME, ImmutableList.of(isNull)),
                        expand(replace(condition, coalesce, first), expansions - 1))),
                new Call(BOOLEAN, AND_FUNCTION_NAME, ImmutableList.of(
                        isNull,
                        expand(replace(condition, coalesce, rest), expansions - 1)))));
    }

    private static Optional<Call> find(ConnectorExpression expression)
    {
        if (!(expression instanceof Call call)) {
            return Optional.empty();
        }
        if (call.getFunctionName().equals(COALESCE_FUNCTION_NAME) && call.getArguments().size() >= 2) {
            return Optional.of(call);
        }
        return call.getArguments().stream()
                .flatMap(argument -> find(argument).stream())
                .findFirst();
    }

    private static ConnectorExpression replace(ConnectorExpression expression, Call coalesce, ConnectorExpression replacement)
    {
        if (expression.equals(coalesce)) {
            return replacement;
        }
        if (expression instanceof Call call) {
            return withArguments(call, call.getArguments().stream().map(argument -> replace(argument, coalesce, replacement)).collect(toImmutableList()));
        }
        return expression;
    }

    private static Call withArguments(Call call, List<ConnectorExpression> arguments)
    {
        return new Call(call.getType(), call.getFunctionName(), arguments);
    }
}
