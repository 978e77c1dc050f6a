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
package org.lakesteward.stitch;

import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

import java.io.ByteArrayOutputStream;

/**
 * A file in memory, for parquet-mr's writer.
 */
final class BytesOutputFile
        implements OutputFile
{
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    byte[] bytes()
    {
        return bytes.toByteArray();
    }

    @Override
    public PositionOutputStream create(long blockSizeHint)
    {
        return new PositionOutputStream()
        {
            @Override
            public long getPos()
            {
                return bytes.size();
            }

            @Override
            public void write(int value)
            {
                bytes.write(value);
            }

            @Override
            public void write(byte[] buffer, int offset, int length)
            {
                bytes.write(buffer, offset, length);
            }
        };
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint)
    {
        return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize()
    {
        return false;
    }

    @Override
    public long defaultBlockSize()
    {
        return 0;
    }
}
