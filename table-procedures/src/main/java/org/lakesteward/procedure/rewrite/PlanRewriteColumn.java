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
import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.type.Type;

import java.util.List;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.Objects.requireNonNull;

/**
 * A column of plan_rewrite.
 */
public record PlanRewriteColumn(
        @JsonProperty("name") String name,
        @JsonProperty("type") Type type,
        @JsonProperty("index") int index)
        implements ColumnHandle
{
    public static final List<PlanRewriteColumn> ALL = ImmutableList.of(
            new PlanRewriteColumn("action", VARCHAR, 0),
            new PlanRewriteColumn("group_id", INTEGER, 1),
            new PlanRewriteColumn("partition", VARCHAR, 2),
            new PlanRewriteColumn("spec_id", INTEGER, 3),
            new PlanRewriteColumn("data_files", BIGINT, 4),
            new PlanRewriteColumn("bytes", BIGINT, 5),
            new PlanRewriteColumn("delete_files", BIGINT, 6),
            new PlanRewriteColumn("output_files", BIGINT, 7),
            new PlanRewriteColumn("path", VARCHAR, 8),
            new PlanRewriteColumn("reason", VARCHAR, 9));

    public PlanRewriteColumn
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
    }
}
