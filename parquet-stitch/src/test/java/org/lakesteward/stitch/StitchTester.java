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

import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.lakesteward.stitch.footer.FooterReader;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.io.ByteArraySource;
import org.lakesteward.stitch.io.ParquetSink;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stitches files and checks everything that holds of every result.
 */
final class StitchTester
{
    /** Small enough that a few thousand rows are several pages and row groups. */
    static final StitchOptions SMALL = StitchOptions.DEFAULTS
            .withTargetRowGroupSize(200_000)
            .withTargetPage(20_000, 1_000)
            .withSmallPageValues(300)
            .withDictionarySizes(20_000, 100_000)
            .withMinSplitDistance(1);

    private StitchTester() {}

    record Stitched(byte[] file, StitchResult result, FileValidator.Summary summary) {}

    static ByteArraySource source(String name, byte[] file)
    {
        return new ByteArraySource(name, file);
    }

    static ParquetFooter footer(byte[] file)
            throws IOException
    {
        return FooterReader.read(source("input", file), 16 << 20);
    }

    /** Stitches without any check, into the codec of the first file. */
    static StitchResult stitch(List<byte[]> files, StitchTarget target, StitchOptions options, ByteArrayOutputStream output)
            throws IOException
    {
        Stitcher stitcher = Stitcher.create(ParquetSink.of(output), target, options);
        for (int index = 0; index < files.size(); index++) {
            byte[] file = files.get(index);
            StitchDecision decision = stitcher.append(source("file " + index, file), footer(file), Optional.empty());
            assertThat(decision).isEqualTo(StitchDecision.STITCH);
        }
        return stitcher.finish();
    }

    /** Stitches files that need no encoding; the result equals the files, to both readers, and is a file by the book. */
    static Stitched stitch(List<byte[]> files, CompressionCodec codec, StitchOptions options)
            throws IOException
    {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        StitchResult result = stitch(files, StitchTarget.like(footer(files.getFirst()), codec), options, output);
        return check(files, output.toByteArray(), result, options);
    }

    static Stitched check(List<byte[]> files, byte[] output, StitchResult result, StitchOptions options)
            throws IOException
    {
        assertThat(result.fileSize()).isEqualTo(output.length);
        FileValidator.Summary summary = FileValidator.validate(output);
        assertThat(summary.metadata()).isEqualTo(result.metadata());
        Map<String, List<Object>> expected = ParquetMr.columns(files);
        Map<String, List<Object>> actual = ParquetMr.columns(List.of(output));
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        for (String column : expected.keySet()) {
            assertThat(actual.get(column).equals(expected.get(column))).as("values of column %s", column).isTrue();
        }
        if (isReadableByTrino(result.metadata()) && areReadableByTrino(files)) {
            assertThat(TrinoParquet.rows(List.of(output)).equals(TrinoParquet.rows(files))).as("rows in Trino's reader").isTrue();
        }
        BoundsValidator.validate(output, files, result);
        PageIndexValidator.validate(output, result.metadata());
        if (options.verify()) {
            StitchVerification.verify(source("output", output), result, options);
        }
        return new Stitched(output, result, summary);
    }

    private static boolean areReadableByTrino(List<byte[]> files)
            throws IOException
    {
        for (byte[] file : files) {
            if (!isReadableByTrino(footer(file).metadata())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReadableByTrino(FileMetaData metadata)
    {
        return metadata.getRow_groups().stream()
                .flatMap(rowGroup -> rowGroup.getColumns().stream())
                .noneMatch(chunk -> chunk.getMeta_data().getCodec() == CompressionCodec.LZ4_RAW);
    }
}
