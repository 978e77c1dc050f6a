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

import java.util.Collection;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Of repeated measurements.
 */
public final class Median
{
    private Median() {}

    /**
     * The value in the middle, or the mean of both values in the middle.
     *
     * @throws IllegalArgumentException if there are no values
     */
    public static double of(Collection<? extends Number> values)
    {
        checkArgument(!values.isEmpty(), "values is empty, it must have at least one");
        double[] sorted = values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
