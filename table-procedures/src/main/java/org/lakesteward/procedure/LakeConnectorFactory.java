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

import com.google.common.collect.ImmutableMap;
import com.google.inject.Module;
import io.trino.plugin.iceberg.IcebergConnector;
import io.trino.plugin.iceberg.IcebergConnectorFactory;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;
import org.lakesteward.procedure.policy.PolicyProperties;

import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Creates the lake connector: the stock Iceberg connector of Trino with Lakesteward's table procedures on top.
 * Every configuration property of {@code connector.name=iceberg} is accepted unchanged.
 */
public class LakeConnectorFactory
        implements ConnectorFactory
{
    public static final String NAME = "iceberg_maintained";

    private final Optional<Module> catalogModule;

    public LakeConnectorFactory()
    {
        this(Optional.empty());
    }

    /** With another table catalog than the one that {@code iceberg.catalog.type} names. */
    LakeConnectorFactory(Optional<Module> catalogModule)
    {
        this.catalogModule = requireNonNull(catalogModule, "catalogModule is null");
    }

    @Override
    public String getName()
    {
        return NAME;
    }

    @Override
    public Connector create(String catalogName, Map<String, String> config, ConnectorContext context)
    {
        IcebergConnector stock = (IcebergConnector) IcebergConnectorFactory.createConnector(
                catalogName,
                PolicyProperties.allow(ImmutableMap.copyOf(config)),
                context,
                new LakeModule(),
                catalogModule);
        return new LakeConnector(stock);
    }
}
