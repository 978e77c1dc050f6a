
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import io.airlift.units.DataSize;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.apache.iceberg.parquet.ParquetSchemaUtil.convert;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lakesteward.procedure.copy.CopyTester.SMALL_STEPS;

public class TestRowGroupCopier
{
    static final Schema SCHEMA = new Schema(
            required(1, "id", Types.LongType.get()),
            optional(2, "name", Types.StringType.get()),
            optional(3, "price", Types.DecimalType.of(20, 4)),
            optional(4, "small_price", Types.DecimalType.of(7, 2)),
            optional(5, "day", Types.DateType.get()),
            optional(6, "at", Types.TimestampType.withoutZone()),
            optional(7, "at_utc", Types.TimestampType.withZone()),
            optional(8, "flag", Types.BooleanType.get()),
            optional(9, "ratio", Types.DoubleType.get()),
            optional(10, "weight", Types.FloatType.get()),
            optional(11, "data", Types.BinaryType.get()),
            optional(12, "tags", Types.ListType.ofOptional(13, Types.StringType.get())),
            optional(14, "counts", Types.MapType.ofOptional(15, 16, Types.StringType.get(), Types.LongType.get())),
            optional(17, "address", Types.StructType.of(
                    optional(18, "street", Types.StringType.get()),
                    optional(19, "points", Types.ListType.ofOptional(20, Types.StructType.of(
                            optional(21, "x", Types.IntegerType.get()),
                            optional(22, "y", Types.IntegerType.get())))))),
            optional(23, "clock", Types.TimeType.get()),
            optional(24, "key", Types.UUIDType.get()));

    private static final MessageType PARQUET_SCHEMA = convert(SCHEMA, "table");

    private final CopyTester tester = new CopyTester();

    @DataProvider
    public Object[][] inputs()
            throws IOException
    {
        Random random = new Random(1);
        return new Object[][] {
                {"trino, several row groups", List.of(
                        trinoFile(0, 5_000, random, CompressionCodec.ZSTD),
                        trinoFile(5_000, 3_000, random, CompressionCodec.ZSTD))},
                {"trino, several codecs", List.of(
                        trinoFile(0, 2_000, random, CompressionCodec.SNAPPY),
                        trinoFile(2_000, 1_000, random, CompressionCodec.GZIP),
                        trinoFile(3_000, 1_000, random, CompressionCodec.UNCOMPRESSED),
                        trinoFile(4_000, 1_000, random, CompressionCodec.ZSTD))},
                {"trino, an empty file in the middle", List.of(
                        trinoFile(0, 1_000, random, CompressionCodec.ZSTD),
                        trinoFile(1_000, 0, random, CompressionCodec.ZSTD),
                        trinoFile(1_000, 10, random, CompressionCodec.ZSTD))},
                {"trino, an empty file first", List.of(
                        trinoFile(0, 0, random, CompressionCodec.ZSTD),
                        trinoFile(0, 10, random, CompressionCodec.ZSTD))},
                {"parquet-mr, version 1 pages", List.of(
                        mrFile(0, 4_000, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD),
                        mrFile(4_000, 2_000, random, WriterVersion.PARQUET_1_0, CompressionCodecName.SNAPPY))},
                {"parquet-mr, version 2 pages", List.of(
                        mrFile(0, 4_000, random, WriterVersion.PARQUET_2_0, CompressionCodecName.GZIP),
                        mrFile(4_000, 2_000, random, WriterVersion.PARQUET_2_0, CompressionCodecName.UNCOMPRESSED))},
                {"both writers", List.of(
                        mrFile(0, 1_000, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD),
                        trinoFile(1_000, 1_000, random, CompressionCodec.ZSTD),
                        mrFile(2_000, 1_000, random, WriterVersion.PARQUET_2_0, CompressionCodecName.ZSTD))},
                {"one file", List.of(mrFile(0, 1_000, random, WriterVersion.PARQUET_2_0, CompressionCodecName.ZSTD))},
        };
    }

    private static byte[] trinoFile(long id, int rows, Random random, CompressionCodec codec)
            throws IOException
    {
        return TrinoParquetFiles.write(SCHEMA, id, rows, random, codec, options -> options
                .setMaxRowGroupRowCount(1_000)
                .setMaxPageValueCount(300)
                .setBloomFilterColumns(ImmutableSet.of("id", "name")));
    }

    private static byte[] mrFile(long id, int rows, Random random, WriterVersion version, CompressionCodecName codec)
            throws IOException
    {
        return ParquetMrFiles.write(PARQUET_SCHEMA, id, rows, random, builder -> builder
                .withWriterVersion(version)
                .withCompressionCodec(codec)
                .withRowGroupRowCountLimit(1_500)
                .withPageRowCountLimit(250)
                .withDictionaryPageSize(2_000)
                .withBloomFilterEnabled("id", true)
                .withBloomFilterNDV("id", 2_000)
                .withPageWriteChecksumEnabled(true));
    }

    @Test(dataProvider = "inputs")
    public void testValuesAndStructure(String name, List<byte[]> files)
            throws Exception
    {
        for (CopyOptions options : List.of(SMALL_STEPS, CopyOptions.DEFAULT)) {
            List<CopyInput> inputs = inputs(files);
            CopyCheck check = new CopyCheck(SCHEMA, 2, DataSize.ofBytes(0));
            for (CopyInput input : inputs) {
                assertThat(check.obstacle(inputs.getFirst(), input)).isEmpty();
            }
            CopiedFile copied = tester.copy(inputs, options);
            byte[] output = tester.bytes(copied.location());

            StrictFileValidator.Summary summary = StrictFileValidator.validate(output);
            assertThat(summary.metadata()).isEqualTo(copied.metadata());
            List<ColumnChunk> chunks = inputs.stream()
                    .flatMap(input -> input.footer().metadata().getRow_groups().stream())
                    .flatMap(rowGroup -> rowGroup.getColumns().stream())
                    .toList();
            assertThat(summary.chunksWithPageIndex()).isEqualTo((int) chunks.stream().filter(ColumnChunk::isSetOffset_index_offset).count());
            assertThat(summary.bloomFilters()).isEqualTo((int) chunks.stream().filter(chunk -> chunk.getMeta_data().isSetBloom_filter_offset()).count());
            assertThat(summary.bloomFilters()).isPositive();
            assertThat(copied.copiedBytes()).isEqualTo(inputs.stream().mapToLong(input -> input.footer().compressedSize()).sum());
            assertThat(copied.lineageBytes()).isZero();

            assertSameStatistics(copied, inputs);
            assertSameRows(output, files);
        }
    }

    private List<CopyInput> inputs(List<byte[]> files)
            throws IOException
    {
        List<CopyInput> inputs = new ArrayList<>();
        for (byte[] file : files) {
            inputs.add(tester.input(file));
        }
        return inputs;
    }

    private static void assertSameRows(byte[] output, List<byte[]> files)
            throws IOException
    {
        List<List<Object>> trinoRows = new ArrayList<>();
        List<String> mrRows = new ArrayList<>();
        for (byte[] file : files) {
            trinoRows.addAll(TrinoParquetFiles.read(file, SCHEMA));
            mrRows.addAll(ParquetMrFiles.read(file));
        }
        assertThat(trinoRows).isNotEmpty();
        assertThat(TrinoParquetFiles.read(output, SCHEMA).equals(trinoRows)).isTrue();
        assertThat(ParquetMrFiles.read(output).equals(mrRows)).isTrue();
    }

    /** Everything of a column chunk's metadata but offsets is as it was. */
    private static void assertSameStatistics(CopiedFile copied, List<CopyInput> inputs)
    {
        List<RowGroup> expected = inputs.stream().flatMap(input -> input.footer().metadata().getRow_groups().stream()).toList();
        for (int index = 0; index < expected.size(); index++) {
            RowGroup actual = copied.metadata().getRow_groups().get(index);
            assertThat(actual.getSorting_columns()).isEqualTo(expected.get(index).getSorting_columns());
            for (int column = 0; column < actual.getColumnsSize(); column++) {
                org.apache.parquet.format.ColumnMetaData is = withoutOffsets(actual.getColumns().get(column));
                assertThat(is).isEqualTo(withoutOffsets(expected.get(index).getColumns().get(column)));
            }
        }
    }

    private static org.apache.parquet.format.ColumnMetaData withoutOffsets(ColumnChunk chunk)
    {
        org.apache.parquet.format.ColumnMetaData metadata = new org.apache.parquet.format.ColumnMetaData(chunk.getMeta_data());
        metadata.setData_page_offset(0);
        metadata.unsetDictionary_page_offset();
        metadata.unsetBloom_filter_offset();
        metadata.unsetBloom_filter_length();
        return metadata;
    }

    @Test
    public void testBothReadersPruneByWhatCameAlong()
            throws Exception
    {
        Random random = new Random(2);
        CopiedFile copied = tester.copy(
                inputs(List.of(
                        mrFile(0, 3_000, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD),
                        mrFile(3_000, 3_000, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD))),
                SMALL_STEPS);
        byte[] output = tester.bytes(copied.location());
        for (long id : new long[] {0, 249, 250, 1_499, 3_000, 4_321, 5_999}) {
            // one page of 250 rows of one row group is left
            List<Group> rows = ParquetMrFiles.readFiltered(output, FilterCompat.get(FilterApi.eq(FilterApi.longColumn("id"), id)));
            assertThat(rows).hasSize(250).anyMatch(row -> row.getLong("id", 0) == id);

            List<List<Object>> trinoRows = TrinoParquetFiles.read(output, SCHEMA, TupleDomain.withColumnDomains(Map.of("id", Domain.singleValue(BIGINT, id))));
            assertThat(trinoRows).hasSize(250).anyMatch(row -> row.getFirst().equals(id));
        }
    }

    @Test
    public void testBloomFilterPrunes()
            throws Exception
    {
        Random random = new Random(3);
        // even numbers only: bounds and page indexes cannot tell that an odd one is absent, Bloom filters can
        MessageType schema = convert(new Schema(required(1, "id", Types.LongType.get())), "table");
        List<byte[]> files = new ArrayList<>();
        for (int file = 0; file < 2; file++) {
            List<Group> groups = new ArrayList<>();
            for (int row = 0; row < 2_000; row++) {
                Group group = new org.apache.parquet.example.data.simple.SimpleGroup(schema);
                group.add(0, 2L * random.nextInt(100_000));
                groups.add(group);
            }
            files.add(ParquetMrFiles.write(schema, groups, builder -> builder
                    .withDictionaryEncoding(false)
                    .withBloomFilterEnabled("id", true)
                    .withBloomFilterNDV("id", 2_000)
                    .withBloomFilterFPP("id", 0.000_001)));
        }
        byte[] output = tester.bytes(tester.copy(inputs(files), SMALL_STEPS).location());
        assertThat(ParquetMrFiles.readFiltered(output, FilterCompat.get(FilterApi.eq(FilterApi.longColumn("id"), 50_001L)))).isEmpty();
        Schema tableSchema = new Schema(required(1, "id", Types.LongType.get()));
        assertThat(TrinoParquetFiles.read(output, tableSchema, TupleDomain.withColumnDomains(Map.of("id", Domain.singleValue(BIGINT, 50_001L))))).isEmpty();
        long present = ParquetMrFiles.readLongs(files.getLast(), "id").getLast();
        assertThat(ParquetMrFiles.readFiltered(output, FilterCompat.get(FilterApi.eq(FilterApi.longColumn("id"), present)))).anyMatch(row -> row.getLong("id", 0) == present);
        assertThat(TrinoParquetFiles.read(output, tableSchema, TupleDomain.withColumnDomains(Map.of("id", Domain.singleValue(BIGINT, present))))).anyMatch(row -> row.getFirst().equals(present));
    }

    @Test
    public void testAllInputsEmpty()
            throws Exception
    {
        Random random = new Random(4);
        CopiedFile copied = tester.copy(inputs(List.of(trinoFile(0, 0, random, CompressionCodec.ZSTD), trinoFile(0, 0, random, CompressionCodec.ZSTD))), SMALL_STEPS);
        byte[] output = tester.bytes(copied.location());
        StrictFileValidator.validate(output);
        assertThat(copied.rowCount()).isZero();
        assertThat(copied.splitOffsets()).isEmpty();
        assertThat(TrinoParquetFiles.read(output, SCHEMA)).isEmpty();
        assertThat(ParquetMrFiles.read(output)).isEmpty();
    }

    @Test
    public void testCopyOfACopy()
            throws Exception
    {
        Random random = new Random(5);
        List<byte[]> files = List.of(
                trinoFile(0, 1_500, random, CompressionCodec.ZSTD),
                trinoFile(1_500, 700, random, CompressionCodec.SNAPPY));
        byte[] once = tester.bytes(tester.copy(inputs(files), SMALL_STEPS).location());
        byte[] twice = tester.bytes(tester.copy(inputs(List.of(once)), SMALL_STEPS).location());
        assertThat(twice).isEqualTo(once);
    }

    @Test
    public void testSplitOffsets()
            throws Exception
    {
        Random random = new Random(6);
        CopyInput input = tester.input(trinoFile(0, 20_000, random, CompressionCodec.ZSTD));
        CopyOptions options = new CopyOptions(DataSize.of(64, KILOBYTE), DataSize.of(200, KILOBYTE), DataSize.of(15, MEGABYTE), DataSize.ofBytes(0));
        CopiedFile copied = tester.copy(List.of(input), options);
        List<Long> starts = copied.metadata().getRow_groups().stream().map(RowGroup::getFile_offset).toList();
        assertThat(starts).hasSize(20);
        assertThat(copied.splitOffsets()).hasSizeBetween(2, 19).startsWith(4L).isSubsetOf(starts);
        long last = copied.splitOffsets().getFirst();
        for (long start : starts.subList(1, starts.size())) {
            assertThat(copied.splitOffsets().contains(start)).isEqualTo(start - last >= 200 * 1024);
            last = copied.splitOffsets().contains(start) ? start : last;
        }
    }

    @Test
    public void testFooterOfTheOutput()
            throws Exception
    {
        Random random = new Random(7);
        List<byte[]> files = List.of(
                withMetadata(mrFile(0, 100, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD), 1, "parquet-mr version 1.15.0 (build 1)", Map.of("iceberg.schema", "S", "job", "a", "writer.time.zone", "UTC")),
                withMetadata(mrFile(100, 100, random, WriterVersion.PARQUET_2_0, CompressionCodecName.ZSTD), 2, "parquet-mr version 1.15.1 (build 2)", Map.of("iceberg.schema", "S", "job", "b", "writer.time.zone", "UTC")));
        CopiedFile copied = tester.copy(inputs(files), SMALL_STEPS);
        assertThat(copied.metadata().getVersion()).isEqualTo(2);
        assertThat(copied.metadata().getCreated_by()).isEqualTo(FooterMetadataPolicy.OWN_CREATED_BY);
        assertThat(FooterMetadataPolicy.keyValues(copied.metadata())).isEqualTo(Map.of("iceberg.schema", "S", "writer.time.zone", "UTC"));
        assertThat(copied.metadata().getColumn_ordersSize()).isEqualTo(inputs(files).getFirst().footer().leaves().size());

        // one writer keeps its name; metadata that repeat the schema do not fit one with lineage columns
        CopyInput withLineage = tester.input(files.getFirst(), new RowLineage(0, 1));
        CopiedFile lineage = tester.copy(List.of(withLineage), SMALL_STEPS);
        assertThat(lineage.metadata().getCreated_by()).isEqualTo("parquet-mr version 1.15.0 (build 1)");
        assertThat(FooterMetadataPolicy.keyValues(lineage.metadata())).isEqualTo(Map.of("job", "a", "writer.time.zone", "UTC"));
        assertThat(lineage.metadata().getColumn_ordersSize()).isEqualTo(withLineage.footer().leaves().size() + 2);
    }

    @Test
    public void testColumnOrdersThatDifferAreLeftOut()
            throws Exception
    {
        Random random = new Random(8);
        byte[] with = mrFile(0, 100, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD);
        byte[] without = FooterEditor.edit(mrFile(100, 100, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD), metadata -> metadata.unsetColumn_orders());
        assertThat(tester.copy(inputs(List.of(with, without)), SMALL_STEPS).metadata().isSetColumn_orders()).isFalse();
        assertThat(tester.copy(inputs(List.of(without, with)), SMALL_STEPS).metadata().isSetColumn_orders()).isFalse();
    }

    static byte[] withMetadata(byte[] file, int version, String createdBy, Map<String, String> keyValues)
            throws IOException
    {
        return FooterEditor.edit(file, metadata -> {
            metadata.setVersion(version);
            metadata.setCreated_by(createdBy);
            metadata.setKey_value_metadata(keyValues.entrySet().stream().map(entry -> new KeyValue(entry.getKey()).setValue(entry.getValue())).toList());
        });
    }

    @Test
    public void testOldFootersWithoutOptionalFields()
            throws Exception
    {
        Random random = new Random(9);
        byte[] original = mrFile(0, 2_000, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD);
        byte[] old = FooterEditor.edit(original, metadata -> {
            for (RowGroup rowGroup : metadata.getRow_groups()) {
                rowGroup.unsetTotal_compressed_size();
                rowGroup.unsetFile_offset();
                rowGroup.unsetOrdinal();
                for (ColumnChunk chunk : rowGroup.getColumns()) {
                    chunk.getMeta_data().unsetBloom_filter_length();
                    if (!chunk.getMeta_data().isSetDictionary_page_offset()) {
                        // the way some writers say that there is none
                        chunk.getMeta_data().setDictionary_page_offset(0);
                    }
                }
            }
        });
        CopiedFile copied = tester.copy(inputs(List.of(old, old)), SMALL_STEPS);
        byte[] output = tester.bytes(copied.location());
        assertThat(StrictFileValidator.validate(output).bloomFilters()).isEqualTo(4);
        assertSameRows(output, List.of(original, original));
    }

    @Test
    public void testGapsAndOtherChunkOrderInTheFile()
            throws Exception
    {
        Random random = new Random(10);
        byte[] original = trinoFile(0, 1_000, random, CompressionCodec.ZSTD);
        byte[] scattered = FooterEditor.scatter(original, random);
        CopiedFile copied = tester.copy(inputs(List.of(scattered)), SMALL_STEPS);
        byte[] output = tester.bytes(copied.location());
        StrictFileValidator.validate(output);
        assertSameRows(output, List.of(original));
    }

    @Test
    public void testRoomInTheFooter()
            throws Exception
    {
        Random random = new Random(11);
        CopyInput input = tester.input(trinoFile(0, 3_000, random, CompressionCodec.ZSTD));
        CopyOptions options = new CopyOptions(DataSize.of(64, KILOBYTE), DataSize.of(64, MEGABYTE), DataSize.ofBytes(input.footer().footerSize() * 2L), DataSize.ofBytes(0));
        Location location = tester.newLocation();
        RowGroupCopier copier = RowGroupCopier.create(tester.fileSystem(), location, input, options, newSimpleAggregatedMemoryContext());
        int appended = 0;
        try (TrinoInput source = tester.fileSystem().newInputFile(input.footer().location()).newInput()) {
            while (copier.hasRoomFor(input, 0)) {
                RowGroupCopy copy = copier.append(source, input, appended % 3);
                while (!copy.step()) {
                    assertThat(copier.writtenBytes()).isPositive();
                }
                appended++;
            }
        }
        assertThat(appended).isBetween(3, 6);
        assertThat((long) copier.finish().footerSize()).isLessThanOrEqualTo(options.maxFooterSize().toBytes());
    }

    @Test
    public void testAbortLeavesNothing()
            throws Exception
    {
        Random random = new Random(12);
        CopyInput input = tester.input(trinoFile(0, 1_000, random, CompressionCodec.ZSTD));
        Location location = tester.newLocation();
        RowGroupCopier copier = RowGroupCopier.create(tester.fileSystem(), location, input, SMALL_STEPS, newSimpleAggregatedMemoryContext());
        try (TrinoInput source = tester.fileSystem().newInputFile(input.footer().location()).newInput()) {
            RowGroupCopy copy = copier.append(source, input, 0);
            assertThat(copy.step()).isFalse();
            assertThatThrownBy(copier::finish).isInstanceOf(IllegalStateException.class).hasMessage("the row group before is not complete");
            assertThatThrownBy(() -> copier.append(source, input, 0)).isInstanceOf(IllegalStateException.class);
            copier.abort();
            copier.abort();
            assertThatThrownBy(copy::step).isInstanceOf(IllegalStateException.class);
        }
        assertThat(tester.fileSystem().newInputFile(location).exists()).isFalse();
    }

    @Test
    public void testAbortAfterFinishKeepsTheFile()
            throws Exception
    {
        CopyInput input = tester.input(trinoFile(0, 10, new Random(13), CompressionCodec.ZSTD));
        Location location = tester.newLocation();
        RowGroupCopier copier = RowGroupCopier.create(tester.fileSystem(), location, input, SMALL_STEPS, newSimpleAggregatedMemoryContext());
        copier.finish();
        copier.abort();
        assertThat(tester.fileSystem().newInputFile(location).exists()).isTrue();
    }

    @Test
    public void testOtherSchemaIsAnArgumentError()
            throws Exception
    {
        Random random = new Random(14);
        CopyInput input = tester.input(trinoFile(0, 10, random, CompressionCodec.ZSTD));
        Schema other = new Schema(required(1, "id", Types.LongType.get()));
        CopyInput otherInput = tester.input(TrinoParquetFiles.write(other, 0, 10, random, CompressionCodec.ZSTD, options -> options));
        RowGroupCopier copier = RowGroupCopier.create(tester.fileSystem(), tester.newLocation(), input, SMALL_STEPS, newSimpleAggregatedMemoryContext());
        try (TrinoInput source = tester.fileSystem().newInputFile(otherInput.footer().location()).newInput()) {
            assertThatThrownBy(() -> copier.append(source, otherInput, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the schema of");
        }
        copier.abort();
    }

    @Test
    public void testInputThatShrankFails()
            throws Exception
    {
        byte[] file = trinoFile(0, 1_000, new Random(15), CompressionCodec.ZSTD);
        CopyInput input = tester.input(file);
        Location shorter = tester.store(Arrays.copyOf(file, file.length / 2));
        RowGroupCopier copier = RowGroupCopier.create(tester.fileSystem(), tester.newLocation(), input, SMALL_STEPS, newSimpleAggregatedMemoryContext());
        try (TrinoInput source = tester.fileSystem().newInputFile(shorter).newInput()) {
            RowGroupCopy copy = copier.append(source, input, 0);
            assertThatThrownBy(() -> {
                while (!copy.step()) {
                    assertThat(copier.writtenBytes()).isPositive();
                }
            }).isInstanceOf(CorruptParquetException.class).hasMessageContaining("it ends before byte");
            assertThatThrownBy(copy::step).isInstanceOf(IllegalStateException.class).hasMessage("copier is FAILED");
        }
        copier.abort();
    }

    /** Flipped bits in page indexes and Bloom filters give a clear refusal or a file that is as good as its input. */
    @Test
    public void testFlippedBitsBehindTheData()
            throws Exception
    {
        long seed = 16;
        System.out.println("testFlippedBitsBehindTheData seed " + seed);
        Random random = new Random(seed);
        byte[] file = mrFile(0, 600, random, WriterVersion.PARQUET_1_0, CompressionCodecName.ZSTD);
        ParquetFooter footer = tester.footer(file);
        int dataEnd = (int) footer.metadata().getRow_groups().stream()
                .flatMap(rowGroup -> rowGroup.getColumns().stream())
                .mapToLong(chunk -> ParquetFooter.chunkRange(chunk.getMeta_data()).end())
                .max().orElseThrow();
        int refused = 0;
        for (int round = 0; round < 1_000; round++) {
            byte[] damaged = file.clone();
            for (int flip = 0; flip <= random.nextInt(3); flip++) {
                damaged[random.nextInt(dataEnd, (int) footer.footerStart())] ^= (byte) (1 << random.nextInt(8));
            }
            CopyInput input = new CopyInput(tester.footer(damaged), Optional.empty());
            Location location = tester.newLocation();
            RowGroupCopier copier = RowGroupCopier.create(tester.fileSystem(), location, input, SMALL_STEPS, newSimpleAggregatedMemoryContext());
            try (TrinoInput source = tester.fileSystem().newInputFile(input.footer().location()).newInput()) {
                RowGroupCopy copy = copier.append(source, input, 0);
                while (!copy.step()) {
                    assertThat(copier.writtenBytes()).isPositive();
                }
                CopiedFile copied = copier.finish();
                tester.footer(copied.location());
            }
            catch (CorruptParquetException e) {
                copier.abort();
                refused++;
            }
            tester.fileSystem().deleteFile(location);
            tester.fileSystem().deleteFile(input.footer().location());
        }
        assertThat(refused).isGreaterThan(20);
    }

    /** Row lineage: inherited values become columns that both readers give back, over page and row group boundaries. */
    @Test
    public void testRowLineage()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()));
        Schema withLineage = new Schema(ImmutableList.<Types.NestedField>builder()
                .addAll(schema.columns())
                .add(MetadataColumns.ROW_ID, MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER)
                .build());
        Random random = new Random(17);
        // more than two pages, exactly one page, one row more, one row; negative and very large ids
        List<RowLineage> lineages = List.of(new RowLineage(1_000, 5), new RowLineage(-250_000, -3), new RowLineage(Long.MAX_VALUE - 400_000, Long.MAX_VALUE), new RowLineage(Long.MIN_VALUE, Long.MIN_VALUE));
        List<Integer> rows = List.of(2 * LineageChunk.PAGE_VALUES + 77, LineageChunk.PAGE_VALUES, LineageChunk.PAGE_VALUES + 1, 1);
        List<CopyInput> inputs = new ArrayList<>();
        List<Long> rowIds = new ArrayList<>();
        List<Long> sequenceNumbers = new ArrayList<>();
        for (int file = 0; file < rows.size(); file++) {
            byte[] bytes = file % 2 == 0
                    ? TrinoParquetFiles.write(schema, 0, rows.get(file), random, CompressionCodec.ZSTD, options -> options)
                    : TrinoParquetFiles.write(schema, 0, rows.get(file), random, CompressionCodec.ZSTD, options -> options.setMaxRowGroupRowCount(30_000));
            inputs.add(tester.input(bytes, lineages.get(file)));
            for (int row = 0; row < rows.get(file); row++) {
                rowIds.add(lineages.get(file).firstRowId() + row);
                sequenceNumbers.add(lineages.get(file).dataSequenceNumber());
            }
        }
        CopyCheck check = new CopyCheck(schema, 3, DataSize.ofBytes(0));
        for (CopyInput input : inputs) {
            assertThat(check.obstacle(inputs.getFirst(), input)).isEmpty();
        }
        CopiedFile copied = tester.copy(inputs, SMALL_STEPS);
        byte[] output = tester.bytes(copied.location());
        StrictFileValidator.Summary summary = StrictFileValidator.validate(output);
        assertThat(summary.chunksWithPageIndex()).isEqualTo(2 * copied.metadata().getRow_groupsSize());
        assertThat(copied.lineageBytes()).isPositive().isLessThan(rowIds.size() / 5);

        assertThat(ParquetMrFiles.readLongs(output, "_row_id").equals(rowIds)).isTrue();
        assertThat(ParquetMrFiles.readLongs(output, "_last_updated_sequence_number").equals(sequenceNumbers)).isTrue();
        List<List<Object>> trinoRows = TrinoParquetFiles.read(output, withLineage);
        assertThat(trinoRows.stream().map(row -> row.get(1)).toList().equals(rowIds)).isTrue();
        assertThat(trinoRows.stream().map(row -> row.get(2)).toList().equals(sequenceNumbers)).isTrue();

        // what was made once is copied the next time, together with files that still inherit
        CopyInput again = tester.input(output, new RowLineage(77, 77));
        assertThat(check.obstacle(again)).isEmpty();
        assertThat(check.obstacle(inputs.getFirst(), again)).isEmpty();
        byte[] second = tester.bytes(tester.copy(List.of(inputs.getLast(), again), SMALL_STEPS).location());
        StrictFileValidator.validate(second);
        assertThat(ParquetMrFiles.readLongs(second, "_row_id").equals(ImmutableList.copyOf(Iterables.concat(List.of(Long.MIN_VALUE), rowIds)))).isTrue();
    }

    /** Both readers find a row by its id through the page index that the made column has, where the other columns have one. */
    @Test
    public void testIndexOfRowIdsPrunes()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()), MetadataColumns.ROW_ID);
        byte[] file = ParquetMrFiles.write(convert(new Schema(required(1, "id", Types.LongType.get())), "table"), 0, 250_000, new Random(19), builder -> builder);
        byte[] output = tester.bytes(tester.copy(List.of(tester.input(file, new RowLineage(1_000_000, 9))), SMALL_STEPS).location());
        StrictFileValidator.validate(output);
        long wanted = 1_000_000 + LineageChunk.PAGE_VALUES + 5;
        assertThat(ParquetMrFiles.readFiltered(output, FilterCompat.get(FilterApi.eq(FilterApi.longColumn("_row_id"), wanted))))
                .hasSize(LineageChunk.PAGE_VALUES)
                .anyMatch(row -> row.getLong("id", 0) == LineageChunk.PAGE_VALUES + 5);
        assertThat(TrinoParquetFiles.read(output, schema, TupleDomain.withColumnDomains(Map.of("_row_id", Domain.singleValue(BIGINT, wanted)))))
                .hasSize(LineageChunk.PAGE_VALUES)
                .anyMatch(row -> row.equals(List.of(LineageChunk.PAGE_VALUES + 5L, wanted)));
    }

    @Test
    public void testRowIdsBeyondTheRange()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()));
        CopyInput input = tester.input(TrinoParquetFiles.write(schema, 0, 10, new Random(18), CompressionCodec.ZSTD, options -> options), new RowLineage(Long.MAX_VALUE - 8, 1));
        RowGroupCopier copier = RowGroupCopier.create(tester.fileSystem(), tester.newLocation(), input, SMALL_STEPS, newSimpleAggregatedMemoryContext());
        try (TrinoInput source = tester.fileSystem().newInputFile(input.footer().location()).newInput()) {
            assertThatThrownBy(() -> copier.append(source, input, 0)).isInstanceOf(ArithmeticException.class);
        }
        copier.abort();
    }
}
