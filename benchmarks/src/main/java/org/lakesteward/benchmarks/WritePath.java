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

/**
 * How {@code rewrite_data_files} writes a file group.
 */
public enum WritePath
{
    /** Rows are decoded and encoded */
    ENCODE("groups_encoded", "groups_copied"),
    /** Row groups are copied byte for byte */
    COPY("groups_copied", "groups_encoded");

    private final String metric;
    private final String otherMetric;

    WritePath(String metric, String otherMetric)
    {
        this.metric = metric;
        this.otherMetric = otherMetric;
    }

    /** The row of the statement's result that counts groups written this way */
    String metric()
    {
        return metric;
    }

    /** The row that must be zero */
    String otherMetric()
    {
        return otherMetric;
    }
}
