
package org.lakesteward.procedure.copy;

import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Makes files that no writer at hand writes, by giving existing ones another footer.
 */
final class FooterEditor
{
    private FooterEditor() {}

    static FileMetaData read(byte[] file)
            throws IOException
    {
        int length = footerLength(file);
        return Util.readFileMetaData(new ByteArrayInputStream(file, file.length - 8 - length, length));
    }

    private static int footerLength(byte[] file)
    {
        return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    }

    static byte[] edit(byte[] file, Consumer<FileMetaData> edit)
            throws IOException
    {
        FileMetaData metadata = read(file);
        edit.accept(metadata);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        output.write(file, 0, file.length - 8 - footerLength(file));
        return withFooter(output, metadata);
    }

    /** Footer bytes that need not be a footer. */
    static byte[] withFooter(byte[] file, byte[] footer)
    {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        output.write(file, 0, file.length - 8 - footerLength(file));
        output.writeBytes(footer);
        output.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.length).array());
        output.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
        return output.toByteArray();
    }

    private static byte[] withFooter(ByteArrayOutputStream data, FileMetaData metadata)
            throws IOException
    {
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        Util.writeFileMetaData(metadata, footer);
        data.writeBytes(footer.toByteArray());
        data.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.size()).array());
        data.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
        return data.toByteArray();
    }

    /** The same file with its column chunks in random order and with gaps between them; page indexes and Bloom filters are lost. */
    static byte[] scatter(byte[] file, Random random)
            throws IOException
    {
        FileMetaData metadata = read(file);
        List<ColumnChunk> chunks = new ArrayList<>();
        for (RowGroup rowGroup : metadata.getRow_groups()) {
            chunks.addAll(rowGroup.getColumns());
        }
        Collections.shuffle(chunks, random);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        output.write(file, 0, 4);
        for (ColumnChunk chunk : chunks) {
            output.writeBytes(new byte[random.nextInt(100)]);
            ColumnMetaData column = chunk.getMeta_data();
            long start = column.isSetDictionary_page_offset() ? column.getDictionary_page_offset() : column.getData_page_offset();
            long shift = output.size() - start;
            output.write(file, (int) start, (int) column.getTotal_compressed_size());
            column.setData_page_offset(column.getData_page_offset() + shift);
            if (column.isSetDictionary_page_offset()) {
                column.setDictionary_page_offset(column.getDictionary_page_offset() + shift);
            }
            column.unsetBloom_filter_offset();
            column.unsetBloom_filter_length();
            chunk.unsetColumn_index_offset();
            chunk.unsetColumn_index_length();
            chunk.unsetOffset_index_offset();
            chunk.unsetOffset_index_length();
        }
        return withFooter(output, metadata);
    }
}
