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
package org.lakesteward.procedure;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.reflect.Reflection;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorMetadata;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorPageSinkProvider;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorPageSourceProvider;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorPageSourceProviderFactory;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorSplitManager;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.IcebergConnectorFactory;
import io.trino.plugin.iceberg.IcebergPageSinkProvider;
import io.trino.plugin.iceberg.IcebergPageSourceProvider;
import io.trino.plugin.iceberg.IcebergPageSourceProviderFactory;
import io.trino.plugin.iceberg.IcebergSplitManager;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorAnalyzeMetadata;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTableMetadata;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.statistics.TableStatisticsMetadata;
import io.trino.testing.TestingConnectorContext;
import io.trino.testing.TestingConnectorSession;
import org.lakesteward.procedure.rewrite.RewritePageSinkProvider;
import org.lakesteward.procedure.rewrite.RewritePageSourceProviderFactory;
import org.lakesteward.procedure.rewrite.RewriteSplitManager;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.NoInjection;
import org.testng.annotations.Test;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No method that the stock connector answers is lost on the way through the lake connector, so that a method which a new Trino version adds
 * fails here instead of silently falling back to the interface's default.
 */
public class TestStockForwarding
{
    private IcebergConnector stock;
    private Connector lake;
    private LakeMetadataFactory metadataFactory;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        Path folder = Files.createTempDirectory("forwarding");
        Map<String, String> properties = ImmutableMap.of(
                "iceberg.catalog.type", "TESTING_FILE_METASTORE",
                "hive.metastore.catalog.dir", "local:///metastore",
                "fs.local.enabled", "true",
                "local.location", folder.toString(),
                "bootstrap.quiet", "true");
        stock = (IcebergConnector) new IcebergConnectorFactory().create("stock", properties, new TestingConnectorContext());
        lake = new LakeConnectorFactory().create("lake", properties, new TestingConnectorContext());
        IcebergConnector withLakeModule = (IcebergConnector) IcebergConnectorFactory.createConnector("inner", properties, new TestingConnectorContext(), new LakeModule(), Optional.empty());
        metadataFactory = withLakeModule.getInjector().getInstance(LakeMetadataFactory.class);
    }

    @AfterClass(alwaysRun = true)
    public void tearDown()
    {
        if (stock != null) {
            stock.shutdown();
        }
        if (lake != null) {
            lake.shutdown();
        }
    }

    @DataProvider
    public static Iterator<Object> metadataMethods()
    {
        return overridden(ConnectorMetadata.class, ClassLoaderSafeConnectorMetadata.class).map(Object.class::cast).iterator();
    }

    /** A call with stock handles reaches the same method of the stock metadata, alone and with the same arguments. */
    @Test(dataProvider = "metadataMethods")
    public void testMetadataReachesStock(@NoInjection Method method)
            throws Exception
    {
        List<Method> calledMethods = new ArrayList<>();
        List<List<Object>> calledArguments = new ArrayList<>();
        ConnectorMetadata recorder = Reflection.newProxy(ConnectorMetadata.class, (_, called, arguments) -> {
            calledMethods.add(called);
            calledArguments.add(arguments == null ? List.of() : Arrays.asList(arguments));
            return anyValue(called.getReturnType());
        });
        Object[] arguments = Stream.of(method.getParameterTypes()).map(TestStockForwarding::anyValue).toArray();

        method.invoke(metadataFactory.create(recorder), arguments);

        assertThat(calledMethods).containsExactly(method);
        assertThat(calledArguments.getFirst()).isEqualTo(Arrays.asList(arguments));
    }

    @Test
    public void testConnectorMethods()
    {
        assertOverrides(Connector.class, IcebergConnector.class, LakeConnector.class);
    }

    @Test
    public void testSplitManagerMethods()
    {
        assertThat(lake.getSplitManager()).isInstanceOf(RewriteSplitManager.class);
        assertOverrides(ConnectorSplitManager.class, IcebergSplitManager.class, RewriteSplitManager.class);
        assertOverrides(ConnectorSplitManager.class, ClassLoaderSafeConnectorSplitManager.class, RewriteSplitManager.class);
    }

    @Test
    public void testPageSinkProviderMethods()
    {
        assertThat(lake.getPageSinkProvider()).isInstanceOf(RewritePageSinkProvider.class);
        assertOverrides(ConnectorPageSinkProvider.class, IcebergPageSinkProvider.class, RewritePageSinkProvider.class);
        assertOverrides(ConnectorPageSinkProvider.class, ClassLoaderSafeConnectorPageSinkProvider.class, RewritePageSinkProvider.class);
    }

    @Test
    public void testPageSourceProviderMethods()
    {
        assertThat(lake.getPageSourceProviderFactory()).isInstanceOf(RewritePageSourceProviderFactory.class);
        assertOverrides(ConnectorPageSourceProviderFactory.class, IcebergPageSourceProviderFactory.class, RewritePageSourceProviderFactory.class);
        assertOverrides(ConnectorPageSourceProviderFactory.class, ClassLoaderSafeConnectorPageSourceProviderFactory.class, RewritePageSourceProviderFactory.class);

        Class<?> ours = lake.getPageSourceProviderFactory().createPageSourceProvider().getClass();
        assertOverrides(ConnectorPageSourceProvider.class, IcebergPageSourceProvider.class, ours);
        assertOverrides(ConnectorPageSourceProvider.class, ClassLoaderSafeConnectorPageSourceProvider.class, ours);
    }

    @Test
    public void testCapabilities()
    {
        assertThat(lake.getCapabilities()).isEqualTo(stock.getCapabilities());
        assertThat(lake.isSingleStatementWritesOnly()).isEqualTo(stock.isSingleStatementWritesOnly());
        assertThat(lake.getFunctionProvider().isPresent()).isEqualTo(stock.getFunctionProvider().isPresent());
    }

    @Test
    public void testProperties()
    {
        assertContains(lake.getSessionProperties(), stock.getSessionProperties());
        assertContains(lake.getSchemaProperties(), stock.getSchemaProperties());
        assertContains(lake.getTableProperties(), stock.getTableProperties());
        assertContains(lake.getColumnProperties(), stock.getColumnProperties());
        assertContains(lake.getViewProperties(), stock.getViewProperties());
        assertContains(lake.getMaterializedViewProperties(), stock.getMaterializedViewProperties());
        assertContains(lake.getAnalyzeProperties(), stock.getAnalyzeProperties());
        assertContains(lake.getBranchProperties(), stock.getBranchProperties());
    }

    private static void assertContains(List<PropertyMetadata<?>> lake, List<PropertyMetadata<?>> stock)
    {
        assertThat(lake).map(TestStockForwarding::describe).containsAll(stock.stream().map(TestStockForwarding::describe).toList());
    }

    private static String describe(PropertyMetadata<?> property)
    {
        return "%s %s %s hidden=%s default=%s: %s".formatted(property.getName(), property.getSqlType(), property.getJavaType(), property.isHidden(), property.getDefaultValue(), property.getDescription());
    }

    @Test
    public void testProcedures()
    {
        assertThat(stock.getTableProcedures()).extracting(TableProcedureMetadata::getName)
                .contains("OPTIMIZE", "OPTIMIZE_MANIFESTS", "EXPIRE_SNAPSHOTS", "REMOVE_ORPHAN_FILES", "DROP_EXTENDED_STATS", "ROLLBACK_TO_SNAPSHOT", "ADD_FILES", "ADD_FILES_FROM_TABLE");
        assertThat(lake.getTableProcedures()).map(TestStockForwarding::describe)
                .containsAll(stock.getTableProcedures().stream().map(TestStockForwarding::describe).toList());
        assertThat(lake.getProcedures()).map(TestStockForwarding::describe)
                .containsExactlyInAnyOrderElementsOf(stock.getProcedures().stream().map(TestStockForwarding::describe).toList());
    }

    private static String describe(TableProcedureMetadata procedure)
    {
        return "%s %s %s".formatted(procedure.getName(), procedure.getExecutionMode().isReadsData(), procedure.getProperties().stream().map(TestStockForwarding::describe).toList());
    }

    private static String describe(Procedure procedure)
    {
        return "%s.%s%s".formatted(procedure.getSchema(), procedure.getName(), procedure.getArguments());
    }

    @Test
    public void testFunctionsAndSystemTables()
    {
        assertThat(lake.getTableFunctions()).map(TestStockForwarding::describe)
                .containsAll(stock.getTableFunctions().stream().map(TestStockForwarding::describe).toList());
        assertThat(stock.getSystemTables()).isNotEmpty();
        assertThat(lake.getSystemTables()).map(table -> table.getTableMetadata().toString())
                .containsAll(stock.getSystemTables().stream().map(table -> table.getTableMetadata().toString()).toList());
    }

    private static String describe(ConnectorTableFunction function)
    {
        return "%s.%s%s".formatted(function.getSchema(), function.getName(), function.getArguments().stream().map(argument -> argument.getName() + " " + argument.isRequired()).toList());
    }

    /** Whatever of an interface the stock class does not leave to the interface, ours does not leave to it either. */
    private static void assertOverrides(Class<?> type, Class<?> stockClass, Class<?> ourClass)
    {
        List<String> stockMethods = overridden(type, stockClass).map(TestStockForwarding::signature).toList();
        assertThat(stockMethods).isNotEmpty();
        assertThat(overridden(type, ourClass).map(TestStockForwarding::signature)).as("methods of %s that %s overrides", type.getSimpleName(), stockClass.getSimpleName())
                .containsAll(stockMethods);
    }

    private static Stream<Method> overridden(Class<?> type, Class<?> implementation)
    {
        return Stream.of(type.getMethods())
                // the engine calls none of these any more
                .filter(method -> type == ConnectorMetadata.class || !method.isAnnotationPresent(Deprecated.class))
                .filter(method -> {
                    try {
                        return !implementation.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass().isInterface();
                    }
                    catch (NoSuchMethodException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    private static String signature(Method method)
    {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }

    private static Object anyValue(Class<?> type)
    {
        if (type == ConnectorSession.class) {
            return TestingConnectorSession.SESSION;
        }
        if (type == TableStatisticsMetadata.class) {
            return TableStatisticsMetadata.empty();
        }
        if (type == ConnectorAnalyzeMetadata.class) {
            return new ConnectorAnalyzeMetadata(Reflection.newProxy(ConnectorTableHandle.class, (_, _, _) -> null), TableStatisticsMetadata.empty());
        }
        if (type == ConnectorTableMetadata.class) {
            return new ConnectorTableMetadata(new SchemaTableName("schema", "table"), ImmutableList.of());
        }
        if (type == SchemaTableName.class) {
            return new SchemaTableName("schema", "table");
        }
        if (type == UnaryOperator.class) {
            // a user who may see nothing, so that no listing of ours is added
            return (UnaryOperator<Object>) _ -> ImmutableSet.of();
        }
        if (type == String.class) {
            return "text";
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == int.class) {
            return 7;
        }
        if (type == long.class) {
            return 7L;
        }
        if (type == double.class) {
            return 0.7;
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        if (type == OptionalInt.class) {
            return OptionalInt.empty();
        }
        if (type == OptionalLong.class) {
            return OptionalLong.empty();
        }
        if (type == Map.class) {
            return ImmutableMap.of();
        }
        if (type == Set.class) {
            return ImmutableSet.of();
        }
        if (type == List.class || type == Collection.class) {
            return ImmutableList.of();
        }
        if (type == Iterator.class) {
            return ImmutableList.of().iterator();
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isInterface() && !type.isSealed()) {
            return Reflection.newProxy(type, (proxy, method, arguments) -> switch (method.getName()) {
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                case "toString" -> type.getSimpleName();
                default -> null;
            });
        }
        return null;
    }
}
