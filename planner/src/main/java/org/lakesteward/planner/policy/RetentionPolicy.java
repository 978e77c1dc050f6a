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
package org.lakesteward.planner.policy;

import java.time.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Which rows go by their age. Properties {@code maintenance.retention.*}.
 *
 * @param column a date or timestamp column, by its name; not empty
 * @param maxAge rows with an older value go; at least 1 day
 * @param rowDeletes whether rows may be deleted one by one where the age does not select whole partitions. Default false
 */
public record RetentionPolicy(String column, Duration maxAge, boolean rowDeletes)
{
    public RetentionPolicy
    {
        requireNonNull(column, "column is null");
        requireNonNull(maxAge, "maxAge is null");
        checkArgument(!column.isEmpty(), "column is empty");
        checkArgument(maxAge.compareTo(Duration.ofDays(1)) >= 0, "maxAge is %s: it must be at least 1 day", maxAge);
    }
}
