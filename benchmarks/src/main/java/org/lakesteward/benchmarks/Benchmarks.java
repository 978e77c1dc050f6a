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
import org.lakesteward.testing.server.ServerStartException;
import org.lakesteward.testing.server.StatementFailedException;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * {@code ./lakesteward bench NAME [--quick]}: exit code 0 if all went well, 1 if a run failed or changed rows, 2 if it was
 * called wrongly. The last line of the output is a JSON object of numbers.
 */
public final class Benchmarks
{
    /** Held, because the log manager forgets a logger and its level otherwise. */
    private static final Logger ICEBERG_LOGGER = Logger.getLogger("org.apache.iceberg");

    private Benchmarks() {}

    static void main(String[] arguments)
    {
        // its commit reports would stand between the lines of a run
        ICEBERG_LOGGER.setLevel(Level.WARNING);
        System.exit(run(ImmutableList.copyOf(arguments), System.out, System.err));
    }

    private static int run(List<String> arguments, PrintStream out, PrintStream err)
    {
        try {
            BenchmarkOptions options = BenchmarkOptions.parse(arguments);
            ResultLine line = options.benchmark().measure(options.quick(), out);
            out.println(line.toJson());
            return 0;
        }
        catch (MisuseException e) {
            err.printf("lakesteward: %s%n", e.getMessage());
            return 2;
        }
        catch (BenchmarkFailedException | ServerStartException | StatementFailedException | UncheckedIOException e) {
            out.flush();
            err.printf("%nlakesteward: the benchmark failed: %s%n", e.getMessage());
            return 1;
        }
    }
}
