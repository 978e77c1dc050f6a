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
package org.lakesteward.testing.demo;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Where a feed's records come from.
 *
 * @param relation what stands after FROM in a statement that reads them
 * @param columns their columns
 * @param rows their number
 */
record Source(String relation, List<Column> columns, long rows)
{
    Source
    {
        requireNonNull(relation, "relation is null");
        columns = ImmutableList.copyOf(columns);
    }

    Optional<Column> time()
    {
        return columns.stream()
                .filter(Column::isTime)
                .findFirst();
    }
}
