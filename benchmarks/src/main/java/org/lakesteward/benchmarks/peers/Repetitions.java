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
package org.lakesteward.benchmarks.peers;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How often things are measured.
 *
 * @param warmUps rewrites of each engine that are not measured, for each scenario
 * @param measured rewrites of each engine that are
 * @param reads measured runs of each query on each table, after one that is not
 */
record Repetitions(int warmUps, int measured, int reads)
{
    Repetitions
    {
        checkArgument(warmUps >= 1, "warmUps is %s, it must be at least 1", warmUps);
        checkArgument(measured >= 1, "measured is %s, it must be at least 1", measured);
        checkArgument(reads >= 1, "reads is %s, it must be at least 1", reads);
    }
}
