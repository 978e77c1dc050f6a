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
package org.lakesteward.testing.server;

import io.trino.client.QueryError;

import static java.util.Objects.requireNonNull;

/**
 * Trino refused a statement or failed to run it.
 */
public class StatementFailedException
        extends RuntimeException
{
    private final String queryId;
    private final String errorName;
    private final String trinoMessage;

    StatementFailedException(String queryId, QueryError error, String sql)
    {
        super("%s (%s, query %s): %s".formatted(error.getMessage(), error.getErrorName(), queryId, sql.strip()), error.getFailureInfo() == null ? null : error.getFailureInfo().toException());
        this.queryId = requireNonNull(queryId, "queryId is null");
        this.errorName = requireNonNull(error.getErrorName(), "errorName is null");
        this.trinoMessage = requireNonNull(error.getMessage(), "message is null");
    }

    public String queryId()
    {
        return queryId;
    }

    /**
     * What Trino says to a user.
     */
    public String trinoMessage()
    {
        return trinoMessage;
    }

    /**
     * Trino's name of the error, such as {@code TABLE_NOT_FOUND}.
     */
    public String errorName()
    {
        return errorName;
    }
}
