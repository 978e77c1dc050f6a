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
package org.lakesteward.stitch.levels;

import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.lakesteward.stitch.dictionary.IndexRuns;
import org.lakesteward.stitch.io.GrowableBytes;
import org.testng.annotations.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestRuns
{
    private static final long SEED = 20261130;
    private static final int SLACK = 8;

    /** Numbers with long and short runs. */
    private static int[] numbers(Random random, int width, int count)
    {
        int[] numbers = new int[count];
        int position = 0;
        while (position < count) {
            int length = Math.min(count - position, 1 + (random.nextBoolean() ? random.nextInt(3) : random.nextInt(60)));
            int value = width == 0 ? 0 : width == 32 ? random.nextInt() & Integer.MAX_VALUE : random.nextInt(1 << Math.min(width, 30));
            Arrays.fill(numbers, position, position + length, value);
            position += length;
        }
        return numbers;
    }

    private static byte[] encode(int[] numbers, int width)
            throws IOException
    {
        RunLengthBitPackingHybridEncoder encoder = new RunLengthBitPackingHybridEncoder(width, 64, 1 << 20, new HeapByteBufferAllocator());
        for (int number : numbers) {
            encoder.writeInt(number);
        }
        return encoder.toBytes().toByteArray();
    }

    private static int[] decode(GrowableBytes bytes, int width, int count)
            throws IOException
    {
        RunLengthBitPackingHybridDecoder decoder = new RunLengthBitPackingHybridDecoder(width, new ByteArrayInputStream(bytes.array(), 0, bytes.size()));
        int[] numbers = new int[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = decoder.readInt();
        }
        return numbers;
    }

    private static byte[] withSlack(byte[] bytes)
    {
        return Arrays.copyOf(bytes, bytes.length + SLACK);
    }

    @Test
    public void testPacking()
    {
        Random random = new Random(SEED);
        for (int width = 0; width <= 32; width++) {
            int[] numbers = new int[8];
            for (int index = 0; index < 8; index++) {
                numbers[index] = width == 0 ? 0 : random.nextInt() >>> (32 - width);
            }
            byte[] bytes = new byte[width + SLACK];
            BitPacking.pack(numbers, width, bytes, 0);
            int[] unpacked = new int[8];
            BitPacking.unpack(bytes, 0, width, unpacked);
            assertThat(unpacked).as("width %s", width).isEqualTo(numbers);
        }
    }

    @Test
    public void testWriterAndReader()
            throws IOException
    {
        Random random = new Random(SEED);
        for (int run = 0; run < 500; run++) {
            int width = random.nextInt(25);
            int[] numbers = numbers(random, width, random.nextInt(300));
            RunWriter writer = new RunWriter();
            writer.reset(width, 0);
            int position = 0;
            while (position < numbers.length) {
                // in pieces of any length
                int end = Math.min(numbers.length, position + 1 + random.nextInt(50));
                writer.write(numbers, position, end);
                position = end;
            }
            GrowableBytes bytes = writer.finish();
            assertThat(decode(bytes, width, numbers.length)).as("run %s of seed %s", run, SEED).isEqualTo(numbers);

            RunReader reader = new RunReader();
            int[] read = new int[numbers.length + 8];
            byte[] input = withSlack(encode(numbers, width));
            reader.open(input, 0, input.length - SLACK, width, numbers.length);
            assertThat(reader.readAll(read)).isEqualTo(numbers.length);
            assertThat(Arrays.copyOf(read, numbers.length)).isEqualTo(numbers);
        }
    }

    @Test
    public void testLevelsAreJoined()
            throws IOException
    {
        Random random = new Random(SEED);
        LevelRuns runs = new LevelRuns();
        for (int run = 0; run < 200; run++) {
            int maxLevel = 1 + random.nextInt(5);
            int width = BitPacking.width(maxLevel);
            RunWriter writer = new RunWriter();
            writer.reset(width, 0);
            int[] all = new int[0];
            for (int page = 0; page < 4; page++) {
                int[] levels = numbers(random, width, 1 + random.nextInt(100));
                for (int index = 0; index < levels.length; index++) {
                    levels[index] = Math.min(levels[index], maxLevel);
                }
                byte[] input = withSlack(encode(levels, width));
                runs.append(input, 0, input.length - SLACK, maxLevel, levels.length, maxLevel, writer);
                assertThat(runs.counted()).isEqualTo((int) Arrays.stream(levels).filter(level -> level == maxLevel).count());
                assertThat(runs.first()).isEqualTo(levels[0]);
                runs.count(input, 0, input.length - SLACK, maxLevel, levels.length, 0);
                assertThat(runs.counted()).isEqualTo((int) Arrays.stream(levels).filter(level -> level == 0).count());
                int start = all.length;
                all = Arrays.copyOf(all, start + levels.length);
                System.arraycopy(levels, 0, all, start, levels.length);
            }
            assertThat(decode(writer.finish(), width, all.length)).as("run %s of seed %s", run, SEED).isEqualTo(all);
        }
    }

    @Test
    public void testEqualRunsBecomeOne()
            throws IOException
    {
        RunWriter writer = new RunWriter();
        writer.reset(1, 0);
        LevelRuns runs = new LevelRuns();
        byte[] ones = withSlack(new byte[] {(byte) 200, 1, 1});
        for (int page = 0; page < 1_000; page++) {
            runs.append(ones, 0, 3, 1, 100, 1, writer);
        }
        assertThat(writer.finish().size()).isEqualTo(4);
        assertThat(decode(writer.finish(), 1, 100_000)).containsOnly(1);
    }

    @Test
    public void testPaddingMayBeAnything()
            throws IOException
    {
        // three indices of two bits in a group of eight, whose padding is beyond the dictionary
        byte[] page = withSlack(new byte[] {2, 3, (byte) 0b11_10_01_00, (byte) 0xff});
        RunWriter writer = new RunWriter();
        writer.reset(3, 0);
        new IndexRuns().append(page, 0, 4, 3, new int[] {5, 6, 7}, writer);
        assertThat(decode(writer.finish(), 3, 3)).isEqualTo(new int[] {5, 6, 7});

        // padding that is not there at all
        writer.reset(3, 0);
        new IndexRuns().append(page, 0, 3, 3, new int[] {5, 6, 7}, writer);
        assertThat(decode(writer.finish(), 3, 3)).isEqualTo(new int[] {5, 6, 7});

        assertThatThrownBy(() -> new IndexRuns().append(page, 0, 4, 4, new int[] {5, 6, 7}, writer))
                .isInstanceOf(MalformedRunsException.class)
                .hasMessage("an index is 3, the dictionary has 3 entries");
    }

    @Test
    public void testMalformedRuns()
    {
        byte[] bytes = withSlack(new byte[] {16, 1});
        RunReader reader = new RunReader();
        assertThatThrownBy(() -> {
            reader.open(bytes, 0, 2, 1, 9);
            reader.readAll(new int[20]);
        }).isInstanceOf(MalformedRunsException.class).hasMessage("runs end 1 values too early");
        assertThatThrownBy(() -> {
            reader.open(bytes, 0, 1, 1, 8);
            reader.next();
        }).isInstanceOf(MalformedRunsException.class).hasMessage("runs end inside of a value");
        assertThatThrownBy(() -> {
            reader.open(withSlack(new byte[] {17, 1}), 0, 2, 8, 60);
            reader.next();
        }).isInstanceOf(MalformedRunsException.class).hasMessage("runs end inside of a group");
        assertThatThrownBy(() -> reader.open(bytes, 0, 2, 33, 1)).isInstanceOf(MalformedRunsException.class).hasMessage("values are said to have 33 bits");
        assertThatThrownBy(() -> {
            reader.open(withSlack(new byte[] {16, 7}), 0, 2, 1, 8);
            reader.next();
        }).isInstanceOf(MalformedRunsException.class).hasMessage("a value of 1 bits is 7");
        assertThatThrownBy(() -> {
            reader.open(withSlack(new byte[] {-1, -1, -1, -1, -1, -1}), 0, 6, 1, 8);
            reader.next();
        }).isInstanceOf(MalformedRunsException.class).hasMessage("the length of a run takes more than five bytes");
        assertThatThrownBy(() -> new LevelRuns().count(withSlack(new byte[] {16, 3}), 0, 2, 2, 8, 0))
                .isInstanceOf(MalformedRunsException.class)
                .hasMessage("a level is 3, the maximum is 2");
        assertThatThrownBy(() -> new LevelRuns().count(new byte[1_000], 0, 990, 1, 8, 0)).isInstanceOf(MalformedRunsException.class).hasMessage("a run has no values");
    }
}
