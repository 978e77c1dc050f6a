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

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trino.plugin.iceberg.IcebergTableHandle;
import io.trino.spi.connector.ConnectorTableHandle;

import java.util.Objects;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The table that a rewrite_data_files statement reads.
 * While the statement is planned it carries the WHERE clause, which never leaves the coordinator; when it runs, the execute handle.
 */
public final class RewriteTableHandle
        implements ConnectorTableHandle
{
    private final IcebergTableHandle table;
    private final RewriteFilter filter;
    private final Optional<RewriteExecuteHandle> execute;

    @JsonCreator
    public static RewriteTableHandle fromJson(
            @JsonProperty("table") IcebergTableHandle table,
            @JsonProperty("execute") Optional<RewriteExecuteHandle> execute)
    {
        return new RewriteTableHandle(table, RewriteFilter.ALL, execute);
    }

    public RewriteTableHandle(IcebergTableHandle table, RewriteFilter filter, Optional<RewriteExecuteHandle> execute)
    {
        this.table = requireNonNull(table, "table is null");
        this.filter = requireNonNull(filter, "filter is null");
        this.execute = requireNonNull(execute, "execute is null");
    }

    @JsonProperty
    public IcebergTableHandle getTable()
    {
        return table;
    }

    @JsonProperty
    public Optional<RewriteExecuteHandle> getExecute()
    {
        return execute;
    }

    @JsonIgnore
    public RewriteFilter getFilter()
    {
        return filter;
    }

    @Override
    public boolean equals(Object o)
    {
        return o instanceof RewriteTableHandle other
                && table.equals(other.table)
                && filter.equals(other.filter)
                && execute.equals(other.execute);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(table, filter, execute);
    }

    @Override
    public String toString()
    {
        return filter.isAll() ? table.toString() : table + " where " + filter;
    }
}
