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
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.lakesteward.stitch.StitchTester.Stitched;
import org.testng.annotations.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.apache.parquet.schema.MessageTypeParser.parseMessageType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestStitchVerification
{
    private static final long SEED = Long.getLong("stitch.fuzz.seed", 20261130);

    private static final MessageType SCHEMA = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional binary name (STRING) = 2;
              optional group list (LIST) = 3 { repeated group list { optional double element = 4; } }
            }
            """);

    private static List<byte[]> files(int count, CompressionCodecName codec, WriterVersion version)
            throws IOException
    {
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            files.add(ParquetMr.write(
                    SCHEMA,
                    new RandomRows(new Random(index), 50, 20, index * 10).rows(SCHEMA, 80),
                    codec,
                    builder -> builder.withWriterVersion(version).withPageWriteChecksumEnabled(false)));
        }
        return files;
    }

    @Test
    public void testDamagedOutputIsFound()
            throws IOException
    {
        for (WriterVersion version : WriterVersion.values()) {
            for (CompressionCodec codec : List.of(CompressionCodec.UNCOMPRESSED, CompressionCodec.ZSTD)) {
                List<byte[]> files = files(4, CompressionCodecName.ZSTD, version);
                Stitched stitched = StitchTester.stitch(files, codec, StitchTester.SMALL);
                Map<String, List<Object>> expected = ParquetMr.columns(files);
                Random random = new Random(SEED);
                int found = 0;
                for (int run = 0; run < 500; run++) {
                    byte[] changed = stitched.file().clone();
                    int position = random.nextInt(changed.length);
                    changed[position] ^= (byte) (1 << random.nextInt(8));
                    try {
                        StitchVerification.verify(StitchTester.source("output", changed), stitched.result(), StitchTester.SMALL);
                    }
                    catch (StitchVerificationException e) {
                        found++;
                        continue;
                    }
                    // what passes reads as the inputs do, such as another bit of padding
                    assertThat(ParquetMr.columns(List.of(changed)).equals(expected)).as("byte %s", position).isTrue();
                }
                assertThat(found).isGreaterThan(350);
            }
        }
    }

    @Test
    public void testOtherRowsAreFound()
            throws IOException
    {
        List<byte[]> files = files(4, CompressionCodecName.ZSTD, WriterVersion.PARQUET_1_0);
        StitchOptions options = StitchTester.SMALL;
        Stitched expected = StitchTester.stitch(files, CompressionCodec.ZSTD, options);
        List<byte[]> swapped = new ArrayList<>(files);
        Collections.swap(swapped, 1, 2);
        for (List<byte[]> others : List.of(swapped, files.subList(0, 3), List.of(files.get(0), files.get(1), files.get(1), files.get(3)))) {
            Stitched other = StitchTester.stitch(others, CompressionCodec.ZSTD, options);
            // everything fits but what the columns are made of
            StitchResult result = withSumsOf(other.result(), expected.result());
            assertThatThrownBy(() -> StitchVerification.verify(StitchTester.source("output", other.file()), result, options))
                    .isInstanceOf(StitchVerificationException.class)
                    .hasMessageStartingWith("Stitched file output has other values than the inputs in column ");
        }
        // the same rows in other row groups, pages and encodings are the same
        Stitched again = StitchTester.stitch(files, CompressionCodec.SNAPPY, options.withTargetRowGroupSize(1).withDictionarySizes(0, 0).withTargetPage(100, 7));
        assertThat(again.result().inputSums()).isEqualTo(expected.result().inputSums());
        assertThatCode(() -> StitchVerification.verify(StitchTester.source("output", again.file()), withSumsOf(again.result(), expected.result()), options)).doesNotThrowAnyException();
    }

    private static StitchResult withSumsOf(StitchResult result, StitchResult sums)
    {
        return new StitchResult(
                result.fileSize(),
                result.footerSize(),
                result.rowCount(),
                result.inputs(),
                result.metadata(),
                result.splitOffsets(),
                result.columns(),
                result.pagesCopied(),
                result.pagesMerged(),
                result.pagesGathered(),
                result.pagesRecompressed(),
                result.auxiliaryChecksum(),
                sums.inputSums());
    }

    @Test
    public void testOtherFileIsFound()
            throws IOException
    {
        List<byte[]> files = files(2, CompressionCodecName.ZSTD, WriterVersion.PARQUET_1_0);
        Stitched stitched = StitchTester.stitch(files, CompressionCodec.ZSTD, StitchTester.SMALL);
        byte[] file = stitched.file();
        assertThatThrownBy(() -> StitchVerification.verify(StitchTester.source("output", Arrays.copyOf(file, file.length - 1)), stitched.result(), StitchTester.SMALL))
                .isInstanceOf(StitchVerificationException.class)
                .hasMessage("Stitched file output has %s bytes, %s were written", file.length - 1, file.length);
        byte[] zeros = new byte[file.length];
        assertThatThrownBy(() -> StitchVerification.verify(StitchTester.source("output", zeros), stitched.result(), StitchTester.SMALL))
                .isInstanceOf(StitchVerificationException.class)
                .hasMessage("Stitched file output cannot be read back: Parquet file output is corrupt: it does not end with PAR1");
    }

    @Test
    public void testNothingToCompareWith()
            throws IOException
    {
        List<byte[]> files = files(2, CompressionCodecName.ZSTD, WriterVersion.PARQUET_1_0);
        StitchOptions options = StitchTester.SMALL.withVerify(false);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        StitchResult result = StitchTester.stitch(files, StitchTarget.like(StitchTester.footer(files.getFirst()), CompressionCodec.ZSTD), options, output);
        assertThat(result.inputSums()).isEmpty();
        assertThatThrownBy(() -> StitchVerification.verify(StitchTester.source("output", output.toByteArray()), result, options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("result has no sums of the inputs: verify was false");
    }
}
