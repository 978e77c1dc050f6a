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
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slices;
import io.airlift.units.DataSize;
import io.trino.filesystem.Location;
import io.trino.parquet.writer.ParquetWriterOptions;
import io.trino.plugin.iceberg.IcebergParquetFileWriter;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.type.Type;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.schema.MessageType;
import org.testng.annotations.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.plugin.iceberg.util.PrimitiveTypeMapBuilder.makeTypeMap;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.apache.iceberg.parquet.ParquetSchemaUtil.convert;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.procedure.copy.CopyTester.SMALL_STEPS;

public class TestCopiedFile
{
    private final CopyTester tester = new CopyTester();

    /** What the stock writer reports for these pages in one file. */
    private Metrics stockMetrics(Schema schema, List<Page> pages, UnaryOperator<ParquetWriterOptions.Builder> configure)
            throws Exception
    {
        List<String> names = schema.columns().stream().map(NestedField::name).collect(toImmutableList());
        List<Type> types = TrinoParquetFiles.types(schema);
        Location location = tester.newLocation();
        IcebergParquetFileWriter writer = new IcebergParquetFileWriter(
                MetricsConfig.getDefault(),
                tester.fileSystem().newOutputFile(location),
                () -> {},
                types,
                names,
                convert(schema, "table"),
                makeTypeMap(types, names),
                configure.apply(ParquetWriterOptions.builder()).build(),
                IntStream.range(0, names.size()).toArray(),
                CompressionCodec.ZSTD,
                "483");
        pages.forEach(writer::appendRows);
        writer.commit();
        return writer.getFileMetrics().metrics();
    }

    private static void assertSameMetrics(Metrics actual, Metrics expected)
    {
        assertThat(actual.recordCount()).isEqualTo(expected.recordCount());
        assertThat(actual.valueCounts()).isEqualTo(expected.valueCounts());
        assertThat(actual.nullValueCounts()).isEqualTo(expected.nullValueCounts());
        assertThat(actual.nanValueCounts()).isEqualTo(expected.nanValueCounts());
        assertThat(actual.lowerBounds()).isEqualTo(expected.lowerBounds());
        assertThat(actual.upperBounds()).isEqualTo(expected.upperBounds());
        assertThat(actual.columnSizes().keySet()).isEqualTo(expected.columnSizes().keySet());
    }

    @Test
    public void testSameAsStock()
            throws Exception
    {
        Random random = new Random(1);
        Schema schema = TestRowGroupCopier.SCHEMA;
        List<Page> pages = new ArrayList<>();
        List<CopyInput> inputs = new ArrayList<>();
        for (int file = 0; file < 3; file++) {
            Page page = TrinoParquetFiles.page(schema, file * 1_000L, 1_000, random);
            pages.add(page);
            inputs.add(tester.input(TrinoParquetFiles.write(schema, List.of(page), CompressionCodec.ZSTD, options -> options.setMaxRowGroupRowCount(300))));
        }
        CopiedFile copied = tester.copy(inputs, SMALL_STEPS);
        Metrics metrics = copied.metrics();
        assertSameMetrics(metrics, stockMetrics(schema, pages, options -> options));
        assertThat(metrics.columnSizes().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(copied.copiedBytes());
        assertThat(metrics.nanValueCounts()).isEmpty();
        // bounds of nested columns in structs are there, those below lists and maps are not
        assertThat(metrics.lowerBounds()).containsKeys(1, 2, 3, 18).doesNotContainKeys(13, 15, 16, 21);
        assertThat(bound(metrics.upperBounds(), 1, Types.LongType.get())).isEqualTo(2_999L);
    }

    private static Object bound(Map<Integer, ByteBuffer> bounds, int fieldId, org.apache.iceberg.types.Type type)
    {
        ByteBuffer bound = bounds.get(fieldId);
        return bound == null ? null : Conversions.fromByteBuffer(type, bound);
    }

    @Test
    public void testLongStringsAreTruncated()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()), optional(2, "text", Types.StringType.get()));
        Page low = textPage("a".repeat(500), "b".repeat(500));
        Page high = textPage("y".repeat(500), "z".repeat(2_000) + "end");
        CopiedFile copied = tester.copy(
                List.of(
                        tester.input(TrinoParquetFiles.write(schema, List.of(low), CompressionCodec.ZSTD, options -> options)),
                        tester.input(TrinoParquetFiles.write(schema, List.of(high), CompressionCodec.ZSTD, options -> options))),
                SMALL_STEPS);
        assertSameMetrics(copied.metrics(), stockMetrics(schema, List.of(low, high), options -> options));
        assertThat(bound(copied.metrics().lowerBounds(), 2, Types.StringType.get()).toString()).isEqualTo("a".repeat(16));
        assertThat(bound(copied.metrics().upperBounds(), 2, Types.StringType.get()).toString()).isEqualTo("z".repeat(15) + "{");

        MetricsConfig counts = MetricsConfig.fromProperties(ImmutableMap.of("write.metadata.metrics.default", "none", "write.metadata.metrics.column.text", "counts"));
        Metrics configured = copied.metrics(counts);
        assertThat(configured.lowerBounds()).isEmpty();
        assertThat(configured.valueCounts()).isEqualTo(Map.of(2, 4L));
    }

    private static Page textPage(String... values)
    {
        PageBuilder builder = new PageBuilder(ImmutableList.of(BIGINT, VARCHAR));
        for (String value : values) {
            builder.declarePosition();
            BIGINT.writeLong(builder.getBlockBuilder(0), 1);
            VARCHAR.writeSlice(builder.getBlockBuilder(1), Slices.utf8Slice(value));
        }
        return builder.build();
    }

    /** A row group whose bounds are unknown makes the file's unknown, and not those of the other row groups. */
    @Test
    public void testNaN()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()), optional(2, "ratio", Types.DoubleType.get()));
        Page plain = doublePage(1.0, 2.0, null);
        Page withNaN = doublePage(100.0, Double.NaN, null);
        Page nulls = doublePage(null, null, null);
        CopyInput plainInput = tester.input(TrinoParquetFiles.write(schema, List.of(plain), CompressionCodec.ZSTD, options -> options));
        CopyInput nanInput = tester.input(TrinoParquetFiles.write(schema, List.of(withNaN), CompressionCodec.ZSTD, options -> options));
        CopyInput nullInput = tester.input(TrinoParquetFiles.write(schema, List.of(nulls), CompressionCodec.ZSTD, options -> options));

        Metrics metrics = tester.copy(List.of(plainInput, nanInput, nullInput), SMALL_STEPS).metrics();
        assertThat(metrics.lowerBounds()).containsOnlyKeys(1);
        assertThat(metrics.upperBounds()).containsOnlyKeys(1);
        assertThat(metrics.nanValueCounts()).isEmpty();
        assertThat(metrics.valueCounts()).isEqualTo(Map.of(1, 9L, 2, 9L));
        assertThat(metrics.nullValueCounts()).isEqualTo(Map.of(1, 0L, 2, 5L));

        // nulls alone hide nothing
        Metrics withoutNaN = tester.copy(List.of(plainInput, nullInput), SMALL_STEPS).metrics();
        assertSameMetrics(withoutNaN, stockMetrics(schema, List.of(plain, nulls), options -> options));
        assertThat(bound(withoutNaN.upperBounds(), 2, Types.DoubleType.get())).isEqualTo(2.0);
    }

    private static Page doublePage(Double... values)
    {
        PageBuilder builder = new PageBuilder(ImmutableList.of(BIGINT, DOUBLE));
        for (Double value : values) {
            builder.declarePosition();
            BIGINT.writeLong(builder.getBlockBuilder(0), 1);
            if (value == null) {
                builder.getBlockBuilder(1).appendNull();
            }
            else {
                DOUBLE.writeDouble(builder.getBlockBuilder(1), value);
            }
        }
        return builder.build();
    }

    /** parquet-mr leaves bounds out that are too long; the file must not get those of the other row groups. */
    @Test
    public void testBoundsThatAWriterLeftOut()
            throws Exception
    {
        MessageType schema = convert(new Schema(required(1, "id", Types.LongType.get()), optional(2, "text", Types.StringType.get())), "table");
        CopyInput shortText = tester.input(ParquetMrFiles.write(schema, List.of(text(schema, "m")), builder -> builder));
        CopyInput longText = tester.input(ParquetMrFiles.write(schema, List.of(text(schema, Strings.repeat("z", 10_000))), builder -> builder));
        assertThat(longText.footer().rowGroup(0).getColumns().get(1).getMeta_data().getStatistics().isSetMax_value()).isFalse();
        Metrics metrics = tester.copy(List.of(shortText, longText), SMALL_STEPS).metrics();
        assertThat(metrics.upperBounds()).containsOnlyKeys(1);
        assertThat(metrics.lowerBounds()).containsOnlyKeys(1);
        // it leaves the null count out with them
        assertThat(metrics.nullValueCounts()).isEqualTo(Map.of(1, 0L));
        assertThat(metrics.valueCounts()).isEqualTo(Map.of(1, 2L, 2, 2L));
    }

    private static Group text(MessageType schema, String text)
    {
        Group group = new SimpleGroup(schema);
        group.add(0, 1L);
        group.add(1, text);
        return group;
    }

    @Test
    public void testStatisticsThatAreMissing()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()), optional(2, "text", Types.StringType.get()));
        byte[] file = TrinoParquetFiles.write(schema, 0, 100, new Random(2), CompressionCodec.ZSTD, options -> options);
        CopyInput complete = tester.input(file);
        CopyInput withoutNullCount = tester.input(FooterEditor.edit(file, metadata -> metadata.getRow_groups().getFirst().getColumns().get(1).getMeta_data().getStatistics().unsetNull_count()));
        CopyInput without = tester.input(FooterEditor.edit(file, metadata -> metadata.getRow_groups().getFirst().getColumns().get(1).getMeta_data().unsetStatistics()));
        for (CopyInput input : List.of(withoutNullCount, without)) {
            Metrics metrics = tester.copy(List.of(complete, input), SMALL_STEPS).metrics();
            assertThat(metrics.nullValueCounts()).isEqualTo(Map.of(1, 0L));
            assertThat(metrics.lowerBounds()).containsOnlyKeys(1);
            assertThat(metrics.upperBounds()).containsOnlyKeys(1);
            assertThat(metrics.valueCounts()).isEqualTo(Map.of(1, 200L, 2, 200L));
        }
    }

    @Test
    public void testUuid()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()), optional(2, "key", Types.UUIDType.get()));
        Page page = TrinoParquetFiles.page(schema, 0, 100, new Random(3));
        Metrics trino = tester.copy(List.of(tester.input(TrinoParquetFiles.write(schema, List.of(page), CompressionCodec.ZSTD, options -> options))), SMALL_STEPS).metrics();
        assertSameMetrics(trino, stockMetrics(schema, List.of(page), options -> options));
        Metrics mr = tester.copy(List.of(tester.input(ParquetMrFiles.write(convert(schema, "table"), 0, 100, new Random(4), builder -> builder))), SMALL_STEPS).metrics();
        assertThat(mr.valueCounts()).isEqualTo(Map.of(1, 100L, 2, 100L));
        assertThat(mr.nullValueCounts()).containsKeys(1, 2);
        assertThat(mr.lowerBounds()).containsKeys(1, 2);
    }

    /** The stock code knows no bounds of nanoseconds and fails on them; the counts are there all the same. */
    @Test
    public void testNanoseconds()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()), optional(2, "at", Types.TimestampNanoType.withoutZone()));
        CopyInput input = tester.input(ParquetMrFiles.write(convert(schema, "table"), 0, 100, new Random(6), builder -> builder), new RowLineage(0, 1));
        assertThat(new CopyCheck(schema, 3, DataSize.ofBytes(0)).obstacle(input)).isEmpty();
        Metrics metrics = tester.copy(List.of(input), SMALL_STEPS).metrics();
        assertThat(metrics.lowerBounds()).containsKey(1).doesNotContainKey(2);
        assertThat(metrics.valueCounts()).containsEntry(2, 100L);
        assertThat(metrics.nullValueCounts()).containsKey(2);
    }

    @Test
    public void testLineageColumnsHaveMetricsAsInStockFiles()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()));
        Page page = TrinoParquetFiles.page(schema, 0, 100, new Random(5));
        CopyInput input = tester.input(TrinoParquetFiles.write(schema, List.of(page), CompressionCodec.ZSTD, options -> options), new RowLineage(1_000, 7));
        Metrics metrics = tester.copy(List.of(input), SMALL_STEPS).metrics();
        int rowId = MetadataColumns.ROW_ID.fieldId();
        // the stock writer of a version 3 rewrite has both columns in its schema
        PageBuilder stockPage = new PageBuilder(ImmutableList.of(BIGINT, BIGINT, BIGINT));
        for (int row = 0; row < 100; row++) {
            stockPage.declarePosition();
            BIGINT.writeLong(stockPage.getBlockBuilder(0), BIGINT.getLong(page.getBlock(0), row));
            BIGINT.writeLong(stockPage.getBlockBuilder(1), 1_000 + row);
            BIGINT.writeLong(stockPage.getBlockBuilder(2), 7);
        }
        Schema stockSchema = new Schema(schema.columns().getFirst(), MetadataColumns.ROW_ID, MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER);
        assertSameMetrics(metrics, stockMetrics(stockSchema, List.of(stockPage.build()), options -> options));
        assertThat(bound(metrics.lowerBounds(), rowId, Types.LongType.get())).isEqualTo(1_000L);
        assertThat(bound(metrics.upperBounds(), rowId, Types.LongType.get())).isEqualTo(1_099L);
        assertThat(metrics.nullValueCounts()).containsEntry(rowId, 0L);
    }

    @Test
    public void testEmptyFile()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()));
        CopiedFile copied = tester.copy(List.of(tester.input(TrinoParquetFiles.write(schema, List.of(), CompressionCodec.ZSTD, options -> options))), SMALL_STEPS);
        assertSameMetrics(copied.metrics(), stockMetrics(schema, List.of(), options -> options));
    }
}
