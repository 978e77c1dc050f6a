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

import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.lakesteward.procedure.copy.CopyVerification.Source;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.procedure.copy.CopyTester.SMALL_STEPS;

public class TestCopyVerification
{
    private static final Schema SCHEMA = new Schema(required(1, "id", Types.LongType.get()), optional(2, "name", Types.StringType.get()));

    private final CopyTester tester = new CopyTester();
    private CopyInput first;
    private CopyInput second;
    private CopiedFile copied;

    @BeforeClass
    public void setUp()
            throws Exception
    {
        Random random = new Random(1);
        first = tester.input(TrinoParquetFiles.write(SCHEMA, 0, 2_000, random, CompressionCodec.ZSTD, options -> options.setMaxRowGroupRowCount(700)), new RowLineage(5, 5));
        second = tester.input(TrinoParquetFiles.write(SCHEMA, 0, 500, random, CompressionCodec.ZSTD, options -> options), new RowLineage(5, 5));
        copied = tester.copy(List.of(first, second), SMALL_STEPS);
    }

    private List<Source> sources()
    {
        return List.of(new Source(first.footer(), 2_000), new Source(second.footer(), 500));
    }

    @Test
    public void testCorrect()
            throws Exception
    {
        CopyVerification.verify(copied, sources());
    }

    @Test
    public void testSourcesThatDiffer()
    {
        assertRefused(copied, List.of(new Source(first.footer(), 1_999), new Source(second.footer(), 500)), "has 2000 rows by its footer and 1999 by its manifest");
        assertRefused(copied, List.of(new Source(first.footer(), 2_000)), "has 2500 rows (2500 by its footer), its inputs have 2000");
        assertRefused(copied, sources().reversed(), "row group 0 of");
    }

    @Test
    public void testOutputsThatDiffer()
    {
        assertRefused(changed(metadata -> metadata.setNum_rows(2_499)), sources(), "has 2500 rows (2499 by its footer), its inputs have 2500");
        assertRefused(changed(metadata -> metadata.getRow_groups().removeLast()), sources(), "has 3 row groups, its inputs have 4");
        assertRefused(changed(metadata -> metadata.getRow_groups().getFirst().getColumns().get(1).getMeta_data().setTotal_compressed_size(1)), sources(), "row group 0 of");
        assertRefused(changed(metadata -> metadata.getRow_groups().getFirst().getColumns().get(1).getMeta_data().setNum_values(1)), sources(), "row group 0 of");
        assertRefused(changed(metadata -> metadata.getRow_groups().getFirst().getColumns().get(2).getMeta_data().setNum_values(1)), sources(), "row group 0 of");
        assertRefused(changed(metadata -> metadata.getRow_groups().getFirst().getColumns().get(1).getMeta_data().setData_page_offset(5)), sources(), "column chunks overlap at byte");
        assertRefused(new CopiedFile(copied.location(), copied.size(), copied.rowCount(), copied.footerSize(), copied.metadata(), copied.splitOffsets(), copied.copiedBytes() - 1, copied.lineageBytes()), sources(), "bytes of column chunks by its footer");
        assertRefused(new CopiedFile(copied.location(), copied.size() / 2, copied.rowCount(), copied.footerSize(), copied.metadata(), copied.splitOffsets(), copied.copiedBytes(), copied.lineageBytes()), sources(), "outside of bytes 4 to");
    }

    @Test
    public void testStoredFileThatDiffers()
            throws Exception
    {
        byte[] bytes = tester.bytes(copied.location());
        Location shorter = tester.store(java.util.Arrays.copyOf(bytes, bytes.length - 1));
        try (TrinoInput input = tester.fileSystem().newInputFile(shorter).newInput()) {
            assertThatThrownBy(() -> CopyVerification.verifyStored(copied, input))
                    .isInstanceOf(CopyVerificationException.class)
                    .hasMessageContaining("it is shorter than");
        }
        Location other = tester.store(FooterEditor.edit(bytes, metadata -> metadata.getRow_groups().getFirst().setOrdinal((short) 9)));
        try (TrinoInput input = tester.fileSystem().newInputFile(other).newInput()) {
            assertThatThrownBy(() -> CopyVerification.verifyStored(copied, input))
                    .isInstanceOf(CopyVerificationException.class)
                    .hasMessageEndingWith("has another footer than was written to it");
        }
    }

    private CopiedFile changed(Consumer<FileMetaData> edit)
    {
        FileMetaData metadata = new FileMetaData(copied.metadata());
        edit.accept(metadata);
        return new CopiedFile(copied.location(), copied.size(), copied.rowCount(), copied.footerSize(), metadata, copied.splitOffsets(), copied.copiedBytes(), copied.lineageBytes());
    }

    private static void assertRefused(CopiedFile file, List<Source> sources, String message)
    {
        assertThatThrownBy(() -> CopyVerification.verify(file, sources))
                .isInstanceOf(CopyVerificationException.class)
                .hasMessageContaining(message);
    }
}
