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
package org.lakesteward.benchmarks;

import com.google.common.collect.ImmutableList;
import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestKeyRange
{
    @Test
    public void testOverlappingPairs()
    {
        assertThat(KeyRange.overlappingPairs(ImmutableList.of())).isZero();
        assertThat(KeyRange.overlappingPairs(ImmutableList.of(numbers(1, 5)))).isZero();
        assertThat(KeyRange.overlappingPairs(ImmutableList.of(numbers(10, 12), numbers(1, 5), numbers(6, 9)))).isZero();
        // one key in common is enough
        assertThat(KeyRange.overlappingPairs(ImmutableList.of(numbers(1, 5), numbers(5, 9), numbers(10, 12)))).isEqualTo(1);
        assertThat(KeyRange.overlappingPairs(ImmutableList.of(numbers(1, 100), numbers(5, 9), numbers(10, 12)))).isEqualTo(2);
        assertThat(KeyRange.overlappingPairs(ImmutableList.of(numbers(3, 3), numbers(3, 3), numbers(3, 3), numbers(3, 3)))).isEqualTo(6);
    }

    @Test
    public void testNumbersAreNotComparedAsText()
    {
        assertThat(numbers(9, 10).overlaps(numbers(11, 100))).isFalse();
        assertThat(numbers(-2, -1).overlaps(numbers(-10, -3))).isFalse();
        assertThat(KeyRange.parse("{\"k\": {\"lower_bound\": 1.5, \"upper_bound\": 2}}", "k").overlaps(numbers(2, 3))).isTrue();
    }

    @Test
    public void testText()
    {
        assertThat(text("ABE", "BOS").overlaps(text("BUF", "DFW"))).isFalse();
        assertThat(text("ABE", "BOS").overlaps(text("BOS", "BUF"))).isTrue();
        assertThat(text("1995-01-01", "1995-03-31").overlaps(text("1995-04-01", "1995-06-30"))).isFalse();
    }

    @Test
    public void testInvalid()
    {
        assertThatThrownBy(() -> KeyRange.parse("{\"k\": {\"lower_bound\": null, \"upper_bound\": null}}", "k"))
                .isInstanceOf(BenchmarkFailedException.class)
                .hasMessageStartingWith("A file has no bounds of column k: ");
        assertThatThrownBy(() -> KeyRange.parse("{}", "k"))
                .isInstanceOf(BenchmarkFailedException.class)
                .hasMessage("A file has no bounds of column k: {}");
        assertThatThrownBy(() -> KeyRange.parse("nothing", "k"))
                .isInstanceOf(BenchmarkFailedException.class)
                .hasMessage("The metrics of a file cannot be read: nothing");
        assertThatThrownBy(() -> numbers(2, 1)).hasMessage("lower is 2, it must not be above upper, which is 1");
        assertThatThrownBy(() -> numbers(1, 2).overlaps(text("A", "B"))).hasMessageContaining("they must be two numbers or two strings");
    }

    private static KeyRange numbers(long lower, long upper)
    {
        return KeyRange.parse("{\"k\": {\"lower_bound\": %s, \"upper_bound\": %s}, \"other\": {}}".formatted(lower, upper), "k");
    }

    private static KeyRange text(String lower, String upper)
    {
        return KeyRange.parse("{\"k\": {\"lower_bound\": \"%s\", \"upper_bound\": \"%s\"}}".formatted(lower, upper), "k");
    }
}
