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

import io.trino.spi.StandardErrorCode;
import io.trino.spi.TrinoException;
import org.openjdk.jmh.annotations.Benchmark;
import org.testng.annotations.Test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lakesteward.access.AccessErrorCode.CLUSTER_IN_MAINTENANCE;

/**
 * That each method measures what its name says.
 */
public class TestAccessCheckBenchmark
{
    private final AccessCheckBenchmark benchmark = new AccessCheckBenchmark();

    @Test
    public void testCasesNameEveryMethod()
    {
        Set<String> methods = Arrays.stream(AccessCheckBenchmark.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(AccessCheckMeasurement.methods()).isEqualTo(methods);
    }

    @Test
    public void testWithoutWindow()
    {
        AccessCheckBenchmark.Others others = new AccessCheckBenchmark.Others();
        benchmark.allowAll(others);
        assertThat(benchmark.denied(others)).isInstanceOfSatisfying(TrinoException.class, refusal ->
                assertThat(refusal.getErrorCode()).isEqualTo(StandardErrorCode.PERMISSION_DENIED.toErrorCode()));
        AccessCheckBenchmark.NoWindow noWindow = new AccessCheckBenchmark.NoWindow();
        noWindow.setUp();
        benchmark.open(noWindow);
        benchmark.statement(noWindow);
    }

    @Test
    public void testOutsideAndInside()
    {
        for (int windows : new int[] {1, 100}) {
            for (boolean withEnd : new boolean[] {false, true}) {
                AccessCheckBenchmark.Outside outside = new AccessCheckBenchmark.Outside();
                outside.windows = windows;
                outside.withEnd = withEnd;
                outside.setUp();
                benchmark.outside(outside);
            }
            AccessCheckBenchmark.Inside inside = new AccessCheckBenchmark.Inside();
            inside.windows = windows;
            inside.setUp();
            assertThat(benchmark.refused(inside)).isInstanceOfSatisfying(TrinoException.class, refusal ->
                    assertThat(refusal.getErrorCode()).isEqualTo(CLUSTER_IN_MAINTENANCE.toErrorCode()));
            assertThat(benchmark.functionOfRead(inside)).isTrue();
        }
    }
}
