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

import org.apache.iceberg.Files;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;

import static java.util.Objects.requireNonNull;

/**
 * Lets Iceberg's library read and write the lake by the locations that Trino knows. Thread-safe.
 */
final class WarehouseFileIo
        implements FileIO
{
    private final transient Warehouse warehouse;

    WarehouseFileIo(Warehouse warehouse)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
    }

    @Override
    public InputFile newInputFile(String location)
    {
        InputFile file = Files.localInput(warehouse.file(location).toFile());
        return new InputFile()
        {
            @Override
            public long getLength()
            {
                return file.getLength();
            }

            @Override
            public SeekableInputStream newStream()
            {
                return file.newStream();
            }

            @Override
            public String location()
            {
                return location;
            }

            @Override
            public boolean exists()
            {
                return file.exists();
            }
        };
    }

    @Override
    public OutputFile newOutputFile(String location)
    {
        OutputFile file = Files.localOutput(warehouse.file(location).toFile());
        return new OutputFile()
        {
            @Override
            public PositionOutputStream create()
            {
                return file.create();
            }

            @Override
            public PositionOutputStream createOrOverwrite()
            {
                return file.createOrOverwrite();
            }

            @Override
            public String location()
            {
                return location;
            }

            @Override
            public InputFile toInputFile()
            {
                return newInputFile(location);
            }
        };
    }

    @Override
    public void deleteFile(String location)
    {
        warehouse.delete(location);
    }
}
