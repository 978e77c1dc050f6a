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
package org.lakesteward.planner.sort;

import org.lakesteward.planner.rewrite.DataFileInfo;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A live data file with what is known of its sort keys.
 *
 * @param keys ranks among the files of the same partition
 * @param sorted the file's rows are known to be in the requested order
 * @param run names the sort that wrote the file; files of one sort by the requested order have no key in common, whatever their bounds say
 */
public record KeyedFile(DataFileInfo info, KeyRange keys, boolean sorted, Optional<String> run)
{
    public KeyedFile
    {
        requireNonNull(info, "info is null");
        requireNonNull(keys, "keys is null");
        requireNonNull(run, "run is null");
    }
}
