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
package org.lakesteward.benchmarks.peers;

import org.lakesteward.benchmarks.InputSize;
import org.lakesteward.benchmarks.RewriteScenarios;
import org.lakesteward.benchmarks.Scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * What the command line asks for.
 *
 * @param name {@code peers} for all scenarios, {@code sort} for larger ones of tables with an order, or {@code peers-} and a scenario's name
 */
record PeersOptions(String name, boolean quick)
{
    private static final String ALL = "peers";
    private static final String SORT = "sort";
    /** Beside the project's folder */
    private static final String FLIGHTS = "../shared/data/flights-3m.parquet";
    private static final String QUICK = "--quick";

    PeersOptions
    {
        requireNonNull(name, "name is null");
    }

    /**
     * @throws IllegalArgumentException if there is not exactly one known name, or an option other than {@code --quick}
     */
    static PeersOptions parse(List<String> arguments)
    {
        Optional<String> name = Optional.empty();
        boolean quick = false;
        for (String argument : arguments) {
            if (argument.equals(QUICK)) {
                quick = true;
            }
            else if (argument.startsWith("-")) {
                throw new IllegalArgumentException("unknown option of bench: %s; the only one is %s".formatted(argument, QUICK));
            }
            else if (name.isPresent()) {
                throw new IllegalArgumentException("bench runs one benchmark at a time, found %s and %s".formatted(name.get(), argument));
            }
            else if (!names().contains(argument)) {
                throw new IllegalArgumentException("unknown benchmark: %s; known are %s".formatted(argument, String.join(", ", names())));
            }
            else {
                name = Optional.of(argument);
            }
        }
        return new PeersOptions(name.orElseThrow(() -> new IllegalArgumentException("bench needs the name of a benchmark; known are " + String.join(", ", names()))), quick);
    }

    static List<String> names()
    {
        return Stream.concat(Stream.of(ALL, SORT), all(true, Path.of("")).map(PeersOptions::name).distinct()).toList();
    }

    /**
     * @param project the project's folder
     */
    List<Scenario> scenarios(Path project)
    {
        if (name.equals(SORT)) {
            // large enough for optimize to write several files, which those of the other jobs need not be
            List<Scenario> sorts = RewriteScenarios.sortedTables(InputSize.MEDIUM, project.resolve(FLIGHTS));
            return quick ? sorts.subList(0, 1) : sorts;
        }
        return all(quick, project)
                .filter(scenario -> name.equals(ALL) || name.equals(name(scenario)))
                .toList();
    }

    /** Every job that our procedure does, each on its own input */
    private static Stream<Scenario> all(boolean quick, Path project)
    {
        InputSize size = quick ? InputSize.SMALL : InputSize.MEDIUM;
        return Stream.of(
                        RewriteScenarios.smallFiles(size),
                        RewriteScenarios.mediumFiles(size),
                        RewriteScenarios.filesWithDeletes(size),
                        RewriteScenarios.tinyTable(),
                        RewriteScenarios.sortedTables(size, project.resolve(FLIGHTS)))
                .flatMap(List::stream);
    }

    private static String name(Scenario scenario)
    {
        if (scenario.sortedBy().isPresent()) {
            return ALL + "-" + SORT;
        }
        return ALL + "-" + scenario.name().replace('_', '-');
    }

    Repetitions repetitions()
    {
        if (!quick) {
            return new Repetitions(2, 5, 5);
        }
        return name.equals(ALL) ? new Repetitions(1, 2, 1) : new Repetitions(2, 3, 3);
    }

    /** What to type to get these figures again */
    String command()
    {
        return command(name);
    }

    /** What to type to get the figures of one scenario again */
    String command(Scenario scenario)
    {
        return name.equals(SORT) ? command() : command(name(scenario));
    }

    private String command(String benchmark)
    {
        return "./lakesteward bench %s%s".formatted(benchmark, quick ? " " + QUICK : "");
    }

    /** Name of the files with the results, without its end */
    String fileName()
    {
        return quick ? name + "-quick" : name;
    }
}
