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
package org.lakesteward.testing.demo;

import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.UUIDType;
import org.apache.parquet.format.Util;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestParquetColumns
{
    private Path file;

    @BeforeMethod
    public void createFile()
            throws IOException
    {
        file = Files.createTempFile("columns", ".parquet");
    }

    @AfterMethod(alwaysRun = true)
    public void deleteFile()
            throws IOException
    {
        Files.delete(file);
    }

    @Test
    public void testTypes()
            throws IOException
    {
        write(
                primitive("Flag", Type.BOOLEAN),
                primitive("number", Type.INT32),
                primitive("day", Type.INT32).setConverted_type(ConvertedType.DATE),
                primitive("price", Type.INT64).setConverted_type(ConvertedType.DECIMAL).setPrecision(12).setScale(2),
                primitive("moment", Type.INT64).setLogicalType(LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.MICROS(new MicroSeconds())))),
                primitive("old", Type.INT96),
                primitive("name", Type.BYTE_ARRAY).setLogicalType(LogicalType.STRING(new StringType())),
                primitive("bytes", Type.BYTE_ARRAY),
                primitive("id", Type.FIXED_LEN_BYTE_ARRAY).setType_length(16).setLogicalType(LogicalType.UUID(new UUIDType())),
                primitive("ratio", Type.DOUBLE));

        ParquetColumns columns = ParquetColumns.read(file);

        assertThat(columns.columns()).containsExactly(
                new Column("flag", "boolean"),
                new Column("number", "integer"),
                new Column("day", "date"),
                new Column("price", "decimal(12,2)"),
                new Column("moment", "timestamp(6) with time zone"),
                new Column("old", "timestamp(6)"),
                new Column("name", "varchar"),
                new Column("bytes", "varbinary"),
                new Column("id", "uuid"),
                new Column("ratio", "double"));
        assertThat(columns.leftOut()).isEmpty();
    }

    @Test
    public void testLeftOut()
            throws IOException
    {
        write(
                new SchemaElement("point").setRepetition_type(FieldRepetitionType.OPTIONAL).setNum_children(2),
                primitive("x", Type.DOUBLE),
                primitive("y", Type.DOUBLE),
                primitive("unsigned", Type.INT32).setLogicalType(LogicalType.INTEGER(new IntType((byte) 32, false))),
                primitive("many", Type.INT32).setRepetition_type(FieldRepetitionType.REPEATED),
                primitive("name", Type.INT32),
                primitive("NAME", Type.INT32));

        ParquetColumns columns = ParquetColumns.read(file);

        assertThat(columns.columns()).containsExactly(new Column("name", "integer"));
        assertThat(columns.leftOut()).containsExactly("point", "unsigned", "many", "NAME");
    }

    @Test
    public void testNoUsableColumn()
            throws IOException
    {
        write(primitive("many", Type.INT32).setRepetition_type(FieldRepetitionType.REPEATED));
        assertThatThrownBy(() -> ParquetColumns.read(file))
                .isInstanceOf(DemoInputException.class)
                .hasMessage("%s has no column of a type that an Iceberg table in Trino can take: [many]", file);
    }

    @Test
    public void testFieldIdsOfAnotherTable()
            throws IOException
    {
        write(primitive("a", Type.INT32).setField_id(1), primitive("b", Type.INT32).setField_id(7));
        assertThatThrownBy(() -> ParquetColumns.read(file))
                .isInstanceOf(DemoInputException.class)
                .hasMessageContaining("column b has the field id 7");
    }

    @Test
    public void testNotParquet()
            throws IOException
    {
        Files.writeString(file, "a,b\n1,2\n3,4\n5,6\n");
        assertThatThrownBy(() -> ParquetColumns.read(file))
                .isInstanceOf(DemoInputException.class)
                .hasMessage("%s is not a Parquet file: it does not end with PAR1", file);
    }

    @Test
    public void testEmptyFile()
    {
        assertThatThrownBy(() -> ParquetColumns.read(file))
                .isInstanceOf(DemoInputException.class)
                .hasMessage("%s is not a Parquet file: it has only 0 bytes", file);
    }

    @Test
    public void testDamagedFooter()
            throws IOException
    {
        Files.write(file, ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN)
                .put("PAR1".getBytes(US_ASCII))
                .position(12)
                .putInt(5000)
                .put("PAR1".getBytes(US_ASCII))
                .array());
        assertThatThrownBy(() -> ParquetColumns.read(file))
                .isInstanceOf(DemoInputException.class)
                .hasMessage("%s is a damaged Parquet file: its footer would have 5000 bytes of 20", file);
    }

    private static SchemaElement primitive(String name, Type type)
    {
        return new SchemaElement(name).setType(type).setRepetition_type(FieldRepetitionType.OPTIONAL);
    }

    private void write(SchemaElement... elements)
            throws IOException
    {
        List<SchemaElement> schema = new ArrayList<>();
        schema.add(new SchemaElement("root").setNum_children(elements.length));
        schema.addAll(List.of(elements));
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(new FileMetaData(1, schema, 0, List.of()), footer);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write("PAR1".getBytes(US_ASCII));
        footer.writeTo(out);
        out.write(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.size()).array());
        out.write("PAR1".getBytes(US_ASCII));
        Files.write(file, out.toByteArray());
    }
}
