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

import com.google.inject.Inject;
import io.trino.spi.connector.ConnectorMetadata;
import org.lakesteward.procedure.health.HealthTables;
import org.lakesteward.procedure.health.TableHealthStatements;
import org.lakesteward.procedure.policy.PolicyStatements;
import org.lakesteward.procedure.rewrite.RewriteStatements;

import static java.util.Objects.requireNonNull;

/**
 * Puts Lakesteward's procedures in front of a transaction's stock metadata. Thread-safe.
 */
public class LakeMetadataFactory
{
    private final RewriteStatements rewriteStatements;
    private final HealthTables healthTables;
    private final TableHealthStatements tableHealthStatements;
    private final PolicyStatements policyStatements;

    @Inject
    public LakeMetadataFactory(RewriteStatements rewriteStatements, HealthTables healthTables, TableHealthStatements tableHealthStatements, PolicyStatements policyStatements)
    {
        this.rewriteStatements = requireNonNull(rewriteStatements, "rewriteStatements is null");
        this.healthTables = requireNonNull(healthTables, "healthTables is null");
        this.tableHealthStatements = requireNonNull(tableHealthStatements, "tableHealthStatements is null");
        this.policyStatements = requireNonNull(policyStatements, "policyStatements is null");
    }

    ConnectorMetadata create(ConnectorMetadata stock)
    {
        return new LakeMetadata(stock, rewriteStatements, healthTables, tableHealthStatements, policyStatements);
    }
}
