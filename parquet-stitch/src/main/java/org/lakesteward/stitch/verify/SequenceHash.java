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
package org.lakesteward.stitch.verify;

/**
 * A hash of a sequence of numbers that depends on their order: a polynomial in an odd constant modulo 2^64. It does not depend
 * on how the sequence is cut into pages or runs, and a run of equal numbers takes a few steps, however long it is. Any one
 * changed number changes it; two that change places go unnoticed by chance once in 2^40 or more. Not safe for use by several
 * threads.
 */
final class SequenceHash
{
    // 3 modulo 4, so that differences of its powers have few factors of 2
    private static final long BASE = 0xD6E8FEB86659FD93L;
    private static final int SHORT_RUN = 8;

    private long hash;

    void add(long value)
    {
        hash = hash * BASE + value;
    }

    void addRun(long value, long count)
    {
        if (count <= SHORT_RUN) {
            for (long index = 0; index < count; index++) {
                add(value);
            }
            return;
        }
        // BASE^count, and the sum of the powers below it, by doubling
        long power = 1;
        long sum = 0;
        long stepPower = BASE;
        long stepSum = 1;
        for (long left = count; left > 0; left >>>= 1) {
            if ((left & 1) != 0) {
                sum = sum * stepPower + stepSum;
                power *= stepPower;
            }
            stepSum = stepSum * stepPower + stepSum;
            stepPower *= stepPower;
        }
        hash = hash * power + value * sum;
    }

    long value()
    {
        return hash;
    }

    /** Spreads a number over all bits (the finalizer of MurmurHash3). */
    static long mix(long value)
    {
        long mixed = value;
        mixed ^= mixed >>> 33;
        mixed *= 0xFF51AFD7ED558CCDL;
        mixed ^= mixed >>> 33;
        mixed *= 0xC4CEB9FE1A85EC53L;
        return mixed ^ mixed >>> 33;
    }
}
