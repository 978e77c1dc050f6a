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

import com.fasterxml.jackson.annotation.JsonProperty;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What workers must know of a sort.
 *
 * @param routeChannel where among the columns that reach a writer the route stands
 * @param bufferSize bytes that the writer of a range sorts in memory before it spills
 */
public record SortTask(
        @JsonProperty("request") SortRequest request,
        @JsonProperty("routeChannel") int routeChannel,
        @JsonProperty("bufferSize") long bufferSize)
{
    public SortTask
    {
        requireNonNull(request, "request is null");
        checkArgument(routeChannel >= 0, "routeChannel is negative: %s", routeChannel);
        checkArgument(bufferSize > 0, "bufferSize is not positive: %s", bufferSize);
    }

    SortTask withBufferSize(long bufferSize)
    {
        return new SortTask(request, routeChannel, bufferSize);
    }
}
