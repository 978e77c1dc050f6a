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
package org.lakesteward.planner.policy;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * When manifests are rewritten. Properties {@code maintenance.manifests.*}.
 *
 * @param minCount manifests of a snapshot that make a rewrite worth it; at least 2. Default 100, as Iceberg's {@code commit.manifest.min-count-to-merge}
 */
public record ManifestPolicy(int minCount)
{
    public static final ManifestPolicy DEFAULT = new ManifestPolicy(100);

    public ManifestPolicy
    {
        checkArgument(minCount >= 2, "minCount is %s: it must be at least 2", minCount);
    }
}
