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

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What the manifest list of the current snapshot says. Only manifests with live files count.
 *
 * @param dataManifests manifests of data files
 * @param dataManifestBytes their size
 * @param deleteManifests manifests of delete files
 * @param deleteManifestBytes their size
 * @param targetBytes size that a rewrite of manifests aims for ({@code commit.manifest.target-size-bytes}); above zero
 */
public record ManifestTotals(long dataManifests, long dataManifestBytes, long deleteManifests, long deleteManifestBytes, long targetBytes)
{
    public ManifestTotals
    {
        Checks.notNegative("dataManifests", dataManifests);
        Checks.notNegative("dataManifestBytes", dataManifestBytes);
        Checks.notNegative("deleteManifests", deleteManifests);
        Checks.notNegative("deleteManifestBytes", deleteManifestBytes);
        checkArgument(targetBytes > 0, "targetBytes is %s: it must be above 0", targetBytes);
    }
}
