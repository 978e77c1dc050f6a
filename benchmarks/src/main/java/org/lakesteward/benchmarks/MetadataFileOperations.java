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

import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

import java.util.UUID;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * A table that no catalog knows: a commit writes the next metadata file, which a catalog can then register. Not thread-safe.
 */
final class MetadataFileOperations
        implements TableOperations
{
    private final FileIO io;
    private TableMetadata current;
    private String location;

    MetadataFileOperations(FileIO io, String metadataLocation)
    {
        this.io = requireNonNull(io, "io is null");
        this.location = requireNonNull(metadataLocation, "metadataLocation is null");
        current = TableMetadataParser.read(io, metadataLocation);
    }

    /** Of the newest metadata file */
    String metadataLocation()
    {
        return location;
    }

    @Override
    public TableMetadata current()
    {
        return current;
    }

    @Override
    public TableMetadata refresh()
    {
        return current;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata)
    {
        checkState(base == current, "Only one writer may commit to a table without a catalog");
        // engines take the version of a metadata file from the number that its name begins with
        String next = metadataFileLocation("%05d-%s.metadata.json".formatted(current.previousFiles().size() + 1, UUID.randomUUID()));
        TableMetadataParser.write(metadata, io.newOutputFile(next));
        location = next;
        current = TableMetadataParser.read(io, next);
    }

    @Override
    public FileIO io()
    {
        return io;
    }

    @Override
    public String metadataFileLocation(String fileName)
    {
        return "%s/metadata/%s".formatted(current.location(), fileName);
    }

    @Override
    public LocationProvider locationProvider()
    {
        return LocationProviders.locationsFor(current.location(), current.properties());
    }
}
