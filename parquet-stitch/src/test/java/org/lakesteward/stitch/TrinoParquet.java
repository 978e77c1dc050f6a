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
package org.lakesteward.stitch;

import com.google.common.collect.ImmutableList;
import io.trino.parquet.AbstractParquetDataSource;
import io.trino.parquet.Column;
import io.trino.parquet.ParquetDataSource;
import io.trino.parquet.ParquetDataSourceId;
import io.trino.parquet.ParquetReaderOptions;
import io.trino.parquet.metadata.ParquetMetadata;
import io.trino.parquet.predicate.TupleDomainParquetPredicate;
import io.trino.parquet.reader.MetadataReader;
import io.trino.parquet.reader.ParquetReader;
import io.trino.parquet.reader.RowGroupInfo;
import io.trino.parquet.writer.ParquetWriter;
import io.trino.parquet.writer.ParquetWriterOptions;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.SqlMap;
import io.trino.spi.block.SqlRow;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import io.trino.spi.type.UuidType;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.joda.time.DateTimeZone;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.parquet.ParquetTypeUtils.constructField;
import static io.trino.parquet.ParquetTypeUtils.getColumnIO;
import static io.trino.parquet.ParquetTypeUtils.getDescriptors;
import static io.trino.parquet.ParquetTypeUtils.lookupColumnByName;
import static io.trino.parquet.predicate.PredicateUtils.buildPredicate;
import static io.trino.parquet.predicate.PredicateUtils.getFilteredRowGroups;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TimestampType.TIMESTAMP_MICROS;
import static io.trino.spi.type.TimestampWithTimeZoneType.TIMESTAMP_TZ_MICROS;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Writes and reads by Trino. Columns of types that Trino does not have are left out.
 */
final class TrinoParquet
{
    private static final TypeOperators TYPE_OPERATORS = new TypeOperators();

    private TrinoParquet() {}

    /**
     * @return the type, empty when Trino has none for it
     */
    static Optional<Type> type(org.apache.parquet.schema.Type type)
    {
        if (type.isPrimitive()) {
            return primitive(type.asPrimitiveType());
        }
        GroupType group = type.asGroupType();
        return switch (group.getLogicalTypeAnnotation()) {
            case ListLogicalTypeAnnotation _ -> child(group.getType(0).asGroupType().getType(0)).map(ArrayType::new);
            case MapLogicalTypeAnnotation _ -> {
                GroupType entries = group.getType(0).asGroupType();
                Optional<Type> key = type(entries.getType(0));
                Optional<Type> value = child(entries.getType(1));
                yield key.isPresent() && value.isPresent() ? Optional.of(new MapType(key.get(), value.get(), TYPE_OPERATORS)) : Optional.empty();
            }
            case null, default -> {
                List<RowType.Field> fields = new ArrayList<>();
                for (org.apache.parquet.schema.Type field : group.getFields()) {
                    Optional<Type> fieldType = child(field);
                    if (fieldType.isEmpty()) {
                        yield Optional.empty();
                    }
                    fields.add(RowType.field(field.getName(), fieldType.get()));
                }
                yield Optional.of(RowType.from(fields));
            }
        };
    }

    private static Optional<Type> child(org.apache.parquet.schema.Type type)
    {
        return type.isRepetition(org.apache.parquet.schema.Type.Repetition.REPEATED) ? Optional.empty() : type(type);
    }

    private static Optional<Type> primitive(PrimitiveType type)
    {
        LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
        return switch (annotation) {
            case null -> Optional.of(switch (type.getPrimitiveTypeName()) {
                case BOOLEAN -> BOOLEAN;
                case INT32 -> INTEGER;
                case INT64 -> BIGINT;
                case FLOAT -> REAL;
                case DOUBLE -> DOUBLE;
                case INT96 -> TimestampType.TIMESTAMP_NANOS;
                case BINARY, FIXED_LEN_BYTE_ARRAY -> VARBINARY;
            });
            case DecimalLogicalTypeAnnotation decimal -> Optional.of(DecimalType.createDecimalType(decimal.getPrecision(), decimal.getScale()));
            case LogicalTypeAnnotation.DateLogicalTypeAnnotation _ -> Optional.of(DATE);
            case LogicalTypeAnnotation.StringLogicalTypeAnnotation _ -> Optional.of(VARCHAR);
            case LogicalTypeAnnotation.UUIDLogicalTypeAnnotation _ -> Optional.of(UuidType.UUID);
            case TimeLogicalTypeAnnotation time when time.getUnit() == TimeUnit.MICROS -> Optional.of(TimeType.TIME_MICROS);
            case TimestampLogicalTypeAnnotation timestamp when timestamp.getUnit() == TimeUnit.MICROS -> Optional.of(timestamp.isAdjustedToUTC() ? TIMESTAMP_TZ_MICROS : TIMESTAMP_MICROS);
            default -> Optional.empty();
        };
    }

    /**
     * Columns of the schema that Trino has a type for.
     */
    private static List<org.apache.parquet.schema.Type> columns(MessageType schema)
    {
        return schema.getFields().stream()
                .filter(field -> child(field).isPresent())
                .collect(toImmutableList());
    }

    /**
     * Writes the rows of a file anew; columns without a type are gone.
     */
    static byte[] rewrite(byte[] file, CompressionCodec codec, UnaryOperator<ParquetWriterOptions.Builder> configure)
            throws IOException
    {
        BytesDataSource source = new BytesDataSource(file, ParquetReaderOptions.defaultOptions());
        MessageType fileSchema = MetadataReader.readFooter(source, Optional.empty()).getFileMetaData().getSchema();
        MessageType schema = new MessageType("table", columns(fileSchema));
        Map<List<String>, Type> primitives = new HashMap<>();
        for (org.apache.parquet.schema.Type field : schema.getFields()) {
            collectPrimitives(field, ImmutableList.of(), primitives);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ParquetWriter writer = new ParquetWriter(bytes, schema, primitives, configure.apply(ParquetWriterOptions.builder()).build(), codec, "483", Optional.empty(), Optional.empty())) {
            for (Page page : pages(file, TupleDomain.all())) {
                writer.write(page);
            }
        }
        return bytes.toByteArray();
    }

    private static void collectPrimitives(org.apache.parquet.schema.Type field, List<String> parent, Map<List<String>, Type> primitives)
    {
        List<String> path = ImmutableList.<String>builder().addAll(parent).add(field.getName()).build();
        if (field.isPrimitive()) {
            primitives.put(path, type(field).orElseThrow());
            return;
        }
        field.asGroupType().getFields().forEach(child -> collectPrimitives(child, path, primitives));
    }

    /**
     * All rows, in file order.
     */
    static List<List<Object>> rows(List<byte[]> files)
            throws IOException
    {
        List<List<Object>> rows = new ArrayList<>();
        for (byte[] file : files) {
            rows.addAll(rows(file, TupleDomain.all()));
        }
        return rows;
    }

    /**
     * Rows of the row groups and pages that a predicate leaves, filtered no further.
     */
    static List<List<Object>> rows(byte[] file, TupleDomain<String> predicate)
            throws IOException
    {
        MessageType schema = MetadataReader.readFooter(new BytesDataSource(file, ParquetReaderOptions.defaultOptions()), Optional.empty()).getFileMetaData().getSchema();
        List<Type> types = columns(schema).stream().map(field -> type(field).orElseThrow()).collect(toImmutableList());
        List<List<Object>> rows = new ArrayList<>();
        for (Page page : pages(file, predicate)) {
            for (int position = 0; position < page.getPositionCount(); position++) {
                List<Object> row = new ArrayList<>();
                for (int column = 0; column < types.size(); column++) {
                    row.add(value(types.get(column), page.getBlock(column), position));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** Unlike {@link Type#getObjectValue}, this takes any encoding of blocks below others. */
    private static Object value(Type type, Block block, int position)
    {
        if (block.isNull(position)) {
            return null;
        }
        List<Object> values = new ArrayList<>();
        switch (type) {
            case ArrayType array -> {
                Block elements = array.getObject(block, position);
                for (int index = 0; index < elements.getPositionCount(); index++) {
                    values.add(value(array.getElementType(), elements, index));
                }
            }
            case MapType map -> {
                SqlMap entries = map.getObject(block, position);
                for (int index = 0; index < entries.getSize(); index++) {
                    values.add(value(map.getKeyType(), entries.getRawKeyBlock(), entries.getRawOffset() + index));
                    values.add(value(map.getValueType(), entries.getRawValueBlock(), entries.getRawOffset() + index));
                }
            }
            case RowType row -> {
                SqlRow fields = row.getObject(block, position);
                for (int index = 0; index < fields.getFieldCount(); index++) {
                    values.add(value(row.getFields().get(index).getType(), fields.getRawFieldBlock(index), fields.getRawIndex()));
                }
            }
            default -> {
                return type.getObjectValue(block.getSingleValueBlock(position), 0);
            }
        }
        return values;
    }

    private static List<Page> pages(byte[] file, TupleDomain<String> predicate)
            throws IOException
    {
        ParquetReaderOptions options = ParquetReaderOptions.builder().withUseColumnIndex(true).withBloomFilter(true).build();
        ParquetDataSource source = new BytesDataSource(file, options);
        ParquetMetadata metadata = MetadataReader.readFooter(source, options, Optional.empty(), Optional.empty());
        MessageType schema = metadata.getFileMetaData().getSchema();
        MessageColumnIO columnIO = getColumnIO(schema, schema);
        ImmutableList.Builder<Column> fields = ImmutableList.builder();
        for (org.apache.parquet.schema.Type field : columns(schema)) {
            fields.add(new Column(field.getName(), constructField(type(field).orElseThrow(), lookupColumnByName(columnIO, field.getName())).orElseThrow()));
        }
        Map<List<String>, ColumnDescriptor> descriptors = getDescriptors(schema, schema);
        TupleDomain<ColumnDescriptor> domain = predicate.transformKeys(name -> descriptors.get(List.of(name)));
        TupleDomainParquetPredicate parquetPredicate = buildPredicate(schema, domain, descriptors, DateTimeZone.UTC);
        List<RowGroupInfo> rowGroups = getFilteredRowGroups(0, file.length, source, metadata, List.of(domain), List.of(parquetPredicate), descriptors, DateTimeZone.UTC, 1000, options);
        List<Page> pages = new ArrayList<>();
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
                pages.add(page.getPage());
            }
        }
        return pages;
    }

    private static final class BytesDataSource
            extends AbstractParquetDataSource
    {
        private final byte[] bytes;

        private BytesDataSource(byte[] bytes, ParquetReaderOptions options)
        {
            super(new ParquetDataSourceId("memory"), bytes.length, options);
            this.bytes = bytes;
        }

        @Override
        protected void readInternal(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            if (position < 0 || position + length > bytes.length) {
                throw new EOFException("%s bytes at %s are outside of %s".formatted(length, position, bytes.length));
            }
            System.arraycopy(bytes, (int) position, buffer, offset, length);
        }

        @Override
        public void close() {}
    }
}
