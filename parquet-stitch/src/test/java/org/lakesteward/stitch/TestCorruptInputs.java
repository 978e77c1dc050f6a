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

import com.google.common.primitives.Ints;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.ParquetSink;
import org.testng.annotations.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import static org.apache.parquet.schema.MessageTypeParser.parseMessageType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Whatever a file is like, there is an answer: it is refused in words, or what it reads as is what the output reads as.
 */
public class TestCorruptInputs
{
    private static final long SEED = Long.getLong("stitch.fuzz.seed", 20261130);
    private static final int RUNS = Integer.getInteger("stitch.fuzz.runs", 1_000);

    private static final MessageType SCHEMA = parseMessageType(
            """
            message table {
              required int32 id = 1;
              optional binary name (STRING) = 2;
              optional boolean flag = 3;
              optional group list (LIST) = 4 { repeated group list { optional double element = 5; } }
            }
            """);

    private static byte[] file(WriterVersion version, CompressionCodecName codec, int distinct, boolean checksums)
            throws IOException
    {
        return ParquetMr.write(
                SCHEMA,
                new RandomRows(new Random(7), distinct, 20, 0).rows(SCHEMA, 120),
                codec,
                builder -> builder.withWriterVersion(version).withPageWriteChecksumEnabled(checksums).withPageRowCountLimit(50));
    }

    private static List<byte[]> originals()
            throws IOException
    {
        List<byte[]> files = new ArrayList<>();
        for (WriterVersion version : WriterVersion.values()) {
            files.add(file(version, CompressionCodecName.UNCOMPRESSED, 20, false));
            files.add(file(version, CompressionCodecName.UNCOMPRESSED, 100_000, false));
            files.add(file(version, CompressionCodecName.ZSTD, 20, false));
            files.add(file(version, CompressionCodecName.SNAPPY, 20, false));
            files.add(file(version, CompressionCodecName.GZIP, 20, true));
            files.add(file(version, CompressionCodecName.LZ4_RAW, 20, false));
        }
        return files;
    }

    @Test(timeOut = 120_000)
    public void testFlippedBits()
            throws IOException
    {
        assertAnswered((file, random) -> {
            byte[] changed = file.clone();
            int flips = 1 + random.nextInt(3);
            for (int flip = 0; flip < flips; flip++) {
                changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
            }
            return changed;
        });
    }

    @Test(timeOut = 120_000)
    public void testOverwrittenBytes()
            throws IOException
    {
        assertAnswered((file, random) -> {
            byte[] changed = file.clone();
            int start = random.nextInt(changed.length - 8);
            byte[] bytes = new byte[1 + random.nextInt(8)];
            switch (random.nextInt(3)) {
                case 0 -> Arrays.fill(bytes, (byte) 0xff);
                case 1 -> Arrays.fill(bytes, (byte) 0);
                default -> random.nextBytes(bytes);
            }
            System.arraycopy(bytes, 0, changed, start, bytes.length);
            return changed;
        });
    }

    @Test(timeOut = 120_000)
    public void testTruncated()
            throws IOException
    {
        assertAnswered((file, random) -> switch (random.nextInt(3)) {
            case 0 -> Arrays.copyOf(file, random.nextInt(file.length));
            case 1 -> Arrays.copyOfRange(file, random.nextInt(file.length), file.length);
            default -> {
                // a part is missing in the middle
                int start = random.nextInt(file.length);
                int end = start + random.nextInt(file.length - start);
                byte[] changed = Arrays.copyOf(file, file.length - (end - start));
                System.arraycopy(file, end, changed, start, file.length - end);
                yield changed;
            }
        });
    }

    @Test(timeOut = 120_000)
    public void testLyingFooters()
            throws IOException
    {
        assertAnswered((file, random) -> {
            try {
                return FooterEditor.edit(file, metadata -> lie(metadata, random));
            }
            catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void lie(FileMetaData metadata, Random random)
    {
        ColumnMetaData column = metadata.getRow_groups().getFirst().getColumns().get(random.nextInt(4)).getMeta_data();
        long value = switch (random.nextInt(6)) {
            case 0 -> -1;
            case 1 -> 0;
            case 2 -> Long.MAX_VALUE;
            case 3 -> Integer.MAX_VALUE;
            case 4 -> column.getData_page_offset() + random.nextInt(100) - 50;
            default -> column.getNum_values() + random.nextInt(10) - 5;
        };
        switch (random.nextInt(10)) {
            case 0 -> column.setNum_values(value);
            case 1 -> column.setTotal_compressed_size(value);
            case 2 -> column.setTotal_uncompressed_size(value);
            case 3 -> column.setData_page_offset(value);
            case 4 -> column.setDictionary_page_offset(value);
            case 5 -> column.setBloom_filter_offset(value);
            case 6 -> metadata.getRow_groups().getFirst().setNum_rows(value);
            case 7 -> column.setCodec(CompressionCodec.values()[random.nextInt(CompressionCodec.values().length)]);
            case 8 -> metadata.getSchema().get(random.nextInt(metadata.getSchemaSize())).setNum_children((int) value);
            default -> {
                column.getStatistics().setNull_count(value);
                column.getStatistics().setMin_value(new byte[random.nextInt(9)]);
            }
        }
    }

    private interface Damage
    {
        byte[] apply(byte[] file, Random random);
    }

    private static void assertAnswered(Damage damage)
            throws IOException
    {
        List<byte[]> originals = originals();
        int refused = 0;
        int taken = 0;
        for (int run = 0; run < RUNS; run++) {
            long seed = SEED + run;
            Random random = new Random(seed);
            byte[] original = originals.get(random.nextInt(originals.size()));
            byte[] changed = damage.apply(original, random);
            StitchOptions options = random.nextBoolean() ? StitchTester.SMALL : StitchOptions.DEFAULTS.withDictionarySizes(0, 0);
            try {
                if (isTaken(original, changed, options, random.nextBoolean())) {
                    taken++;
                }
                else {
                    refused++;
                }
            }
            catch (RuntimeException | Error e) {
                throw new AssertionError("Run with seed %s failed; repeat with -Dstitch.fuzz.seed=%s -Dstitch.fuzz.runs=1".formatted(seed, seed), e);
            }
        }
        assertThat(refused).as("files that were refused, of %s", RUNS).isGreaterThan(RUNS / 20);
        assertThat(refused + taken).isEqualTo(RUNS);
    }

    /** Whether the file was stitched; any other answer must be in words. */
    private static boolean isTaken(byte[] original, byte[] changed, StitchOptions options, boolean afterOriginal)
            throws IOException
    {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        StitchResult result;
        try {
            ParquetFooter originalFooter = StitchTester.footer(original);
            ParquetFooter footer = StitchTester.footer(changed);
            Stitcher stitcher = Stitcher.create(ParquetSink.of(output), StitchTarget.like(originalFooter, CompressionCodec.ZSTD), options);
            if (afterOriginal) {
                assertThat(stitcher.append(StitchTester.source("original", original), originalFooter, Optional.empty())).isEqualTo(StitchDecision.STITCH);
            }
            if (stitcher.append(StitchTester.source("changed", changed), footer, Optional.empty()) instanceof StitchDecision.EncodeFirst encode) {
                assertThat(encode.obstacle().sentence()).isNotBlank();
                return false;
            }
            result = stitcher.finish();
        }
        catch (IOException e) {
            assertThat(e.getMessage()).isNotBlank();
            return false;
        }
        byte[] file = output.toByteArray();
        try {
            StitchVerification.verify(StitchTester.source("output", file), result, options);
        }
        catch (StitchVerificationException e) {
            // a null count that is not true is found at the end only
            assertThat(e.getMessage()).contains("its footer says");
            return false;
        }
        if (isLz4(original)) {
            // decoders of LZ4 make different things of a damaged stream, and none notices
            return true;
        }
        Map<String, List<Object>> expected;
        try {
            expected = ParquetMr.columns(afterOriginal ? List.of(original, changed) : List.of(changed));
        }
        catch (Exception e) {
            // the other reader is stricter in some places, where it does not matter to the pages
            return true;
        }
        Map<String, List<Object>> actual = ParquetMr.columns(List.of(file));
        if (result.rowCount() > 0) {
            assertThat(actual.equals(expected)).as("the output reads as the input").isTrue();
        }
        return true;
    }

    private static boolean isLz4(byte[] file)
            throws IOException
    {
        return StitchTester.footer(file).metadata().getRow_groups().getFirst().getColumns().getFirst().getMeta_data().getCodec() == CompressionCodec.LZ4_RAW;
    }

    @Test
    public void testChecksumsAreChecked()
            throws IOException
    {
        MessageType schema = parseMessageType("message table { required int64 id = 1; }");
        byte[] file = ParquetMr.write(schema, new RandomRows(new Random(1), 1_000_000, 0, 0).rows(schema, 500), CompressionCodecName.UNCOMPRESSED, builder -> builder.withDictionaryEncoding(false));
        ParquetFooter footer = StitchTester.footer(file);
        byte[] changed = file.clone();
        changed[1_000] ^= 1;
        for (int smallPageValues : Ints.asList(0, 8_000)) {
            Stitcher stitcher = Stitcher.create(ParquetSink.of(new ByteArrayOutputStream()), StitchTarget.like(footer, CompressionCodec.UNCOMPRESSED), StitchOptions.DEFAULTS.withSmallPageValues(smallPageValues).withVerify(false));
            assertThatThrownBy(() -> stitcher.append(StitchTester.source("input", changed), footer, Optional.empty()))
                    .isInstanceOf(CorruptParquetException.class)
                    .hasMessageMatching("Parquet file input is corrupt: the checksum of the page at byte 4 is [0-9a-f]{8} instead of [0-9a-f]{8}");
            assertThatThrownBy(stitcher::finish).isInstanceOf(IllegalStateException.class).hasMessage("stitcher is FAILED");
        }
    }

    @Test
    public void testHeadersThatAskForMemory()
            throws IOException
    {
        // few bytes that claim to be billions of values or bytes
        MessageType schema = parseMessageType("message table { optional int32 number = 1; }");
        byte[] single = ParquetMr.write(schema, new RandomRows(new Random(1), 10, 20, 0).rows(schema, 100), CompressionCodecName.ZSTD, UnaryOperator.identity());
        assertRefused(single, PageEditor.edit(single, 0, (header, body) -> {
            header.setUncompressed_page_size(Integer.MAX_VALUE);
            return body;
        }), "has a page of \\d+ bytes, 2147483647 uncompressed");
        assertRefused(single, PageEditor.edit(single, 0, (header, body) -> {
            header.getDictionary_page_header().setNum_values(Integer.MAX_VALUE);
            return body;
        }), "has a page of 2147483647 values");
        assertRefused(single, PageEditor.edit(single, 0, (header, body) -> {
            header.getDictionary_page_header().setNum_values(1 << 23);
            return body;
        }), "a dictionary of \\d+ bytes is said to have 8388608 entries");
        assertRefused(single, PageEditor.edit(single, 1, (header, body) -> {
            header.getData_page_header().setNum_values(Integer.MAX_VALUE);
            return body;
        }), "has a page of 2147483647 values");
        assertRefused(single, PageEditor.edit(single, 1, (header, body) -> {
            header.getData_page_header().setNum_values(-5);
            return body;
        }), "has -5 values");
        assertRefused(single, FooterEditor.edit(PageEditor.edit(single, 1, (header, body) -> {
            header.getData_page_header().setNum_values(1 << 24);
            return body;
        }), metadata -> {
            metadata.setNum_rows(1 << 24);
            metadata.getRow_groups().getFirst().setNum_rows(1 << 24);
            metadata.getRow_groups().getFirst().getColumns().getFirst().getMeta_data().setNum_values(1 << 24);
        }), "cannot be decoded: \\d+ numbers are missing");
        // a footer that announces a list of two billion elements
        byte[] footer = {0x15, 0x02, 0x19, (byte) 0xfc, -1, -1, -1, -1, 7, 0, 13, 0, 0, 0, 'P', 'A', 'R', '1'};
        byte[] tiny = new byte[4 + footer.length];
        System.arraycopy(footer, 0, tiny, 4, footer.length);
        tiny[tiny.length - 8] = 10;
        assertThatThrownBy(() -> StitchTester.footer(tiny)).isInstanceOf(CorruptParquetException.class);
    }

    @Test
    public void testWrongPages()
            throws IOException
    {
        MessageType schema = parseMessageType("message table { optional int32 number = 1; }");
        byte[] single = ParquetMr.write(schema, new RandomRows(new Random(1), 10, 20, 0).rows(schema, 100), CompressionCodecName.UNCOMPRESSED, UnaryOperator.identity());
        // an index beyond the dictionary
        assertRefused(single, PageEditor.edit(single, 0, (header, body) -> {
            header.getDictionary_page_header().setNum_values(2);
            return body;
        }), "an index is \\d+, the dictionary has 2 entries");
        assertRefused(single, PageEditor.edit(single, 1, (header, body) -> {
            body[0] = 127;
            return body;
        }), "the levels of the page at byte \\d+ are longer than the page");
        assertRefused(single, PageEditor.edit(single, 1, (header, body) -> Arrays.copyOf(body, body.length - 20)), "cannot be decompressed by UNCOMPRESSED: a page of \\d+ bytes is said to have \\d+");
        assertRefused(single, PageEditor.edit(single, 1, (header, body) -> {
            header.setUncompressed_page_size(body.length - 20);
            return Arrays.copyOf(body, body.length - 20);
        }), "cannot be taken over: runs end");
        // a page of a version 2 header that counts rows and nulls wrongly
        byte[] version2 = ParquetMr.write(schema, new RandomRows(new Random(1), 10, 20, 0).rows(schema, 100), CompressionCodecName.UNCOMPRESSED, builder -> builder.withWriterVersion(WriterVersion.PARQUET_2_0));
        assertRefused(version2, PageEditor.edit(version2, 1, (header, body) -> {
            header.getData_page_header_v2().setNum_nulls(3);
            return body;
        }), "it is said to have 100 rows and 3 nulls, it has 100 and \\d+");
        assertRefused(version2, PageEditor.edit(version2, 1, (header, body) -> {
            header.getData_page_header_v2().setNum_rows(99);
            return body;
        }), "has 99 rows");
        assertRefused(version2, PageEditor.edit(version2, 1, (header, body) -> {
            header.getData_page_header_v2().setDefinition_levels_byte_length(5_000);
            return body;
        }), "has 0 bytes of repetition levels and 5000 bytes of definition levels");
    }

    private static void assertRefused(byte[] good, byte[] bad, String problem)
            throws IOException
    {
        ParquetFooter footer = StitchTester.footer(bad);
        Stitcher stitcher = Stitcher.create(ParquetSink.of(new ByteArrayOutputStream()), StitchTarget.like(StitchTester.footer(good), CompressionCodec.ZSTD), StitchOptions.DEFAULTS);
        String message;
        try {
            StitchDecision decision = stitcher.append(StitchTester.source("input", bad), footer, Optional.empty());
            assertThat(decision).isInstanceOf(StitchDecision.EncodeFirst.class);
            message = ((StitchDecision.EncodeFirst) decision).obstacle().sentence();
        }
        catch (CorruptParquetException e) {
            message = e.getMessage();
        }
        assertThat(message).containsPattern(problem);
    }

    @Test
    public void testFootersThatContradictThemselves()
            throws IOException
    {
        byte[] file = file(WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD, 20, false);
        assertFooter(file, metadata -> metadata.setNum_rows(5), "its row groups have 120 rows, its footer says 5");
        assertFooter(file, metadata -> metadata.setSchema(List.of()), "its schema is empty");
        assertFooter(file, metadata -> metadata.getSchema().removeLast(), "its schema announces more than its 6 elements");
        assertFooter(file, metadata -> metadata.getSchema().add(metadata.getSchema().get(1)), "its schema has 8 elements, of which 7 lie below the root");
        assertFooter(file, metadata -> metadata.getRow_groups().getFirst().getColumns().removeLast(), "row group 0 has 3 column chunks for the 4 columns of its schema");
        assertFooter(file, metadata -> column(metadata).setPath_in_schema(List.of("other")), "column id of row group 0 is called other by its column chunk");
        assertFooter(file, metadata -> column(metadata).setNum_values(3), "column id of row group 0 has 3 values in 120 rows");
        assertFooter(file, metadata -> column(metadata).setTotal_compressed_size(1 << 20), "column id of row group 0 takes 1048576 bytes from byte 4, outside of bytes 4 to ");
        assertFooter(file, metadata -> column(metadata).setTotal_compressed_size(column(metadata).getTotal_compressed_size() + 1), "column chunks overlap at byte ");
        assertFooter(file, metadata -> metadata.getRow_groups().getFirst().getColumns().getFirst().setFile_path("elsewhere"), "column id of row group 0 lies in another file, elsewhere");
    }

    private static ColumnMetaData column(FileMetaData metadata)
    {
        return metadata.getRow_groups().getFirst().getColumns().getFirst().getMeta_data();
    }

    private static void assertFooter(byte[] file, Consumer<FileMetaData> change, String problem)
            throws IOException
    {
        byte[] changed = FooterEditor.edit(file, change);
        assertThatThrownBy(() -> StitchTester.footer(changed))
                .isInstanceOf(CorruptParquetException.class)
                .hasMessageStartingWith("Parquet file input is corrupt: " + problem);
    }
}
