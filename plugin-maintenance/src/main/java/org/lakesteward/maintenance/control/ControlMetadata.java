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
package org.lakesteward.maintenance.control;

import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;

import static java.util.Objects.requireNonNull;

/**
 * The connector has no tables but its system tables, which the engine knows without this.
 */
class ControlMetadata
        implements ConnectorMetadata
{
    private final QueryEndings endings;

    ControlMetadata(QueryEndings endings)
    {
        this.endings = requireNonNull(endings, "endings is null");
    }

    @Override
    public void cleanupQuery(ConnectorSession session)
    {
        endings.ended(session.getQueryId());
    }
}
