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
package org.lakesteward.procedure.copy;

import io.trino.filesystem.Location;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * A Parquet file may be well formed, but its footer cannot be read here: it is encrypted or larger than the limit.
 */
public final class UnsupportedParquetException
        extends IOException
{
    private final Location location;
    private final CopyObstacle.Reason reason;

    public UnsupportedParquetException(Location location, CopyObstacle.Reason reason, String problem)
    {
        super("Parquet file %s cannot be copied: %s".formatted(requireNonNull(location, "location is null"), requireNonNull(problem, "problem is null")));
        this.location = location;
        this.reason = requireNonNull(reason, "reason is null");
    }

    /**
     * @return the file that the message is about
     */
    public Location location()
    {
        return location;
    }

    /**
     * @return the closed form of the message
     */
    public CopyObstacle.Reason reason()
    {
        return reason;
    }
}
