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

import org.apache.parquet.example.data.Group;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.lakesteward.stitch.StitchDecision.EncodeFirst;
import org.lakesteward.stitch.footer.ParquetFooter;
import org.lakesteward.stitch.footer.StitchObstacle.Reason;
import org.lakesteward.stitch.io.ParquetSink;
import org.testng.annotations.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static org.apache.parquet.schema.MessageTypeParser.parseMessageType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestRowLineage
{
    private static final MessageType SCHEMA = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional group list (LIST) = 2 { repeated group list { optional int32 element = 3; } }
            }
            """);
    private static final MessageType WITH_LINEAGE = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional group list (LIST) = 2 { repeated group list { optional int32 element = 3; } }
              optional int64 _row_id = 2147483540;
              optional int64 _last_updated_sequence_number = 2147483539;
            }
            """);

    private static byte[] file(MessageType schema, int seed, int rows, int nullRate)
            throws IOException
    {
        return ParquetMr.write(schema, new RandomRows(new Random(seed), 500, nullRate, 200).rows(schema, rows), CompressionCodecName.ZSTD, builder -> builder.withRowGroupSize(4_000L).withMinRowCountForPageSizeCheck(100));
    }

    @Test
    public void testLineageIsKept()
            throws IOException
    {
        byte[] first = file(SCHEMA, 1, 3_000, 20);
        byte[] second = file(WITH_LINEAGE, 2, 500, 0);
        byte[] third = file(SCHEMA, 3, 100, 20);
        byte[] lone = file(SCHEMA, 4, 1, 20);
        assertThat(StitchTester.footer(first).rowGroups().size()).isGreaterThan(1);

        for (StitchOptions options : List.of(StitchTester.SMALL, StitchTester.SMALL.withTargetRowGroupSize(1), StitchOptions.DEFAULTS)) {
            StitchTarget target = StitchTarget.like(StitchTester.footer(first), CompressionCodec.ZSTD).withLineage();
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            Stitcher stitcher = Stitcher.create(ParquetSink.of(output), target, options);
            append(stitcher, first, Optional.of(new RowLineage(1_000_000_000_000L, 7)));
            append(stitcher, second, Optional.of(new RowLineage(5, 8)));
            append(stitcher, third, Optional.of(new RowLineage(10, 7)));
            append(stitcher, lone, Optional.of(new RowLineage(Long.MAX_VALUE, Long.MAX_VALUE)));
            StitchResult result = stitcher.finish();
            byte[] file = output.toByteArray();

            FileValidator.validate(file);
            StitchVerification.verify(StitchTester.source("output", file), result, options);
            List<List<Long>> expected = new ArrayList<>();
            for (int row = 0; row < 3_000; row++) {
                expected.add(List.of(1_000_000_000_000L + row, 7L));
            }
            for (Group row : ParquetMr.rows(second)) {
                expected.add(List.of(row.getLong("_row_id", 0), row.getLong("_last_updated_sequence_number", 0)));
            }
            for (int row = 0; row < 100; row++) {
                expected.add(List.of(10L + row, 7L));
            }
            expected.add(List.of(Long.MAX_VALUE, Long.MAX_VALUE));
            assertThat(ParquetMr.rows(file).stream().map(row -> List.of(row.getLong("_row_id", 0), row.getLong("_last_updated_sequence_number", 0))).toList()).isEqualTo(expected);
            assertThat(TrinoParquet.rows(List.of(file)).stream().<List<Long>>map(row -> List.of((Long) row.get(2), (Long) row.get(3))).toList()).isEqualTo(expected);
            ColumnMetrics ids = result.columns().get(2);
            assertThat(ids.fieldId()).hasValue(2147483540);
            assertThat(ids.valueCount()).isEqualTo(3_601);
            assertThat(ids.nullCount()).hasValue(0);
            assertThat(ids.range().orElseThrow().max()).isEqualTo(new byte[] {-1, -1, -1, -1, -1, -1, -1, 127});
            assertThat(result.metadata().getRow_groups().getFirst().getColumns().get(2).getMeta_data().getEncodings()).contains(Encoding.DELTA_BINARY_PACKED);

            // the result has lineage of its own, and keeps it
            StitchTester.stitch(List.of(file, second, file), CompressionCodec.SNAPPY, options);
        }
    }

    private static void append(Stitcher stitcher, byte[] file, Optional<RowLineage> lineage)
            throws IOException
    {
        assertThat(stitcher.append(StitchTester.source("input", file), StitchTester.footer(file), lineage)).isEqualTo(StitchDecision.STITCH);
    }

    @Test
    public void testLineageCannotBeKept()
            throws IOException
    {
        StitchTarget target = StitchTarget.like(StitchTester.footer(file(SCHEMA, 1, 10, 0)), CompressionCodec.ZSTD).withLineage();
        assertReason(target, file(SCHEMA, 1, 10, 0), Optional.empty(), Reason.NO_LINEAGE);
        // nulls stand for what is inherited
        assertReason(target, file(WITH_LINEAGE, 1, 100, 30), Optional.of(new RowLineage(5, 6)), Reason.INCOMPLETE_LINEAGE);
        byte[] half = file(parseMessageType("message table { required int64 id = 1; optional int64 _row_id = 2147483540; }"), 1, 10, 0);
        assertReason(target, half, Optional.of(new RowLineage(5, 6)), Reason.INCOMPLETE_LINEAGE);
        byte[] unknown = FooterEditor.editColumn(file(WITH_LINEAGE, 1, 10, 0), 2, column -> column.unsetStatistics());
        assertReason(target, unknown, Optional.of(new RowLineage(5, 6)), Reason.INCOMPLETE_LINEAGE);
        // a table that keeps none takes no file that has it
        StitchTarget without = StitchTarget.like(StitchTester.footer(file(SCHEMA, 1, 10, 0)), CompressionCodec.ZSTD);
        assertReason(without, file(WITH_LINEAGE, 1, 10, 0), Optional.empty(), Reason.SCHEMA_DIFFERS);
    }

    private static void assertReason(StitchTarget target, byte[] file, Optional<RowLineage> lineage, Reason reason)
            throws IOException
    {
        ParquetFooter footer = StitchTester.footer(file);
        assertThat(StitchDecision.of(target, footer, lineage)).isInstanceOfSatisfying(EncodeFirst.class, encode -> assertThat(encode.obstacle().reason()).isEqualTo(reason));
    }

    @Test
    public void testBadLineage()
    {
        assertThatThrownBy(() -> new RowLineage(-1, 0)).hasMessage("firstRowId is -1, must be at least 0");
        assertThatThrownBy(() -> new RowLineage(0, -1)).hasMessage("dataSequenceNumber is -1, must be at least 0");
    }
}
