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

import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random schemas, files of one schema by random writers with random settings, and random options.
 */
final class RandomFiles
{
    private static final List<CompressionCodecName> CODECS = List.of(CompressionCodecName.ZSTD, CompressionCodecName.SNAPPY, CompressionCodecName.GZIP, CompressionCodecName.UNCOMPRESSED);

    private final Random random;
    private int fieldId;

    RandomFiles(Random random)
    {
        this.random = random;
    }

    MessageType schema()
    {
        List<Type> fields = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int index = 0; index < count; index++) {
            fields.add(field("c" + index, 1));
        }
        return new MessageType("table", fields);
    }

    private Type field(String name, int depth)
    {
        int kind = depth >= 5 ? 0 : random.nextInt(10);
        Repetition repetition = random.nextInt(3) == 0 ? Repetition.REQUIRED : Repetition.OPTIONAL;
        return switch (kind) {
            case 0, 1, 2, 3, 4, 5 -> primitive(name, repetition);
            case 6 -> Types.list(repetition).id(++fieldId).element(field("element", depth + 1)).named(name);
            case 7 -> Types.map(repetition).id(++fieldId)
                    .key(Types.required(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.stringType()).id(++fieldId).named("key"))
                    .value(field("value", depth + 1))
                    .named(name);
            case 8 -> {
                Types.GroupBuilder<? extends Type> group = Types.buildGroup(repetition).id(++fieldId);
                int count = 1 + random.nextInt(3);
                for (int index = 0; index < count; index++) {
                    group.addField(field("f" + index, depth + 1));
                }
                yield (Type) group.named(name);
            }
            default -> random.nextBoolean()
                    ? primitive(name, Repetition.REPEATED)
                    : (Type) Types.repeatedGroup().id(++fieldId).addField(field("f0", depth + 1)).named(name);
        };
    }

    private Type primitive(String name, Repetition repetition)
    {
        fieldId++;
        return switch (random.nextInt(14)) {
            case 0 -> Types.primitive(PrimitiveTypeName.BOOLEAN, repetition).id(fieldId).named(name);
            case 1 -> Types.primitive(PrimitiveTypeName.INT32, repetition).id(fieldId).named(name);
            case 2 -> Types.primitive(PrimitiveTypeName.INT64, repetition).id(fieldId).named(name);
            case 3 -> Types.primitive(PrimitiveTypeName.FLOAT, repetition).id(fieldId).named(name);
            case 4 -> Types.primitive(PrimitiveTypeName.DOUBLE, repetition).id(fieldId).named(name);
            case 5, 6 -> Types.primitive(PrimitiveTypeName.BINARY, repetition).as(LogicalTypeAnnotation.stringType()).id(fieldId).named(name);
            case 7 -> Types.primitive(PrimitiveTypeName.BINARY, repetition).id(fieldId).named(name);
            case 8 -> Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition).length(1 + random.nextInt(20)).id(fieldId).named(name);
            case 9 -> Types.primitive(PrimitiveTypeName.INT32, repetition).as(LogicalTypeAnnotation.dateType()).id(fieldId).named(name);
            case 10 -> Types.primitive(PrimitiveTypeName.INT64, repetition).as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS)).id(fieldId).named(name);
            case 11 -> Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition).length(9).as(LogicalTypeAnnotation.decimalType(2, 20)).id(fieldId).named(name);
            case 12 -> Types.primitive(PrimitiveTypeName.INT64, repetition).as(LogicalTypeAnnotation.intType(64, false)).id(fieldId).named(name);
            default -> Types.primitive(PrimitiveTypeName.INT96, repetition).id(fieldId).named(name);
        };
    }

    byte[] file(MessageType schema)
            throws IOException
    {
        int nullRate = List.of(0, 10, 50, 95, 100).get(random.nextInt(5));
        int distinct = List.of(1, 3, 40, 400, 1_000_000).get(random.nextInt(5));
        RandomRows rows = new RandomRows(new Random(random.nextLong()), distinct, nullRate, random.nextInt(3) * 50);
        int count = List.of(0, 1, 7, 60, 300, 700).get(random.nextInt(6));
        return write(schema, rows, count);
    }

    private byte[] write(MessageType schema, RandomRows rows, int count)
            throws IOException
    {
        WriterVersion version = random.nextInt(3) == 0 ? WriterVersion.PARQUET_2_0 : WriterVersion.PARQUET_1_0;
        boolean dictionary = random.nextInt(5) > 0;
        boolean streams = random.nextInt(4) == 0;
        boolean checksums = random.nextBoolean();
        int pageRows = List.of(1, 10, 77, 20_000).get(random.nextInt(4));
        int dictionarySize = List.of(100, 2_000, 1 << 20).get(random.nextInt(3));
        long rowGroupSize = List.of(2_000L, 20_000L, 1L << 27).get(random.nextInt(3));
        byte[] file = ParquetMr.write(schema, rows.rows(schema, count), CODECS.get(random.nextInt(CODECS.size())), (ExampleParquetWriter.Builder builder) -> builder
                .withWriterVersion(version)
                .withDictionaryEncoding(dictionary)
                .withByteStreamSplitEncoding(streams)
                .withPageWriteChecksumEnabled(checksums)
                .withPageRowCountLimit(pageRows)
                .withMinRowCountForPageSizeCheck(50)
                .withDictionaryPageSize(dictionarySize)
                .withRowGroupSize(rowGroupSize));
        boolean byTrino = schema.getFields().stream().allMatch(field -> !field.isRepetition(Repetition.REPEATED) && isWrittenByTrino(field));
        if (byTrino && count > 0 && random.nextInt(3) == 0) {
            return TrinoParquet.rewrite(file, CompressionCodec.ZSTD, builder -> builder.setMaxPageValueCount(pageRows));
        }
        return file;
    }

    private static boolean isWrittenByTrino(Type type)
    {
        if (TrinoParquet.type(type).isEmpty()) {
            return false;
        }
        if (type.isPrimitive()) {
            return type.asPrimitiveType().getPrimitiveTypeName() != PrimitiveTypeName.INT96;
        }
        return type.asGroupType().getFields().stream().allMatch(RandomFiles::isWrittenByTrino);
    }

    StitchOptions options()
    {
        return StitchOptions.DEFAULTS
                .withTargetRowGroupSize(List.of(1L, 20_000L, 1L << 27).get(random.nextInt(3)))
                .withTargetPage(List.of(500, 20_000, 1 << 20).get(random.nextInt(3)), List.of(1, 50, 20_000).get(random.nextInt(3)))
                .withSmallPageValues(List.of(0, 50, 8_000).get(random.nextInt(3)))
                .withDictionarySizes(0, 0)
                .withDictionarySizes(List.of(0, 1_000, 100_000).get(random.nextInt(3)), 100_000)
                .withReadSize(List.of(100, 10_000, 8 << 20).get(random.nextInt(3)));
    }

    CompressionCodec codec()
    {
        return CompressionCodec.valueOf(CODECS.get(random.nextInt(CODECS.size())).name());
    }
}
