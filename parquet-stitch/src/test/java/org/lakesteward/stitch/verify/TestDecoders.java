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
package org.lakesteward.stitch.verify;

import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesReader;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.lakesteward.stitch.io.GrowableBytes;
import org.lakesteward.stitch.page.DeltaEncoder;
import org.testng.annotations.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestDecoders
{
    private static final long SEED = 20261130;

    private static long[] numbers(Random random)
    {
        long[] numbers = new long[1 + random.nextInt(700)];
        long value = random.nextLong();
        for (int index = 0; index < numbers.length; index++) {
            value = switch (random.nextInt(20)) {
                case 0 -> random.nextLong();
                case 1 -> Long.MIN_VALUE;
                case 2 -> Long.MAX_VALUE;
                default -> value + random.nextInt(5);
            };
            numbers[index] = value;
        }
        return numbers;
    }

    @Test
    public void testDeltas()
            throws IOException
    {
        Random random = new Random(SEED);
        for (int run = 0; run < 300; run++) {
            long[] numbers = numbers(random);
            GrowableBytes encoded = new GrowableBytes(0);
            DeltaEncoder.write(numbers, numbers.length, encoded);

            // parquet-mr reads what is written here
            DeltaBinaryPackingValuesReader reader = new DeltaBinaryPackingValuesReader();
            reader.initFromPage(numbers.length, ByteBufferInputStream.wrap(ByteBuffer.wrap(encoded.array(), 0, encoded.size())));
            for (long number : numbers) {
                assertThat(reader.readLong()).as("run %s of seed %s", run, SEED).isEqualTo(number);
            }
            assertDecoded(encoded.array(), encoded.size(), numbers);

            // what parquet-mr writes is read here
            DeltaBinaryPackingValuesWriterForLong writer = new DeltaBinaryPackingValuesWriterForLong(1_024, 1 << 20, new HeapByteBufferAllocator());
            for (long number : numbers) {
                writer.writeLong(number);
            }
            byte[] bytes = writer.getBytes().toByteArray();
            assertDecoded(bytes, bytes.length, numbers);
        }
    }

    private static void assertDecoded(byte[] bytes, int length, long[] numbers)
            throws IOException
    {
        DeltaDecoder decoder = new DeltaDecoder(bytes, 0, length);
        assertThat(decoder.count()).isEqualTo(numbers.length);
        for (long number : numbers) {
            assertThat(decoder.next()).isEqualTo(number);
        }
        assertThat(decoder.endPosition()).isEqualTo(length);
        assertThatThrownBy(decoder::next).isInstanceOf(MalformedValuesException.class);
    }

    @Test
    public void testSequencesAreSmall()
    {
        long[] numbers = new long[10_000];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = 1_000_000_000_000L + index;
        }
        GrowableBytes encoded = new GrowableBytes(0);
        DeltaEncoder.write(numbers, numbers.length, encoded);
        assertThat(encoded.size()).isLessThan(numbers.length / 20);
    }

    @Test
    public void testSequenceHash()
    {
        Random random = new Random(SEED);
        for (int run = 0; run < 200; run++) {
            SequenceHash oneByOne = new SequenceHash();
            SequenceHash inRuns = new SequenceHash();
            for (int part = 0; part < 20; part++) {
                long value = random.nextLong();
                int count = random.nextInt(1_000);
                for (int index = 0; index < count; index++) {
                    oneByOne.add(value);
                }
                int first = random.nextInt(count + 1);
                inRuns.addRun(value, first);
                inRuns.addRun(value, count - first);
            }
            assertThat(inRuns.value()).as("run %s of seed %s", run, SEED).isEqualTo(oneByOne.value());
        }
    }

    @Test
    public void testSequenceHashDependsOnOrder()
    {
        SequenceHash left = new SequenceHash();
        SequenceHash right = new SequenceHash();
        left.add(SequenceHash.mix(1));
        right.add(SequenceHash.mix(2));
        // however far apart
        left.addRun(7, 1L << 40);
        right.addRun(7, 1L << 40);
        left.add(SequenceHash.mix(2));
        right.add(SequenceHash.mix(1));
        assertThat(left.value()).isNotEqualTo(right.value());
    }

    @Test
    public void testMalformedNumbers()
    {
        assertThatThrownBy(() -> new DeltaDecoder(new byte[] {1, 2, 3}, 0, 3)).isInstanceOf(MalformedValuesException.class).hasMessage("a number is cut off");
        assertThatThrownBy(() -> new DeltaDecoder(new byte[] {(byte) 128, 1, 0, 3, 0}, 0, 5)).isInstanceOf(MalformedValuesException.class).hasMessage("blocks of 128 differences are in 0 parts");
        assertThatThrownBy(() -> HybridDecoder.decode(new byte[] {17, 1}, 0, 2, 8, 60, new LevelSequence(255, 0))).isInstanceOf(MalformedValuesException.class);
        assertThatThrownBy(() -> HybridDecoder.decode(new byte[] {16}, 0, 1, 8, 60, new LevelSequence(255, 0))).isInstanceOf(MalformedValuesException.class).hasMessage("a repeated number is cut off");
        assertThatThrownBy(() -> HybridDecoder.decode(new byte[] {16, 1}, 0, 2, 8, 60, new LevelSequence(255, 0))).isInstanceOf(MalformedValuesException.class).hasMessage("52 numbers are missing");
    }
}
