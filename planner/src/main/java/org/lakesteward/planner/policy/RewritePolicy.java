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

import java.util.OptionalLong;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * How data files are rewritten. Properties {@code maintenance.rewrite.*}.
 *
 * @param strategy default {@link Strategy#BINPACK}
 * @param targetFileBytes size that files get, above 0; empty for the table's {@code write.target-file-size-bytes}
 * @param minInputFiles files of a partition that make a rewrite worth it; at least 2. Default 5
 */
public record RewritePolicy(Strategy strategy, OptionalLong targetFileBytes, int minInputFiles)
{
    public static final RewritePolicy DEFAULT = new RewritePolicy(Strategy.BINPACK, OptionalLong.empty(), 5);

    public RewritePolicy
    {
        requireNonNull(strategy, "strategy is null");
        requireNonNull(targetFileBytes, "targetFileBytes is null");
        checkArgument(targetFileBytes.isEmpty() || targetFileBytes.getAsLong() > 0, "targetFileBytes is %s: it must be above 0", targetFileBytes);
        checkArgument(minInputFiles >= 2, "minInputFiles is %s: it must be at least 2", minInputFiles);
    }

    /**
     * The strategies of {@code rewrite_data_files} that need no more than the table to be known.
     */
    public enum Strategy
    {
        BINPACK,
        /** In the table's own order. */
        SORT,
    }
}
