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

import com.google.common.collect.ImmutableList;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Turns bounds of the columns of a sort key into ranges of the whole key. A pure function.
 * <p>
 * Bounds belong to columns, keys are compared column by column. As long as a column has one value in the whole file, the next one tells files apart. The first
 * column with several values ends it: between its least and its greatest value nothing is known of the columns after it. A file that ends where another begins
 * in that column therefore counts as one that touches it.
 */
public final class KeyRanges
{
    private static final Comparator<Endpoint> ORDER = Endpoint::compare;

    private KeyRanges() {}

    /**
     * @param files for each file one range for each column of the key, of ranks within the column
     * @return a range for each file, of ranks of the whole key among these files
     */
    public static List<KeyRange> ofColumns(List<List<KeyRange>> files)
    {
        TreeSet<Endpoint> endpoints = new TreeSet<>(ORDER);
        for (List<KeyRange> columns : files) {
            checkArgument(!columns.isEmpty(), "key without columns");
            endpoints.add(endpoint(columns, true));
            endpoints.add(endpoint(columns, false));
        }
        TreeMap<Endpoint, Long> ranks = new TreeMap<>(ORDER);
        long rank = 0;
        for (Endpoint endpoint : endpoints) {
            ranks.put(endpoint, rank);
            rank++;
        }
        return files.stream()
                .map(columns -> new KeyRange(ranks.get(endpoint(columns, true)), ranks.get(endpoint(columns, false))))
                .collect(ImmutableList.toImmutableList());
    }

    private static Endpoint endpoint(List<KeyRange> columns, boolean lower)
    {
        ImmutableList.Builder<Long> values = ImmutableList.builder();
        for (KeyRange column : columns) {
            values.add(lower ? column.first() : column.last());
            if (!column.isSingleKey()) {
                return new Endpoint(values.build(), lower ? 1 : -1);
            }
        }
        return new Endpoint(values.build(), 0);
    }

    /**
     * @param side 1 right after all keys that begin with the values, -1 right before them, 0 the key of these values itself
     */
    private record Endpoint(List<Long> values, int side)
    {
        static int compare(Endpoint left, Endpoint right)
        {
            int common = Math.min(left.values.size(), right.values.size());
            for (int column = 0; column < common; column++) {
                int result = left.values.get(column).compareTo(right.values.get(column));
                if (result != 0) {
                    return result;
                }
            }
            if (left.values.size() == right.values.size()) {
                return Integer.compare(left.side, right.side);
            }
            // the shorter one lies before or after all keys that begin with its values, the longer one among them
            return left.values.size() < right.values.size() ? left.side : -right.side;
        }
    }
}
