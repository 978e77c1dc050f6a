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

import io.airlift.units.DataSize;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.lakesteward.stitch.StitchTester.Stitched;
import org.lakesteward.stitch.footer.KeyValueMetadata;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.io.ParquetSink;
import org.lakesteward.stitch.io.ParquetSource;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.apache.parquet.hadoop.metadata.CompressionCodecName.GZIP;
import static org.apache.parquet.hadoop.metadata.CompressionCodecName.LZ4_RAW;
import static org.apache.parquet.hadoop.metadata.CompressionCodecName.SNAPPY;
import static org.apache.parquet.hadoop.metadata.CompressionCodecName.UNCOMPRESSED;
import static org.apache.parquet.hadoop.metadata.CompressionCodecName.ZSTD;
import static org.apache.parquet.schema.MessageTypeParser.parseMessageType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.stitch.StitchTester.SMALL;

public class TestStitcher
{
    /** Every physical and logical type that both readers know, required and optional. */
    static final MessageType FLAT = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional boolean flag = 2;
              optional int32 number = 3;
              optional int64 big = 4;
              optional float real = 5;
              optional double fraction = 6;
              optional binary name (STRING) = 7;
              optional binary bytes = 8;
              optional fixed_len_byte_array(16) uuid (UUID) = 9;
              optional int32 day (DATE) = 10;
              optional int64 time (TIME(MICROS,false)) = 11;
              optional int64 local (TIMESTAMP(MICROS,false)) = 12;
              optional int64 instant (TIMESTAMP(MICROS,true)) = 13;
              optional int32 small_decimal (DECIMAL(7,2)) = 14;
              optional int64 decimal (DECIMAL(15,3)) = 15;
              optional fixed_len_byte_array(9) big_decimal (DECIMAL(20,4)) = 16;
              required binary required_name (STRING) = 17;
              required double required_fraction = 18;
              required boolean required_flag = 19;
            }
            """);

    static final MessageType NESTED = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional group list (LIST) = 2 {
                repeated group list {
                  optional binary element (STRING) = 3;
                }
              }
              optional group map (MAP) = 4 {
                repeated group key_value {
                  required binary key (STRING) = 5;
                  optional int64 value = 6;
                }
              }
              optional group row = 7 {
                optional int32 left = 8;
                required double right = 9;
              }
              optional group deep (LIST) = 10 {
                repeated group list {
                  optional group element (LIST) = 11 {
                    repeated group list {
                      optional group element (LIST) = 12 {
                        repeated group list {
                          optional group element = 13 {
                            optional group inner (LIST) = 14 {
                              repeated group list {
                                optional int32 element = 15;
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
            """);

    /** What Trino has no type for, or writes in another way: unsigned, milliseconds, nanoseconds, bare repetition. */
    static final MessageType ODD = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional int96 old_timestamp = 2;
              optional int32 unsigned8 (INTEGER(8,false)) = 3;
              optional int32 unsigned32 (INTEGER(32,false)) = 4;
              optional int64 unsigned64 (INTEGER(64,false)) = 5;
              optional int32 signed16 (INTEGER(16,true)) = 6;
              optional int32 time_millis (TIME(MILLIS,true)) = 7;
              optional int64 time_nanos (TIME(NANOS,true)) = 8;
              optional int64 timestamp_millis (TIMESTAMP(MILLIS,true)) = 9;
              optional int64 timestamp_nanos (TIMESTAMP(NANOS,false)) = 10;
              optional binary enumeration (ENUM) = 11;
              optional binary json (JSON) = 12;
              optional binary bson (BSON) = 13;
              optional binary decimal (DECIMAL(18,2)) = 14;
              optional fixed_len_byte_array(12) span (INTERVAL) = 15;
              optional fixed_len_byte_array(2) half (FLOAT16) = 16;
              optional fixed_len_byte_array(5) fixed = 17;
              repeated int32 numbers = 18;
              repeated group structs = 19 {
                required boolean flag = 20;
                repeated binary names (STRING) = 21;
              }
            }
            """);

    private static final UnaryOperator<ExampleParquetWriter.Builder> PLAIN = builder -> builder;

    private static byte[] file(MessageType schema, long seed, int rows, int distinct, int nullRate, CompressionCodecName codec, UnaryOperator<ExampleParquetWriter.Builder> configure)
            throws IOException
    {
        return ParquetMr.write(schema, new RandomRows(new Random(seed), distinct, nullRate, (int) seed * 20).rows(schema, rows), codec, configure);
    }

    private static List<byte[]> files(MessageType schema, int count, int rows, int distinct, CompressionCodecName codec, UnaryOperator<ExampleParquetWriter.Builder> configure)
            throws IOException
    {
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            files.add(file(schema, index, rows + index * 7, distinct, 20, codec, configure));
        }
        return files;
    }

    @DataProvider
    public Object[][] schemas()
    {
        return new Object[][] {{FLAT}, {NESTED}, {ODD}};
    }

    @Test(dataProvider = "schemas")
    public void testVersion1(MessageType schema)
            throws IOException
    {
        Stitched stitched = StitchTester.stitch(files(schema, 5, 700, 100, ZSTD, PLAIN), CompressionCodec.ZSTD, SMALL);
        assertThat(stitched.result().inputs()).isEqualTo(5);
        assertThat(stitched.result().rowCount()).isEqualTo(5 * 700 + 70);
        assertThat(stitched.result().pagesMerged()).isPositive();
        assertThat(stitched.result().pagesCopied()).isPositive();
        assertThat(stitched.summary().offsetIndexes()).isEqualTo(schema.getColumns().size() * stitched.result().metadata().getRow_groupsSize());
        assertThat(stitched.summary().columnIndexes()).isPositive();
    }

    @Test(dataProvider = "schemas")
    public void testVersion2(MessageType schema)
            throws IOException
    {
        // DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY and booleans in RLE where a dictionary does not pay
        Stitched stitched = StitchTester.stitch(
                files(schema, 5, 700, 100_000, ZSTD, builder -> builder.withWriterVersion(WriterVersion.PARQUET_2_0)),
                CompressionCodec.ZSTD,
                SMALL);
        Set<Encoding> encodings = encodings(stitched);
        assertThat(encodings).contains(Encoding.DELTA_BINARY_PACKED, Encoding.DELTA_BYTE_ARRAY);
        assertThat(stitched.summary().offsetIndexes()).isEqualTo(schema.getColumns().size() * stitched.result().metadata().getRow_groupsSize());
    }

    @Test
    public void testVersionsMixed()
            throws IOException
    {
        for (MessageType schema : List.of(FLAT, NESTED)) {
            List<byte[]> files = new ArrayList<>();
            for (int index = 0; index < 6; index++) {
                WriterVersion version = index % 2 == 0 ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0;
                files.add(file(schema, index, 250, 60, 20, ZSTD, builder -> builder.withWriterVersion(version)));
            }
            StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL);
        }
    }

    @DataProvider
    public Object[][] codecs()
    {
        return new Object[][] {{ZSTD}, {SNAPPY}, {GZIP}, {LZ4_RAW}, {UNCOMPRESSED}};
    }

    @Test(dataProvider = "codecs")
    public void testCodec(CompressionCodecName codec)
            throws IOException
    {
        for (WriterVersion version : List.of(WriterVersion.PARQUET_1_0, WriterVersion.PARQUET_2_0)) {
            Stitched stitched = StitchTester.stitch(
                    files(FLAT, 3, 500, 80, codec, builder -> builder.withWriterVersion(version)),
                    CompressionCodec.valueOf(codec.name()),
                    SMALL);
            assertThat(stitched.result().pagesRecompressed()).isZero();
            assertThat(stitched.result().metadata().getRow_groups().getFirst().getColumns().getFirst().getMeta_data().getCodec().name()).isEqualTo(codec.name());
        }
    }

    @Test(dataProvider = "codecs")
    public void testAnotherCodec(CompressionCodecName codec)
            throws IOException
    {
        CompressionCodec target = codec == ZSTD ? CompressionCodec.SNAPPY : CompressionCodec.ZSTD;
        for (WriterVersion version : List.of(WriterVersion.PARQUET_1_0, WriterVersion.PARQUET_2_0)) {
            for (MessageType schema : List.of(FLAT, NESTED)) {
                Stitched stitched = StitchTester.stitch(files(schema, 3, 500, 100_000, codec, builder -> builder.withWriterVersion(version)), target, SMALL);
                assertThat(stitched.result().pagesRecompressed() + stitched.result().pagesMerged()).isPositive();
                assertThat(stitched.result().pagesCopied()).isZero();
            }
        }
    }

    @Test
    public void testCodecsMixed()
            throws IOException
    {
        List<byte[]> files = new ArrayList<>();
        for (CompressionCodecName codec : List.of(ZSTD, SNAPPY, GZIP, LZ4_RAW, UNCOMPRESSED)) {
            files.add(file(FLAT, files.size(), 400, 90, 20, codec, PLAIN));
        }
        StitchTester.stitch(files, CompressionCodec.GZIP, SMALL);
    }

    @Test
    public void testEncodings()
            throws IOException
    {
        for (MessageType schema : List.of(FLAT, NESTED)) {
            Stitched streams = StitchTester.stitch(
                    files(schema, 4, 400, 100_000, ZSTD, builder -> builder.withByteStreamSplitEncoding(true).withDictionaryEncoding(false)),
                    CompressionCodec.ZSTD,
                    SMALL);
            assertThat(encodings(streams)).contains(Encoding.BYTE_STREAM_SPLIT, Encoding.PLAIN).doesNotContain(Encoding.PLAIN_DICTIONARY, Encoding.RLE_DICTIONARY);

            Stitched plain = StitchTester.stitch(files(schema, 4, 400, 100_000, ZSTD, builder -> builder.withDictionaryEncoding(false)), CompressionCodec.ZSTD, SMALL);
            assertThat(encodings(plain)).doesNotContain(Encoding.PLAIN_DICTIONARY, Encoding.RLE_DICTIONARY);
        }
    }

    @Test
    public void testFallBackOfWriters()
            throws IOException
    {
        // chunks that begin with a dictionary and go on without it
        MessageType schema = parseMessageType("message table { optional binary name (STRING) = 1; }");
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < 5; index++) {
            List<Group> rows = new ArrayList<>();
            for (int row = 0; row < 3_000; row++) {
                rows.add(new SimpleGroup(schema).append("name", "file " + index + (row < 1_000 ? " common " + row % 5 : " rare " + row)));
            }
            files.add(ParquetMr.write(schema, rows, ZSTD, builder -> builder.withDictionaryPageSize(3_000).withPageRowCountLimit(500)));
            assertThat(StitchTester.footer(files.getLast()).metadata().getRow_groups().getFirst().getColumns().getFirst().getMeta_data().getEncodings())
                    .contains(Encoding.PLAIN, Encoding.PLAIN_DICTIONARY);
        }
        assertThat(encodings(StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL))).containsExactlyInAnyOrder(Encoding.PLAIN, Encoding.PLAIN_DICTIONARY);
    }

    @Test(dataProvider = "schemas")
    public void testDictionaryOverflow(MessageType schema)
            throws IOException
    {
        for (WriterVersion version : List.of(WriterVersion.PARQUET_1_0, WriterVersion.PARQUET_2_0)) {
            Stitched stitched = StitchTester.stitch(
                    files(schema, 6, 500, 300, ZSTD, builder -> builder.withWriterVersion(version)),
                    CompressionCodec.ZSTD,
                    SMALL.withDictionarySizes(100, 2_000));
            assertThat(stitched.result().pagesGathered()).isPositive();
            assertThat(encodings(stitched)).contains(Encoding.PLAIN);
        }
    }

    @Test
    public void testDictionaryIsKeptWhileItPays()
            throws IOException
    {
        // long values that many rows share: the dictionary is far beyond its target and still much smaller than the values
        MessageType schema = parseMessageType("message table { required binary name (STRING) = 1; }");
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < 5; index++) {
            List<Group> rows = new ArrayList<>();
            for (int row = 0; row < 2_000; row++) {
                rows.add(new SimpleGroup(schema).append("name", ("file " + index + " value " + row % 20 + " ").repeat(30)));
            }
            files.add(ParquetMr.write(schema, rows, ZSTD, PLAIN));
        }
        Stitched kept = StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL.withDictionarySizes(1_000, 1 << 20));
        assertThat(kept.result().pagesGathered()).isZero();
        assertThat(encodings(kept)).doesNotContain(Encoding.PLAIN);

        Stitched limited = StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL.withDictionarySizes(1_000, 1_000));
        assertThat(limited.result().pagesGathered()).isPositive();
    }

    @Test
    public void testGatheredPagesAreCutAtRows()
            throws IOException
    {
        // few large values that rows repeat: a page of indices becomes many pages of values
        MessageType schema = parseMessageType(
                """
                message table {
                  required int64 id = 1;
                  optional group list (LIST) = 2 { repeated group list { optional binary element (STRING) = 3; } }
                }
                """);
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            List<Group> rows = new ArrayList<>();
            for (int row = 0; row < 300; row++) {
                Group group = new SimpleGroup(schema).append("id", (long) row);
                Group list = group.addGroup("list");
                for (int element = 0; element < row % 4; element++) {
                    list.addGroup(0).append("element", ("file " + index + " value " + (row + element) % 5 + " ").repeat(200));
                }
                rows.add(group);
            }
            files.add(ParquetMr.write(schema, rows, ZSTD, PLAIN));
        }
        StitchOptions options = SMALL.withDictionarySizes(0, 0).withTargetPage(30_000, 100_000).withTargetRowGroupSize(100 << 20);
        Stitched stitched = StitchTester.stitch(files, CompressionCodec.ZSTD, options);
        assertThat(stitched.result().pagesGathered()).isEqualTo(2);
        ColumnMetaData list = stitched.result().metadata().getRow_groups().getFirst().getColumns().get(1).getMeta_data();
        assertThat(list.getEncoding_stats().stream().filter(stats -> stats.getEncoding() == Encoding.PLAIN && stats.getPage_type() != PageType.DICTIONARY_PAGE).mapToInt(PageEncodingStats::getCount).sum()).isGreaterThan(10);
    }

    @Test
    public void testIdenticalDictionariesAreCopied()
            throws IOException
    {
        MessageType schema = parseMessageType("message table { optional binary name (STRING) = 1; }");
        byte[] file = file(schema, 1, 1_000, 50, 20, ZSTD, PLAIN);
        Stitched stitched = StitchTester.stitch(List.of(file, file, file), CompressionCodec.ZSTD, SMALL.withTargetRowGroupSize(1 << 20));
        assertThat(stitched.result().pagesCopied()).isEqualTo(3);
        assertThat(stitched.result().pagesMerged()).isZero();
        assertThat(stitched.result().metadata().getRow_groups().getFirst().getColumns().getFirst().getMeta_data().getDictionary_page_offset()).isEqualTo(4);
    }

    @Test
    public void testNothingButNulls()
            throws IOException
    {
        for (WriterVersion version : List.of(WriterVersion.PARQUET_1_0, WriterVersion.PARQUET_2_0)) {
            for (MessageType schema : List.of(FLAT, NESTED)) {
                byte[] nulls = file(schema, 1, 400, 50, 100, ZSTD, builder -> builder.withWriterVersion(version));
                byte[] others = file(schema, 2, 400, 50, 10, ZSTD, builder -> builder.withWriterVersion(version));
                byte[] plain = file(schema, 3, 400, 50, 10, ZSTD, builder -> builder.withWriterVersion(version).withDictionaryEncoding(false));
                StitchTester.stitch(List.of(nulls, nulls), CompressionCodec.ZSTD, SMALL);
                StitchTester.stitch(List.of(nulls, others, nulls), CompressionCodec.ZSTD, SMALL);
                StitchTester.stitch(List.of(others, nulls, others), CompressionCodec.ZSTD, SMALL);
                StitchTester.stitch(List.of(plain, nulls, plain), CompressionCodec.ZSTD, SMALL);
            }
        }
    }

    @Test
    public void testNotANumber()
            throws IOException
    {
        MessageType schema = parseMessageType("message table { optional float real = 1; optional double fraction = 2; }");
        List<byte[]> files = new ArrayList<>();
        List<double[]> values = List.of(
                new double[] {Double.NaN},
                new double[] {1, 2, -0.0},
                new double[] {0.0, Double.NaN, 3},
                new double[] {Double.longBitsToDouble(0x7ff8_0000_0000_1234L), Double.POSITIVE_INFINITY, -0.0, 0.0});
        for (double[] numbers : values) {
            List<Group> rows = new ArrayList<>();
            for (int row = 0; row < 500; row++) {
                double number = numbers[row % numbers.length];
                rows.add(new SimpleGroup(schema).append("real", (float) number).append("fraction", number));
            }
            files.add(ParquetMr.write(schema, rows, ZSTD, PLAIN));
        }
        Stitched all = StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL);
        // one file does not say, so nothing can be said
        assertThat(all.result().columns().get(0).range()).isEmpty();
        assertThat(all.result().columns().get(1).range()).isEmpty();

        Stitched zeros = StitchTester.stitch(List.of(files.get(1), files.get(1)), CompressionCodec.ZSTD, SMALL);
        assertThat(zeros.result().columns().get(1).range().orElseThrow().min()).isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) 0x80});
    }

    @Test
    public void testEmptyAndLargeValues()
            throws IOException
    {
        MessageType schema = parseMessageType("message table { required int64 id = 1; optional binary name (STRING) = 2; required binary bytes = 3; }");
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            List<Group> rows = new ArrayList<>();
            for (int row = 0; row < 4; row++) {
                String large = "large " + index + "x".repeat(row == 2 ? 5 << 20 : 0);
                rows.add(new SimpleGroup(schema).append("id", (long) row).append("name", row == 0 ? "" : large).append("bytes", row == 1 ? large : ""));
            }
            files.add(ParquetMr.write(schema, rows, ZSTD, PLAIN));
        }
        StitchTester.stitch(files, CompressionCodec.ZSTD, StitchOptions.DEFAULTS);
        StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL.withReadSize(1_000));

        List<Group> empty = new ArrayList<>();
        for (int row = 0; row < 100; row++) {
            empty.add(new SimpleGroup(schema).append("id", 1L).append("name", "").append("bytes", ""));
        }
        byte[] file = ParquetMr.write(schema, empty, ZSTD, PLAIN);
        StitchTester.stitch(List.of(file, files.getFirst(), file), CompressionCodec.ZSTD, SMALL);
    }

    @Test
    public void testFewRows()
            throws IOException
    {
        byte[] none = file(FLAT, 1, 0, 10, 20, ZSTD, PLAIN);
        byte[] one = file(FLAT, 2, 1, 10, 20, ZSTD, PLAIN);
        Stitched nothing = StitchTester.stitch(List.of(none, none), CompressionCodec.ZSTD, SMALL);
        assertThat(nothing.result().rowCount()).isZero();
        assertThat(nothing.result().splitOffsets()).isEmpty();
        assertThat(nothing.result().metadata().getRow_groups()).isEmpty();
        StitchTester.stitch(List.of(one), CompressionCodec.ZSTD, SMALL);
        StitchTester.stitch(List.of(none, one, none, one, one), CompressionCodec.ZSTD, SMALL);
    }

    @Test
    public void testManyFiles()
            throws IOException
    {
        MessageType schema = parseMessageType("message table { required int64 id = 1; optional binary name (STRING) = 2; optional double fraction = 3; }");
        List<byte[]> distinct = new ArrayList<>();
        for (int index = 0; index < 50; index++) {
            distinct.add(file(schema, index, 5 + index, 40, 20, ZSTD, PLAIN));
        }
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < 5_000; index++) {
            files.add(distinct.get(index * 31 % distinct.size()));
        }
        Stitched stitched = StitchTester.stitch(files, CompressionCodec.ZSTD, StitchOptions.DEFAULTS);
        assertThat(stitched.result().inputs()).isEqualTo(5_000);
        assertThat(stitched.result().metadata().getRow_groups()).hasSize(1);
        // tiny pages are joined to pages of a size that is good to read
        long values = 3 * stitched.result().rowCount();
        assertThat(values / stitched.summary().dataPages()).isGreaterThan(8_000);
        assertThat(stitched.result().fileSize()).isLessThan(files.stream().mapToLong(file -> file.length).sum() / 10);
    }

    @Test
    public void testRowGroupsEndAtTheirTarget()
            throws IOException
    {
        List<byte[]> files = files(FLAT, 12, 800, 5_000, ZSTD, builder -> builder.withRowGroupSize(30_000L));
        for (long target : List.of(1L, 60_000L, 150_000L, 100_000_000L)) {
            Stitched stitched = StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL.withTargetRowGroupSize(target));
            List<RowGroup> rowGroups = stitched.result().metadata().getRow_groups();
            long inputRowGroups = 0;
            for (byte[] file : files) {
                inputRowGroups += StitchTester.footer(file).rowGroups().size();
            }
            if (target == 1) {
                assertThat((long) rowGroups.size()).isEqualTo(inputRowGroups);
            }
            if (target == 100_000_000L) {
                assertThat(rowGroups).hasSize(1);
            }
            if (target == 150_000L) {
                assertThat(rowGroups.subList(0, rowGroups.size() - 1)).allSatisfy(rowGroup -> assertThat(rowGroup.getTotal_compressed_size()).isBetween(target / 2, target * 3 / 2));
            }
            assertThat(stitched.result().splitOffsets()).isEqualTo(rowGroups.stream().map(RowGroup::getFile_offset).toList());
        }
    }

    @Test
    public void testSplitOffsetsAreApart()
            throws IOException
    {
        List<byte[]> files = files(FLAT, 12, 800, 5_000, ZSTD, PLAIN);
        Stitched stitched = StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL.withTargetRowGroupSize(1).withMinSplitDistance(100_000));
        List<Long> offsets = stitched.result().splitOffsets();
        assertThat(offsets.size()).isBetween(2, 11);
        assertThat(offsets.getFirst()).isEqualTo(4);
        for (int index = 1; index < offsets.size(); index++) {
            assertThat(offsets.get(index) - offsets.get(index - 1)).isGreaterThanOrEqualTo(100_000);
        }
    }

    @Test
    public void testStitchedFilesAreStitchedAgain()
            throws IOException
    {
        for (MessageType schema : List.of(FLAT, NESTED)) {
            List<byte[]> files = files(schema, 8, 300, 200, ZSTD, PLAIN);
            byte[] first = StitchTester.stitch(files.subList(0, 3), CompressionCodec.ZSTD, SMALL).file();
            byte[] second = StitchTester.stitch(files.subList(3, 6), CompressionCodec.ZSTD, SMALL.withDictionarySizes(100, 1_000)).file();
            Stitched again = StitchTester.stitch(List.of(first, second, files.get(6), files.get(7)), CompressionCodec.ZSTD, SMALL);
            assertThat(ParquetMr.columns(List.of(again.file())).equals(ParquetMr.columns(files))).isTrue();
            StitchTester.stitch(List.of(again.file(), again.file(), first), CompressionCodec.SNAPPY, SMALL);
        }
    }

    @Test
    public void testFilesByTrino()
            throws IOException
    {
        for (MessageType schema : List.of(FLAT, NESTED)) {
            for (CompressionCodec codec : List.of(CompressionCodec.ZSTD, CompressionCodec.SNAPPY, CompressionCodec.GZIP, CompressionCodec.UNCOMPRESSED)) {
                List<byte[]> files = new ArrayList<>();
                for (byte[] file : files(schema, 4, 500, 120, ZSTD, PLAIN)) {
                    files.add(TrinoParquet.rewrite(file, codec, builder -> builder.setMaxPageSize(DataSize.ofBytes(8_000)).setMaxPageValueCount(1_000)));
                }
                StitchTester.stitch(files, codec, SMALL);
                Stitched overflown = StitchTester.stitch(files, codec, SMALL.withDictionarySizes(0, 0));
                assertThat(overflown.result().pagesGathered()).isPositive();
            }
        }
    }

    @Test
    public void testFilesOfTwoWriters()
            throws IOException
    {
        for (MessageType schema : List.of(FLAT, NESTED)) {
            List<byte[]> files = files(schema, 4, 500, 120, ZSTD, PLAIN);
            List<byte[]> mixed = new ArrayList<>(files.subList(0, 2));
            for (byte[] file : files.subList(2, 4)) {
                mixed.add(TrinoParquet.rewrite(file, CompressionCodec.SNAPPY, builder -> builder));
            }
            Stitched stitched = StitchTester.stitch(mixed, CompressionCodec.ZSTD, SMALL);
            assertThat(ParquetMr.columns(List.of(stitched.file())).equals(ParquetMr.columns(files))).isTrue();
        }
    }

    @Test
    public void testChecksums()
            throws IOException
    {
        for (WriterVersion version : List.of(WriterVersion.PARQUET_1_0, WriterVersion.PARQUET_2_0)) {
            List<byte[]> with = files(FLAT, 3, 500, 100, ZSTD, builder -> builder.withWriterVersion(version).withPageWriteChecksumEnabled(true));
            Stitched checked = StitchTester.stitch(with, CompressionCodec.ZSTD, SMALL);
            assertThat(checked.summary().checksums()).isGreaterThanOrEqualTo(checked.summary().dataPages());
            List<byte[]> without = files(FLAT, 3, 500, 100, ZSTD, builder -> builder.withWriterVersion(version).withPageWriteChecksumEnabled(false));
            assertThat(StitchTester.stitch(without, CompressionCodec.ZSTD, SMALL).summary().checksums()).isZero();
        }
    }

    @Test
    public void testSmallReads()
            throws IOException
    {
        List<byte[]> files = files(NESTED, 3, 500, 100, ZSTD, PLAIN);
        byte[] expected = StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL).file();
        assertThat(StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL.withReadSize(1)).file()).isEqualTo(expected);
        assertThat(StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL.withReadSize(777)).file()).isEqualTo(expected);
    }

    @Test
    public void testSmallFilesAreReadOnce()
            throws IOException
    {
        byte[] file = file(FLAT, 1, 500, 100, 20, ZSTD, PLAIN);
        List<Integer> reads = new ArrayList<>();
        ParquetSource source = new ParquetSource()
        {
            @Override
            public String name()
            {
                return "counted";
            }

            @Override
            public long length()
            {
                return file.length;
            }

            @Override
            public void readFully(long position, byte[] buffer, int offset, int length)
            {
                System.arraycopy(file, (int) position, buffer, offset, length);
                reads.add(length);
            }
        };
        ParquetFooter footer = StitchTester.footer(file);
        Stitcher stitcher = Stitcher.create(ParquetSink.of(new ByteArrayOutputStream()), StitchTarget.like(footer, CompressionCodec.ZSTD), StitchOptions.DEFAULTS);
        assertThat(stitcher.append(source, footer, Optional.empty())).isEqualTo(StitchDecision.STITCH);
        assertThat(reads).hasSize(1);
    }

    @Test
    public void testMemory()
            throws IOException
    {
        List<byte[]> files = files(FLAT, 40, 1_000, 100_000, ZSTD, PLAIN);
        ParquetFooter first = StitchTester.footer(files.getFirst());
        StitchOptions options = SMALL.withTargetRowGroupSize(1 << 20).withReadSize(1 << 16);
        Stitcher stitcher = Stitcher.create(ParquetSink.of(new ByteArrayOutputStream()), StitchTarget.like(first, CompressionCodec.ZSTD), options);
        long most = 0;
        for (byte[] file : files) {
            stitcher.append(StitchTester.source("file", file), StitchTester.footer(file), Optional.empty());
            most = Math.max(most, stitcher.retainedBytes());
        }
        StitchResult result = stitcher.finish();
        assertThat(result.metadata().getRow_groupsSize()).isGreaterThan(2);
        // buffers double, so that up to twice the row group is held, and a page and a dictionary for each column
        assertThat(most).isBetween(1L << 19, (2L << 20) + FLAT.getColumns().size() * 300_000L + (1 << 20));
        assertThat(result.fileSize()).isGreaterThan(most / 2);
    }

    @Test
    public void testMetadataInCommonIsKept()
            throws IOException
    {
        MessageType schema = parseMessageType("message table { required int64 id = 1; }");
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < 2; index++) {
            int number = index;
            files.add(file(schema, index, 10, 10, 0, ZSTD, builder -> builder.withExtraMetaData(Map.of("common", "value", "number", "" + number))));
        }
        Stitched stitched = StitchTester.stitch(files, CompressionCodec.ZSTD, SMALL);
        Map<String, String> entries = KeyValueMetadata.of(stitched.result().metadata());
        assertThat(entries).containsEntry("common", "value").doesNotContainKey("number");
    }

    @Test
    public void testFinishedStitcherTakesNothing()
            throws IOException
    {
        byte[] file = file(FLAT, 1, 5, 10, 0, ZSTD, PLAIN);
        ParquetFooter footer = StitchTester.footer(file);
        Stitcher stitcher = Stitcher.create(ParquetSink.of(new ByteArrayOutputStream()), StitchTarget.like(footer, CompressionCodec.ZSTD), SMALL);
        stitcher.finish();
        assertThatThrownBy(() -> stitcher.append(StitchTester.source("file", file), footer, Optional.empty()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("stitcher is FINISHED");
        assertThatThrownBy(stitcher::finish).isInstanceOf(IllegalStateException.class);
    }

    private static Set<Encoding> encodings(Stitched stitched)
    {
        return stitched.result().metadata().getRow_groups().stream()
                .flatMap(rowGroup -> rowGroup.getColumns().stream())
                .flatMap(chunk -> chunk.getMeta_data().getEncoding_stats().stream())
                .filter(stats -> stats.getPage_type() != PageType.DICTIONARY_PAGE)
                .map(PageEncodingStats::getEncoding)
                .collect(toImmutableSet());
    }
}
