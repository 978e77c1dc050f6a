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

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.Plugin;
import io.trino.spi.connector.ConnectorFactory;
import org.lakesteward.maintenance.control.ControlConnectorFactory;
import org.lakesteward.procedure.LakeConnectorFactory;
import org.lakesteward.procedure.statistics.MaintainedThetaSketch;

import java.util.Set;

/**
 * Registers the lake connector {@code iceberg_maintained}, the function by which it collects statistics, and the control connector
 * {@code maintenance}.
 */
public class MaintenancePlugin
        implements Plugin
{
    @Override
    public Iterable<ConnectorFactory> getConnectorFactories()
    {
        return ImmutableList.of(new LakeConnectorFactory(), new ControlConnectorFactory());
    }

    @Override
    public Set<Class<?>> getFunctions()
    {
        return ImmutableSet.of(MaintainedThetaSketch.class);
    }
}
