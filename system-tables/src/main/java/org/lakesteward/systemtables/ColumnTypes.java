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
package org.lakesteward.systemtables;

import io.airlift.slice.Slice;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.TimeZoneKey;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeDescriptor;
import io.trino.spi.type.TypeManager;
import org.lakesteward.systemtables.RowsTable.Column;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.StandardTypes.INTERVAL_DAY_TO_SECOND;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MILLIS;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Makes columns from Java values. The interval type belongs to the engine, not to its interface for plugins, so that only its type
 * manager has it; its own form is a number of milliseconds.
 */
public final class ColumnTypes
{
    private static final ArrayType TEXTS = new ArrayType(VARCHAR);

    private final Type interval;

    public ColumnTypes(TypeManager typeManager)
    {
        this.interval = typeManager.getType(new TypeDescriptor(INTERVAL_DAY_TO_SECOND));
    }

    public <R> Column<R> text(String name, String comment, Function<R, String> value)
    {
        return optionalText(name, comment, row -> Optional.of(value.apply(row)));
    }

    public <R> Column<R> optionalText(String name, String comment, Function<R, Optional<String>> value)
    {
        return new Column<>(name, VARCHAR, comment, row -> value.apply(row).map(ColumnTypes::slice));
    }

    public <R> Column<R> texts(String name, String comment, Function<R, List<String>> value)
    {
        return new Column<>(name, TEXTS, comment, row -> Optional.of(block(value.apply(row))));
    }

    public <R> Column<R> flag(String name, String comment, Function<R, Boolean> value)
    {
        return new Column<>(name, BooleanType.BOOLEAN, comment, row -> Optional.of(value.apply(row)));
    }

    public <R> Column<R> count(String name, String comment, Function<R, Long> value)
    {
        return new Column<>(name, BigintType.BIGINT, comment, row -> Optional.of(value.apply(row)));
    }

    public <R> Column<R> time(String name, String comment, Function<R, Instant> value)
    {
        return optionalTime(name, comment, row -> Optional.of(value.apply(row)));
    }

    public <R> Column<R> optionalTime(String name, String comment, Function<R, Optional<Instant>> value)
    {
        return new Column<>(name, TIMESTAMP_TZ_MILLIS, comment, row -> value.apply(row).map(instant -> packDateTimeWithZone(instant.toEpochMilli(), TimeZoneKey.UTC_KEY)));
    }

    public <R> Column<R> interval(String name, String comment, Function<R, Duration> value)
    {
        return new Column<>(name, interval, comment, row -> Optional.of(value.apply(row).toMillis()));
    }

    private static Slice slice(String text)
    {
        return utf8Slice(text);
    }

    private static Block block(List<String> texts)
    {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, texts.size());
        texts.forEach(text -> VARCHAR.writeString(builder, text));
        return builder.build();
    }
}
