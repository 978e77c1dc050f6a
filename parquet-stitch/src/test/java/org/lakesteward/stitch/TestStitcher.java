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
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.lakesteward.stitch.StitchTester.Stitched;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

import static org.apache.parquet.schema.MessageTypeParser.parseMessageType;
import static org.assertj.core.api.Assertions.assertThat;

public class TestStitcher
{
    /** Every physical and logical type that both readers know, required and optional. */
    static final MessageType FLAT = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional boolean flag = 2;
              optional int32 number = 3;
              optional int64 big = 4;
              optional float real = 5;
              optional double fraction = 6;
              optional binary name (STRING) = 7;
              optional binary bytes = 8;
              optional fixed_len_byte_array(16) uuid (UUID) = 9;
              optional int32 day (DATE) = 10;
              optional int64 time (TIME(MICROS,false)) = 11;
              optional int64 local (TIMESTAMP(MICROS,false)) = 12;
              optional int64 instant (TIMESTAMP(MICROS,true)) = 13;
              optional int32 small_decimal (DECIMAL(7,2)) = 14;
              optional int64 decimal (DECIMAL(15,3)) = 15;
              optional fixed_len_byte_array(9) big_decimal (DECIMAL(20,4)) = 16;
              required binary required_name (STRING) = 17;
              required double required_fraction = 18;
              required boolean required_flag = 19;
            }
            """);

    static final MessageType NESTED = parseMessageType(
            """
            message table {
              required int64 id = 1;
              optional group list (LIST) = 2 {
                repeated group list {
                  optional binary element (STRING) = 3;
                }
              }
              optional group map (MAP) = 4 {
                repeated group key_value {
                  required binary key (STRING) = 5;
                  optional int64 value = 6;
                }
              }
              optional group row = 7 {
                optional int32 left = 8;
                required double right = 9;
              }
              optional group deep (LIST) = 10 {
                repeated group list {
                  optional group element (LIST) = 11 {
                    repeated group list {
                      optional group element (LIST) = 12 {
                        repeated group list {
                          optional group element = 13 {
                            optional group inner (LIST) = 14 {
                              repeated group list {
                                optional int32 element = 15;
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
            """);

    private static byte[] file(MessageType schema, long seed, int rows, int distinct, int nullRate, CompressionCodecName codec, UnaryOperator<ExampleParquetWriter.Builder> configure)
            throws IOException
    {
        return ParquetMr.write(schema, new RandomRows(new Random(seed), distinct, nullRate, (int) seed * 20).rows(schema, rows), codec, configure);
    }

    private static List<byte[]> files(MessageType schema, int count, int rows, int distinct, CompressionCodecName codec, UnaryOperator<ExampleParquetWriter.Builder> configure)
            throws IOException
    {
        List<byte[]> files = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            files.add(file(schema, index, rows + index * 7, distinct, 20, codec, configure));
        }
        return files;
    }

    @DataProvider
    public Object[][] schemas()
    {
        return new Object[][] {{FLAT}, {NESTED}};
    }

    @Test(dataProvider = "schemas")
    public void testVersion1(MessageType schema)
            throws IOException
    {
        Stitched stitched = StitchTester.stitch(files(schema, 5, 700, 100, CompressionCodecName.ZSTD, builder -> builder), CompressionCodec.ZSTD, StitchTester.SMALL);
        assertThat(stitched.result().inputs()).isEqualTo(5);
        assertThat(stitched.result().rowCount()).isEqualTo(5 * 700 + 70);
    }

    @Test(dataProvider = "schemas")
    public void testVersion2(MessageType schema)
            throws IOException
    {
        StitchTester.stitch(
                files(schema, 5, 700, 100, CompressionCodecName.ZSTD, builder -> builder.withWriterVersion(WriterVersion.PARQUET_2_0)),
                CompressionCodec.ZSTD,
                StitchTester.SMALL);
    }
}
