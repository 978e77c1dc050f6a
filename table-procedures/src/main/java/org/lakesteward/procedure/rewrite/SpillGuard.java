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

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.ColumnarArray;
import io.trino.spi.block.ColumnarMap;
import io.trino.spi.block.RowBlock;
import io.trino.spi.connector.ConnectorPageSink;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.LongTimestamp;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static io.trino.spi.type.DateTimeEncoding.unpackMillisUtc;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.LakeErrorCode.MAINTENANCE_NOT_SUPPORTED;

/**
 * Keeps values that Trino's sorting writer would change from reaching it. When it spills, rows go through ORC files, and ORC has no way to tell timestamps in the
 * last second before 1970 from those in the first one after (ORC-763; {@code TimestampColumnWriter} of Trino writes the second as zero). The statement fails
 * instead. Used by one thread.
 */
final class SpillGuard
        implements ConnectorPageSink
{
    private final ConnectorPageSink delegate;
    private final List<IcebergColumnHandle> columns;
    private final int[] timestampChannels;

    private SpillGuard(ConnectorPageSink delegate, List<IcebergColumnHandle> columns)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.columns = ImmutableList.copyOf(columns);
        timestampChannels = IntStream.range(0, columns.size())
                .filter(channel -> holdsTimestamps(columns.get(channel).getType()))
                .toArray();
    }

    /** @param columns of the pages, in order */
    static ConnectorPageSink guard(ConnectorPageSink sink, List<IcebergColumnHandle> columns)
    {
        return columns.stream().anyMatch(column -> holdsTimestamps(column.getType())) ? new SpillGuard(sink, columns) : sink;
    }

    private static boolean holdsTimestamps(Type type)
    {
        return type instanceof TimestampType || type instanceof TimestampWithTimeZoneType || type.getTypeParameters().stream().anyMatch(SpillGuard::holdsTimestamps);
    }

    @Override
    public CompletableFuture<?> appendPage(Page page)
    {
        for (int channel : timestampChannels) {
            if (isEndangered(page.getBlock(channel), columns.get(channel).getType())) {
                throw new TrinoException(MAINTENANCE_NOT_SUPPORTED, "Column %s has a timestamp in the last second before 1970, which Trino's sorting writer would change: rewrite these files with strategy 'binpack' and the session property sorted_writing_enabled set to false; nothing was changed"
                        .formatted(columns.get(channel).getName()));
            }
        }
        return delegate.appendPage(page);
    }

    private static boolean isEndangered(Block block, Type type)
    {
        if (!holdsTimestamps(type)) {
            return false;
        }
        return switch (type) {
            case ArrayType array -> isEndangered(ColumnarArray.toColumnarArray(block).getElementsBlock(), array.getElementType());
            case MapType map -> {
                ColumnarMap entries = ColumnarMap.toColumnarMap(block);
                yield isEndangered(entries.getKeysBlock(), map.getKeyType()) || isEndangered(entries.getValuesBlock(), map.getValueType());
            }
            case RowType row -> {
                List<Block> fields = RowBlock.getRowFieldsFromBlock(block);
                boolean endangered = false;
                for (int field = 0; field < fields.size(); field++) {
                    endangered |= isEndangered(fields.get(field), row.getFields().get(field).getType());
                }
                yield endangered;
            }
            default -> {
                for (int position = 0; position < block.getPositionCount(); position++) {
                    if (!block.isNull(position)) {
                        long millis = epochMillis(block, type, position);
                        if (-1_000 <= millis && millis < 0) {
                            yield true;
                        }
                    }
                }
                yield false;
            }
        };
    }

    private static long epochMillis(Block block, Type type, int position)
    {
        return switch (type) {
            case TimestampType timestamp when timestamp.isShort() -> Math.floorDiv(timestamp.getLong(block, position), 1_000L);
            case TimestampType timestamp -> Math.floorDiv(((LongTimestamp) timestamp.getObject(block, position)).getEpochMicros(), 1_000L);
            case TimestampWithTimeZoneType timestamp when timestamp.isShort() -> unpackMillisUtc(timestamp.getLong(block, position));
            case TimestampWithTimeZoneType timestamp -> ((LongTimestampWithTimeZone) timestamp.getObject(block, position)).getEpochMillis();
            default -> throw new IllegalArgumentException("Not a timestamp: " + type);
        };
    }

    @Override
    public CompletableFuture<Collection<Slice>> finish()
    {
        return delegate.finish();
    }

    @Override
    public void abort()
    {
        delegate.abort();
    }

    @Override
    public long getCompletedBytes()
    {
        return delegate.getCompletedBytes();
    }

    @Override
    public long getMemoryUsage()
    {
        return delegate.getMemoryUsage();
    }

    @Override
    public long getValidationCpuNanos()
    {
        return delegate.getValidationCpuNanos();
    }
}
