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
import org.lakesteward.benchmarks.BenchmarkOptions.MisuseException;
import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

public class TestBenchmarkOptions
{
    @Test
    public void testNames()
    {
        for (Benchmark benchmark : Benchmark.values()) {
            assertThat(parse(benchmark.benchmarkName())).isEqualTo(new BenchmarkOptions(benchmark, false));
            assertThat(parse(benchmark.benchmarkName(), "--quick")).isEqualTo(new BenchmarkOptions(benchmark, true));
            assertThat(parse("--quick", benchmark.benchmarkName())).isEqualTo(new BenchmarkOptions(benchmark, true));
        }
    }

    @Test
    public void testMisuse()
    {
        assertThatThrownBy(() -> parse("rewrite"))
                .isInstanceOf(MisuseException.class)
                .hasMessageStartingWith("unknown benchmark: rewrite; known are\n")
                .hasMessageContainingAll("rewrite-small", "rewrite-copy", "rewrite-deletes", "tiny", "access-check");
        assertThatThrownBy(() -> parse())
                .isInstanceOf(MisuseException.class)
                .hasMessageStartingWith("bench needs the name of a benchmark; known are\n")
                .hasMessageContaining("rewrite-small");
        assertThatThrownBy(() -> parse("tiny", "--slow"))
                .isInstanceOf(MisuseException.class)
                .hasMessage("unknown option of bench: --slow; the only one is --quick");
        assertThatThrownBy(() -> parse("tiny", "rewrite-copy"))
                .isInstanceOf(MisuseException.class)
                .hasMessage("bench runs one benchmark at a time, found tiny and rewrite-copy");
    }

    private static BenchmarkOptions parse(String... arguments)
    {
        return BenchmarkOptions.parse(ImmutableList.copyOf(arguments));
    }
}
