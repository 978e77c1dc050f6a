
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slices;
import io.trino.parquet.Column;
import io.trino.parquet.ParquetDataSource;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.metadata.ParquetMetadata;
import io.trino.parquet.predicate.TupleDomainParquetPredicate;
import io.trino.parquet.reader.MetadataReader;
import io.trino.parquet.reader.ParquetReader;
import io.trino.parquet.reader.RowGroupInfo;
import io.trino.parquet.writer.ParquetWriter;
import io.trino.parquet.writer.ParquetWriterOptions;
import io.trino.plugin.iceberg.TypeConverter;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.ArrayBlockBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.MapBlockBuilder;
import io.trino.spi.block.RowBlockBuilder;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.LongTimestampWithTimeZone;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.UuidType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.schema.MessageType;
import org.joda.time.DateTimeZone;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.parquet.ParquetTypeUtils.constructField;
import static io.trino.parquet.ParquetTypeUtils.getColumnIO;
import static io.trino.parquet.ParquetTypeUtils.getDescriptors;
import static io.trino.parquet.ParquetTypeUtils.lookupColumnByName;
import static io.trino.parquet.predicate.PredicateUtils.buildPredicate;
import static io.trino.parquet.predicate.PredicateUtils.getFilteredRowGroups;
import static io.trino.plugin.iceberg.util.PrimitiveTypeMapBuilder.makeTypeMap;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.apache.iceberg.parquet.ParquetSchemaUtil.convert;

/**
 * Files written and read by Trino, as its Iceberg connector would.
 */
final class TrinoParquetFiles
{
    private TrinoParquetFiles() {}

    static List<Type> types(Schema schema)
    {
        return schema.columns().stream()
                .map(column -> TypeConverter.toTrinoType(column.type(), TESTING_TYPE_MANAGER))
                .collect(toImmutableList());
    }

    /**
     * @param id value of the first column, a long, counted up from here
     */
    static Page page(Schema schema, long id, int rows, Random random)
    {
        List<Type> types = types(schema);
        PageBuilder builder = new PageBuilder(types);
        for (int row = 0; row < rows; row++) {
            builder.declarePosition();
            BIGINT.writeLong(builder.getBlockBuilder(0), id + row);
            for (int column = 1; column < types.size(); column++) {
                append(types.get(column), builder.getBlockBuilder(column), random, schema.columns().get(column).isOptional());
            }
        }
        return builder.build();
    }

    static byte[] write(Schema schema, long id, int rows, Random random, CompressionCodec codec, UnaryOperator<ParquetWriterOptions.Builder> configure)
            throws IOException
    {
        return write(schema, rows == 0 ? ImmutableList.of() : ImmutableList.of(page(schema, id, rows, random)), codec, configure);
    }

    static byte[] write(Schema schema, List<Page> pages, CompressionCodec codec, UnaryOperator<ParquetWriterOptions.Builder> configure)
            throws IOException
    {
        List<String> names = schema.columns().stream().map(NestedField::name).collect(toImmutableList());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ParquetWriter writer = new ParquetWriter(
                bytes,
                convert(schema, "table"),
                makeTypeMap(types(schema), names),
                configure.apply(ParquetWriterOptions.builder()).build(),
                codec,
                "483",
                Optional.empty(),
                Optional.empty())) {
            for (Page page : pages) {
                writer.write(page);
            }
        }
        return bytes.toByteArray();
    }

    private static void append(Type type, BlockBuilder builder, Random random, boolean nullable)
    {
        if (nullable && random.nextInt(5) == 0) {
            builder.appendNull();
            return;
        }
        switch (type) {
            case ArrayType array -> ((ArrayBlockBuilder) builder).buildEntry(elements -> {
                int size = random.nextInt(4);
                for (int index = 0; index < size; index++) {
                    append(array.getElementType(), elements, random, true);
                }
            });
            case MapType map -> ((MapBlockBuilder) builder).buildEntry((keys, values) -> {
                int size = random.nextInt(4);
                for (int index = 0; index < size; index++) {
                    writeNativeValue(map.getKeyType(), keys, Slices.utf8Slice("key " + index));
                    append(map.getValueType(), values, random, true);
                }
            });
            case RowType row -> ((RowBlockBuilder) builder).buildEntry(fields -> {
                for (int index = 0; index < fields.size(); index++) {
                    append(row.getFields().get(index).getType(), fields.get(index), random, true);
                }
            });
            default -> writeNativeValue(type, builder, value(type, random));
        }
    }

    private static Object value(Type type, Random random)
    {
        return switch (type) {
            case DecimalType decimal when decimal.isShort() -> random.nextLong(-99_999, 99_999);
            case DecimalType _ -> Int128.valueOf(random.nextInt(-5, 5), random.nextLong());
            case TimeType _ -> random.nextLong(86_400_000_000L) * 1_000_000;
            case TimestampType _ -> random.nextLong(-1_000_000_000_000_000L, 3_000_000_000_000_000L);
            case TimestampWithTimeZoneType _ -> LongTimestampWithTimeZone.fromEpochMillisAndFraction(random.nextLong(2_000_000_000_000L), random.nextInt(1000) * 1_000_000, UTC_KEY);
            case UuidType _ -> javaUuidToTrinoUuid(new UUID(random.nextLong(), random.nextLong()));
            default -> {
                Class<?> javaType = type.getJavaType();
                if (javaType == boolean.class) {
                    yield random.nextBoolean();
                }
                if (javaType == double.class) {
                    yield random.nextGaussian();
                }
                if (javaType == long.class) {
                    yield type.getDisplayName().equals("real") ? (long) Float.floatToIntBits(random.nextFloat()) : (long) random.nextInt(-10_000, 10_000);
                }
                yield Slices.utf8Slice(random.nextInt(20) == 0 ? "long " + Long.toString(random.nextLong(), 36).repeat(10) : "value " + random.nextInt(50));
            }
        };
    }

    /** All rows, in file order. */
    static List<List<Object>> read(byte[] file, Schema schema)
            throws IOException
    {
        return read(file, schema, TupleDomain.all());
    }

    /** Rows of the row groups and pages that a predicate leaves, filtered no further. */
    static List<List<Object>> read(byte[] file, Schema schema, TupleDomain<String> predicate)
            throws IOException
    {
        ParquetReaderOptions options = ParquetReaderOptions.builder().withUseColumnIndex(true).withBloomFilter(true).build();
        ParquetDataSource source = new BytesDataSource(file, options);
        ParquetMetadata metadata = MetadataReader.readFooter(source, options, Optional.empty(), Optional.empty());
        MessageType fileSchema = metadata.getFileMetaData().getSchema();
        MessageColumnIO columns = getColumnIO(fileSchema, fileSchema);
        List<Type> types = types(schema);
        ImmutableList.Builder<Column> fields = ImmutableList.builder();
        for (int index = 0; index < types.size(); index++) {
            String name = schema.columns().get(index).name();
            fields.add(new Column(name, constructField(types.get(index), lookupColumnByName(columns, name)).orElseThrow()));
        }
        Map<List<String>, ColumnDescriptor> descriptors = getDescriptors(fileSchema, fileSchema);
        TupleDomain<ColumnDescriptor> domain = predicate.transformKeys(name -> descriptors.get(List.of(name)));
        TupleDomainParquetPredicate parquetPredicate = buildPredicate(fileSchema, domain, descriptors, DateTimeZone.UTC);
        List<RowGroupInfo> rowGroups = getFilteredRowGroups(
                0,
                file.length,
                source,
                metadata,
                List.of(domain),
                List.of(parquetPredicate),
                descriptors,
                DateTimeZone.UTC,
                1000,
                options);
        List<List<Object>> rows = new ArrayList<>();
        try (ParquetReader reader = new ParquetReader(
                Optional.ofNullable(metadata.getFileMetaData().getCreatedBy()),
                fields.build(),
                false,
                rowGroups,
                source,
                DateTimeZone.UTC,
                newSimpleAggregatedMemoryContext(),
                options,
                exception -> new RuntimeException(exception),
                predicate.isAll() ? Optional.empty() : Optional.of(parquetPredicate),
                Optional.empty(),
                Optional.empty())) {
            for (SourcePage page = reader.nextPage(); page != null; page = reader.nextPage()) {
                for (int position = 0; position < page.getPositionCount(); position++) {
                    List<Object> row = new ArrayList<>();
                    for (int column = 0; column < types.size(); column++) {
                        Block block = page.getBlock(column);
                        row.add(block.isNull(position) ? null : types.get(column).getObjectValue(block, position));
                    }
                    rows.add(row);
                }
            }
        }
        return rows;
    }
}
