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
 * A Parquet file breaks the format: its footer, page index or Bloom filter says something that cannot be true of the file.
 * Nothing was copied from the structure that the message names.
 */
public final class CorruptParquetException
        extends IOException
{
    private final Location location;

    public CorruptParquetException(Location location, String problem)
    {
        this(location, problem, null);
    }

    public CorruptParquetException(Location location, String problem, Throwable cause)
    {
        super("Parquet file %s is corrupt: %s".formatted(requireNonNull(location, "location is null"), requireNonNull(problem, "problem is null")), cause);
        this.location = location;
    }

    /**
     * @return the file that the message is about
     */
    public Location location()
    {
        return location;
    }
}
