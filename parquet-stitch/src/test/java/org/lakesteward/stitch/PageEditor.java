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
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.BiFunction;

/**
 * Replaces a page of the only column of a file that has one row group.
 */
final class PageEditor
{
    private PageEditor() {}

    /**
     * @param number of the page, from 0, the dictionary page included
     * @param change gets the header and the body as it lies in the file, and returns another body; the header is written as it
     *         is then, except that its compressed size follows the body
     */
    static byte[] edit(byte[] file, int number, BiFunction<PageHeader, byte[], byte[]> change)
            throws IOException
    {
        int footerLength = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
        FileMetaData metadata = Util.readFileMetaData(new ByteArrayInputStream(file, file.length - 8 - footerLength, footerLength));
        ColumnMetaData column = metadata.getRow_groups().getFirst().getColumns().getFirst().getMeta_data();
        int position = (int) (column.isSetDictionary_page_offset() ? column.getDictionary_page_offset() : column.getData_page_offset());
        int end = (int) (position + column.getTotal_compressed_size());
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        output.write(file, 0, position);
        for (int page = 0; position < end; page++) {
            ByteArrayInputStream stream = new ByteArrayInputStream(file, position, end - position);
            PageHeader header = Util.readPageHeader(stream);
            int bodyStart = end - stream.available();
            int bodyEnd = bodyStart + header.getCompressed_page_size();
            byte[] body = Arrays.copyOfRange(file, bodyStart, bodyEnd);
            if (page == number) {
                header.unsetCrc();
                body = change.apply(header, body);
                header.setCompressed_page_size(body.length);
                Util.writePageHeader(header, output);
                output.write(body);
            }
            else {
                output.write(file, position, bodyEnd - position);
            }
            position = bodyEnd;
        }
        long growth = output.size() - end;
        column.setTotal_compressed_size(column.getTotal_compressed_size() + growth);
        if (number == 0 && column.isSetDictionary_page_offset()) {
            column.setData_page_offset(column.getData_page_offset() + growth);
        }
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata, footer);
        footer.writeTo(output);
        output.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.size()).array());
        output.write(file, file.length - 4, 4);
        return output.toByteArray();
    }
}
