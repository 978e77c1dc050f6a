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
package org.lakesteward.procedure.copy;

import com.google.common.collect.ImmutableList;
import io.airlift.units.DataSize;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoInput;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.lakesteward.procedure.copy.CompactThriftGuard.MalformedThriftException;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.ENCRYPTED;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.FOOTER_TOO_LARGE;

/**
 * The footer of a Parquet file, read within bounds and checked against the file: whoever holds one may rely on every column
 * chunk, page index and Bloom filter lying inside the file, on chunks not overlapping, and on row counts that add up.
 * <p>
 * Immutable as long as nobody modifies {@link #metadata()}; safe to share between threads.
 */
public final class ParquetFooter
{
    /** Magic, footer length, magic: the smallest thing that can be looked at. */
    private static final int MIN_FILE_SIZE = 12;
    private static final int TRAILER_SIZE = 8;
    private static final int FIRST_READ_SIZE = 64 * 1024;
    private static final int MAGIC_SIZE = 4;
    private static final int MAX_SCHEMA_DEPTH = 128;
    /** Objects that the generated classes make of a footer take about this many times its bytes (measured on wide tables). */
    private static final int OBJECT_BYTES_PER_FOOTER_BYTE = 8;

    private final Location location;
    private final long fileSize;
    private final int footerSize;
    private final FileMetaData metadata;
    private final ParquetNode root;
    private final List<ParquetNode> leaves;
    private final boolean encrypted;
    private final long[] firstRows;

    private ParquetFooter(Location location, long fileSize, int footerSize, FileMetaData metadata)
            throws CorruptParquetException
    {
        this.location = location;
        this.fileSize = fileSize;
        this.footerSize = footerSize;
        this.metadata = metadata;
        this.root = readSchema();
        this.leaves = root.leaves();
        this.encrypted = metadata.isSetEncryption_algorithm() || metadata.getRow_groups().stream()
                .flatMap(rowGroup -> rowGroup.getColumns().stream())
                .anyMatch(chunk -> chunk.isSetCrypto_metadata() || chunk.isSetEncrypted_column_metadata());
        this.firstRows = new long[metadata.getRow_groups().size()];
        validateRowCounts();
        if (!encrypted) {
            validateRowGroups();
        }
    }

    /**
     * Reads and checks a footer: one read of 64 kB for most files, two at most.
     *
     * @param input the file; stays open
     * @param location the file's location, for messages
     * @param fileSize the file's size in bytes as its manifest entry has it
     * @param maxFooterSize larger footers are refused before anything of that size is allocated
     * @throws CorruptParquetException when the bytes are not those of a well-formed Parquet file of this size
     * @throws UnsupportedParquetException when the footer is encrypted or larger than the limit
     * @throws IOException when storage fails
     */
    public static ParquetFooter read(TrinoInput input, Location location, long fileSize, DataSize maxFooterSize)
            throws IOException
    {
        requireNonNull(input, "input is null");
        requireNonNull(location, "location is null");
        checkArgument(fileSize >= 0, "fileSize is negative: %s", fileSize);
        if (fileSize < MIN_FILE_SIZE) {
            throw new CorruptParquetException(location, "its %s bytes are fewer than the %s that the smallest Parquet file has".formatted(fileSize, MIN_FILE_SIZE));
        }

        byte[] tail = readRange(input, location, fileSize, (int) min(fileSize, FIRST_READ_SIZE));
        checkMagic(location, tail, tail.length - MAGIC_SIZE);
        long length = Integer.toUnsignedLong(littleEndianInt(tail, tail.length - TRAILER_SIZE));
        if (length > fileSize - MIN_FILE_SIZE) {
            throw new CorruptParquetException(location, "its last bytes announce a footer of %s bytes, which does not fit in a file of %s bytes".formatted(length, fileSize));
        }
        if (length > maxFooterSize.toBytes()) {
            throw new UnsupportedParquetException(location, FOOTER_TOO_LARGE, "its footer has %s bytes, the limit is %s bytes".formatted(length, maxFooterSize.toBytes()));
        }
        int footerSize = (int) length;
        if (footerSize + TRAILER_SIZE > tail.length) {
            tail = readRange(input, location, fileSize, footerSize + TRAILER_SIZE);
        }
        return parse(location, fileSize, tail, tail.length - TRAILER_SIZE - footerSize, footerSize);
    }

    /**
     * Checks a footer that was not read from a file, such as one that was just written.
     *
     * @param footerSize serialized size of the footer in bytes
     * @throws CorruptParquetException when it does not describe a well-formed file of this size
     */
    static ParquetFooter of(Location location, long fileSize, int footerSize, FileMetaData metadata)
            throws CorruptParquetException
    {
        return new ParquetFooter(location, fileSize, footerSize, metadata);
    }

    private static ParquetFooter parse(Location location, long fileSize, byte[] bytes, int start, int footerSize)
            throws IOException
    {
        FileMetaData metadata;
        try {
            int length = CompactThriftGuard.structLength(bytes, start, start + footerSize);
            // bytes may follow: the signature of a footer in plain text in an encrypted file
            metadata = Util.readFileMetaData(new ByteArrayInputStream(bytes, start, length));
        }
        catch (MalformedThriftException e) {
            throw new CorruptParquetException(location, "its footer cannot be parsed, " + e.getMessage(), e);
        }
        catch (IOException | RuntimeException e) {
            throw new CorruptParquetException(location, "its footer cannot be parsed: " + e.getMessage(), e);
        }
        return new ParquetFooter(location, fileSize, footerSize, metadata);
    }

    private static byte[] readRange(TrinoInput input, Location location, long fileSize, int length)
            throws IOException
    {
        byte[] bytes = new byte[length];
        try {
            input.readFully(fileSize - length, bytes, 0, length);
        }
        catch (EOFException e) {
            throw new CorruptParquetException(location, "it is shorter than the %s bytes that it should have".formatted(fileSize), e);
        }
        return bytes;
    }

    private static void checkMagic(Location location, byte[] bytes, int offset)
            throws IOException
    {
        if (bytes[offset] == 'P' && bytes[offset + 1] == 'A' && bytes[offset + 2] == 'R') {
            if (bytes[offset + 3] == '1') {
                return;
            }
            if (bytes[offset + 3] == 'E') {
                throw new UnsupportedParquetException(location, ENCRYPTED, "its footer is encrypted");
            }
        }
        throw new CorruptParquetException(location, "it does not end with PAR1 at its size");
    }

    private static int littleEndianInt(byte[] bytes, int offset)
    {
        return (bytes[offset] & 0xff) | (bytes[offset + 1] & 0xff) << 8 | (bytes[offset + 2] & 0xff) << 16 | (bytes[offset + 3] & 0xff) << 24;
    }

    private ParquetNode readSchema()
            throws CorruptParquetException
    {
        List<SchemaElement> elements = metadata.getSchema();
        check(!elements.isEmpty(), "its schema is empty");
        check(!elements.getFirst().isSetType(), "the root of its schema is a column");
        SchemaReader reader = new SchemaReader(elements);
        ParquetNode root = reader.read(ImmutableList.of(), 0, 0);
        check(reader.next == elements.size(), "its schema has %s elements, %s of them below the root".formatted(elements.size(), reader.next));
        return root;
    }

    private final class SchemaReader
    {
        private final List<SchemaElement> elements;
        private int next;

        private SchemaReader(List<SchemaElement> elements)
        {
            this.elements = elements;
        }

        private ParquetNode read(List<String> path, int repetitionLevel, int depth)
                throws CorruptParquetException
        {
            check(depth <= MAX_SCHEMA_DEPTH, "its schema is nested deeper than %s levels".formatted(MAX_SCHEMA_DEPTH));
            check(next < elements.size(), "its schema announces more elements than it has (%s)".formatted(elements.size()));
            SchemaElement element = elements.get(next);
            next++;
            if (element.isSetType()) {
                check(!element.isSetNum_children() || element.getNum_children() == 0, "column %s of its schema has children".formatted(String.join(".", path)));
                return new ParquetNode(element, path, ImmutableList.of(), repetitionLevel);
            }
            check(element.isSetNum_children() && element.getNum_children() >= 0, "element %s of its schema has neither type nor children".formatted(next - 1));
            List<ParquetNode> children = new ArrayList<>();
            for (int child = 0; child < element.getNum_children(); child++) {
                check(next < elements.size(), "its schema announces more elements than it has (%s)".formatted(elements.size()));
                SchemaElement childElement = elements.get(next);
                check(childElement.isSetRepetition_type(), "element %s of its schema has no repetition".formatted(next));
                int level = repetitionLevel + (childElement.getRepetition_type() == FieldRepetitionType.REPEATED ? 1 : 0);
                children.add(read(ImmutableList.<String>builder().addAll(path).add(childElement.getName()).build(), level, depth + 1));
            }
            return new ParquetNode(element, path, children, repetitionLevel);
        }
    }

    private void validateRowCounts()
            throws CorruptParquetException
    {
        long rows = 0;
        for (int index = 0; index < firstRows.length; index++) {
            firstRows[index] = rows;
            long rowGroupRows = metadata.getRow_groups().get(index).getNum_rows();
            check(rowGroupRows >= 0 && rows <= Long.MAX_VALUE - rowGroupRows, "row group %s has %s rows".formatted(index, rowGroupRows));
            rows += rowGroupRows;
        }
        check(rows == metadata.getNum_rows(), "its row groups have %s rows, its footer says %s".formatted(rows, metadata.getNum_rows()));
    }

    private void validateRowGroups()
            throws CorruptParquetException
    {
        List<ByteRange> chunks = new ArrayList<>();
        for (int index = 0; index < rowGroupCount(); index++) {
            RowGroup rowGroup = rowGroup(index);
            check(rowGroup.getColumnsSize() == leaves.size(), "row group %s has %s column chunks, its schema %s columns".formatted(index, rowGroup.getColumnsSize(), leaves.size()));
            for (int column = 0; column < leaves.size(); column++) {
                ByteRange range = validateChunk(index, rowGroup, column);
                if (range.length() > 0) {
                    chunks.add(range);
                }
            }
        }
        chunks.sort(Comparator.comparingLong(ByteRange::start));
        for (int index = 1; index < chunks.size(); index++) {
            check(chunks.get(index - 1).end() <= chunks.get(index).start(), "column chunks overlap at byte %s".formatted(chunks.get(index).start()));
        }
    }

    private ByteRange validateChunk(int rowGroupIndex, RowGroup rowGroup, int column)
            throws CorruptParquetException
    {
        ColumnChunk chunk = rowGroup.getColumns().get(column);
        ParquetNode leaf = leaves.get(column);
        String where = "column %s of row group %s".formatted(leaf.dottedPath(), rowGroupIndex);
        check(chunk.isSetMeta_data(), "%s has no metadata".formatted(where));
        check(!chunk.isSetFile_path() || chunk.getFile_path().isEmpty(), "%s lies in another file, %s".formatted(where, chunk.getFile_path()));
        ColumnMetaData columnMetadata = chunk.getMeta_data();
        check(columnMetadata.getPath_in_schema().equals(leaf.path()), "%s is called %s in its column chunk".formatted(where, String.join(".", columnMetadata.getPath_in_schema())));
        check(columnMetadata.getType() == leaf.element().getType(), "%s is %s in its schema and %s in its column chunk".formatted(where, leaf.element().getType(), columnMetadata.getType()));
        check(
                leaf.maxRepetitionLevel() == 0 ? columnMetadata.getNum_values() == rowGroup.getNum_rows() : columnMetadata.getNum_values() >= rowGroup.getNum_rows(),
                "%s has %s values for %s rows".formatted(where, columnMetadata.getNum_values(), rowGroup.getNum_rows()));
        check(columnMetadata.getTotal_compressed_size() >= 0 && columnMetadata.getTotal_uncompressed_size() >= 0, "%s has a negative size".formatted(where));
        check(columnMetadata.getTotal_compressed_size() > 0 || rowGroup.getNum_rows() == 0, "%s has %s rows in no bytes".formatted(where, rowGroup.getNum_rows()));
        if (chunk.isSetColumn_index_offset() || chunk.isSetColumn_index_length()) {
            check(chunk.isSetColumn_index_offset() && chunk.isSetColumn_index_length(), "the column index of %s has no offset or no length".formatted(where));
            checkRange(chunk.getColumn_index_offset(), chunk.getColumn_index_length(), 1, "the column index of " + where);
        }
        if (chunk.isSetOffset_index_offset() || chunk.isSetOffset_index_length()) {
            check(chunk.isSetOffset_index_offset() && chunk.isSetOffset_index_length(), "the offset index of %s has no offset or no length".formatted(where));
            checkRange(chunk.getOffset_index_offset(), chunk.getOffset_index_length(), 1, "the offset index of " + where);
        }
        if (columnMetadata.isSetBloom_filter_offset()) {
            checkRange(columnMetadata.getBloom_filter_offset(), columnMetadata.isSetBloom_filter_length() ? columnMetadata.getBloom_filter_length() : 1, 1, "the Bloom filter of " + where);
        }
        if (columnMetadata.getTotal_compressed_size() == 0) {
            return new ByteRange(0, 0);
        }
        long start = chunkStart(columnMetadata);
        checkRange(start, columnMetadata.getTotal_compressed_size(), 1, where);
        ByteRange range = new ByteRange(start, columnMetadata.getTotal_compressed_size());
        check(range.contains(columnMetadata.getData_page_offset()), "the first data page of %s is at byte %s, outside of the column chunk".formatted(where, columnMetadata.getData_page_offset()));
        if (columnMetadata.isSetDictionary_page_offset() && columnMetadata.getDictionary_page_offset() > 0) {
            check(range.contains(columnMetadata.getDictionary_page_offset()), "the dictionary page of %s is at byte %s, outside of the column chunk".formatted(where, columnMetadata.getDictionary_page_offset()));
        }
        return range;
    }

    private void checkRange(long start, long length, long minLength, String what)
            throws CorruptParquetException
    {
        long footerStart = footerStart();
        check(
                start >= MAGIC_SIZE && length >= minLength && start <= footerStart && length <= footerStart - start,
                "%s takes %s bytes from byte %s, outside of bytes %s to %s".formatted(what, length, start, MAGIC_SIZE, footerStart));
    }

    private void check(boolean condition, String problem)
            throws CorruptParquetException
    {
        if (!condition) {
            throw new CorruptParquetException(location, problem);
        }
    }

    /**
     * Where a chunk starts: at its dictionary page if it has one, which some writers mark as absent with 0.
     */
    static long chunkStart(ColumnMetaData column)
    {
        if (column.isSetDictionary_page_offset() && column.getDictionary_page_offset() > 0) {
            return min(column.getDictionary_page_offset(), column.getData_page_offset());
        }
        return column.getData_page_offset();
    }

    static ByteRange chunkRange(ColumnMetaData column)
    {
        return new ByteRange(chunkStart(column), column.getTotal_compressed_size());
    }

    /**
     * @return the file's location
     */
    public Location location()
    {
        return location;
    }

    /**
     * @return the file's size in bytes
     */
    public long fileSize()
    {
        return fileSize;
    }

    /**
     * @return the size of the serialized footer in bytes, without length and magic
     */
    public int footerSize()
    {
        return footerSize;
    }

    /** The first byte after the data. */
    long footerStart()
    {
        return fileSize - TRAILER_SIZE - footerSize;
    }

    /**
     * @return the footer itself, not to be modified
     */
    public FileMetaData metadata()
    {
        return metadata;
    }

    /**
     * @return the number of row groups
     */
    public int rowGroupCount()
    {
        return firstRows.length;
    }

    /**
     * @param index of a row group, from 0
     * @return the row group's part of the footer, not to be modified
     */
    public RowGroup rowGroup(int index)
    {
        return metadata.getRow_groups().get(index);
    }

    /**
     * @param index of a row group, from 0
     * @return the position in the file of the row group's first row
     */
    public long firstRow(int index)
    {
        return firstRows[index];
    }

    /**
     * @return the number of rows
     */
    public long rowCount()
    {
        return metadata.getNum_rows();
    }

    /**
     * @return whether columns are encrypted although the footer is not
     */
    public boolean isEncrypted()
    {
        return encrypted;
    }

    /**
     * @return bytes of all column chunks as they lie in the file; 0 for an encrypted file, whose sizes may be hidden
     */
    public long compressedSize()
    {
        long size = 0;
        for (int index = 0; index < rowGroupCount(); index++) {
            size += compressedSize(index);
        }
        return size;
    }

    /**
     * @param index of a row group, from 0
     * @return bytes of the row group's column chunks as they lie in the file
     */
    public long compressedSize(int index)
    {
        if (encrypted) {
            return 0;
        }
        return rowGroup(index).getColumns().stream().mapToLong(chunk -> chunk.getMeta_data().getTotal_compressed_size()).sum();
    }

    ParquetNode root()
    {
        return root;
    }

    List<ParquetNode> leaves()
    {
        return leaves;
    }

    /** Serialized size of one row group's part of the footer, on average. */
    long footerBytesPerRowGroup()
    {
        return footerSize / max(1, rowGroupCount());
    }

    /**
     * @return an estimate of the memory that this footer holds, in bytes
     */
    public long retainedBytes()
    {
        return (long) footerSize * OBJECT_BYTES_PER_FOOTER_BYTE;
    }
}
