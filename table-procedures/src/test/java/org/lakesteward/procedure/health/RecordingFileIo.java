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
package org.lakesteward.procedure.health;

import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.util.Objects.requireNonNull;

/**
 * Remembers which files were read.
 */
final class RecordingFileIo
        implements FileIO
{
    private final FileIO delegate;
    private final List<String> reads = new CopyOnWriteArrayList<>();

    RecordingFileIo(FileIO delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    List<String> reads()
    {
        return List.copyOf(reads);
    }

    @Override
    public OutputFile newOutputFile(String location)
    {
        return delegate.newOutputFile(location);
    }

    @Override
    public void deleteFile(String location)
    {
        delegate.deleteFile(location);
    }

    @Override
    public InputFile newInputFile(String location)
    {
        InputFile file = delegate.newInputFile(location);
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
                reads.add(location);
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
}
