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
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.plugin.iceberg.ExpressionConverter;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorExpressionEvaluator.EvaluationResult;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.NullableValue;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.DateType;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.InclusiveMetricsEvaluator;
import org.apache.iceberg.expressions.Projections;
import org.apache.iceberg.expressions.StrictMetricsEvaluator;
import org.lakesteward.procedure.rewrite.FileVerdict.Partly;
import org.lakesteward.procedure.rewrite.TimeUnitConstancy.Unit;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.plugin.base.expression.ConnectorExpressions.extractVariables;
import static io.trino.plugin.iceberg.ExpressionConverter.isConvertibleToIcebergExpression;
import static io.trino.plugin.iceberg.IcebergMetadataColumn.isMetadataColumnId;
import static io.trino.plugin.iceberg.IcebergUtil.deserializePartitionValue;
import static io.trino.plugin.iceberg.IcebergUtil.getPartitionKeys;
import static io.trino.spi.expression.StandardFunctions.AND_FUNCTION_NAME;
import static io.trino.spi.expression.StandardFunctions.OR_FUNCTION_NAME;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static java.util.Objects.requireNonNull;

/**
 * Decides a WHERE clause for whole data files, by what table metadata proves:
 * the file's partition under the spec that the file was written with (inclusive and strict projections of the Iceberg specification),
 * its column bounds, and expressions evaluated on the values that are constant in the file.
 * It never guesses: a file that is neither wholly in nor wholly out is reported with the condition to blame.
 * <p>
 * Not thread-safe.
 */
final class PartitionFilter
{
    private final Schema schema;
    private final RewriteFilter filter;
    private final List<Condition> conditions;
    private final Set<Integer> columnIds;
    private final Map<Integer, SpecConditions> bySpec = new HashMap<>();

    PartitionFilter(Schema schema, RewriteFilter filter, ConnectorExpressionEvaluator evaluator, ConnectorSession session)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.filter = requireNonNull(filter, "filter is null");
        ImmutableList.Builder<Condition> conditions = ImmutableList.builder();
        conditions.addAll(conditions(filter.domains()));
        filter.conjuncts().forEach(conjunct -> conditions.add(condition(CoalesceExpansion.expand(conjunct), evaluator, session)));
        this.conditions = conditions.build();
        columnIds = this.conditions.stream()
                .flatMap(PartitionFilter::boundedColumns)
                .collect(toImmutableSet());
    }

    private static List<Condition> conditions(TupleDomain<IcebergColumnHandle> domains)
    {
        return domains.getDomains().orElse(ImmutableMap.of()).entrySet().stream()
                .map(entry -> (Condition) new DomainCondition(entry.getKey(), entry.getValue()))
                .toList();
    }

    private Condition condition(ConnectorExpression expression, ConnectorExpressionEvaluator evaluator, ConnectorSession session)
    {
        ExpressionCondition whole = new ExpressionCondition(expression, evaluator.prepare(session, expression));
        if (expression instanceof Call call && (call.getFunctionName().equals(OR_FUNCTION_NAME) || call.getFunctionName().equals(AND_FUNCTION_NAME))) {
            List<Condition> parts = call.getArguments().stream()
                    .map(part -> condition(part, evaluator, session))
                    .toList();
            return call.getFunctionName().equals(OR_FUNCTION_NAME) ? new AnyOf(whole, parts) : new AllOf(whole, parts);
        }
        Optional<Condition> prefix = ExpressionDomains.prefix(expression, filter.columns())
                .map(found -> new PrefixCondition(found.column(), found.text()));
        return prefix.or(() -> ExpressionDomains.of(expression, filter.columns())
                        .filter(domains -> !domains.isNone())
                        .map(domains -> new AllOf(whole, conditions(domains))))
                .orElse(whole);
    }

    private static Stream<Integer> boundedColumns(Condition condition)
    {
        return switch (condition) {
            case ColumnCondition column -> isMetadataColumnId(column.column().getId()) ? Stream.empty() : Stream.of(column.column().getId());
            case AllOf all -> all.parts().stream().flatMap(PartitionFilter::boundedColumns);
            case AnyOf any -> any.parts().stream().flatMap(PartitionFilter::boundedColumns);
            case ExpressionCondition _ -> Stream.empty();
        };
    }

    /** Field ids whose bounds help to decide. */
    Set<Integer> columnIds()
    {
        return columnIds;
    }

    /** What a scan may use to leave out files that are wholly out. */
    Expression scanFilter()
    {
        Expression result = Expressions.alwaysTrue();
        for (Map.Entry<IcebergColumnHandle, Domain> entry : filter.domains().getDomains().orElse(ImmutableMap.of()).entrySet()) {
            DomainCondition condition = new DomainCondition(entry.getKey(), entry.getValue());
            if (!isMetadataColumnId(condition.column().getId()) && condition.isConvertible()) {
                if (!condition.domain().isNullAllowed()) {
                    // said first, since Iceberg looks up a null partition value in a set of texts by an exception
                    result = Expressions.and(result, Expressions.notNull(condition.column().getQualifiedName()));
                }
                result = Expressions.and(result, condition.toIceberg());
            }
        }
        return filter.domains().isNone() ? Expressions.alwaysFalse() : result;
    }

    FileVerdict decide(DataFile file, PartitionSpec spec)
    {
        if (filter.domains().isNone()) {
            return FileVerdict.OUT;
        }
        SpecConditions evaluators = bySpec.computeIfAbsent(spec.specId(), _ -> new SpecConditions(spec));
        FileConstants constants = new FileConstants(file, spec);
        return decideAll(conditions, file, evaluators, constants);
    }

    private FileVerdict decideAll(List<Condition> conditions, DataFile file, SpecConditions evaluators, FileConstants constants)
    {
        FileVerdict result = FileVerdict.IN;
        for (Condition condition : conditions) {
            switch (decide(condition, file, evaluators, constants)) {
                case FileVerdict.WhollyOut _ -> {
                    return FileVerdict.OUT;
                }
                case FileVerdict.WhollyIn _ -> {}
                case Partly partly -> result = partly;
            }
        }
        return result;
    }

    private FileVerdict decideAny(List<Condition> conditions, Partly otherwise, DataFile file, SpecConditions evaluators, FileConstants constants)
    {
        FileVerdict result = FileVerdict.OUT;
        for (Condition condition : conditions) {
            switch (decide(condition, file, evaluators, constants)) {
                case FileVerdict.WhollyIn _ -> {
                    return FileVerdict.IN;
                }
                case FileVerdict.WhollyOut _ -> {}
                case Partly _ -> result = otherwise;
            }
        }
        return result;
    }

    private FileVerdict decide(Condition condition, DataFile file, SpecConditions evaluators, FileConstants constants)
    {
        return switch (condition) {
            case ColumnCondition column -> decide(column, file, evaluators, constants);
            case ExpressionCondition expression -> decide(expression, evaluators.spec, constants);
            case AllOf(ExpressionCondition whole, List<Condition> parts) -> switch (decide(whole, evaluators.spec, constants)) {
                case Partly _ -> decideAll(parts, file, evaluators, constants);
                case FileVerdict decided -> decided;
            };
            case AnyOf(ExpressionCondition whole, List<Condition> parts) -> switch (decide(whole, evaluators.spec, constants)) {
                case Partly partly -> decideAny(parts, partly, file, evaluators, constants);
                case FileVerdict decided -> decided;
            };
        };
    }

    private FileVerdict decide(ColumnCondition condition, DataFile file, SpecConditions evaluators, FileConstants constants)
    {
        IcebergColumnHandle column = condition.column();
        Optional<NullableValue> constant = constants.value(column);
        if (constant.isPresent()) {
            return verdict(condition.includes(constant.get()));
        }
        if (isMetadataColumnId(column.getId())) {
            return new Partly(condition.toString(), "table metadata does not hold column " + column.getName());
        }
        if (!condition.isConvertible()) {
            return new Partly(condition.toString(), "Iceberg cannot decide a condition on type " + column.getType().getDisplayName() + " unless the column itself is a partition column");
        }
        ColumnEvaluators evaluator = evaluators.get(condition);
        if (!evaluator.inclusivePartition().eval(file.partition()) || !evaluator.inclusiveMetrics().eval(file)) {
            return FileVerdict.OUT;
        }
        if (evaluator.strictPartition().eval(file.partition()) || evaluator.strictMetrics().eval(file)) {
            return FileVerdict.IN;
        }
        return new Partly(condition.toString(), "it does not follow the boundaries of the file's partition");
    }

    private FileVerdict decide(ExpressionCondition condition, PartitionSpec spec, FileConstants constants)
    {
        Map<String, NullableValue> bindings = new HashMap<>();
        extractVariables(condition.expression()).forEach(variable -> {
            IcebergColumnHandle column = filter.columns().get(variable.getName());
            if (column != null) {
                constants.value(column)
                        .or(() -> representative(condition.expression(), variable.getName(), column, spec, constants.file()))
                        .ifPresent(value -> bindings.put(variable.getName(), value));
            }
        });
        return switch (condition.prepared().tryEvaluate(bindings)) {
            case EvaluationResult.Value(Object value) -> verdict(Boolean.TRUE.equals(value));
            case EvaluationResult.NoResult _ -> new Partly(
                    ExpressionText.render(condition.expression(), filter.columns()),
                    "its value is not the same for all rows of the file's partition");
        };
    }

    private static FileVerdict verdict(boolean selected)
    {
        return selected ? FileVerdict.IN : FileVerdict.OUT;
    }

    /**
     * A value that stands for all values of the column in the file's partition, if the expression cannot tell them apart.
     */
    private static Optional<NullableValue> representative(ConnectorExpression expression, String variable, IcebergColumnHandle column, PartitionSpec spec, DataFile file)
    {
        for (int position = 0; position < spec.fields().size(); position++) {
            PartitionField field = spec.fields().get(position);
            Optional<Unit> unit = unit(field);
            if (field.sourceId() != column.getId() || unit.isEmpty()) {
                continue;
            }
            Integer value = file.partition().get(position, Integer.class);
            if (value == null) {
                return Optional.of(new NullableValue(column.getType(), null));
            }
            if (TimeUnitConstancy.isConstantWithin(expression, variable, unit.get())) {
                return nativeTime(column.getType(), start(unit.get(), value)).map(time -> new NullableValue(column.getType(), time));
            }
        }
        return Optional.empty();
    }

    private static Optional<Unit> unit(PartitionField field)
    {
        return switch (field.transform().toString()) {
            case "hour" -> Optional.of(Unit.HOUR);
            case "day" -> Optional.of(Unit.DAY);
            case "month" -> Optional.of(Unit.MONTH);
            case "year" -> Optional.of(Unit.YEAR);
            default -> Optional.empty();
        };
    }

    private static Instant start(Unit unit, int value)
    {
        LocalDate epoch = LocalDate.EPOCH;
        return switch (unit) {
            case HOUR -> Instant.ofEpochSecond(value * 3600L);
            case DAY -> epoch.plusDays(value).atStartOfDay().toInstant(ZoneOffset.UTC);
            case MONTH -> epoch.plusMonths(value).atStartOfDay().toInstant(ZoneOffset.UTC);
            case YEAR -> epoch.plusYears(value).atStartOfDay().toInstant(ZoneOffset.UTC);
        };
    }

    private static Optional<Object> nativeTime(Type type, Instant time)
    {
        return switch (type) {
            case DateType _ -> Optional.of(Math.floorDiv(time.getEpochSecond(), 86_400L));
            case TimestampType timestamp when timestamp.isShort() -> Optional.of(Math.multiplyExact(time.getEpochSecond(), 1_000_000L));
            case TimestampType _ -> Optional.of(new LongTimestamp(Math.multiplyExact(time.getEpochSecond(), 1_000_000L), 0));
            case TimestampWithTimeZoneType timestamp when !timestamp.isShort() -> Optional.of(LongTimestampWithTimeZone.fromEpochMillisAndFraction(time.toEpochMilli(), 0, UTC_KEY));
            default -> Optional.empty();
        };
    }

    private sealed interface Condition {}

    /** A condition on one column that Iceberg can decide by partition values and bounds. */
    private sealed interface ColumnCondition
            extends Condition
    {
        IcebergColumnHandle column();

        boolean includes(NullableValue value);

        boolean isConvertible();

        Expression toIceberg();
    }

    private record DomainCondition(IcebergColumnHandle column, Domain domain)
            implements ColumnCondition
    {
        @Override
        public boolean includes(NullableValue value)
        {
            return domain.includesNullableValue(value.getValue());
        }

        @Override
        public boolean isConvertible()
        {
            return isConvertibleToIcebergExpression(domain);
        }

        @Override
        public Expression toIceberg()
        {
            return ExpressionConverter.toIcebergExpression(TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)));
        }

        @Override
        public String toString()
        {
            String name = column.getQualifiedName();
            if (!isConvertible() || isMetadataColumnId(column.getId())) {
                return "on column " + name;
            }
            return toIceberg().toString().replace("ref(name=\"" + name + "\")", name);
        }
    }

    private record PrefixCondition(IcebergColumnHandle column, String prefix)
            implements ColumnCondition
    {
        @Override
        public boolean includes(NullableValue value)
        {
            return value.getValue() instanceof Slice text && text.toStringUtf8().startsWith(prefix);
        }

        @Override
        public boolean isConvertible()
        {
            return true;
        }

        @Override
        public Expression toIceberg()
        {
            return Expressions.startsWith(column.getQualifiedName(), prefix);
        }

        @Override
        public String toString()
        {
            return "%s LIKE '%s%%'".formatted(column.getQualifiedName(), prefix);
        }
    }

    private record ExpressionCondition(ConnectorExpression expression, ConnectorExpressionEvaluator.Prepared prepared)
            implements Condition {}

    /** True if all parts are; the whole is tried first, since it may be decided where its parts are not. */
    private record AllOf(ExpressionCondition whole, List<Condition> parts)
            implements Condition {}

    /** True if one part is. */
    private record AnyOf(ExpressionCondition whole, List<Condition> parts)
            implements Condition {}

    private record ColumnEvaluators(Evaluator inclusivePartition, Evaluator strictPartition, InclusiveMetricsEvaluator inclusiveMetrics, StrictMetricsEvaluator strictMetrics) {}

    /** Projections are made once for each spec, not for each file. */
    private final class SpecConditions
    {
        private final PartitionSpec spec;
        private final Map<ColumnCondition, ColumnEvaluators> evaluators = new HashMap<>();

        private SpecConditions(PartitionSpec spec)
        {
            this.spec = spec;
        }

        ColumnEvaluators get(ColumnCondition condition)
        {
            return evaluators.computeIfAbsent(condition, _ -> {
                Expression expression = condition.toIceberg();
                return new ColumnEvaluators(
                        new Evaluator(spec.partitionType(), Projections.inclusive(spec).project(expression)),
                        new Evaluator(spec.partitionType(), Projections.strict(spec).project(expression)),
                        new InclusiveMetricsEvaluator(schema, expression),
                        new StrictMetricsEvaluator(schema, expression));
            });
        }
    }

    /** The columns that have one value in all rows of a file. */
    private static final class FileConstants
    {
        private final DataFile file;
        private final PartitionSpec spec;
        private Map<Integer, Optional<String>> identityValues;

        private FileConstants(DataFile file, PartitionSpec spec)
        {
            this.file = file;
            this.spec = spec;
        }

        DataFile file()
        {
            return file;
        }

        Optional<NullableValue> value(IcebergColumnHandle column)
        {
            if (column.isPathColumn()) {
                return Optional.of(NullableValue.of(VarcharType.VARCHAR, Slices.utf8Slice(file.location())));
            }
            if (column.isPartitionColumn()) {
                return Optional.of(NullableValue.of(VarcharType.VARCHAR, Slices.utf8Slice(spec.partitionToPath(file.partition()))));
            }
            if (identityValues == null) {
                identityValues = getPartitionKeys(file.partition(), spec);
            }
            if (isNull(column)) {
                // Iceberg's evaluators put a null before all values, so that it would satisfy every upper bound
                return Optional.of(new NullableValue(column.getType(), null));
            }
            Optional<String> value = identityValues.get(column.getId());
            if (value != null) {
                return Optional.of(new NullableValue(column.getType(), deserializePartitionValue(column.getType(), value.orElse(null), column.getName())));
            }
            return Optional.empty();
        }

        /** These transforms give null for null alone. */
        private boolean isNull(IcebergColumnHandle column)
        {
            for (int position = 0; position < spec.fields().size(); position++) {
                PartitionField field = spec.fields().get(position);
                if (field.sourceId() == column.getId() && !field.transform().isVoid() && file.partition().get(position, Object.class) == null) {
                    return true;
                }
            }
            return false;
        }
    }
}
