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
import com.google.common.collect.Maps;
import io.trino.plugin.base.filter.UtcConstraintExtractor;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractConjuncts;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractVariables;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The WHERE clause of a rewrite, as the engine hands it to a connector: a domain for each column, and what is not a domain as expressions.
 * It is not applied to rows; {@link PartitionFilter} decides it for whole files.
 *
 * @param columns the columns behind the variables of the expressions
 */
public record RewriteFilter(TupleDomain<IcebergColumnHandle> domains, List<ConnectorExpression> conjuncts, Map<String, IcebergColumnHandle> columns)
{
    public static final RewriteFilter ALL = new RewriteFilter(TupleDomain.all(), ImmutableList.of(), ImmutableMap.of());

    /** The engine adds the whole predicate once more under this name (io.trino.sql.planner.EngineExpressions). */
    private static final String ENGINE_EXPRESSION = "$engine_expression";

    public RewriteFilter
    {
        requireNonNull(domains, "domains is null");
        conjuncts = ImmutableList.copyOf(conjuncts);
        columns = ImmutableMap.copyOf(columns);
    }

    public static RewriteFilter of(Constraint constraint)
    {
        NestedVariables nested = new NestedVariables(constraint.getAssignments().entrySet().stream()
                .filter(entry -> entry.getValue() instanceof IcebergColumnHandle)
                .collect(toImmutableMap(Map.Entry::getKey, entry -> (IcebergColumnHandle) entry.getValue())));
        ConnectorExpression expression = nested.replace(constraint.getExpression());
        Map<String, ColumnHandle> assignments = ImmutableMap.<String, ColumnHandle>builder()
                .putAll(constraint.getAssignments())
                .putAll(nested.columns())
                .buildKeepingLast();
        UtcConstraintExtractor.ExtractionResult extracted = UtcConstraintExtractor.extractTupleDomain(new Constraint(constraint.getSummary(), expression, assignments));
        List<ConnectorExpression> conjuncts = extractConjuncts(extracted.remainingExpression()).stream()
                .filter(conjunct -> !Constant.TRUE.equals(conjunct))
                .filter(conjunct -> !isEngineExpression(conjunct))
                .collect(toImmutableList());
        Set<String> variables = conjuncts.stream()
                .flatMap(conjunct -> extractVariables(conjunct).stream())
                .map(Variable::getName)
                .collect(toImmutableSet());
        return new RewriteFilter(
                extracted.tupleDomain().transformKeys(IcebergColumnHandle.class::cast),
                conjuncts,
                // no others, so that filters are equal that say the same
                Maps.filterKeys(nested.columns(), variables::contains));
    }

    /**
     * The columns of a predicate that the engine hands over only in a form of its own, to prune by and not to enforce.
     * When nothing else is new in the constraint, the engine keeps a part of the predicate to itself.
     */
    public static Optional<String> columnsOfEngineExpression(Constraint constraint)
    {
        return extractConjuncts(constraint.getExpression()).stream()
                .filter(RewriteFilter::isEngineExpression)
                .findFirst()
                .map(expression -> extractVariables(expression).stream()
                        .map(variable -> constraint.getAssignments().get(variable.getName()) instanceof IcebergColumnHandle column ? column.getQualifiedName() : variable.getName())
                        .distinct()
                        .sorted()
                        .collect(joining(", ")));
    }

    private static boolean isEngineExpression(ConnectorExpression expression)
    {
        return expression instanceof Call call && call.getFunctionName().getName().equals(ENGINE_EXPRESSION);
    }

    public boolean isAll()
    {
        return domains.isAll() && conjuncts.isEmpty();
    }

    public RewriteFilter and(RewriteFilter other)
    {
        return new RewriteFilter(
                domains.intersect(other.domains),
                Stream.concat(conjuncts.stream(), other.conjuncts.stream()).distinct().collect(toImmutableList()),
                ImmutableMap.<String, IcebergColumnHandle>builder().putAll(columns).putAll(other.columns).buildKeepingLast());
    }

    @Override
    public String toString()
    {
        return domains + (conjuncts.isEmpty() ? "" : " and " + conjuncts);
    }
}
