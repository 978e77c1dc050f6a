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

import java.util.Optional;

/**
 * How {@code rewrite_data_files} writes a file group.
 */
public enum WritePath
{
    /** Rows are decoded and encoded */
    ENCODE("groups_encoded", Optional.of("groups_copied")),
    /** Row groups are copied byte for byte */
    COPY("groups_copied", Optional.of("groups_encoded")),
    /** Rows are decoded, sorted and encoded */
    SORT("groups_sorted", Optional.empty());

    private final String metric;
    private final Optional<String> otherMetric;

    WritePath(String metric, Optional<String> otherMetric)
    {
        this.metric = metric;
        this.otherMetric = otherMetric;
    }

    /** The row of the statement's result that counts groups written this way */
    String metric()
    {
        return metric;
    }

    /** The row that must be zero, if there is one */
    Optional<String> otherMetric()
    {
        return otherMetric;
    }
}
