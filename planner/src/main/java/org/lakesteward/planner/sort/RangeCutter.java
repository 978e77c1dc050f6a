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

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Cuts sorted keys into consecutive ranges of like weight. A pure function.
 * <p>
 * With total weight {@code W} and {@code n} ranges wanted, a share is {@code s = W / n}. A key that alone weighs a share or more gets a range of its own,
 * because a key is never divided. What lies between such keys, of weight {@code v}, is cut into {@code max(1, round(v / s))} ranges, each at the boundary
 * between two keys that lies nearest to its end. Hence exactly {@code n} ranges where no key stands out and keys are many, fewer where there are not enough keys,
 * and never more than {@code 2n + 1}.
 */
public final class RangeCutter
{
    private RangeCutter() {}

    /**
     * @param weights of the distinct keys in sort order, each above 0
     * @param ranges how many are wanted, at least 1
     * @return the indexes of the keys that begin a range other than the first, ascending, all of them above 0
     */
    public static List<Integer> cut(double[] weights, int ranges)
    {
        checkArgument(ranges >= 1, "ranges is below 1: %s", ranges);
        double total = 0;
        for (double weight : weights) {
            checkArgument(weight > 0, "weight is not positive: %s", weight);
            total += weight;
        }
        if (ranges == 1 || weights.length < 2) {
            return ImmutableList.of();
        }
        double share = total / ranges;
        // sums of equal weights must not turn into heavy keys by rounding
        double heavy = share * (1 + 1e-9);
        ImmutableList.Builder<Integer> cuts = ImmutableList.builder();
        int from = 0;
        for (int index = 0; index <= weights.length; index++) {
            if (index < weights.length && weights[index] < heavy) {
                continue;
            }
            if (index > from) {
                if (from > 0) {
                    cuts.add(from);
                }
                cutBetween(weights, from, index, share, cuts);
            }
            if (index < weights.length && index > 0) {
                cuts.add(index);
            }
            from = index + 1;
        }
        return cuts.build();
    }

    private static void cutBetween(double[] weights, int from, int to, double share, ImmutableList.Builder<Integer> cuts)
    {
        double total = 0;
        for (int index = from; index < to; index++) {
            total += weights[index];
        }
        long parts = Math.max(1, Math.round(total / share));
        double part = total / parts;
        double before = 0;
        long made = 0;
        int last = from;
        for (int index = from; index < to && made < parts - 1; index++) {
            double after = before + weights[index];
            // each end that lies within this key's weight is moved to the nearer side of the key
            while (made < parts - 1 && (made + 1) * part <= after) {
                made++;
                int cut = made * part - before < after - made * part ? index : index + 1;
                if (cut > last && cut < to) {
                    cuts.add(cut);
                    last = cut;
                }
            }
            before = after;
        }
    }
}
