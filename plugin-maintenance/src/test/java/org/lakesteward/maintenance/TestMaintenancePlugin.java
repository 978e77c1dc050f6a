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
package org.lakesteward.maintenance;

import io.trino.plugin.iceberg.aggregation.IcebergThetaSketchForStats;
import io.trino.spi.connector.ConnectorFactory;
import io.trino.spi.function.AggregationFunction;
import org.testng.annotations.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

public class TestMaintenancePlugin
{
    @Test
    public void testConnectors()
    {
        // operators write these names into catalog files: they must never change
        assertThat(new MaintenancePlugin().getConnectorFactories())
                .extracting(ConnectorFactory::getName)
                .containsExactly("iceberg_maintained", "maintenance");
    }

    /** The engine refuses a second function of a name, so that none may be named as one of the stock Iceberg plugin. */
    @Test
    public void testFunctionsDoNotClashWithStockIceberg()
    {
        assertThat(new MaintenancePlugin().getFunctions())
                .isNotEmpty()
                .flatExtracting(function -> Arrays.asList(function.getAnnotation(AggregationFunction.class).value()))
                .doesNotContain(IcebergThetaSketchForStats.NAME);
    }
}
