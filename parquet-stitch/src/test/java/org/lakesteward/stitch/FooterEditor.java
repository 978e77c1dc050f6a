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

import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/**
 * Replaces the footer of a file.
 */
final class FooterEditor
{
    private FooterEditor() {}

    static byte[] edit(byte[] file, Consumer<FileMetaData> change)
            throws IOException
    {
        ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int length = buffer.getInt(file.length - 8);
        int start = file.length - 8 - length;
        FileMetaData metadata = Util.readFileMetaData(new ByteArrayInputStream(file, start, length));
        change.accept(metadata);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        output.write(file, 0, start);
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata, footer);
        footer.writeTo(output);
        output.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.size()).array());
        output.write(file, file.length - 4, 4);
        return output.toByteArray();
    }

    static byte[] editColumn(byte[] file, int column, Consumer<ColumnMetaData> change)
            throws IOException
    {
        return edit(file, metadata -> change.accept(metadata.getRow_groups().getFirst().getColumns().get(column).getMeta_data()));
    }
}
