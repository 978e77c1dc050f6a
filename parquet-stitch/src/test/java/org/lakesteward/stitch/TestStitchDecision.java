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
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.AesGcmV1;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.EncryptionAlgorithm;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.lakesteward.stitch.StitchDecision.EncodeFirst;
import org.lakesteward.stitch.footer.FooterReader;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.footer.StitchObstacle.Reason;
import org.lakesteward.stitch.io.ParquetSink;
import org.testng.annotations.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

import static org.apache.parquet.schema.MessageTypeParser.parseMessageType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestStitchDecision
{
    private static final MessageType SCHEMA = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional binary name (STRING) = 2;
              optional int64 instant (TIMESTAMP(MICROS,true)) = 3;
            }
            """);

    private static byte[] file(String schema)
            throws IOException
    {
        return file(parseMessageType(schema));
    }

    private static byte[] file(MessageType schema)
            throws IOException
    {
        return ParquetMr.write(schema, new RandomRows(new Random(1), 20, 20, 0).rows(schema, 100), CompressionCodecName.ZSTD, builder -> builder);
    }

    private static StitchTarget target()
            throws IOException
    {
        return StitchTarget.like(StitchTester.footer(file(SCHEMA)), CompressionCodec.ZSTD);
    }

    private static void assertStitched(byte[] file)
            throws IOException
    {
        assertThat(StitchDecision.of(target(), StitchTester.footer(file), Optional.empty())).isEqualTo(StitchDecision.STITCH);
        assertThat(append(file)).isEqualTo(StitchDecision.STITCH);
    }

    private static StitchDecision append(byte[] file)
            throws IOException
    {
        return append(file, StitchOptions.DEFAULTS);
    }

    private static StitchDecision append(byte[] file, StitchOptions options)
            throws IOException
    {
        return Stitcher.create(ParquetSink.of(new ByteArrayOutputStream()), target(), options).append(StitchTester.source("input", file), StitchTester.footer(file), Optional.empty());
    }

    private static void assertEncodedFirst(byte[] file, Reason reason, String sentence)
            throws IOException
    {
        StitchDecision decision = StitchDecision.of(target(), StitchTester.footer(file), Optional.empty());
        assertEncodedFirst(decision, reason, sentence);
        assertThat(append(file)).isEqualTo(decision);
    }

    private static void assertEncodedFirst(StitchDecision decision, Reason reason, String sentence)
    {
        assertThat(decision).isInstanceOfSatisfying(EncodeFirst.class, encode -> {
            assertThat(encode.obstacle().reason()).isEqualTo(reason);
            assertThat(encode.obstacle().sentence()).isEqualTo(sentence);
        });
    }

    private static byte[] edited(Consumer<FileMetaData> change)
            throws IOException
    {
        return FooterEditor.edit(file(SCHEMA), change);
    }

    @Test
    public void testSameSchema()
            throws IOException
    {
        assertStitched(file(SCHEMA));
        // the root's name means nothing, nor does which of the two forms an annotation has
        assertStitched(edited(metadata -> metadata.getSchema().getFirst().setName("spark_schema")));
        assertStitched(edited(metadata -> metadata.getSchema().forEach(element -> element.unsetLogicalType())));
        assertStitched(edited(metadata -> metadata.getSchema().forEach(element -> element.unsetConverted_type())));
        assertStitched(edited(metadata -> metadata.unsetColumn_orders()));
    }

    @Test
    public void testSchemaDiffers()
            throws IOException
    {
        String prefix = "the schema of input is not the output's: ";
        assertEncodedFirst(
                file("message table { required int64 id = 1; optional binary title (STRING) = 2; optional int64 instant (TIMESTAMP(MICROS,true)) = 3; }"),
                Reason.SCHEMA_DIFFERS,
                prefix + "title stands where name should");
        assertEncodedFirst(
                file("message table { required int64 id = 1; optional binary name (STRING) = 4; optional int64 instant (TIMESTAMP(MICROS,true)) = 3; }"),
                Reason.SCHEMA_DIFFERS,
                prefix + "name has field id 4 instead of 2");
        assertEncodedFirst(
                file("message table { required int64 id = 1; required binary name (STRING) = 2; optional int64 instant (TIMESTAMP(MICROS,true)) = 3; }"),
                Reason.SCHEMA_DIFFERS,
                prefix + "name is REQUIRED instead of OPTIONAL");
        assertEncodedFirst(
                file("message table { required int32 id = 1; optional binary name (STRING) = 2; optional int64 instant (TIMESTAMP(MICROS,true)) = 3; }"),
                Reason.SCHEMA_DIFFERS,
                prefix + "id is INT32 instead of INT64");
        assertEncodedFirst(
                file("message table { required int64 id = 1; optional binary name = 2; optional int64 instant (TIMESTAMP(MICROS,true)) = 3; }"),
                Reason.SCHEMA_DIFFERS,
                prefix + "name means nothing particular instead of <LogicalType STRING:StringType()>");
        // the converted type is the same, the meaning is not
        assertEncodedFirst(
                file("message table { required int64 id = 1; optional binary name (STRING) = 2; optional int64 instant (TIMESTAMP(MICROS,false)) = 3; }"),
                Reason.SCHEMA_DIFFERS,
                prefix + "instant means <LogicalType TIMESTAMP:TimestampType(isAdjustedToUTC:false, unit:<TimeUnit MICROS:MicroSeconds()>)> instead of <LogicalType TIMESTAMP:TimestampType(isAdjustedToUTC:true, unit:<TimeUnit MICROS:MicroSeconds()>)>");
        assertEncodedFirst(
                file("message table { required int64 id = 1; optional binary name (STRING) = 2; }"),
                Reason.SCHEMA_DIFFERS,
                prefix + "its root has 2 fields instead of 3");
        assertEncodedFirst(
                file("message table { optional binary name (STRING) = 2; required int64 id = 1; optional int64 instant (TIMESTAMP(MICROS,true)) = 3; }"),
                Reason.SCHEMA_DIFFERS,
                prefix + "name stands where id should");
    }

    @Test
    public void testNotUnderstood()
            throws IOException
    {
        assertEncodedFirst(
                edited(metadata -> metadata.getSchema().get(2).setLogicalType(LogicalType.DATE(new DateType()))),
                Reason.NOT_UNDERSTOOD,
                "the annotation of column name of input is not known to this version or contradicts itself");
        assertEncodedFirst(
                edited(metadata -> metadata.setColumn_orders(List.of(ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())))),
                Reason.NOT_UNDERSTOOD,
                "input gives 1 orders for 3 columns, of which some may not be known to this version");
    }

    @Test
    public void testCodec()
            throws IOException
    {
        for (CompressionCodec codec : List.of(CompressionCodec.LZ4, CompressionCodec.LZO, CompressionCodec.BROTLI)) {
            assertEncodedFirst(
                    edited(metadata -> metadata.getRow_groups().getFirst().getColumns().get(1).getMeta_data().setCodec(codec)),
                    Reason.CODEC,
                    "column name of input is compressed by %s, which cannot be read here".formatted(codec));
            assertThatThrownBy(() -> StitchTarget.like(StitchTester.footer(file(SCHEMA)), codec))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("codec is %s, must be one of [UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4_RAW]", codec);
        }
    }

    @Test
    public void testEncrypted()
            throws IOException
    {
        byte[] file = file(SCHEMA);
        file[file.length - 1] = 'E';
        assertThatThrownBy(() -> StitchTester.footer(file)).isInstanceOfSatisfying(IOException.class, failure ->
                assertEncodedFirst(StitchDecision.ofUnreadable(failure).orElseThrow(), Reason.ENCRYPTED, "the footer of input is encrypted"));
        assertEncodedFirst(
                edited(metadata -> metadata.setEncryption_algorithm(EncryptionAlgorithm.AES_GCM_V1(new AesGcmV1()))),
                Reason.ENCRYPTED,
                "columns of input are encrypted");
    }

    @Test
    public void testUnreadableFooter()
            throws IOException
    {
        byte[] file = file(SCHEMA);
        assertThatThrownBy(() -> FooterReader.read(StitchTester.source("input", file), 10)).isInstanceOfSatisfying(IOException.class, failure ->
                assertThat(StitchDecision.ofUnreadable(failure).orElseThrow()).isInstanceOfSatisfying(EncodeFirst.class, encode -> {
                    assertThat(encode.obstacle().reason()).isEqualTo(Reason.FOOTER_TOO_LARGE);
                    assertThat(encode.obstacle().sentence()).matches("the footer of input has \\d+ bytes, the limit is 10 bytes");
                }));
        assertThatThrownBy(() -> StitchTester.footer(new byte[20])).isInstanceOfSatisfying(IOException.class, failure ->
                assertEncodedFirst(StitchDecision.ofUnreadable(failure).orElseThrow(), Reason.CORRUPT_FILE, "Parquet file input is corrupt: it does not end with PAR1"));
        assertThat(StitchDecision.ofUnreadable(new IOException("storage is away"))).isEmpty();
    }

    @Test
    public void testUntrustedWriter()
            throws IOException
    {
        for (String writer : List.of(
                "parquet-mr version 1.6.0 (build abc)",
                "parquet-mr version 1.8.0",
                "parquet-mr",
                "impala version 2.0",
                "parquet-cpp version 1.5.1-SNAPSHOT",
                "parquet-cpp-arrow version 5.0.0",
                "somebody")) {
            assertEncodedFirst(
                    edited(metadata -> metadata.setCreated_by(writer)),
                    Reason.UNTRUSTED_WRITER,
                    "the writer of input is %s, whose files readers may treat in a way of their own".formatted(writer));
        }
        assertEncodedFirst(
                edited(metadata -> metadata.unsetCreated_by()),
                Reason.UNTRUSTED_WRITER,
                "the writer of input is not known, whose files readers may treat in a way of their own");
        for (String writer : List.of(
                "parquet-mr version 1.10.0 (build abc)",
                "parquet-mr version 1.17.1",
                "parquet-mr version 2.0.0",
                "parquet-mr-trino version 483 (build n/a)",
                "parquet-cpp-arrow version 6.0.1",
                "parquet-cpp-arrow version 21.0.0",
                "lakesteward version 1.0.0 (build n/a)")) {
            assertStitched(edited(metadata -> metadata.setCreated_by(writer)));
        }
    }

    @Test
    public void testMetadata()
            throws IOException
    {
        assertEncodedFirst(
                edited(metadata -> metadata.setKey_value_metadata(List.of(new KeyValue("writer.time.zone").setValue("Asia/Tokyo")))),
                Reason.METADATA_DIFFERS,
                "writer.time.zone is Asia/Tokyo in input and absent in the output");
        assertEncodedFirst(
                edited(metadata -> metadata.setKey_value_metadata(List.of(new KeyValue("org.apache.spark.legacyDateTime").setValue("")))),
                Reason.METADATA_DIFFERS,
                "org.apache.spark.legacyDateTime is  in input and absent in the output");
        assertEncodedFirst(
                edited(metadata -> metadata.setKey_value_metadata(List.of(new KeyValue("delete-type").setValue("position")))),
                Reason.DELETE_FILE,
                "input is a delete file");
        assertStitched(edited(metadata -> metadata.setKey_value_metadata(List.of(new KeyValue("iceberg.schema").setValue("{}")))));
    }

    @Test
    public void testEncodings()
            throws IOException
    {
        assertEncodedFirst(
                edited(metadata -> metadata.getRow_groups().getFirst().getColumns().getFirst().getMeta_data().setEncodings(List.of(Encoding.DELTA_BYTE_ARRAY))),
                Reason.ENCODING,
                "column id of input has pages in an encoding that is not known or that INT64 cannot have: DELTA_BYTE_ARRAY");
        assertEncodedFirst(
                edited(metadata -> metadata.getRow_groups().getFirst().getColumns().getFirst().getMeta_data().setIndex_page_offset(4)),
                Reason.PAGE_TYPE,
                "column id of input has an index page");
    }

    @Test
    public void testPages()
            throws IOException
    {
        MessageType schema = parseMessageType("message table { optional int32 number = 1; }");
        List<Group> rows = new ArrayList<>();
        for (int row = 0; row < 100; row++) {
            rows.add(new SimpleGroup(schema).append("number", row));
        }
        byte[] file = ParquetMr.write(schema, rows, CompressionCodecName.UNCOMPRESSED, builder -> builder.withDictionaryEncoding(false).withWriterVersion(WriterVersion.PARQUET_1_0));
        StitchTarget target = StitchTarget.like(StitchTester.footer(file), CompressionCodec.ZSTD);

        assertPage(target, PageEditor.edit(file, 0, (header, body) -> {
            header.getData_page_header().setDefinition_level_encoding(Encoding.BIT_PACKED);
            return body;
        }), StitchOptions.DEFAULTS, Reason.LEVEL_ENCODING, "column number of input has levels in encoding BIT_PACKED instead of RLE");
        assertPage(target, PageEditor.edit(file, 0, (header, body) -> {
            header.getData_page_header().setEncoding(Encoding.DELTA_BYTE_ARRAY);
            return body;
        }), StitchOptions.DEFAULTS, Reason.ENCODING, "column number of input has a page in an encoding that is not known or that INT32 cannot have: DELTA_BYTE_ARRAY");
        assertPage(target, PageEditor.edit(file, 0, (header, body) -> {
            header.setType(PageType.INDEX_PAGE);
            return body;
        }), StitchOptions.DEFAULTS, Reason.PAGE_TYPE, "column number of input has an index page");
        assertPage(target, file, StitchOptions.DEFAULTS.withMaxPage(100, 1_000), Reason.PAGE_TOO_LARGE, "column number of input has a page of 407 bytes, 407 uncompressed; the limit is 100 bytes");
        assertPage(target, file, StitchOptions.DEFAULTS.withMaxPage(1_000, 99), Reason.PAGE_TOO_LARGE, "column number of input has a page of 100 values, the limit is 99");

        // nothing was taken over, and others can follow
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Stitcher stitcher = Stitcher.create(ParquetSink.of(output), target, StitchOptions.DEFAULTS);
        byte[] unsuitable = PageEditor.edit(file, 0, (header, body) -> {
            header.setType(PageType.INDEX_PAGE);
            return body;
        });
        assertThat(stitcher.append(StitchTester.source("good", file), StitchTester.footer(file), Optional.empty())).isEqualTo(StitchDecision.STITCH);
        assertThat(stitcher.append(StitchTester.source("bad", unsuitable), StitchTester.footer(unsuitable), Optional.empty())).isInstanceOf(EncodeFirst.class);
        assertThat(stitcher.append(StitchTester.source("good", file), StitchTester.footer(file), Optional.empty())).isEqualTo(StitchDecision.STITCH);
        StitchResult result = stitcher.finish();
        StitchTester.check(List.of(file, file), output.toByteArray(), result, StitchOptions.DEFAULTS);
    }

    private static void assertPage(StitchTarget target, byte[] file, StitchOptions options, Reason reason, String sentence)
            throws IOException
    {
        ParquetFooter footer = StitchTester.footer(file);
        assertThat(StitchDecision.of(target, footer, Optional.empty())).isEqualTo(StitchDecision.STITCH);
        StitchDecision decision = Stitcher.create(ParquetSink.of(new ByteArrayOutputStream()), target, options).append(StitchTester.source("input", file), footer, Optional.empty());
        assertEncodedFirst(decision, reason, sentence);
    }

    @Test
    public void testTargets()
    {
        assertThatThrownBy(() -> new StitchTarget(List.of(), CompressionCodec.ZSTD, Map.of(), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("its schema is empty");
        SchemaElement root = new SchemaElement("table").setNum_children(1);
        SchemaElement id = new SchemaElement("id").setType(Type.INT64).setRepetition_type(FieldRepetitionType.REQUIRED);
        assertThatThrownBy(() -> new StitchTarget(List.of(root, id), CompressionCodec.ZSTD, Map.of(), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lineage is to be kept, but _row_id and _last_updated_sequence_number are not the last columns of the schema");
    }
}
