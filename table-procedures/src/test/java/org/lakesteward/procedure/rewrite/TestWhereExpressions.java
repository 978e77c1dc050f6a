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
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slices;
import io.trino.plugin.iceberg.ColumnIdentity;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.connector.CatalogSchemaName;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.FieldDereference;
import io.trino.spi.expression.FunctionName;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import org.lakesteward.procedure.rewrite.TimeUnitConstancy.Unit;
import org.testng.annotations.Test;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

import static io.trino.plugin.iceberg.ColumnIdentity.TypeCategory.PRIMITIVE;
import static io.trino.plugin.iceberg.ColumnIdentity.TypeCategory.STRUCT;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.ARRAY_CONSTRUCTOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.BETWEEN_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.CAST_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.COALESCE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.GREATER_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IN_PREDICATE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.IS_NULL_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LESS_THAN_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_EQUAL_OPERATOR_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.NOT_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MICROS;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pure steps between a WHERE clause and the conditions on a file.
 */
public class TestWhereExpressions
{
    private static final IcebergColumnHandle NUMBER = column(1, "n", BIGINT);
    private static final IcebergColumnHandle TEXT = column(2, "s", VARCHAR);
    private static final IcebergColumnHandle FRACTION = column(3, "d", DOUBLE);
    private static final IcebergColumnHandle FLAG = column(4, "b", BOOLEAN);
    private static final Map<String, IcebergColumnHandle> COLUMNS = ImmutableMap.of("n", NUMBER, "s", TEXT, "d", FRACTION, "b", FLAG);
    private static final Variable N = new Variable("n", BIGINT);
    private static final Variable S = new Variable("s", VARCHAR);
    private static final Variable T = new Variable("t", TIMESTAMP_MICROS);

    @Test
    public void testComparisons()
    {
        Domain below = Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, 5L)), false);
        assertDomain(call(LESS_THAN_OPERATOR_FUNCTION_NAME, N, number(5)), NUMBER, below);
        assertDomain(call(GREATER_THAN_OPERATOR_FUNCTION_NAME, number(5), N), NUMBER, below);
        assertDomain(call(NOT_EQUAL_OPERATOR_FUNCTION_NAME, N, number(5)), NUMBER, Domain.create(ValueSet.of(BIGINT, 5L).complement(), false));
        assertDomain(call(BETWEEN_FUNCTION_NAME, N, number(1), number(3)), NUMBER, Domain.create(ValueSet.ofRanges(Range.range(BIGINT, 1L, true, 3L, true)), false));
        assertDomain(call(IS_NULL_FUNCTION_NAME, S), TEXT, Domain.onlyNull(VARCHAR));
        assertDomain(call(NOT_FUNCTION_NAME, call(IS_NULL_FUNCTION_NAME, S)), TEXT, Domain.notNull(VARCHAR));
        assertDomain(new Variable("b", BOOLEAN), FLAG, Domain.singleValue(BOOLEAN, true));
        assertDomain(call(NOT_FUNCTION_NAME, new Variable("b", BOOLEAN)), FLAG, Domain.singleValue(BOOLEAN, false));
    }

    @Test
    public void testNullsMakeNothingTrue()
    {
        assertThat(ExpressionDomains.of(call(EQUAL_OPERATOR_FUNCTION_NAME, N, new Constant(null, BIGINT)), COLUMNS)).contains(TupleDomain.none());
        ConnectorExpression list = new Call(new ArrayType(BIGINT), ARRAY_CONSTRUCTOR_FUNCTION_NAME, ImmutableList.of(number(1), new Constant(null, BIGINT), number(2)));
        assertDomain(call(IN_PREDICATE_FUNCTION_NAME, N, list), NUMBER, Domain.create(ValueSet.of(BIGINT, 1L, 2L), false));
    }

    @Test
    public void testWhatIsNoDomain()
    {
        // NaN lies in no range
        assertThat(ExpressionDomains.of(call(LESS_THAN_OPERATOR_FUNCTION_NAME, new Variable("d", DOUBLE), new Constant(1.0, DOUBLE)), COLUMNS)).isEmpty();
        assertThat(ExpressionDomains.of(call(EQUAL_OPERATOR_FUNCTION_NAME, N, N), COLUMNS)).isEmpty();
        assertThat(ExpressionDomains.of(call(EQUAL_OPERATOR_FUNCTION_NAME, new Call(BIGINT, new FunctionName("abs"), ImmutableList.of(N)), number(1)), COLUMNS)).isEmpty();
        assertThat(ExpressionDomains.of(call(EQUAL_OPERATOR_FUNCTION_NAME, new Variable("unknown", BIGINT), number(1)), COLUMNS)).isEmpty();
    }

    @Test
    public void testPrefix()
    {
        assertThat(prefix("ab%")).contains("ab");
        for (String pattern : new String[] {"%", "ab", "a_%", "a%b%", "%a", "a%%"}) {
            assertThat(prefix(pattern)).as(pattern).isEmpty();
        }
        // an escape character may hide anything
        assertThat(ExpressionDomains.prefix(call(LIKE_FUNCTION_NAME, S, text("ab%"), text("b")), COLUMNS)).isEmpty();
    }

    private static Optional<String> prefix(String pattern)
    {
        return ExpressionDomains.prefix(call(LIKE_FUNCTION_NAME, S, text(pattern)), COLUMNS).map(ExpressionDomains.Prefix::text);
    }

    @Test
    public void testCoalesce()
    {
        ConnectorExpression coalesce = new Call(BIGINT, COALESCE_FUNCTION_NAME, ImmutableList.of(N, number(7)));
        ConnectorExpression isNull = call(IS_NULL_FUNCTION_NAME, N);
        assertThat(CoalesceExpansion.expand(call(EQUAL_OPERATOR_FUNCTION_NAME, coalesce, number(5))))
                .isEqualTo(call(OR_FUNCTION_NAME,
                        call(AND_FUNCTION_NAME, call(NOT_FUNCTION_NAME, isNull), call(EQUAL_OPERATOR_FUNCTION_NAME, N, number(5))),
                        call(AND_FUNCTION_NAME, isNull, call(EQUAL_OPERATOR_FUNCTION_NAME, number(7), number(5)))));
        ConnectorExpression without = call(EQUAL_OPERATOR_FUNCTION_NAME, N, number(5));
        assertThat(CoalesceExpansion.expand(without)).isSameAs(without);
        // however many there are, the work is bounded
        ConnectorExpression many = coalesce;
        for (int i = 0; i < 40; i++) {
            many = new Call(BIGINT, COALESCE_FUNCTION_NAME, ImmutableList.of(new Variable("v" + i, BIGINT), many));
        }
        assertThat(CoalesceExpansion.expand(call(EQUAL_OPERATOR_FUNCTION_NAME, many, number(5))).toString()).hasSizeLessThan(2_000_000);
    }

    @Test
    public void testNestedFields()
    {
        RowType inner = RowType.rowType(RowType.field("y", VARCHAR));
        RowType outer = RowType.rowType(RowType.field("x", BIGINT), RowType.field("i", inner));
        ColumnIdentity identity = new ColumnIdentity(10, "r", STRUCT, ImmutableList.of(
                new ColumnIdentity(11, "x", PRIMITIVE, ImmutableList.of()),
                new ColumnIdentity(12, "i", STRUCT, ImmutableList.of(new ColumnIdentity(13, "y", PRIMITIVE, ImmutableList.of())))));
        IcebergColumnHandle row = IcebergColumnHandle.optional(identity).columnType(outer).build();
        NestedVariables nested = new NestedVariables(ImmutableMap.of("r", row));
        ConnectorExpression field = new FieldDereference(VARCHAR, new FieldDereference(inner, new Variable("r", outer), 1), 0);
        ConnectorExpression replaced = nested.replace(call(EQUAL_OPERATOR_FUNCTION_NAME, field, text("a")));
        assertThat(replaced).isEqualTo(call(EQUAL_OPERATOR_FUNCTION_NAME, new Variable("r.i.y#13", VARCHAR), text("a")));
        IcebergColumnHandle found = nested.columns().get("r.i.y#13");
        assertThat(found.getId()).isEqualTo(13);
        assertThat(found.getQualifiedName()).isEqualTo("r.i.y");
        assertThat(found.getType()).isEqualTo(VARCHAR);
    }

    @Test
    public void testTimeUnits()
    {
        ConnectorExpression year = function("year", T);
        assertThat(TimeUnitConstancy.isConstantWithin(call(EQUAL_OPERATOR_FUNCTION_NAME, year, number(2024)), "t", Unit.YEAR)).isTrue();
        assertThat(TimeUnitConstancy.isConstantWithin(year, "t", Unit.HOUR)).isTrue();
        assertThat(TimeUnitConstancy.isConstantWithin(function("hour", T), "t", Unit.HOUR)).isTrue();
        assertThat(TimeUnitConstancy.isConstantWithin(function("hour", T), "t", Unit.DAY)).isFalse();
        assertThat(TimeUnitConstancy.isConstantWithin(function("month", T), "t", Unit.YEAR)).isFalse();
        assertThat(TimeUnitConstancy.isConstantWithin(function("minute", T), "t", Unit.HOUR)).isFalse();
        assertThat(TimeUnitConstancy.isConstantWithin(function("week", T), "t", Unit.MONTH)).isFalse();
        assertThat(TimeUnitConstancy.isConstantWithin(new Call(DATE, CAST_FUNCTION_NAME, ImmutableList.of(T)), "t", Unit.DAY)).isTrue();
        assertThat(TimeUnitConstancy.isConstantWithin(new Call(VARCHAR, CAST_FUNCTION_NAME, ImmutableList.of(T)), "t", Unit.DAY)).isFalse();
        assertThat(TimeUnitConstancy.isConstantWithin(function("date_trunc", text("month"), T), "t", Unit.MONTH)).isTrue();
        assertThat(TimeUnitConstancy.isConstantWithin(function("date_trunc", text("month"), T), "t", Unit.YEAR)).isFalse();
        assertThat(TimeUnitConstancy.isConstantWithin(function("date_trunc", text("minute"), T), "t", Unit.HOUR)).isFalse();
        assertThat(TimeUnitConstancy.isConstantWithin(T, "t", Unit.HOUR)).isFalse();
        assertThat(TimeUnitConstancy.isConstantWithin(T, "other", Unit.HOUR)).isTrue();
        // the time is moved into another zone first
        assertThat(TimeUnitConstancy.isConstantWithin(function("hour", function("at_timezone", T, text("Asia/Kolkata"))), "t", Unit.HOUR)).isFalse();
        // somebody else's function of that name
        assertThat(TimeUnitConstancy.isConstantWithin(new Call(BIGINT, new FunctionName(Optional.of(new CatalogSchemaName("lake", "test")), "year"), ImmutableList.of(T)), "t", Unit.YEAR)).isFalse();
    }

    @Test
    public void testText()
    {
        assertThat(ExpressionText.render(call(EQUAL_OPERATOR_FUNCTION_NAME, function("year", N), number(2024)), COLUMNS)).isEqualTo("(year(n) = 2024)");
        assertThat(ExpressionText.render(call(EQUAL_OPERATOR_FUNCTION_NAME, new Variable("x", DATE), new Constant(19782L, DATE)), COLUMNS)).isEqualTo("(x = DATE '2024-02-29')");
        assertThat(ExpressionText.render(call(LIKE_FUNCTION_NAME, S, text("%a")), COLUMNS)).isEqualTo("(s LIKE '%a')");
        assertThat(ExpressionText.render(call(EQUAL_OPERATOR_FUNCTION_NAME, N, new Constant(null, BIGINT)), COLUMNS)).isEqualTo("(n = NULL)");
    }

    private static void assertDomain(ConnectorExpression expression, IcebergColumnHandle column, Domain domain)
    {
        assertThat(ExpressionDomains.of(expression, COLUMNS)).contains(TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)));
    }

    private static IcebergColumnHandle column(int id, String name, Type type)
    {
        return IcebergColumnHandle.optional(new ColumnIdentity(id, name, PRIMITIVE, ImmutableList.of())).columnType(type).build();
    }

    private static Call call(FunctionName name, ConnectorExpression... arguments)
    {
        return new Call(BOOLEAN, name, Arrays.asList(arguments));
    }

    private static Call function(String name, ConnectorExpression... arguments)
    {
        return new Call(BIGINT, new FunctionName(name), Arrays.asList(arguments));
    }

    private static Constant number(long value)
    {
        return new Constant(value, BIGINT);
    }

    private static Constant text(String value)
    {
        return new Constant(Slices.utf8Slice(value), VARCHAR);
    }
}
