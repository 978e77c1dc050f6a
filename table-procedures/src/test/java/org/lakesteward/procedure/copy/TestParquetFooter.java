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
package org.lakesteward.procedure.copy;

import com.google.common.base.Strings;
import com.sun.management.ThreadMXBean;
import io.airlift.units.DataSize;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.EncryptionAlgorithm;
import org.apache.parquet.format.AesGcmV1;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

public class TestParquetFooter
{
    private static final Schema SCHEMA = new Schema(
            required(1, "id", Types.LongType.get()),
            optional(2, "name", Types.StringType.get()),
            optional(3, "tags", Types.ListType.ofOptional(4, Types.StringType.get())));

    private final CopyTester tester = new CopyTester();

    private static byte[] file()
            throws IOException
    {
        return TrinoParquetFiles.write(SCHEMA, 0, 3_000, new Random(1), CompressionCodec.ZSTD, options -> options.setMaxRowGroupRowCount(1_000));
    }

    @Test
    public void testWellFormed()
            throws Exception
    {
        byte[] file = file();
        ParquetFooter footer = tester.footer(file);
        assertThat(footer.rowCount()).isEqualTo(3_000);
        assertThat(footer.rowGroupCount()).isEqualTo(3);
        assertThat(footer.firstRow(2)).isEqualTo(2_000);
        assertThat(footer.fileSize()).isEqualTo(file.length);
        assertThat(footer.isEncrypted()).isFalse();
        assertThat(footer.compressedSize()).isEqualTo(footer.footerStart() - 4);
        assertThat(footer.leaves()).extracting(ParquetNode::dottedPath).containsExactly("id", "name", "tags.list.element");
        assertThat(footer.leaves()).extracting(ParquetNode::maxRepetitionLevel).containsExactly(0, 0, 1);
        assertThat(footer.metadata()).isEqualTo(FooterEditor.read(file));
    }

    @Test
    public void testFooterLargerThanTheFirstRead()
            throws Exception
    {
        byte[] file = FooterEditor.edit(file(), metadata -> metadata.setCreated_by(Strings.repeat("x", 200_000)));
        ParquetFooter footer = tester.footer(file);
        assertThat(footer.footerSize()).isGreaterThan(200_000);
        assertThat(footer.metadata().getCreated_by()).hasSize(200_000);

        Location location = tester.store(file);
        try (TrinoInput input = tester.fileSystem().newInputFile(location).newInput()) {
            assertThatThrownBy(() -> ParquetFooter.read(input, location, file.length, DataSize.of(100, KILOBYTE)))
                    .isInstanceOfSatisfying(UnsupportedParquetException.class, e -> assertThat(e.reason()).isEqualTo(CopyObstacle.Reason.FOOTER_TOO_LARGE))
                    .hasMessageContaining("the limit is 102400 bytes");
        }
    }

    @Test
    public void testNotAParquetFile()
            throws Exception
    {
        assertRefused(new byte[0], "its 0 bytes are fewer than the 12");
        assertRefused("PAR1".getBytes(StandardCharsets.US_ASCII), "its 4 bytes are fewer than the 12");
        assertRefused(new byte[100], "it does not end with PAR1 at its size");
        byte[] encrypted = file();
        encrypted[encrypted.length - 1] = 'E';
        assertThatThrownBy(() -> tester.footer(encrypted))
                .isInstanceOfSatisfying(UnsupportedParquetException.class, e -> assertThat(e.reason()).isEqualTo(CopyObstacle.Reason.ENCRYPTED))
                .hasMessageEndingWith("its footer is encrypted");
    }

    @Test
    public void testSizeOfTheManifestIsNotThatOfTheFile()
            throws Exception
    {
        byte[] file = file();
        Location location = tester.store(file);
        try (TrinoInput input = tester.fileSystem().newInputFile(location).newInput()) {
            assertThatThrownBy(() -> ParquetFooter.read(input, location, file.length + 1, DataSize.of(1, MEGABYTE)))
                    .isInstanceOf(CorruptParquetException.class)
                    .hasMessageContaining("it is shorter than the %s bytes that it should have".formatted(file.length + 1));
            assertThatThrownBy(() -> ParquetFooter.read(input, location, file.length - 1, DataSize.of(1, MEGABYTE)))
                    .isInstanceOf(CorruptParquetException.class)
                    .hasMessageContaining("it does not end with PAR1");
        }
    }

    @Test
    public void testTruncated()
            throws Exception
    {
        byte[] file = file();
        for (int length = 0; length < file.length; length += 1 + length / 50) {
            byte[] truncated = Arrays.copyOf(file, length);
            assertThatThrownBy(() -> tester.footer(truncated)).isInstanceOf(CorruptParquetException.class);
        }
    }

    @Test
    public void testLyingFooterLength()
            throws Exception
    {
        byte[] file = file();
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, file.length, file.length - 11}) {
            byte[] lying = file.clone();
            ByteBuffer.wrap(lying).order(ByteOrder.LITTLE_ENDIAN).putInt(lying.length - 8, length);
            assertRefused(lying, "which does not fit in a file of %s bytes".formatted(file.length));
        }
        for (int length : new int[] {0, 1, 10, file.length - 12}) {
            byte[] lying = file.clone();
            ByteBuffer.wrap(lying).order(ByteOrder.LITTLE_ENDIAN).putInt(lying.length - 8, length);
            assertRefused(lying, "its footer cannot be parsed");
        }
    }

    @DataProvider
    public Object[][] lies()
    {
        return new Object[][] {
                {lie(chunk -> chunk.getMeta_data().setData_page_offset(-1)), "takes"},
                {lie(chunk -> chunk.getMeta_data().setData_page_offset(3)), "bytes from byte 3, outside of bytes 4 to"},
                {lie(chunk -> chunk.getMeta_data().setData_page_offset(Long.MAX_VALUE)), "outside of"},
                {lie(chunk -> chunk.getMeta_data().setData_page_offset(chunk.getMeta_data().getData_page_offset() + 1)), "column chunks overlap at byte"},
                {lie(chunk -> chunk.getMeta_data().setDictionary_page_offset(1)), "from byte 1, outside of bytes 4 to"},
                {lie(chunk -> chunk.getMeta_data().setDictionary_page_offset(chunk.getMeta_data().getData_page_offset() + 1_000_000)), "outside of the column chunk"},
                {lie(chunk -> chunk.getMeta_data().setTotal_compressed_size(Long.MAX_VALUE)), "outside of bytes 4 to"},
                {lie(chunk -> chunk.getMeta_data().setTotal_compressed_size(-5)), "has a negative size"},
                {lie(chunk -> chunk.getMeta_data().setTotal_uncompressed_size(-5)), "has a negative size"},
                {lie(chunk -> chunk.getMeta_data().setTotal_compressed_size(0)), "has 1000 rows in no bytes"},
                {lie(chunk -> chunk.getMeta_data().setTotal_compressed_size(chunk.getMeta_data().getTotal_compressed_size() + 1)), "column chunks overlap at byte"},
                {lie(chunk -> chunk.getMeta_data().setNum_values(999)), "column id of row group 0 has 999 values for 1000 rows"},
                {lie(chunk -> chunk.getMeta_data().setPath_in_schema(List.of("di"))), "column id of row group 0 is called di in its column chunk"},
                {lie(chunk -> chunk.getMeta_data().setType(Type.DOUBLE)), "is INT64 in its schema and DOUBLE in its column chunk"},
                {lie(ColumnChunk::unsetMeta_data), "column id of row group 0 has no metadata"},
                {lie(chunk -> chunk.setFile_path("other.parquet")), "column id of row group 0 lies in another file, other.parquet"},
                {lie(chunk -> chunk.setColumn_index_offset(4)), "the column index of column id of row group 0 has no offset or no length"},
                {lie(chunk -> chunk.setColumn_index_offset(4).setColumn_index_length(Integer.MAX_VALUE)), "the column index of column id of row group 0 takes 2147483647 bytes"},
                {lie(chunk -> chunk.setOffset_index_offset(-4).setOffset_index_length(1)), "the offset index of column id of row group 0 takes 1 bytes from byte -4"},
                {lie(chunk -> chunk.setOffset_index_length(1)), "the offset index of column id of row group 0 has no offset or no length"},
                {lie(chunk -> chunk.getMeta_data().setBloom_filter_offset(1 << 30)), "the Bloom filter of column id of row group 0 takes 1 bytes from byte 1073741824"},
                {lie(chunk -> chunk.getMeta_data().setBloom_filter_offset(4).setBloom_filter_length(-1)), "takes -1 bytes from byte 4"},
                {(Consumer<FileMetaData>) metadata -> metadata.setNum_rows(1), "its row groups have 3000 rows, its footer says 1"},
                {(Consumer<FileMetaData>) metadata -> metadata.getRow_groups().getFirst().setNum_rows(-1), "row group 0 has -1 rows"},
                {(Consumer<FileMetaData>) metadata -> metadata.getRow_groups().forEach(rowGroup -> rowGroup.setNum_rows(Long.MAX_VALUE)), "row group 1 has 9223372036854775807 rows"},
                {(Consumer<FileMetaData>) metadata -> metadata.setSchema(List.of()), "its schema is empty"},
                {(Consumer<FileMetaData>) metadata -> metadata.getSchema().getFirst().setNum_children(4), "its schema announces more elements than it has (6)"},
                {(Consumer<FileMetaData>) metadata -> metadata.getSchema().getFirst().setNum_children(2), "its schema has 6 elements, 3 of them below the root"},
                {(Consumer<FileMetaData>) metadata -> metadata.getSchema().getFirst().setNum_children(-1), "element 0 of its schema has neither type nor children"},
                {(Consumer<FileMetaData>) metadata -> metadata.getSchema().getFirst().setType(Type.INT32), "the root of its schema is a column"},
                {(Consumer<FileMetaData>) metadata -> metadata.getSchema().get(1).setNum_children(1), "column id of its schema has children"},
                {(Consumer<FileMetaData>) metadata -> metadata.getSchema().get(1).unsetRepetition_type(), "element 1 of its schema has no repetition"},
                {(Consumer<FileMetaData>) metadata -> metadata.getSchema().get(1).unsetType(), "element 1 of its schema has neither type nor children"},
                {(Consumer<FileMetaData>) TestParquetFooter::nestDeeply, "its schema is nested deeper than 128 levels"},
                {(Consumer<FileMetaData>) metadata -> metadata.getRow_groups().getFirst().getColumns().removeLast(), "row group 0 has 2 column chunks, its schema 3 columns"},
        };
    }

    private static Consumer<FileMetaData> lie(Consumer<ColumnChunk> edit)
    {
        return metadata -> edit.accept(metadata.getRow_groups().getFirst().getColumns().getFirst());
    }

    private static void nestDeeply(FileMetaData metadata)
    {
        List<SchemaElement> schema = new ArrayList<>();
        for (int depth = 0; depth < 100_000; depth++) {
            schema.add(new SchemaElement("deep").setNum_children(1).setRepetition_type(org.apache.parquet.format.FieldRepetitionType.OPTIONAL));
        }
        metadata.setSchema(schema);
    }

    @Test(dataProvider = "lies")
    public void testLies(Consumer<FileMetaData> lie, String message)
            throws Exception
    {
        assertRefused(FooterEditor.edit(file(), lie), message);
    }

    @Test
    public void testColumnsEncryptedUnderAPlaintextFooter()
            throws Exception
    {
        byte[] file = FooterEditor.edit(file(), metadata -> {
            metadata.setEncryption_algorithm(EncryptionAlgorithm.AES_GCM_V1(new AesGcmV1()));
            metadata.getRow_groups().getFirst().getColumns().getFirst().unsetMeta_data();
        });
        assertThat(tester.footer(file).isEncrypted()).isTrue();
    }

    @Test
    public void testRowGroupsWithoutRowsMayHaveAnyOffsets()
            throws Exception
    {
        byte[] file = FooterEditor.edit(file(), metadata -> {
            RowGroup empty = new RowGroup(metadata.getRow_groups().getFirst());
            empty.setNum_rows(0);
            for (ColumnChunk chunk : empty.getColumns()) {
                chunk.getMeta_data().setNum_values(0).setTotal_compressed_size(0).setTotal_uncompressed_size(0).setData_page_offset(-7);
                chunk.getMeta_data().unsetDictionary_page_offset();
            }
            metadata.addToRow_groups(empty);
        });
        CopyInput input = tester.input(file);
        assertThat(input.footer().rowGroupCount()).isEqualTo(4);
        CopiedFile copied = tester.copy(List.of(input, input), CopyTester.SMALL_STEPS);
        assertThat(copied.metadata().getRow_groupsSize()).isEqualTo(6);
        StrictFileValidator.validate(tester.bytes(copied.location()));
    }

    /** A footer of a few bytes that announces lists and strings of gigabytes must not make anyone allocate them. */
    @Test
    public void testAnnouncedSizesAreNotAllocated()
            throws Exception
    {
        byte[] file = file();
        ByteArrayOutputStream hugeList = new ByteArrayOutputStream();
        // field 1 i32: version; field 2 list of structs with 2^31 - 1 elements
        hugeList.writeBytes(new byte[] {0x15, 0x02, 0x19, (byte) 0xfc, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07});
        ByteArrayOutputStream hugeString = new ByteArrayOutputStream();
        // field 6 string: created_by
        hugeString.writeBytes(new byte[] {0x68, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07});
        ByteArrayOutputStream deep = new ByteArrayOutputStream();
        for (int level = 0; level < 100_000; level++) {
            deep.write(0x1c);
        }
        ByteArrayOutputStream deepLists = new ByteArrayOutputStream();
        deepLists.write(0x19);
        for (int level = 0; level < 100_000; level++) {
            deepLists.write(0x19);
        }
        for (byte[] footer : List.of(hugeList.toByteArray(), hugeString.toByteArray(), deep.toByteArray(), deepLists.toByteArray())) {
            byte[] lying = FooterEditor.withFooter(file, footer);
            Location location = tester.store(lying);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            try (TrinoInput input = tester.fileSystem().newInputFile(location).newInput()) {
                long before = threads.getCurrentThreadAllocatedBytes();
                assertThatThrownBy(() -> ParquetFooter.read(input, location, lying.length, DataSize.of(15, MEGABYTE)))
                        .isInstanceOf(CorruptParquetException.class)
                        .hasMessageContaining("its footer cannot be parsed, ");
                assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8 * 1024 * 1024);
            }
        }
    }

    /** Whatever bits are flipped: a footer that passes every check, or a clear refusal; bounded memory in both cases. */
    @Test
    public void testFlippedBits()
            throws Exception
    {
        long seed = 20261129;
        System.out.println("testFlippedBits seed " + seed);
        Random random = new Random(seed);
        byte[] file = file();
        int footerStart = (int) tester.footer(file).footerStart();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int refused = 0;
        int accepted = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = file.clone();
            int flips = 1 + random.nextInt(4);
            for (int flip = 0; flip < flips; flip++) {
                damaged[random.nextInt(footerStart, file.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Location location = tester.store(damaged);
            long before = threads.getCurrentThreadAllocatedBytes();
            try (TrinoInput input = tester.fileSystem().newInputFile(location).newInput()) {
                ParquetFooter.read(input, location, damaged.length, DataSize.of(15, MEGABYTE));
                accepted++;
            }
            catch (CorruptParquetException | UnsupportedParquetException e) {
                refused++;
            }
            catch (RuntimeException | StackOverflowError e) {
                fail("round " + round, e);
            }
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 * 1024 * 1024);
            tester.fileSystem().deleteFile(location);
        }
        assertThat(refused).isGreaterThan(5_000);
        assertThat(accepted).isPositive();
    }

    private void assertRefused(byte[] file, String message)
    {
        assertThatThrownBy(() -> tester.footer(file))
                .isInstanceOf(CorruptParquetException.class)
                .hasMessageStartingWith("Parquet file memory:///")
                .hasMessageContaining(message);
    }
}
