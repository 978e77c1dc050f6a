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

import com.google.common.base.Joiner;
import com.google.common.base.Strings;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * What the command line asks for.
 *
 * @param quick smaller inputs, so that the benchmark ends within minutes on two cores
 */
record BenchmarkOptions(Benchmark benchmark, boolean quick)
{
    private static final String QUICK = "--quick";

    BenchmarkOptions
    {
        requireNonNull(benchmark, "benchmark is null");
    }

    /**
     * @throws MisuseException if there is not exactly one known name, or an option other than {@code --quick}
     */
    static BenchmarkOptions parse(List<String> arguments)
    {
        Optional<Benchmark> benchmark = Optional.empty();
        boolean quick = false;
        for (String argument : arguments) {
            if (argument.equals(QUICK)) {
                quick = true;
            }
            else if (argument.startsWith("-")) {
                throw new MisuseException("unknown option of bench: %s; the only one is %s".formatted(argument, QUICK));
            }
            else if (benchmark.isPresent()) {
                throw new MisuseException("bench runs one benchmark at a time, found %s and %s".formatted(benchmark.get().benchmarkName(), argument));
            }
            else {
                benchmark = Optional.of(Benchmark.named(argument)
                        .orElseThrow(() -> new MisuseException("unknown benchmark: %s; known are\n%s".formatted(argument, known()))));
            }
        }
        return new BenchmarkOptions(
                benchmark.orElseThrow(() -> new MisuseException("bench needs the name of a benchmark; known are\n" + known())),
                quick);
    }

    private static String known()
    {
        return Joiner.on('\n').join(Stream.concat(
                        Arrays.stream(Benchmark.values()).map(benchmark -> known(benchmark.benchmarkName(), benchmark.description())),
                        Stream.of(
                                known("sort", "a table with an order, sorted by us, by optimize and by Spark"),
                                known("peers", "the inputs of all the others that rewrite, rewritten by Spark too")))
                .iterator());
    }

    private static String known(String name, String description)
    {
        return "  %s  %s".formatted(Strings.padEnd(name, 16, ' '), description);
    }

    static final class MisuseException
            extends RuntimeException
    {
        MisuseException(String message)
        {
            super(message);
        }
    }
}
