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

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Bytes;
import io.airlift.units.DataSize;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.format.AesGcmV1;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.EncryptionAlgorithm;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.lakesteward.procedure.copy.CopyObstacle.Reason;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.transport.TIOStreamTransport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestCopyCheck
{
    private static final DataSize ANY_SIZE = DataSize.ofBytes(0);
    private static final Schema SCHEMA = new Schema(
            required(1, "id", Types.LongType.get()),
            optional(2, "name", Types.StringType.get()),
            optional(3, "count", Types.IntegerType.get()),
            optional(4, "price", Types.DecimalType.of(9, 2)),
            optional(5, "tags", Types.ListType.ofOptional(6, Types.StringType.get())),
            optional(7, "address", Types.StructType.of(optional(8, "street", Types.StringType.get()))),
            optional(9, "counts", Types.MapType.ofOptional(10, 11, Types.StringType.get(), Types.IntegerType.get())));

    private final CopyTester tester = new CopyTester();

    private static byte[] file(Schema schema)
            throws IOException
    {
        return TrinoParquetFiles.write(schema, 0, 100, new Random(1), CompressionCodec.ZSTD, options -> options);
    }

    private Optional<CopyObstacle> check(byte[] file, Schema table)
            throws IOException
    {
        return new CopyCheck(table, 2, ANY_SIZE).obstacle(tester.input(file));
    }

    private static void assertObstacle(Optional<CopyObstacle> obstacle, Reason reason, String sentence)
    {
        assertThat(obstacle).hasValueSatisfying(value -> {
            assertThat(value.sentence().replaceAll("memory:///file-\\d+.parquet", "FILE")).isEqualTo(sentence);
            assertThat(value.reason()).isEqualTo(reason);
        });
    }

    @Test
    public void testNoObstacle()
            throws Exception
    {
        assertThat(check(file(SCHEMA), SCHEMA)).isEmpty();
        assertThat(check(file(TestRowGroupCopier.SCHEMA), TestRowGroupCopier.SCHEMA)).isEmpty();
        // nullability and order are no property of the bytes
        assertThat(check(file(SCHEMA), withFields(fields -> fields.set(0, optional(1, "id", Types.LongType.get()))))).isEmpty();
        assertThat(check(file(SCHEMA), withFields(Collections::reverse))).isEmpty();
        // names that Iceberg's writers encode
        Schema odd = new Schema(required(1, "id", Types.LongType.get()), optional(2, "first name", Types.StringType.get()));
        byte[] oddFile = file(new Schema(required(1, "id", Types.LongType.get()), optional(2, "first_x20name", Types.StringType.get())));
        assertThat(check(oddFile, odd)).isEmpty();
    }

    private static Schema withFields(Consumer<List<NestedField>> edit)
    {
        List<NestedField> fields = new ArrayList<>(SCHEMA.columns());
        edit.accept(fields);
        return new Schema(fields);
    }

    @DataProvider
    public Object[][] evolutions()
    {
        return new Object[][] {
                {withFields(fields -> fields.add(optional(20, "new", Types.StringType.get()))),
                        Reason.COLUMN_ADDED, "column new (field id 20) of the table is not in FILE"},
                {withFields(fields -> fields.add(optional("fresh").withId(20).ofType(Types.IntegerType.get()).withInitialDefault(Literal.of(5)).withWriteDefault(Literal.of(5)).build())),
                        Reason.COLUMN_ADDED, "column fresh (field id 20) of the table is not in FILE, whose rows read its initial default"},
                {withFields(fields -> fields.remove(1)),
                        Reason.COLUMN_DROPPED, "column name (field id 2) of FILE is not in the table any more"},
                {withFields(fields -> fields.set(1, optional(2, "full_name", Types.StringType.get()))),
                        Reason.COLUMN_RENAMED, "field id 2 is named name in FILE and full_name in the table"},
                {withFields(fields -> fields.set(1, optional(2, "Name", Types.StringType.get()))),
                        Reason.COLUMN_RENAMED, "field id 2 is named name in FILE and Name in the table"},
                // dropped and added again under the same name
                {withFields(fields -> fields.set(1, optional(20, "name", Types.StringType.get()))),
                        Reason.COLUMN_DROPPED, "column name (field id 2) of FILE is not in the table any more"},
                {withFields(fields -> fields.set(2, optional(3, "count", Types.LongType.get()))),
                        Reason.COLUMN_TYPE, "column count of FILE is stored as INT32, the table's type is long"},
                {withFields(fields -> fields.set(3, optional(4, "price", Types.DecimalType.of(12, 2)))),
                        Reason.COLUMN_TYPE, "column price of FILE is stored as INT32 DECIMAL(9,2), the table's type is decimal(12, 2)"},
                {withFields(fields -> fields.set(1, optional(2, "name", Types.BinaryType.get()))),
                        Reason.COLUMN_TYPE, "column name of FILE is stored as BYTE_ARRAY STRING, the table's type is binary"},
                {withFields(fields -> fields.set(4, optional(5, "tags", Types.ListType.ofOptional(21, Types.StringType.get())))),
                        Reason.COLUMN_TYPE, "column tags.list.element of FILE has field id 6, the table has 21 there"},
                {withFields(fields -> fields.set(5, optional(7, "address", Types.StructType.of(optional(8, "street", Types.StringType.get()), optional(21, "town", Types.StringType.get()))))),
                        Reason.COLUMN_ADDED, "column address.town (field id 21) of the table is not in FILE"},
                {withFields(fields -> fields.set(5, optional(7, "address", Types.StructType.of(optional(8, "road", Types.StringType.get()))))),
                        Reason.COLUMN_RENAMED, "field id 8 is named address.street in FILE and road in the table"},
                {withFields(fields -> fields.set(6, optional(9, "counts", Types.MapType.ofOptional(10, 11, Types.StringType.get(), Types.LongType.get())))),
                        Reason.COLUMN_TYPE, "column counts.key_value.value of FILE is stored as INT32, the table's type is long"},
        };
    }

    @Test(dataProvider = "evolutions")
    public void testEvolvedSchema(Schema table, Reason reason, String sentence)
            throws Exception
    {
        assertObstacle(check(file(SCHEMA), table), reason, sentence);
    }

    @DataProvider
    public Object[][] footers()
    {
        return new Object[][] {
                {edit(metadata -> metadata.getSchema().get(2).unsetField_id()),
                        Reason.NO_FIELD_IDS, "column name of FILE has no field id, the file is read by column names"},
                {edit(metadata -> metadata.getSchema().forEach(SchemaElement::unsetField_id)),
                        Reason.NO_FIELD_IDS, "column id of FILE has no field id, the file is read by column names"},
                {edit(metadata -> metadata.getSchema().get(7).unsetField_id()),
                        Reason.NO_FIELD_IDS, "column tags.list.element of FILE has no field id, the file is read by column names"},
                {edit(metadata -> metadata.getSchema().get(2).setField_id(1)),
                        Reason.NOT_UNDERSTOOD, "field id 1 occurs more than once in FILE"},
                {edit(metadata -> rename(metadata, 2, "ID")),
                        Reason.NOT_UNDERSTOOD, "column ID of FILE has a sibling whose name differs in upper and lower case only"},
                {edit(metadata -> metadata.getSchema().get(3).setRepetition_type(FieldRepetitionType.REPEATED)),
                        Reason.COLUMN_TYPE, "column count of FILE is repeated without being a list"},
                {edit(metadata -> metadata.unsetCreated_by()),
                        Reason.UNTRUSTED_WRITER, "the writer of FILE is not known, whose pages and statistics need a reader's work-arounds"},
                {edit(metadata -> metadata.setCreated_by("parquet-mr version 1.6.0 (build x)")),
                        Reason.UNTRUSTED_WRITER, "the writer of FILE is parquet-mr version 1.6.0 (build x), whose pages and statistics need a reader's work-arounds"},
                {edit(metadata -> metadata.setCreated_by("nobody knows")),
                        Reason.UNTRUSTED_WRITER, "the writer of FILE is nobody knows, whose pages and statistics need a reader's work-arounds"},
                {edit(metadata -> metadata.setKey_value_metadata(List.of(new KeyValue("delete-type").setValue("equality")))),
                        Reason.DELETE_FILE, "FILE is a delete file"},
                {edit(metadata -> metadata.setEncryption_algorithm(EncryptionAlgorithm.AES_GCM_V1(new AesGcmV1()))),
                        Reason.ENCRYPTED, "columns of FILE are encrypted"},
                {edit(metadata -> metadata.setColumn_orders(List.of(org.apache.parquet.format.ColumnOrder.TYPE_ORDER(new org.apache.parquet.format.TypeDefinedOrder())))),
                        Reason.NOT_UNDERSTOOD, "FILE orders its 8 columns in 1 ways, some of which may not be known to this version"},
                {edit(metadata -> metadata.getRow_groups().getFirst().getColumns().getFirst().getMeta_data().setIndex_page_offset(4)),
                        Reason.NOT_UNDERSTOOD, "column id of FILE has an index page"},
                {edit(metadata -> retype(metadata, 1, org.apache.parquet.format.Type.INT96)),
                        Reason.NOT_UNDERSTOOD, "column id of FILE is INT96, whose meaning depends on the reader"},
        };
    }

    private static void rename(FileMetaData metadata, int column, String name)
    {
        metadata.getSchema().get(column).setName(name);
        metadata.getRow_groups().forEach(rowGroup -> rowGroup.getColumns().get(column - 1).getMeta_data().setPath_in_schema(List.of(name)));
    }

    private static void retype(FileMetaData metadata, int column, org.apache.parquet.format.Type type)
    {
        metadata.getSchema().get(column).setType(type);
        metadata.getRow_groups().forEach(rowGroup -> rowGroup.getColumns().get(column - 1).getMeta_data().setType(type));
    }

    private static Consumer<FileMetaData> edit(Consumer<FileMetaData> edit)
    {
        return edit;
    }

    @Test(dataProvider = "footers")
    public void testFooter(Consumer<FileMetaData> edit, Reason reason, String sentence)
            throws Exception
    {
        assertObstacle(check(FooterEditor.edit(file(SCHEMA), edit), SCHEMA), reason, sentence);
    }

    /** An annotation that a later version of the format may add: a member of the union that is not known here. */
    @Test
    public void testAnnotationOfTheFuture()
            throws Exception
    {
        byte[] file = FooterEditor.edit(file(SCHEMA), metadata -> {
            SchemaElement element = metadata.getSchema().get(2);
            element.unsetConverted_type();
            element.setLogicalType(LogicalType.STRING(new org.apache.parquet.format.StringType()));
        });
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        FooterEditor.read(file).getSchema().get(2).write(new TCompactProtocol(new TIOStreamTransport(element)));
        byte[] bytes = element.toByteArray();
        // the element ends with the union's only member, an empty struct, and three ends; member 1 becomes member 100 in long form
        int member = bytes.length - 4;
        assertThat(bytes[member]).isEqualTo((byte) 0x1c);
        byte[] future = Bytes.concat(Arrays.copyOf(bytes, member), new byte[] {0x0c, (byte) 0xc8, 0x01, 0, 0, 0});
        byte[] footer = Arrays.copyOfRange(file, (int) tester.footer(file).footerStart(), file.length - 8);
        int position = Bytes.indexOf(footer, bytes);
        assertThat(position).isPositive();
        byte[] changed = Bytes.concat(Arrays.copyOf(footer, position), future, Arrays.copyOfRange(footer, position + bytes.length, footer.length));
        assertObstacle(check(FooterEditor.withFooter(file, changed), SCHEMA), Reason.NOT_UNDERSTOOD, "column name of FILE has an annotation that this version does not know");
    }

    @Test
    public void testUnreadableFooters()
            throws Exception
    {
        byte[] file = file(SCHEMA);
        file[file.length - 1] = 'E';
        assertThat(unreadable(file)).hasValueSatisfying(obstacle -> assertThat(obstacle.reason()).isEqualTo(Reason.ENCRYPTED));
        file[file.length - 1] = 'x';
        assertThat(unreadable(file)).hasValueSatisfying(obstacle -> {
            assertThat(obstacle.reason()).isEqualTo(Reason.CORRUPT_FILE);
            assertThat(obstacle.sentence()).contains("is corrupt: it does not end with PAR1");
        });
        assertThat(CopyObstacle.ofUnreadableFooter(new IOException("storage is down"))).isEmpty();
    }

    private Optional<CopyObstacle> unreadable(byte[] file)
    {
        try {
            tester.footer(file);
            throw new AssertionError("footer was read");
        }
        catch (IOException e) {
            return CopyObstacle.ofUnreadableFooter(e);
        }
    }

    @DataProvider
    public Object[][] forms()
    {
        return new Object[][] {
                {Types.BooleanType.get(), Types.IntegerType.get(), false},
                {Types.DateType.get(), Types.IntegerType.get(), false},
                {Types.TimestampType.withoutZone(), Types.TimestampType.withZone(), false},
                {Types.TimestampType.withZone(), Types.TimestampType.withoutZone(), false},
                {Types.TimestampType.withoutZone(), Types.LongType.get(), false},
                {Types.TimeType.get(), Types.LongType.get(), false},
                {Types.FloatType.get(), Types.DoubleType.get(), false},
                {Types.DecimalType.of(9, 2), Types.DecimalType.of(9, 3), false},
                {Types.DecimalType.of(18, 2), Types.DecimalType.of(38, 2), false},
                {Types.UUIDType.get(), Types.FixedType.ofLength(16), false},
                {Types.BinaryType.get(), Types.StringType.get(), false},
                {Types.DecimalType.of(38, 10), Types.DecimalType.of(38, 10), true},
                {Types.UUIDType.get(), Types.UUIDType.get(), true},
                {Types.TimeType.get(), Types.TimeType.get(), true},
                {Types.FloatType.get(), Types.FloatType.get(), true},
        };
    }

    @Test(dataProvider = "forms")
    public void testPhysicalForms(Type inFile, Type inTable, boolean same)
            throws Exception
    {
        Schema fileSchema = new Schema(required(1, "id", Types.LongType.get()), optional(2, "value", inFile));
        Schema table = new Schema(required(1, "id", Types.LongType.get()), optional(2, "value", inTable));
        Optional<CopyObstacle> obstacle = check(file(fileSchema), table);
        if (same) {
            assertThat(obstacle).isEmpty();
        }
        else {
            assertThat(obstacle).hasValueSatisfying(value -> {
                assertThat(value.reason()).isEqualTo(Reason.COLUMN_TYPE);
                assertThat(value.sentence()).endsWith("the table's type is " + inTable);
            });
        }
    }

    /** Milliseconds would be taken for microseconds by whoever computes bounds. */
    @Test
    public void testMilliseconds()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()), optional(2, "at", Types.TimestampType.withZone()));
        byte[] file = FooterEditor.edit(file(schema), metadata -> {
            SchemaElement element = metadata.getSchema().get(2);
            element.setConverted_type(org.apache.parquet.format.ConvertedType.TIMESTAMP_MILLIS);
            element.getLogicalType().getTIMESTAMP().setUnit(org.apache.parquet.format.TimeUnit.MILLIS(new org.apache.parquet.format.MilliSeconds()));
        });
        assertObstacle(check(file, schema), Reason.COLUMN_TYPE, "column at of FILE is stored as INT64 TIMESTAMP(MILLIS, adjusted to UTC), the table's type is timestamptz");
    }

    @Test
    public void testSmallRowGroups()
            throws Exception
    {
        byte[] file = TrinoParquetFiles.write(SCHEMA, 0, 3_000, new Random(1), CompressionCodec.ZSTD, options -> options.setMaxRowGroupRowCount(1_000));
        CopyInput input = tester.input(file);
        long average = input.footer().compressedSize() / 3;
        assertThat(new CopyCheck(SCHEMA, 2, DataSize.ofBytes(average)).obstacle(input)).isEmpty();
        assertObstacle(
                new CopyCheck(SCHEMA, 2, DataSize.ofBytes(average + 1)).obstacle(input),
                Reason.SMALL_ROW_GROUPS,
                "the 3 row groups of FILE have %s bytes on average, fewer than %s".formatted(average, average + 1));
        // no row groups cannot be small
        byte[] empty = TrinoParquetFiles.write(SCHEMA, 0, 0, new Random(1), CompressionCodec.ZSTD, options -> options);
        assertThat(new CopyCheck(SCHEMA, 2, DataSize.of(8, KILOBYTE)).obstacle(tester.input(empty))).isEmpty();
    }

    @Test
    public void testTooManyRowGroups()
            throws Exception
    {
        Schema schema = new Schema(required(1, "id", Types.LongType.get()));
        byte[] file = FooterEditor.edit(TrinoParquetFiles.write(schema, 0, 1, new Random(1), CompressionCodec.ZSTD, options -> options), metadata -> {
            RowGroup empty = new RowGroup(metadata.getRow_groups().getFirst());
            empty.setNum_rows(0);
            empty.getColumns().getFirst().getMeta_data().setNum_values(0).setTotal_compressed_size(0);
            metadata.getRow_groups().addAll(Collections.nCopies(CopyCheck.MAX_ROW_GROUPS, empty));
        });
        assertObstacle(check(file, schema), Reason.TOO_MANY_ROW_GROUPS, "FILE has 32768 row groups, at most 32767 can be numbered");
    }

    @Test
    public void testFormatVersions()
            throws Exception
    {
        CopyInput input = tester.input(file(SCHEMA));
        assertThat(new CopyCheck(SCHEMA, 1, ANY_SIZE).obstacle(input)).isEmpty();
        assertObstacle(new CopyCheck(SCHEMA, 4, ANY_SIZE).obstacle(input), Reason.FORMAT_VERSION, "the table has format version 4, known are 1 to 3");
        assertThatThrownBy(() -> new CopyCheck(SCHEMA, 2, ANY_SIZE).obstacle(new CopyInput(input.footer(), Optional.of(new RowLineage(0, 0)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("row lineage is given for format version 2");
    }

    @Test
    public void testRowLineage()
            throws Exception
    {
        CopyCheck check = new CopyCheck(SCHEMA, 3, ANY_SIZE);
        CopyInput inherits = tester.input(file(SCHEMA), new RowLineage(100, 3));
        assertThat(check.obstacle(inherits)).isEmpty();
        assertObstacle(
                check.obstacle(tester.input(file(SCHEMA))),
                Reason.NO_FIRST_ROW_ID,
                "the manifest entry of FILE has no first row id, so its rows have no ids that could be kept");

        Schema explicit = withFields(fields -> fields.addAll(List.of(
                required(MetadataColumns.ROW_ID.fieldId(), "_row_id", Types.LongType.get()),
                required(MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER.fieldId(), "_last_updated_sequence_number", Types.LongType.get()))));
        byte[] complete = file(explicit);
        assertThat(check.obstacle(tester.input(complete))).isEmpty();
        // what is there counts, not what the entry says
        assertThat(check.obstacle(tester.input(complete, new RowLineage(5, 5)))).isEmpty();
        // required there, optional where they are made: one output cannot have both
        assertObstacle(
                check.obstacle(inherits, tester.input(complete)),
                Reason.SCHEMA_DIFFERS,
                "the schema of FILE differs from that of FILE at _row_id");

        // in a table of version 2 they are columns like others
        assertObstacle(check(complete, SCHEMA), Reason.COLUMN_DROPPED, "column _row_id (field id 2147483540) of FILE is not in the table any more");

        Schema nullable = withFields(fields -> fields.addAll(List.of(MetadataColumns.ROW_ID, MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER)));
        CopyInput withNulls = tester.input(file(nullable), new RowLineage(0, 1));
        long nulls = withNulls.footer().rowGroup(0).getColumns().get(8).getMeta_data().getStatistics().getNull_count();
        assertThat(nulls).isPositive();
        assertObstacle(check.obstacle(withNulls), Reason.INCOMPLETE_LINEAGE, "column _row_id of FILE has %s nulls in row group 0, which stand for inherited values".formatted(nulls));

        byte[] withoutCounts = FooterEditor.edit(file(nullable), metadata -> metadata.getRow_groups().getFirst().getColumns().get(8).getMeta_data().unsetStatistics());
        assertObstacle(check.obstacle(tester.input(withoutCounts)), Reason.INCOMPLETE_LINEAGE, "row group 0 of FILE does not say how many nulls column _row_id has");

        byte[] one = file(withFields(fields -> fields.add(required(MetadataColumns.ROW_ID.fieldId(), "_row_id", Types.LongType.get()))));
        assertObstacle(check.obstacle(tester.input(one)), Reason.INCOMPLETE_LINEAGE, "FILE has 1 of the two row-lineage columns, _row_id and _last_updated_sequence_number");
    }

    @Test
    public void testDifferences()
            throws Exception
    {
        CopyCheck check = new CopyCheck(SCHEMA, 2, ANY_SIZE);
        CopyInput first = tester.input(file(SCHEMA));
        assertThat(check.obstacle(first, first)).isEmpty();

        // all of these are the table's schema, and yet no two of them can share a footer
        CopyInput required = tester.input(file(withFields(fields -> fields.set(1, NestedField.required(2, "name", Types.StringType.get())))));
        assertThat(check.obstacle(required)).isEmpty();
        assertObstacle(check.obstacle(first, required), Reason.SCHEMA_DIFFERS, "the schema of FILE differs from that of FILE at name");
        CopyInput reordered = tester.input(file(withFields(fields -> Collections.swap(fields, 1, 2))));
        assertThat(check.obstacle(reordered)).isEmpty();
        assertObstacle(check.obstacle(first, reordered), Reason.SCHEMA_DIFFERS, "the schema of FILE differs from that of FILE at count");
        CopyInput olderAnnotation = tester.input(FooterEditor.edit(file(SCHEMA), metadata -> metadata.getSchema().get(2).unsetLogicalType()));
        assertThat(check.obstacle(olderAnnotation)).isEmpty();
        assertObstacle(check.obstacle(first, olderAnnotation), Reason.SCHEMA_DIFFERS, "the schema of FILE differs from that of FILE at name");
        // the root is nobody's column
        assertThat(check.obstacle(first, tester.input(FooterEditor.edit(file(SCHEMA), metadata -> metadata.getSchema().getFirst().setName("spark_schema"))))).isEmpty();

        // what the file is refused for by itself comes first
        CopyInput small = tester.input(FooterEditor.edit(file(SCHEMA), metadata -> metadata.unsetCreated_by()));
        assertThat(check.obstacle(first, small)).hasValueSatisfying(obstacle -> assertThat(obstacle.reason()).isEqualTo(Reason.UNTRUSTED_WRITER));
    }

    @DataProvider
    public Object[][] writers()
    {
        return new Object[][] {
                {"parquet-mr version 1.13.1 (build db4183109d5b734ec5930d870cdae161e408ddba)", "parquet-mr-trino version 483 (build n/a)", true},
                {"parquet-mr version 1.9.0 (build x)", "parquet-mr version 1.13.1 (build x)", false},
                {"parquet-mr version 1.9.0 (build x)", "parquet-mr version 1.9.0 (build x)", true},
                {"parquet-cpp-arrow version 17.0.0", "parquet-mr-trino version 483 (build n/a)", true},
                {"parquet-cpp-arrow version 1.0.0", "parquet-mr-trino version 483 (build n/a)", false},
                {"parquet-rs version 54.0.0", "parquet-rs version 54.0.0", true},
                {"parquet-rs version 54.0.0", "parquet-rs version 55.0.0", false},
                {FooterMetadataPolicy.OWN_CREATED_BY, "parquet-mr-trino version 483 (build n/a)", true},
        };
    }

    @Test(dataProvider = "writers")
    public void testWriters(String one, String other, boolean share)
            throws Exception
    {
        CopyCheck check = new CopyCheck(SCHEMA, 2, ANY_SIZE);
        CopyInput first = tester.input(FooterEditor.edit(file(SCHEMA), metadata -> metadata.setCreated_by(one)));
        CopyInput second = tester.input(FooterEditor.edit(file(SCHEMA), metadata -> metadata.setCreated_by(other)));
        assertThat(check.obstacle(first)).isEmpty();
        assertThat(check.obstacle(second)).isEmpty();
        for (Optional<CopyObstacle> obstacle : List.of(check.obstacle(first, second), check.obstacle(second, first))) {
            assertThat(obstacle.isEmpty()).isEqualTo(share);
            obstacle.ifPresent(value -> assertThat(value.reason()).isEqualTo(Reason.WRITER_DIFFERS));
        }
    }

    @Test
    public void testMetadataThatReadersCareFor()
            throws Exception
    {
        CopyCheck check = new CopyCheck(SCHEMA, 2, ANY_SIZE);
        for (String key : ImmutableList.of("writer.time.zone", "org.apache.spark.legacyDateTime", "org.apache.spark.version")) {
            CopyInput without = tester.input(file(SCHEMA));
            CopyInput one = tester.input(withKey(key, "1"));
            CopyInput two = tester.input(withKey(key, "2"));
            assertThat(check.obstacle(one, tester.input(withKey(key, "1")))).isEmpty();
            assertObstacle(check.obstacle(one, two), Reason.METADATA_DIFFERS, key + " is 2 in FILE and 1 in FILE");
            assertObstacle(check.obstacle(one, without), Reason.METADATA_DIFFERS, key + " is absent in FILE and 1 in FILE");
            assertObstacle(check.obstacle(without, two), Reason.METADATA_DIFFERS, key + " is 2 in FILE and absent in FILE");
        }
        assertThat(check.obstacle(tester.input(withKey("iceberg.schema", "1")), tester.input(withKey("iceberg.schema", "2")))).isEmpty();
    }

    private static byte[] withKey(String key, String value)
            throws IOException
    {
        return FooterEditor.edit(file(SCHEMA), metadata -> metadata.setKey_value_metadata(List.of(new KeyValue(key).setValue(value))));
    }
}
