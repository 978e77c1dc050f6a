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
package org.lakesteward.stitch.dictionary;

import org.lakesteward.stitch.footer.LeafColumn;
import org.lakesteward.stitch.io.CorruptParquetException;
import org.lakesteward.stitch.io.GrowableBytes;
import org.testng.annotations.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestDictionaries
{
    private static final long SEED = 20261130;

    private static InputDictionary dictionary(int fixedWidth, List<byte[]> values)
            throws CorruptParquetException
    {
        GrowableBytes bytes = new GrowableBytes(0);
        for (byte[] value : values) {
            if (fixedWidth == LeafColumn.VARIABLE_WIDTH) {
                bytes.writeInt(value.length);
            }
            bytes.write(value, 0, value.length);
        }
        return InputDictionary.parse(Arrays.copyOf(bytes.array(), bytes.size() + 16), bytes.size(), values.size(), fixedWidth, "input");
    }

    private static InputDictionary strings(String... values)
            throws CorruptParquetException
    {
        return dictionary(LeafColumn.VARIABLE_WIDTH, Arrays.stream(values).map(value -> value.getBytes(UTF_8)).toList());
    }

    @Test
    public void testUnion()
            throws CorruptParquetException
    {
        Random random = new Random(SEED);
        for (int fixedWidth : new int[] {LeafColumn.VARIABLE_WIDTH, 1, 3, 4, 8, 12, 16}) {
            UnitedDictionary united = new UnitedDictionary(fixedWidth);
            Map<String, Integer> expected = new HashMap<>();
            for (int input = 0; input < 30; input++) {
                List<byte[]> values = new ArrayList<>();
                for (int index = 0; index < 200; index++) {
                    byte[] value = new byte[fixedWidth == LeafColumn.VARIABLE_WIDTH ? random.nextInt(12) : fixedWidth];
                    int number = random.nextInt(2_000);
                    for (int position = 0; position < value.length; position++) {
                        value[position] = (byte) (number >> (position % 2 * 8));
                    }
                    values.add(value);
                }
                int[] mapping = united.add(dictionary(fixedWidth, values));
                for (int index = 0; index < values.size(); index++) {
                    int next = expected.size();
                    assertThat(mapping[index]).isEqualTo(expected.computeIfAbsent(Arrays.toString(values.get(index)), _ -> next));
                }
                assertThat(united.find(dictionary(fixedWidth, values))).isEqualTo(mapping);
            }
            assertThat(united.size()).isEqualTo(expected.size());
            // the bytes are the values in their order
            InputDictionary all = InputDictionary.parse(united.bytes(), united.byteSize(), united.size(), fixedWidth, "united");
            for (int index = 0; index < all.size(); index++) {
                byte[] value = Arrays.copyOfRange(all.bytes(), all.valueStart(index), all.valueStart(index) + all.valueLength(index));
                assertThat(expected.get(Arrays.toString(value))).isEqualTo(index);
            }
        }
    }

    @Test
    public void testTruncation()
            throws CorruptParquetException
    {
        UnitedDictionary united = new UnitedDictionary(LeafColumn.VARIABLE_WIDTH);
        united.add(strings("a", "b", ""));
        int bytes = united.byteSize();
        united.add(strings("c", "a", "d"));
        assertThat(united.size()).isEqualTo(5);
        united.truncate(3);
        assertThat(united.size()).isEqualTo(3);
        assertThat(united.byteSize()).isEqualTo(bytes);
        assertThat(united.find(strings("c"))).isNull();
        assertThat(united.find(strings("", "a"))).isEqualTo(new int[] {2, 0});
        assertThat(united.add(strings("d"))).isEqualTo(new int[] {3});
    }

    @Test
    public void testClosedForGood()
            throws CorruptParquetException
    {
        DictionaryMerger merger = new DictionaryMerger(LeafColumn.VARIABLE_WIDTH, 0, 1_000);
        for (int input = 0; input < 2; input++) {
            assertThat(merger.add(strings("a", "b"), 100)).isInstanceOfSatisfying(IndexMapping.Remap.class, remap -> assertThat(remap.identity()).isTrue());
        }
        // as many new values as there are values
        assertThat(merger.add(strings("c", "d"), 2)).isInstanceOf(IndexMapping.Gather.class);
        // now even one that would pay, but not one that is there
        assertThat(merger.add(strings("e"), 1_000_000)).isInstanceOf(IndexMapping.Gather.class);
        assertThat(merger.add(strings("b"), 1)).isInstanceOfSatisfying(IndexMapping.Remap.class, remap -> {
            assertThat(remap.indices()).isEqualTo(new int[] {1});
            assertThat(remap.identity()).isFalse();
            assertThat(remap.max()).isEqualTo(1);
        });
        assertThat(merger.hasRoomFor(0)).isFalse();
        assertThat(merger.dictionary().orElseThrow().size()).isEqualTo(2);
        merger.reset();
        assertThat(merger.dictionary()).isEmpty();
        assertThat(merger.add(strings("e"), 1)).isInstanceOf(IndexMapping.Remap.class);
    }

    @Test
    public void testDictionaryThatPays()
            throws CorruptParquetException
    {
        DictionaryMerger merger = new DictionaryMerger(LeafColumn.VARIABLE_WIDTH, 0, 100);
        merger.add(strings("a"), 10);
        // shared by many values
        assertThat(merger.add(strings("b", "c"), 1_000)).isInstanceOf(IndexMapping.Remap.class);
        // but never beyond the maximum
        assertThat(merger.add(strings("x".repeat(100)), 1_000_000)).isInstanceOf(IndexMapping.Gather.class);
    }

    @Test
    public void testMalformedDictionaries()
    {
        byte[] bytes = new byte[32];
        assertThatThrownBy(() -> InputDictionary.parse(bytes, 16, 5, LeafColumn.VARIABLE_WIDTH, "input"))
                .isInstanceOf(CorruptParquetException.class)
                .hasMessage("Parquet file input is corrupt: a dictionary of 16 bytes is said to have 5 entries");
        assertThatThrownBy(() -> InputDictionary.parse(bytes, 16, 3, 8, "input")).isInstanceOf(CorruptParquetException.class);
        bytes[0] = 13;
        assertThatThrownBy(() -> InputDictionary.parse(bytes, 16, 2, LeafColumn.VARIABLE_WIDTH, "input"))
                .isInstanceOf(CorruptParquetException.class)
                .hasMessage("Parquet file input is corrupt: entry 0 of 2 goes beyond the 16 bytes of its dictionary");
        bytes[3] = -1;
        assertThatThrownBy(() -> InputDictionary.parse(bytes, 16, 2, LeafColumn.VARIABLE_WIDTH, "input")).isInstanceOf(CorruptParquetException.class);
    }
}
