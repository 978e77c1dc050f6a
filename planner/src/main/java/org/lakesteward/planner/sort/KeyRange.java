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
package org.lakesteward.planner.sort;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Where the keys of a file lie among those of its partition, as ranks of its least and its greatest key in sort order.
 * Equal ranks say that the file has one key only.
 */
public record KeyRange(long first, long last)
{
    /** Nothing is known of the file's keys. */
    public static final KeyRange UNKNOWN = new KeyRange(Long.MIN_VALUE, Long.MAX_VALUE);

    public KeyRange
    {
        checkArgument(first <= last, "first %s is above last %s", first, last);
    }

    public boolean isSingleKey()
    {
        return first == last;
    }

    /**
     * Whether the ranges share more than one end. Files that only touch, where one ends with the key that the other begins with, barely overlap: a query for
     * a key reads one file more than it must, and a rewrite could not spare it more than that.
     */
    public boolean overlaps(KeyRange other)
    {
        return first <= other.first ? last > other.first : other.last > first;
    }
}
