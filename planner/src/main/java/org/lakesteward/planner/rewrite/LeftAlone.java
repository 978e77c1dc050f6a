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
package org.lakesteward.planner.rewrite;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * All files that a plan leaves alone for one reason.
 *
 * @param partitions how many partitions have such a file
 * @param files how many files there are, at least 1
 * @param bytes their size
 */
public record LeftAlone(LeftAloneReason reason, int partitions, int files, long bytes)
{
    public LeftAlone
    {
        requireNonNull(reason, "reason is null");
        checkArgument(partitions >= 1 && files >= partitions, "%s files in %s partitions", files, partitions);
        checkArgument(bytes >= 0, "bytes is negative: %s", bytes);
    }
}
