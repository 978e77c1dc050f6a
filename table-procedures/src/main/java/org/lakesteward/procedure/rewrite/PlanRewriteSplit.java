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
import io.airlift.slice.Slices;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.FixedPageSource;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.SizeOf.instanceSize;
import static io.trino.spi.type.TypeUtils.writeNativeValue;

/**
 * Some rows of plan_rewrite, which the coordinator made.
 */
public record PlanRewriteSplit(@JsonProperty("rows") List<PlanRewriteRow> rows)
        implements ConnectorSplit
{
    /** Keeps a split's JSON at some hundred kilobytes. */
    static final int MAX_ROWS = 1000;

    private static final int INSTANCE_SIZE = instanceSize(PlanRewriteSplit.class);
    private static final int ESTIMATED_ROW_SIZE = 512;

    public PlanRewriteSplit
    {
        rows = ImmutableList.copyOf(rows);
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + (long) ESTIMATED_ROW_SIZE * rows.size();
    }

    ConnectorPageSource toPageSource(List<ColumnHandle> columns)
    {
        List<PlanRewriteColumn> requested = columns.stream().map(PlanRewriteColumn.class::cast).collect(toImmutableList());
        PageBuilder builder = new PageBuilder(rows.size(), requested.stream().map(PlanRewriteColumn::type).collect(toImmutableList()));
        for (PlanRewriteRow row : rows) {
            builder.declarePosition();
            for (int channel = 0; channel < requested.size(); channel++) {
                BlockBuilder block = builder.getBlockBuilder(channel);
                Object value = row.value(requested.get(channel).index());
                writeNativeValue(requested.get(channel).type(), block, value instanceof String text ? Slices.utf8Slice(text) : value);
            }
        }
        Page page = builder.build();
        return new FixedPageSource(ImmutableList.of(page));
    }
}
