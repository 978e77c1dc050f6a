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
package org.lakesteward.planner.demand;

import org.lakesteward.planner.health.TableName;

import java.util.Comparator;

import static java.util.Objects.requireNonNull;

/**
 * Where a table was last known to be. Of two sightings the later one counts, and of two at one time the one that says that the table is gone.
 *
 * @param name the table's name
 * @param millis when, milliseconds since 1970, by the observer's clock
 * @param dropped whether the table was gone
 */
public record Sighting(TableName name, long millis, boolean dropped)
{
    static final Comparator<Sighting> OLDEST_FIRST = Comparator.comparingLong(Sighting::millis)
            .thenComparing(Sighting::dropped)
            .thenComparing(Sighting::name, TableNames.ALPHABETICAL);

    public Sighting
    {
        requireNonNull(name, "name is null");
    }
}
