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

import com.google.common.primitives.ImmutableLongArray;

import java.util.Arrays;

/**
 * When a debt was seen, thinned so that it stays small and yet does not depend on the order in which the times came in.
 * <p>
 * A full answer to "since when, if the debt turns out to have been gone at some moment" would need every time at which it was seen, because the news of
 * that moment may come late. Kept are, on each of {@link #LEVELS} levels, the earliest time in each of the {@link #BUCKETS} newest buckets that hold one;
 * buckets are aligned spans of 15 minutes on the lowest level, and twice as long on each next one (so 21 days on the highest). What is kept of a union depends
 * on nothing but the union: the newest buckets of a union are among the newest of its parts, and the earliest time of a bucket is the earliest of its parts.
 * So adding times is commutative, associative and idempotent.
 * <p>
 * The price: when a debt began, ended and began again within one bucket, the second beginning may be known only from a later bucket, that is, too late by less than
 * three quarters of the true wait. A debt that did not end within the bucket in which it began is dated exactly, up to the span of the highest level.
 */
final class OwedTimes
{
    static final int LEVELS = 12;
    static final int BUCKETS = 2;
    private static final long SHORTEST_BUCKET = 15 * 60 * 1_000L;

    private OwedTimes() {}

    /**
     * @param one kept times in rising order
     * @param other the same
     * @return kept times of both, in rising order
     */
    static ImmutableLongArray union(ImmutableLongArray one, ImmutableLongArray other)
    {
        if (other.isEmpty() || one.equals(other)) {
            return one;
        }
        if (one.isEmpty()) {
            return other;
        }
        long[] times = new long[one.length() + other.length()];
        for (int index = 0; index < one.length(); index++) {
            times[index] = one.get(index);
        }
        for (int index = 0; index < other.length(); index++) {
            times[one.length() + index] = other.get(index);
        }
        Arrays.sort(times);
        return thinned(times);
    }

    private static ImmutableLongArray thinned(long[] times)
    {
        boolean[] kept = new boolean[times.length];
        for (int level = 0; level < LEVELS; level++) {
            long span = SHORTEST_BUCKET << level;
            int buckets = 0;
            int index = times.length - 1;
            while (index >= 0 && buckets < BUCKETS) {
                long bucket = Math.floorDiv(times[index], span);
                while (index > 0 && Math.floorDiv(times[index - 1], span) == bucket) {
                    index--;
                }
                kept[index] = true;
                buckets++;
                index--;
            }
        }
        ImmutableLongArray.Builder result = ImmutableLongArray.builder(times.length);
        for (int index = 0; index < times.length; index++) {
            if (kept[index] && (index == 0 || times[index] != times[index - 1])) {
                result.add(times[index]);
            }
        }
        return result.build().trimmed();
    }
}
