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
import com.google.inject.Inject;
import com.google.inject.Provider;
import io.airlift.slice.Slice;
import io.airlift.units.DataSize;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorTableFunction;
import io.trino.plugin.iceberg.catalog.TrinoCatalogFactory;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ArgumentSpecification;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.function.table.Descriptor;
import io.trino.spi.function.table.ReturnTypeSpecification.DescribedTable;
import io.trino.spi.function.table.ScalarArgument;
import io.trino.spi.function.table.ScalarArgumentSpecification;
import io.trino.spi.function.table.TableFunctionAnalysis;
import io.trino.spi.session.PropertyMetadata;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.types.Types;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.INVALID_MAINTENANCE_ARGUMENT;

/**
 * {@code TABLE(lake.system.plan_rewrite(schema_name => …, table_name => …, …))}: what rewrite_data_files with the same arguments
 * would do, one row a file group and one a reason for leaving files alone. For clients that never see the rows of ALTER TABLE … EXECUTE.
 */
public class PlanRewriteFunction
        implements Provider<ConnectorTableFunction>
{
    public static final String NAME = "plan_rewrite";
    private static final String SCHEMA_NAME = "SCHEMA_NAME";
    private static final String TABLE_NAME = "TABLE_NAME";
    /** A plan changes nothing by itself, and conflicts come at the commit. */
    private static final List<String> NOT_FOR_PLANS = ImmutableList.of("dry_run", "on_conflict", "remove_dangling_deletes");

    private final TrinoCatalogFactory catalogFactory;
    private final RewriteArgumentsReader argumentsReader;

    @Inject
    public PlanRewriteFunction(TrinoCatalogFactory catalogFactory, RewriteArgumentsReader argumentsReader)
    {
        this.catalogFactory = requireNonNull(catalogFactory, "catalogFactory is null");
        this.argumentsReader = requireNonNull(argumentsReader, "argumentsReader is null");
    }

    @Override
    public ConnectorTableFunction get()
    {
        return new ClassLoaderSafeConnectorTableFunction(new Function(), getClass().getClassLoader());
    }

    private static List<PropertyMetadata<?>> arguments()
    {
        return RewriteArgumentsReader.declarations().stream()
                .filter(argument -> !NOT_FOR_PLANS.contains(argument.getName()))
                .collect(toImmutableList());
    }

    private static List<ArgumentSpecification> specifications()
    {
        ImmutableList.Builder<ArgumentSpecification> specifications = ImmutableList.builder();
        specifications.add(ScalarArgumentSpecification.builder().name(SCHEMA_NAME).type(VARCHAR).build());
        specifications.add(ScalarArgumentSpecification.builder().name(TABLE_NAME).type(VARCHAR).build());
        for (PropertyMetadata<?> argument : arguments()) {
            specifications.add(ScalarArgumentSpecification.builder()
                    .name(argument.getName().toUpperCase(ENGLISH))
                    .type(argument.getSqlType())
                    .defaultValue(null)
                    .build());
        }
        return specifications.build();
    }

    private final class Function
            extends AbstractConnectorTableFunction
    {
        private Function()
        {
            super(
                    "system",
                    NAME,
                    specifications(),
                    new DescribedTable(Descriptor.descriptor(
                            PlanRewriteColumn.ALL.stream().map(PlanRewriteColumn::name).toList(),
                            PlanRewriteColumn.ALL.stream().map(PlanRewriteColumn::type).toList())),
                    "The plan of rewrite_data_files");
        }

        @Override
        public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
        {
            SchemaTableName name = new SchemaTableName(requiredText(arguments, SCHEMA_NAME), requiredText(arguments, TABLE_NAME));
            BaseTable table = catalogFactory.create(session.getIdentity()).loadTable(session, name);
            // who may read the table may know its files
            accessControl.checkCanSelectFromColumns(null, name, Optional.empty(), table.schema().columns().stream().map(Types.NestedField::name).collect(toImmutableSet()));
            return TableFunctionAnalysis.builder()
                    .handle(new PlanRewriteFunctionHandle(name, argumentsReader.read(session, values(arguments), table)))
                    .build();
        }
    }

    private static Map<String, Object> values(Map<String, Argument> given)
    {
        ImmutableMap.Builder<String, Object> values = ImmutableMap.builder();
        for (PropertyMetadata<?> argument : arguments()) {
            Object value = ((ScalarArgument) given.get(argument.getName().toUpperCase(ENGLISH))).getValue();
            if (value != null) {
                values.put(argument.getName(), toJava(argument, value));
            }
        }
        return values.buildOrThrow();
    }

    private static Object toJava(PropertyMetadata<?> argument, Object value)
    {
        Class<?> javaType = argument.getJavaType();
        if (javaType == DataSize.class) {
            String text = ((Slice) value).toStringUtf8();
            try {
                return DataSize.valueOf(text);
            }
            catch (IllegalArgumentException e) {
                throw new TrinoException(INVALID_MAINTENANCE_ARGUMENT, "Argument %s must be a size such as '128MB', but is '%s'".formatted(argument.getName(), text), e);
            }
        }
        if (javaType == String.class) {
            return ((Slice) value).toStringUtf8();
        }
        if (javaType == List.class) {
            Block block = (Block) value;
            return IntStream.range(0, block.getPositionCount())
                    .mapToObj(position -> block.isNull(position) ? null : VARCHAR.getSlice(block, position).toStringUtf8())
                    .toList();
        }
        if (javaType == Integer.class) {
            return Math.toIntExact((long) value);
        }
        return value;
    }

    private static String requiredText(Map<String, Argument> arguments, String name)
    {
        Object value = ((ScalarArgument) arguments.get(name)).getValue();
        if (value == null) {
            throw new TrinoException(INVALID_MAINTENANCE_ARGUMENT, "Argument %s must not be null".formatted(name.toLowerCase(ENGLISH)));
        }
        String text = ((Slice) value).toStringUtf8();
        if (text.isEmpty()) {
            throw new TrinoException(INVALID_MAINTENANCE_ARGUMENT, "Argument %s must not be empty".formatted(name.toLowerCase(ENGLISH)));
        }
        return text;
    }
}
