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
package org.lakesteward.benchmarks;

import com.google.common.collect.ImmutableSet;

import java.util.Set;

/**
 * The live files of a table.
 *
 * @param deleteLocations files that hold deletes
 * @param deleteFiles how many delete files the table counts; deletion vectors that share a file count each
 */
public record TableFiles(Set<String> dataLocations, long dataBytes, Set<String> deleteLocations, long deleteFiles, long deleteBytes)
{
    public TableFiles
    {
        dataLocations = ImmutableSet.copyOf(dataLocations);
        deleteLocations = ImmutableSet.copyOf(deleteLocations);
    }

    public long dataFiles()
    {
        return dataLocations.size();
    }
}
