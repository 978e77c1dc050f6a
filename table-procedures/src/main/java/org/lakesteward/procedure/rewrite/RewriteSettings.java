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
package org.lakesteward.procedure.rewrite;

import org.lakesteward.planner.rewrite.RewriteOptions;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The checked arguments of one rewrite_data_files statement.
 */
public record RewriteSettings(
        RewriteOptions options,
        Optional<SortRequest> sort,
        boolean removeDanglingDeletes,
        ConflictAction onConflict,
        boolean dryRun)
{
    public RewriteSettings
    {
        requireNonNull(options, "options is null");
        requireNonNull(sort, "sort is null");
        requireNonNull(onConflict, "onConflict is null");
    }

    RewriteStrategy strategy()
    {
        return sort.map(SortRequest::strategy).orElse(RewriteStrategy.BINPACK);
    }
}
