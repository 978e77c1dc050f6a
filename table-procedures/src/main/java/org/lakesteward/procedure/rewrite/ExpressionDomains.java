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
import io.trino.plugin.base.filter.UtcConstraintExtractor;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static io.trino.plugin.base.expression.ConnectorExpressions.extractVariables;
import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;

/**
 * Reads the conditions within an OR, which the engine hands over as an expression, as the domains that they would be on their own.
 */
final class ExpressionDomains
{
    private static final Map<FunctionName, FunctionName> FLIPPED = ImmutableMap.of(
            EQUAL_OPERATOR_FUNCTION_NAME, EQUAL_OPERATOR_FUNCTION_NAME,
            NOT_EQUAL_OPERATOR_FUNCTION_NAME, NOT_EQUAL_OPERATOR_FUNCTION_NAME,
            LESS_THAN_OPERATOR_FUNCTION_NAME, GREATER_THAN_OPERATOR_FUNCTION_NAME,
            LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME,
            GREATER_THAN_OPERATOR_FUNCTION_NAME, LESS_THAN_OPERATOR_FUNCTION_NAME,
            GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME);

    private ExpressionDomains() {}

    /**
     * The domains of exactly the rows for which the expression is true; empty when it is not of that kind.
     */
    static Optional<TupleDomain<IcebergColumnHandle>> of(ConnectorExpression expression, Map<String, IcebergColumnHandle> columns)
    {
        return ownDomain(expression, columns).or(() -> timeDomain(expression, columns));
    }

    private static Optional<TupleDomain<IcebergColumnHandle>> ownDomain(ConnectorExpression expression, Map<String, IcebergColumnHandle> columns)
    {
        if (expression instanceof Variable) {
            return domain(expression, columns, type -> Domain.singleValue(type, true));
        }
        if (!(expression instanceof Call call)) {
            return Optional.empty();
        }
        FunctionName name = call.getFunctionName();
        List<ConnectorExpression> arguments = call.getArguments();
        if (name.equals(IS_NULL_FUNCTION_NAME)) {
            return domain(arguments.getFirst(), columns, Domain::onlyNull);
        }
        if (name.equals(NOT_FUNCTION_NAME) && arguments.getFirst() instanceof Variable) {
            return domain(arguments.getFirst(), columns, type -> Domain.singleValue(type, false));
        }
        if (name.equals(NOT_FUNCTION_NAME) && arguments.getFirst() instanceof Call negated && negated.getFunctionName().equals(IS_NULL_FUNCTION_NAME)) {
            return domain(negated.getArguments().getFirst(), columns, Domain::notNull);
        }
        if (name.equals(IN_PREDICATE_FUNCTION_NAME) && arguments.getLast() instanceof Call array && array.getFunctionName().equals(ARRAY_CONSTRUCTOR_FUNCTION_NAME)) {
            if (!array.getArguments().stream().allMatch(Constant.class::isInstance)) {
                return Optional.empty();
            }
            List<Object> values = array.getArguments().stream()
                    .map(value -> ((Constant) value).getValue())
                    // a null in the list makes nothing true
                    .filter(value -> value != null)
                    .toList();
            return domain(arguments.getFirst(), columns, type -> Domain.create(ValueSet.copyOf(type, values), false));
        }
        if (name.equals(BETWEEN_FUNCTION_NAME) && arguments.get(1) instanceof Constant low && arguments.get(2) instanceof Constant high) {
            return comparison(GREATER_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, arguments.getFirst(), low, columns)
                    .flatMap(least -> comparison(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME, arguments.getFirst(), high, columns)
                            .map(least::intersect));
        }
        if (FLIPPED.containsKey(name) && arguments.getLast() instanceof Constant constant) {
            return comparison(name, arguments.getFirst(), constant, columns);
        }
        if (FLIPPED.containsKey(name) && arguments.getFirst() instanceof Constant constant) {
            return comparison(FLIPPED.get(name), arguments.getLast(), constant, columns);
        }
        return Optional.empty();
    }

    private static Optional<TupleDomain<IcebergColumnHandle>> comparison(FunctionName operator, ConnectorExpression column, Constant constant, Map<String, IcebergColumnHandle> columns)
    {
        Object value = constant.getValue();
        Type type = column.getType();
        // NaN is in no range, but is unequal to everything
        if (!type.isOrderable() || !type.equals(constant.getType()) || type.equals(DOUBLE) || type.equals(REAL)) {
            return Optional.empty();
        }
        if (value == null) {
            return column instanceof Variable ? Optional.of(TupleDomain.none()) : Optional.empty();
        }
        Range range;
        if (operator.equals(EQUAL_OPERATOR_FUNCTION_NAME) || operator.equals(NOT_EQUAL_OPERATOR_FUNCTION_NAME)) {
            range = Range.equal(type, value);
        }
        else if (operator.equals(LESS_THAN_OPERATOR_FUNCTION_NAME)) {
            range = Range.lessThan(type, value);
        }
        else if (operator.equals(LESS_THAN_OR_EQUAL_OPERATOR_FUNCTION_NAME)) {
            range = Range.lessThanOrEqual(type, value);
        }
        else if (operator.equals(GREATER_THAN_OPERATOR_FUNCTION_NAME)) {
            range = Range.greaterThan(type, value);
        }
        else {
            range = Range.greaterThanOrEqual(type, value);
        }
        ValueSet values = ValueSet.ofRanges(range);
        return domain(column, columns, _ -> Domain.create(operator.equals(NOT_EQUAL_OPERATOR_FUNCTION_NAME) ? values.complement() : values, false));
    }

    private static Optional<TupleDomain<IcebergColumnHandle>> domain(ConnectorExpression expression, Map<String, IcebergColumnHandle> columns, Function<Type, Domain> domain)
    {
        return variable(expression, columns).map(column -> TupleDomain.withColumnDomains(ImmutableMap.of(column, domain.apply(expression.getType()))));
    }

    private static Optional<IcebergColumnHandle> variable(ConnectorExpression expression, Map<String, IcebergColumnHandle> columns)
    {
        return expression instanceof Variable variable ? Optional.ofNullable(columns.get(variable.getName())) : Optional.empty();
    }

    /** Functions of a timestamp with time zone, which only the connector knows to be in UTC. */
    private static Optional<TupleDomain<IcebergColumnHandle>> timeDomain(ConnectorExpression expression, Map<String, IcebergColumnHandle> columns)
    {
        if (!extractVariables(expression).stream().allMatch(variable -> columns.containsKey(variable.getName()))) {
            return Optional.empty();
        }
        UtcConstraintExtractor.ExtractionResult extracted = UtcConstraintExtractor.extractTupleDomain(new Constraint(TupleDomain.all(), expression, ImmutableMap.copyOf(columns)));
        if (!extracted.remainingExpression().equals(Constant.TRUE)) {
            return Optional.empty();
        }
        return Optional.of(extracted.tupleDomain().transformKeys(IcebergColumnHandle.class::cast));
    }

    /** A condition that a text column begins with some text. */
    record Prefix(IcebergColumnHandle column, String text) {}

    /**
     * The prefix that {@code column LIKE 'text%'} asks for; empty when the expression is not of that kind.
     */
    static Optional<Prefix> prefix(ConnectorExpression expression, Map<String, IcebergColumnHandle> columns)
    {
        if (expression instanceof Call call
                && call.getFunctionName().equals(LIKE_FUNCTION_NAME)
                && call.getArguments().size() == 2
                && call.getArguments().getFirst().getType() instanceof VarcharType
                && call.getArguments().getLast() instanceof Constant constant
                && constant.getValue() instanceof Slice pattern) {
            String text = pattern.toStringUtf8();
            if (text.length() > 1 && text.indexOf('_') < 0 && text.indexOf('%') == text.length() - 1) {
                return variable(call.getArguments().getFirst(), columns).map(column -> new Prefix(column, text.substring(0, text.length() - 1)));
            }
        }
        return Optional.empty();
    }
}
