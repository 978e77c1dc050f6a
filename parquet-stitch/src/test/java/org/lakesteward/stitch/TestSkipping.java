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

import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.lakesteward.stitch.StitchTester.Stitched;
import org.testng.annotations.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.apache.parquet.schema.MessageTypeParser.parseMessageType;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What readers skip by page indexes, dictionaries and Bloom filters: much, and never a row that they look for.
 */
public class TestSkipping
{
    private static final MessageType SCHEMA = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional binary name (STRING) = 2;
              optional group list (LIST) = 3 { repeated group list { optional int32 element = 4; } }
            }
            """);

    private static List<Group> rows(int file, int count)
    {
        List<Group> rows = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            Group group = new SimpleGroup(SCHEMA).append("id", (long) file * 1_000 + row);
            if (row % 7 != 0) {
                group.append("name", "name " + (file * 100 + row % 90));
            }
            Group list = group.addGroup("list");
            for (int element = 0; element < row % 3; element++) {
                list.addGroup(0).append("element", row);
            }
            rows.add(group);
        }
        return rows;
    }

    private static List<byte[]> files(int count, int rows, WriterVersion version)
            throws IOException
    {
        List<byte[]> files = new ArrayList<>();
        for (int file = 0; file < count; file++) {
            files.add(ParquetMr.write(SCHEMA, rows(file, rows), CompressionCodecName.ZSTD, builder -> builder.withWriterVersion(version).withPageRowCountLimit(200)));
        }
        return files;
    }

    @Test
    public void testPageIndex()
            throws IOException
    {
        for (WriterVersion version : WriterVersion.values()) {
            List<byte[]> files = files(10, 500, version);
            for (StitchOptions options : List.of(StitchTester.SMALL.withTargetRowGroupSize(100 << 20), StitchTester.SMALL.withSmallPageValues(0).withTargetRowGroupSize(100 << 20))) {
                Stitched stitched = StitchTester.stitch(files, CompressionCodec.ZSTD, options);
                assertThat(stitched.summary().metadata().getRow_groupsSize()).isEqualTo(1);
                assertThat(stitched.summary().offsetIndexes()).isEqualTo(3);
                for (int file : List.of(0, 3, 9)) {
                    long id = file * 1_000L + 321;
                    List<Group> found = ParquetMr.rowsOfPages(stitched.file(), FilterCompat.get(FilterApi.eq(FilterApi.longColumn("id"), id)));
                    assertThat(found.stream().filter(row -> row.getLong("id", 0) == id).map(Group::toString)).containsExactly(rows(file, 500).get(321).toString());
                    assertThat(found.size()).isLessThan(2_100);

                    List<List<Object>> foundByTrino = TrinoParquet.rows(stitched.file(), TupleDomain.withColumnDomains(Map.of("id", Domain.singleValue(BIGINT, id))));
                    assertThat(foundByTrino.stream().filter(row -> row.getFirst().equals(id))).hasSize(1);
                    assertThat(foundByTrino.size()).isLessThan(2_100);
                }
            }
        }
    }

    @Test
    public void testNoIndexWhereRowsGoOnInTheNextPage()
            throws IOException
    {
        // pages of version 1 may begin inside of a row: this file says so by its levels only
        MessageType schema = parseMessageType("message table { repeated int32 number = 1; }");
        List<Group> rows = new ArrayList<>();
        for (int row = 0; row < 400; row++) {
            Group group = new SimpleGroup(schema);
            for (int index = 0; index < 10; index++) {
                group.append("number", row * 100 + index);
            }
            rows.add(group);
        }
        byte[] file = ParquetMr.write(schema, rows, CompressionCodecName.UNCOMPRESSED, builder -> builder.withDictionaryEncoding(false).withPageRowCountLimit(100));
        byte[] shifted = PageEditor.edit(file, 1, (_, body) -> {
            // the first repetition level of the second page, which is the lowest bit of a packed run
            assertThat(body[4] & 1).isEqualTo(1);
            body[5] |= 1;
            return body;
        });
        shifted = FooterEditor.edit(shifted, metadata -> {
            metadata.setNum_rows(399);
            metadata.getRow_groups().getFirst().setNum_rows(399);
        });
        assertThat(StitchTester.stitch(List.of(file, file), CompressionCodec.ZSTD, StitchTester.SMALL).summary().offsetIndexes()).isPositive();
        for (StitchOptions options : List.of(StitchTester.SMALL, StitchTester.SMALL.withSmallPageValues(0))) {
            Stitched stitched = StitchTester.stitch(List.of(file, shifted, file), CompressionCodec.UNCOMPRESSED, options);
            assertThat(stitched.summary().offsetIndexes()).isZero();
        }
    }

    @Test
    public void testDictionariesAreUsed()
            throws IOException
    {
        Stitched stitched = StitchTester.stitch(files(5, 500, WriterVersion.PARQUET_1_0), CompressionCodec.ZSTD, StitchTester.SMALL.withTargetRowGroupSize(100 << 20));
        // between the bounds, in no dictionary
        assertThat(ParquetMr.rowsOfPages(stitched.file(), FilterCompat.get(FilterApi.eq(FilterApi.binaryColumn("name"), Binary.fromString("name 195"))))).isEmpty();
        assertThat(TrinoParquet.rows(stitched.file(), TupleDomain.withColumnDomains(Map.of("name", Domain.singleValue(VARCHAR, utf8Slice("name 195")))))).isEmpty();
        assertThat(TrinoParquet.rows(stitched.file(), TupleDomain.withColumnDomains(Map.of("name", Domain.singleValue(VARCHAR, utf8Slice("name 185")))))).isNotEmpty();
    }

    private static byte[] withBloomFilter(int file, long distinct)
            throws IOException
    {
        return ParquetMr.write(SCHEMA, rows(file, 500), CompressionCodecName.ZSTD, builder -> builder
                .withDictionaryEncoding(false)
                .withBloomFilterEnabled("name", true)
                .withBloomFilterNDV("name", distinct)
                .withBloomFilterFPP("name", 0.01));
    }

    @Test
    public void testBloomFilters()
            throws IOException
    {
        StitchOptions options = StitchTester.SMALL.withTargetRowGroupSize(100 << 20);
        Stitched united = StitchTester.stitch(List.of(withBloomFilter(1, 1_000), withBloomFilter(2, 1_000), withBloomFilter(3, 1_000)), CompressionCodec.ZSTD, options);
        assertThat(united.summary().bloomFilters()).isEqualTo(1);
        for (int name = 100; name < 390; name++) {
            boolean exists = name % 100 < 90;
            List<Group> found = ParquetMr.rowsOfPages(united.file(), FilterCompat.get(FilterApi.eq(FilterApi.binaryColumn("name"), Binary.fromString("name " + name))));
            String text = "name " + name;
            assertThat(found.stream().anyMatch(row -> row.getFieldRepetitionCount("name") > 0 && row.getString("name", 0).equals(text))).isEqualTo(exists);
        }
        assertThat(TrinoParquet.rows(united.file(), TupleDomain.withColumnDomains(Map.of("name", Domain.singleValue(VARCHAR, utf8Slice("name 195")))))).isEmpty();

        // of another size, or missing: there is none, and no offset of one
        for (byte[] other : List.of(withBloomFilter(2, 100_000), files(1, 500, WriterVersion.PARQUET_1_0).getFirst())) {
            Stitched dropped = StitchTester.stitch(List.of(withBloomFilter(1, 1_000), other, withBloomFilter(3, 1_000)), CompressionCodec.ZSTD, options);
            assertThat(dropped.summary().bloomFilters()).isZero();
            for (int column = 0; column < 3; column++) {
                ColumnMetaData metadata = dropped.result().metadata().getRow_groups().getFirst().getColumns().get(column).getMeta_data();
                assertThat(metadata.isSetBloom_filter_offset()).isFalse();
                assertThat(metadata.isSetBloom_filter_length()).isFalse();
            }
        }

        // each row group has its own
        Stitched apart = StitchTester.stitch(List.of(withBloomFilter(1, 1_000), withBloomFilter(2, 1_000), withBloomFilter(3, 100_000)), CompressionCodec.ZSTD, options.withTargetRowGroupSize(1));
        assertThat(apart.summary().bloomFilters()).isEqualTo(3);

        // united until they let everything through
        List<byte[]> many = new ArrayList<>();
        for (int file = 0; file < 40; file++) {
            many.add(withBloomFilter(file, 60));
        }
        assertThat(StitchTester.stitch(many, CompressionCodec.ZSTD, options).summary().bloomFilters()).isZero();
    }
}
