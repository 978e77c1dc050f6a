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
package org.lakesteward.stitch.io;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * A file contradicts itself or the Parquet format.
 */
public final class CorruptParquetException
        extends IOException
{
    public CorruptParquetException(String file, String problem)
    {
        this(file, problem, null);
    }

    public CorruptParquetException(String file, String problem, Throwable cause)
    {
        super("Parquet file %s is corrupt: %s".formatted(requireNonNull(file, "file is null"), requireNonNull(problem, "problem is null")), cause);
    }
}
