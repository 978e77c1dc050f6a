
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Files written and read by parquet-mr.
 */
final class ParquetMrFiles
{
    private ParquetMrFiles() {}

    /**
     * @param id value of the first column, a required long, counted up from here
     */
    static byte[] write(MessageType schema, long id, int rows, Random random, UnaryOperator<ExampleParquetWriter.Builder> configure)
            throws IOException
    {
        ImmutableList.Builder<Group> groups = ImmutableList.builder();
        for (int row = 0; row < rows; row++) {
            Group group = new SimpleGroup(schema);
            group.add(0, id + row);
            fill(group, schema, 1, random);
            groups.add(group);
        }
        return write(schema, groups.build(), configure);
    }

    static byte[] write(MessageType schema, List<Group> groups, UnaryOperator<ExampleParquetWriter.Builder> configure)
            throws IOException
    {
        BytesOutputFile file = new BytesOutputFile();
        ExampleParquetWriter.Builder builder = configure.apply(ExampleParquetWriter.builder(file)
                .withConf(new PlainParquetConfiguration())
                .withType(schema));
        try (ParquetWriter<Group> writer = builder.build()) {
            for (Group group : groups) {
                writer.write(group);
            }
        }
        return file.bytes();
    }

    private static void fill(Group group, GroupType type, int firstField, Random random)
    {
        for (int field = firstField; field < type.getFieldCount(); field++) {
            Type fieldType = type.getType(field);
            int count = switch (fieldType.getRepetition()) {
                case REQUIRED -> 1;
                case OPTIONAL -> random.nextInt(4) == 0 ? 0 : 1;
                case REPEATED -> random.nextInt(4);
            };
            for (int index = 0; index < count; index++) {
                if (fieldType.isPrimitive()) {
                    addValue(group, field, fieldType.asPrimitiveType(), random);
                }
                else {
                    fill(group.addGroup(field), fieldType.asGroupType(), 0, random);
                }
            }
        }
    }

    private static void addValue(Group group, int field, PrimitiveType type, Random random)
    {
        switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> group.add(field, random.nextBoolean());
            case INT32 -> group.add(field, (int) bounded(type, random));
            case INT64 -> group.add(field, bounded(type, random));
            case FLOAT -> group.add(field, random.nextFloat());
            case DOUBLE -> group.add(field, random.nextGaussian());
            case BINARY -> group.add(field, Binary.fromConstantByteArray(text(random).getBytes(StandardCharsets.UTF_8)));
            case FIXED_LEN_BYTE_ARRAY -> group.add(field, Binary.fromConstantByteArray(fixed(type, random)));
            case INT96 -> throw new UnsupportedOperationException("INT96");
        }
    }

    private static String text(Random random)
    {
        // short ones repeat, so that dictionaries are used; long ones end them
        return random.nextInt(20) == 0 ? "long " + Long.toString(random.nextLong(), 36).repeat(10) : "value " + random.nextInt(50);
    }

    private static byte[] fixed(PrimitiveType type, Random random)
    {
        byte[] bytes = new byte[type.getTypeLength()];
        if (type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation) {
            byte[] value = BigInteger.valueOf(bounded(type, random)).toByteArray();
            java.util.Arrays.fill(bytes, (byte) (value[0] < 0 ? -1 : 0));
            System.arraycopy(value, 0, bytes, bytes.length - value.length, value.length);
        }
        else {
            random.nextBytes(bytes);
        }
        return bytes;
    }

    private static long bounded(PrimitiveType type, Random random)
    {
        return switch (type.getLogicalTypeAnnotation()) {
            case DecimalLogicalTypeAnnotation decimal -> random.nextLong(-pow10(decimal.getPrecision()) + 1, pow10(decimal.getPrecision()));
            case LogicalTypeAnnotation.DateLogicalTypeAnnotation _ -> random.nextInt(-10_000, 30_000);
            case LogicalTypeAnnotation.TimeLogicalTypeAnnotation _ -> random.nextLong(86_400_000_000L);
            case LogicalTypeAnnotation.TimestampLogicalTypeAnnotation _ -> random.nextLong(-1_000_000_000_000_000L, 3_000_000_000_000_000L);
            case null, default -> type.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT32 ? random.nextInt(1000) : random.nextLong();
        };
    }

    private static long pow10(int precision)
    {
        return BigInteger.TEN.pow(Math.min(precision, 18)).longValueExact();
    }

    /** All rows as text, in file order. */
    static List<String> read(byte[] file)
            throws IOException
    {
        ImmutableList.Builder<String> rows = ImmutableList.builder();
        read(file, ParquetReadOptions.builder(new PlainParquetConfiguration()).usePageChecksumVerification(true).build(), FilterCompat.NOOP, group -> rows.add(group.toString()));
        return rows.build();
    }

    /** All rows of one column, which is a long, in file order. */
    static List<Long> readLongs(byte[] file, String column)
            throws IOException
    {
        ImmutableList.Builder<Long> values = ImmutableList.builder();
        read(file, ParquetReadOptions.builder(new PlainParquetConfiguration()).build(), FilterCompat.NOOP, group -> values.add(group.getLong(column, 0)));
        return values.build();
    }

    /** Rows of the pages that a filter leaves, filtered no further. */
    static List<Group> readFiltered(byte[] file, FilterCompat.Filter filter)
            throws IOException
    {
        ImmutableList.Builder<Group> rows = ImmutableList.builder();
        ParquetReadOptions options = ParquetReadOptions.builder(new PlainParquetConfiguration())
                .withRecordFilter(filter)
                .useStatsFilter()
                .useDictionaryFilter()
                .useBloomFilter()
                .useColumnIndexFilter()
                .build();
        read(file, options, filter, rows::add);
        return rows.build();
    }

    private static void read(byte[] file, ParquetReadOptions options, FilterCompat.Filter filter, Consumer<Group> rows)
            throws IOException
    {
        try (ParquetFileReader reader = ParquetFileReader.open(new BytesInputFile(file), options)) {
            MessageType schema = reader.getFileMetaData().getSchema();
            while (true) {
                PageReadStore pages = filter == FilterCompat.NOOP ? reader.readNextRowGroup() : reader.readNextFilteredRowGroup();
                if (pages == null) {
                    return;
                }
                RecordReader<Group> records = new ColumnIOFactory().getColumnIO(schema).getRecordReader(pages, new GroupRecordConverter(schema));
                for (long row = 0; row < pages.getRowCount(); row++) {
                    rows.accept(records.read());
                }
            }
        }
    }
}
