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

import com.google.common.collect.ImmutableMap;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The benchmarks by name that compare Lakesteward with Trino alone, or with nothing.
 */
enum Benchmark
{
    REWRITE_SMALL(
            "rewrite-small",
            "many small files without deletes, decoded and encoded",
            new RewriteMeasurement(RewriteScenarios::smallFiles)),
    REWRITE_COPY(
            "rewrite-copy",
            "files of medium size, row groups copied byte for byte; also compared with cp",
            new RewriteMeasurement(RewriteScenarios::mediumFiles)),
    REWRITE_DELETES(
            "rewrite-deletes",
            "files with position deletes, deletion vectors and equality deletes, each by itself",
            new RewriteMeasurement(RewriteScenarios::filesWithDeletes)),
    TINY(
            "tiny",
            "300 kB in 5 files: what a rewrite costs before the first byte",
            new RewriteMeasurement(_ -> RewriteScenarios.tinyTable())),
    ZORDER(
            "zorder",
            "what selective queries of two columns read after binpack, sort and zorder",
            new ZOrderMeasurement()),
    ACCESS_CHECK(
            "access-check",
            "what a check of a write costs, outside and inside a maintenance window; starts no server",
            new AccessCheckMeasurement());

    private static final Map<String, Benchmark> BY_NAME = Arrays.stream(values())
            .collect(ImmutableMap.toImmutableMap(Benchmark::benchmarkName, benchmark -> benchmark));

    private final String benchmarkName;
    private final String description;
    private final Measurement measurement;

    Benchmark(String benchmarkName, String description, Measurement measurement)
    {
        this.benchmarkName = requireNonNull(benchmarkName, "benchmarkName is null");
        this.description = requireNonNull(description, "description is null");
        this.measurement = requireNonNull(measurement, "measurement is null");
    }

    static Optional<Benchmark> named(String name)
    {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    String benchmarkName()
    {
        return benchmarkName;
    }

    String description()
    {
        return description;
    }

    ResultLine measure(boolean quick, PrintStream out)
    {
        return measurement.measure(quick, out);
    }
}
