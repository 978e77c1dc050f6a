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
package org.lakesteward.planner.health;

import java.util.OptionalLong;

/**
 * How many small files a rewrite would merge, from what was observed.
 */
public final class SmallFilesEstimate
{
    private SmallFilesEstimate() {}

    /**
     * From the manifests when they were read, else from the totals, which tell no more than a lower bound.
     *
     * @return empty when only the manifests tell, and they were not read
     */
    public static OptionalLong mergeable(TableObservation observation, HealthThresholds thresholds)
    {
        if (observation.currentSnapshot().isEmpty()) {
            return OptionalLong.of(0);
        }
        if (observation.details().isPresent()) {
            return OptionalLong.of(observation.details().get().rewriteSmallFiles());
        }
        return SmallFilesRule.certainSmallFiles(observation, thresholds);
    }
}
