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
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Rows of any schema.
 *
 * @param random where they come from
 * @param distinct about how many different values there are of a column: few make dictionaries, many end them
 * @param nullRate chance of a null in percent; 100 for nothing else
 * @param shift added to what is random, so that files have values of their own
 */
record RandomRows(Random random, int distinct, int nullRate, int shift)
{
    List<Group> rows(MessageType schema, int count)
    {
        List<Group> rows = new ArrayList<>(count);
        for (int row = 0; row < count; row++) {
            Group group = new SimpleGroup(schema);
            fill(group, schema, false);
            rows.add(group);
        }
        return rows;
    }

    private void fill(Group group, GroupType type, boolean entryOfMap)
    {
        for (int field = 0; field < type.getFieldCount(); field++) {
            Type fieldType = type.getType(field);
            int count = switch (fieldType.getRepetition()) {
                case REQUIRED -> 1;
                case OPTIONAL -> random.nextInt(100) < nullRate ? 0 : 1;
                case REPEATED -> nullRate == 100 ? 0 : random.nextInt(4);
            };
            boolean map = type.getLogicalTypeAnnotation() instanceof MapLogicalTypeAnnotation;
            for (int index = 0; index < count; index++) {
                if (!fieldType.isPrimitive()) {
                    Group child = group.addGroup(field);
                    if (map) {
                        // keys of a map are distinct
                        child.add(0, Binary.fromString("key " + index));
                        fillFrom(child, fieldType.asGroupType(), 1);
                    }
                    else {
                        fill(child, fieldType.asGroupType(), false);
                    }
                }
                else {
                    add(group, field, fieldType.asPrimitiveType());
                }
            }
        }
    }

    private void fillFrom(Group group, GroupType type, int firstField)
    {
        for (int field = firstField; field < type.getFieldCount(); field++) {
            Type fieldType = type.getType(field);
            if (fieldType.isRepetition(Repetition.OPTIONAL) && random.nextInt(100) < nullRate) {
                continue;
            }
            if (fieldType.isPrimitive()) {
                add(group, field, fieldType.asPrimitiveType());
            }
            else {
                fill(group.addGroup(field), fieldType.asGroupType(), false);
            }
        }
    }

    private void add(Group group, int field, PrimitiveType type)
    {
        long number = random.nextInt(distinct) + (long) shift;
        switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> group.add(field, random.nextInt(4) < number % 5);
            case INT32 -> group.add(field, (int) bounded(type, number));
            case INT64 -> group.add(field, bounded(type, number));
            case FLOAT -> group.add(field, switch (random.nextInt(60)) {
                case 0 -> Float.NaN;
                case 1 -> -0.0f;
                case 2 -> 0.0f;
                case 3 -> Float.NEGATIVE_INFINITY;
                default -> number / 8f - 3;
            });
            case DOUBLE -> group.add(field, switch (random.nextInt(60)) {
                case 0 -> Double.NaN;
                case 1 -> -0.0;
                case 2 -> 0.0;
                case 3 -> Double.POSITIVE_INFINITY;
                default -> number / 7.0 - 3;
            });
            case BINARY -> group.add(field, Binary.fromConstantByteArray(binary(type, number)));
            case FIXED_LEN_BYTE_ARRAY -> group.add(field, Binary.fromConstantByteArray(fixed(type, number)));
            case INT96 -> {
                byte[] bytes = new byte[12];
                // nanoseconds of a day and a Julian day
                Arrays.fill(bytes, 0, 5, (byte) number);
                bytes[8] = (byte) (0x80 + number % 100);
                bytes[9] = 0x3d;
                bytes[10] = 0x25;
                group.add(field, Binary.fromConstantByteArray(bytes));
            }
        }
    }

    private static byte[] binary(PrimitiveType type, long number)
    {
        if (type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal) {
            return BigInteger.valueOf(bounded(number, decimal)).toByteArray();
        }
        if (number % 50 == 7) {
            return new byte[0];
        }
        String text = "value " + number + (number % 9 == 0 ? " which is longer than many others".repeat((int) (number % 5)) : "");
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] fixed(PrimitiveType type, long number)
    {
        byte[] bytes = new byte[type.getTypeLength()];
        long value = type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal ? bounded(number, decimal) : number * 0x9E3779B97F4A7C15L;
        for (int index = bytes.length - 1; index >= 0; index--) {
            bytes[index] = (byte) value;
            value >>= 8;
        }
        return bytes;
    }

    private static long bounded(long number, DecimalLogicalTypeAnnotation decimal)
    {
        long limit = BigInteger.TEN.pow(Math.min(decimal.getPrecision(), 15)).longValueExact();
        return (number * 7919 - 50_000) % limit;
    }

    private static long bounded(PrimitiveType type, long number)
    {
        return switch (type.getLogicalTypeAnnotation()) {
            case DecimalLogicalTypeAnnotation decimal -> bounded(number, decimal);
            case DateLogicalTypeAnnotation _ -> number % 40_000 - 10_000;
            case TimeLogicalTypeAnnotation time -> switch (time.getUnit()) {
                case MILLIS -> number * 977 % 86_400_000;
                case MICROS -> number * 1_000_003 % 86_400_000_000L;
                case NANOS -> number * 1_000_000_007 % 86_400_000_000_000L;
            };
            case TimestampLogicalTypeAnnotation _ -> number * 1_000_003 - 62_000_000_000_000_000L;
            case IntLogicalTypeAnnotation integer -> integer.isSigned()
                    ? number % (1L << (integer.getBitWidth() - 2)) - 20
                    : integer.getBitWidth() < 32 ? number % (1L << (integer.getBitWidth() - 1)) : -number;
            case null, default -> type.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT32 ? number - 100 : number * 1_000_000_007L - 100;
        };
    }
}
