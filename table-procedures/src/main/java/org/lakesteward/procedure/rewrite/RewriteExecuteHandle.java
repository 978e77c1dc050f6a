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

import com.fasterxml.jackson.annotation.JsonProperty;
import io.trino.plugin.iceberg.procedure.IcebergOptimizeHandle;
import io.trino.plugin.iceberg.procedure.IcebergTableExecuteHandle;
import io.trino.spi.connector.ConnectorTableExecuteHandle;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A rewrite_data_files statement.
 *
 * @param writer the stock handle that describes the output: schema, partition spec, sort fields, format, storage properties
 * @param targetFileSize in bytes
 * @param sort present when rows go through the engine's exchange to the writers of their key ranges
 */
public record RewriteExecuteHandle(
        @JsonProperty("writer") IcebergTableExecuteHandle writer,
        @JsonProperty("targetFileSize") long targetFileSize,
        @JsonProperty("dryRun") boolean dryRun,
        @JsonProperty("sort") Optional<SortTask> sort)
        implements ConnectorTableExecuteHandle
{
    public RewriteExecuteHandle
    {
        requireNonNull(writer, "writer is null");
        requireNonNull(sort, "sort is null");
    }

    public IcebergOptimizeHandle output()
    {
        return (IcebergOptimizeHandle) writer.procedureHandle();
    }

    RewriteExecuteHandle withSortBuffer(long bytes)
    {
        return new RewriteExecuteHandle(writer, targetFileSize, dryRun, sort.map(task -> task.withBufferSize(bytes)));
    }

    @Override
    public String toString()
    {
        return "rewrite_data_files[" + writer.schemaTableName() + sort.map(task -> ", sort by " + task.request().text()).orElse("") + (dryRun ? ", dry run]" : "]");
    }
}
