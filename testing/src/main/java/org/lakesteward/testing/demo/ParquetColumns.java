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

import com.google.common.collect.ImmutableList;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

/**
 * The columns of a Parquet file, read from its footer (Parquet format, "File format": magic, footer, its length, magic).
 *
 * @param columns those that an Iceberg table in Trino can take, named as in the file
 * @param leftOut names of the others: nested ones and types that Iceberg does not have
 */
record ParquetColumns(List<Column> columns, List<String> leftOut)
{
    private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
    private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(US_ASCII);
    private static final int TAIL_BYTES = Integer.BYTES + MAGIC.length;

    ParquetColumns
    {
        columns = ImmutableList.copyOf(requireNonNull(columns, "columns is null"));
        leftOut = ImmutableList.copyOf(requireNonNull(leftOut, "leftOut is null"));
    }

    /**
     * @throws DemoInputException if the file cannot be read, is not Parquet, or has no usable column
     */
    static ParquetColumns read(Path file)
    {
        FileMetaData footer;
        try {
            footer = readFooter(file);
        }
        catch (IOException e) {
            throw new DemoInputException("%s cannot be read as a Parquet file: %s".formatted(file, e.getMessage()));
        }
        ImmutableList.Builder<Column> columns = ImmutableList.builder();
        ImmutableList.Builder<String> leftOut = ImmutableList.builder();
        List<SchemaElement> elements = footer.getSchema();
        for (int index = 1; index < elements.size(); ) {
            SchemaElement element = elements.get(index);
            Optional<String> type = element.isSetNum_children() || element.getRepetition_type() == FieldRepetitionType.REPEATED ? Optional.empty() : type(element);
            type.ifPresentOrElse(
                    found -> columns.add(new Column(element.getName(), found)),
                    () -> leftOut.add(element.getName()));
            index = next(elements, index);
        }
        ParquetColumns result = new ParquetColumns(columns.build(), leftOut.build());
        if (result.columns().isEmpty()) {
            throw new DemoInputException("%s has no column of a type that an Iceberg table in Trino can take: %s".formatted(file, result.leftOut()));
        }
        return result;
    }

    private static FileMetaData readFooter(Path file)
            throws IOException
    {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long size = in.length();
            if (size < MAGIC.length + TAIL_BYTES) {
                throw new DemoInputException("%s is not a Parquet file: it has only %s bytes".formatted(file, size));
            }
            byte[] tail = new byte[TAIL_BYTES];
            in.seek(size - TAIL_BYTES);
            in.readFully(tail);
            byte[] magic = Arrays.copyOfRange(tail, Integer.BYTES, TAIL_BYTES);
            if (Arrays.equals(magic, ENCRYPTED_MAGIC)) {
                throw new DemoInputException("%s is an encrypted Parquet file, which the demo cannot read".formatted(file));
            }
            if (!Arrays.equals(magic, MAGIC)) {
                throw new DemoInputException("%s is not a Parquet file: it does not end with PAR1".formatted(file));
            }
            long length = Integer.toUnsignedLong(ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt());
            if (length == 0 || length > size - TAIL_BYTES - MAGIC.length) {
                throw new DemoInputException("%s is a damaged Parquet file: its footer would have %s bytes of %s".formatted(file, length, size));
            }
            byte[] footer = new byte[Math.toIntExact(length)];
            in.seek(size - TAIL_BYTES - length);
            in.readFully(footer);
            return Util.readFileMetaData(new ByteArrayInputStream(footer));
        }
    }

    /** The index after an element and all that is below it; the schema is a tree, written depth first */
    private static int next(List<SchemaElement> elements, int index)
    {
        SchemaElement element = elements.get(index);
        int next = index + 1;
        for (int child = 0; element.isSetNum_children() && child < element.getNum_children(); child++) {
            next = next(elements, next);
        }
        return next;
    }

    private static Optional<String> type(SchemaElement element)
    {
        LogicalType logical = element.getLogicalType();
        ConvertedType converted = element.getConverted_type();
        if (converted == ConvertedType.DECIMAL || (logical != null && logical.isSetDECIMAL())) {
            return Optional.of("decimal(%s,%s)".formatted(element.getPrecision(), element.getScale()));
        }
        return switch (element.getType()) {
            case BOOLEAN -> Optional.of("boolean");
            case INT32 -> int32Type(logical, converted);
            case INT64 -> int64Type(logical, converted);
            case INT96 -> Optional.of("timestamp(6)");
            case FLOAT -> Optional.of("real");
            case DOUBLE -> Optional.of("double");
            case BYTE_ARRAY -> Optional.of(isText(logical, converted) ? "varchar" : "varbinary");
            case FIXED_LEN_BYTE_ARRAY -> logical != null && logical.isSetUUID() ? Optional.of("uuid") : Optional.empty();
        };
    }

    private static Optional<String> int32Type(LogicalType logical, ConvertedType converted)
    {
        if (converted == ConvertedType.DATE || (logical != null && logical.isSetDATE())) {
            return Optional.of("date");
        }
        if (converted == ConvertedType.TIME_MILLIS || (logical != null && logical.isSetTIME())) {
            return Optional.of("time(6)");
        }
        if (converted == ConvertedType.UINT_32 || (logical != null && logical.isSetINTEGER() && !logical.getINTEGER().isIsSigned() && logical.getINTEGER().getBitWidth() == 32)) {
            return Optional.empty();
        }
        return Optional.of("integer");
    }

    private static Optional<String> int64Type(LogicalType logical, ConvertedType converted)
    {
        if (logical != null && logical.isSetTIMESTAMP()) {
            return Optional.of(logical.getTIMESTAMP().isIsAdjustedToUTC() ? "timestamp(6) with time zone" : "timestamp(6)");
        }
        if (converted == ConvertedType.TIMESTAMP_MILLIS || converted == ConvertedType.TIMESTAMP_MICROS) {
            return Optional.of("timestamp(6)");
        }
        if (converted == ConvertedType.TIME_MICROS || (logical != null && logical.isSetTIME())) {
            return Optional.of("time(6)");
        }
        if (converted == ConvertedType.UINT_64 || (logical != null && logical.isSetINTEGER() && !logical.getINTEGER().isIsSigned())) {
            return Optional.empty();
        }
        return Optional.of("bigint");
    }

    private static boolean isText(LogicalType logical, ConvertedType converted)
    {
        return converted == ConvertedType.UTF8 || converted == ConvertedType.ENUM || converted == ConvertedType.JSON ||
                (logical != null && (logical.isSetSTRING() || logical.isSetENUM() || logical.isSetJSON()));
    }
}
