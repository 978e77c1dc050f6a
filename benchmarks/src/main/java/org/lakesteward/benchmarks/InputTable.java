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

import static java.util.Objects.requireNonNull;

/**
 * An input as it lies in the lake. Every copy is another table of the same metadata file, so that all runs begin with the same bytes.
 *
 * @param metadataLocation the metadata file to register copies from
 * @param fileLocations all live data and delete files
 * @param rows live rows
 * @param checksum of the live rows, whatever their order
 */
public record InputTable(
        String metadataLocation,
        Set<String> fileLocations,
        long dataFiles,
        long dataBytes,
        long deleteFiles,
        long deleteBytes,
        long rows,
        String checksum)
{
    public InputTable
    {
        requireNonNull(metadataLocation, "metadataLocation is null");
        fileLocations = ImmutableSet.copyOf(fileLocations);
        requireNonNull(checksum, "checksum is null");
    }

    String metadataFileName()
    {
        return metadataLocation.substring(metadataLocation.lastIndexOf('/') + 1);
    }

    String tableLocation()
    {
        return metadataLocation.substring(0, metadataLocation.lastIndexOf("/metadata/"));
    }
}
